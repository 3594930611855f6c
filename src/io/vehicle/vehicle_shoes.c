// SPDX-License-Identifier: BSD-3-Clause
// The shoes of a vehicle file, and what all its parts say of their material.
#include "io/vehicle/vehicle_reading.h"

static const number_range SHOES = {4.0, 10000.0, false, false};

static const char *only_name(const json_t *map)
{
    return json_object_size(map) == 1 ? json_object_iter_key(json_object_iter((json_t *)map)) : NULL;
}

part_look read_part_look(json_cursor *at, const vehicle_file *file)
{
    const char *only = only_name(file->materials);
    part_look look = {.material = cursor_text(at, "material", only)};
    json_cursor appearance = cursor_member(at, "appearance"), shapes = cursor_member(at, "shapes");
    look.appearance = appearance.value;
    look.shapes = json_is_null(shapes.value) ? NULL : shapes.value;
    if (cursor_is_ok(at) && json_object_get(file->materials, look.material) == NULL) {
        json_cursor material = cursor_member(at, "material");
        cursor_fail(&material, "no material is named \"%s\" in this file", shown(look.material).text);
    }
    return look;
}

static void read_pad(json_cursor *shoes, tracked_shoe *shoe)
{
    json_cursor at = cursor_object(shoes, "pad");
    shoe->pad_length = cursor_number(&at, "length", 0.92 * shoe->pitch, RANGE_LENGTH);
    shoe->pad_thickness = cursor_needed_number(&at, "thickness", RANGE_LENGTH);
    shoe->pad_depth = cursor_needed_number(&at, "depth", RANGE_NOT_NEGATIVE);
    cursor_close(&at);
}

static void read_grouser(json_cursor *shoes, tracked_shoe *shoe)
{
    if (!cursor_has(shoes, "grouser")) return;
    json_cursor at = cursor_object(shoes, "grouser");
    shoe->grouser_height = cursor_needed_number(&at, "height", RANGE_LENGTH);
    shoe->grouser_length = cursor_needed_number(&at, "length", RANGE_LENGTH);
    cursor_close(&at);
}

static void read_horns(json_cursor *shoes, tracked_shoe *shoe)
{
    if (!cursor_has(shoes, "horns")) return;
    json_cursor at = cursor_object(shoes, "horns");
    shoe->horn_height = cursor_needed_number(&at, "height", RANGE_LENGTH);
    shoe->horn_length = cursor_needed_number(&at, "length", RANGE_LENGTH);
    shoe->horn_thickness = cursor_needed_number(&at, "thickness", RANGE_LENGTH);
    shoe->horn_gauge = cursor_needed_number(&at, "gauge", RANGE_LENGTH);
    cursor_close(&at);
}

static void read_pin(json_cursor *shoes, tracked_shoe *shoe)
{
    json_cursor at = cursor_object(shoes, "pin");
    shoe->pin_radius = cursor_needed_number(&at, "radius", RANGE_LENGTH);
    shoe->pin_length = cursor_needed_number(&at, "length", RANGE_LENGTH);
    shoe->pin_strength = cursor_number_or_null(&at, "strength", 0.0, RANGE_POSITIVE);
    if (cursor_is_ok(&at) && !(4.0 * shoe->pin_radius < shoe->pitch)) {
        json_cursor radius = cursor_member(&at, "radius");
        cursor_fail(&radius, "pins so thick leave no room for teeth between them: at most a quarter of the pitch, %g m",
                    0.25 * shoe->pitch);
    }
    cursor_close(&at);
}

static void read_connector(json_cursor *shoes, tracked_shoe *shoe)
{
    json_cursor at = cursor_object(shoes, "connector");
    shoe->connector_pitch = cursor_needed_number(&at, "pitch", RANGE_LENGTH);
    shoe->connector_mass = cursor_needed_number(&at, "mass", RANGE_POSITIVE);
    cursor_close(&at);
}

static void read_band(json_cursor *shoes, tracked_shoe *shoe)
{
    json_cursor at = cursor_object(shoes, "bushing");
    shoe->stiffness[0] = cursor_needed_number(&at, "stiffness", RANGE_POSITIVE);
    shoe->damping[0] = cursor_number(&at, "damping", 0.0, RANGE_NOT_NEGATIVE);
    shoe->stiffness[1] = cursor_needed_number(&at, "rotational_stiffness", RANGE_NOT_NEGATIVE);
    shoe->damping[1] = cursor_number(&at, "rotational_damping", 0.0, RANGE_NOT_NEGATIVE);
    cursor_close(&at);
}

void read_shoes(json_cursor *root, vehicle_file *file)
{
    static const char *const kinds[] = {
        [SHOE_SINGLE_PIN] = "single_pin", [SHOE_DOUBLE_PIN] = "double_pin", [SHOE_BAND] = "band"};
    tracked_shoe *shoe = &file->tracked.shoe;
    json_cursor at = cursor_object(root, "shoes");
    shoe->kind = (shoe_kind)cursor_choice(&at, "kind", kinds, 3, SHOE_SINGLE_PIN);
    shoe->count = (int)cursor_needed_whole(&at, "count", SHOES);
    shoe->pitch = cursor_needed_number(&at, "pitch", RANGE_LENGTH);
    shoe->mass = cursor_needed_number(&at, "mass", RANGE_POSITIVE);
    shoe->width = cursor_needed_number(&at, "width", RANGE_LENGTH);
    read_pad(&at, shoe);
    read_grouser(&at, shoe);
    read_horns(&at, shoe);
    read_pin(&at, shoe);
    if (shoe->kind == SHOE_DOUBLE_PIN) read_connector(&at, shoe);
    if (shoe->kind == SHOE_BAND) read_band(&at, shoe);
    file->shoes = read_part_look(&at, file);
    cursor_close(&at);
}
