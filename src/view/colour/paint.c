// SPDX-License-Identifier: BSD-3-Clause
// Colours of bodies, and the range of values they stand for.
#include "view/colour/paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static vec3f kinematic_wall(void) { return palette_oklch(0.68f, 0.045f, 245.0f); }
static vec3f without_value(void) { return palette_oklch(0.75f, 0.0f, 0.0f); }
static vec3f bead(void) { return palette_oklch(0.80f, 0.02f, 80.0f); }

// Units are scaled so that a bar does not end in a row of zeros.
static void use_bar(legend *l, const char *title, const char *unit, quantity_range r)
{
    static const struct {
        double below, scale;
        const char *prefix;
    } prefixes[] = {{1e-4, 1e6, "\u00b5"}, {0.1, 1e3, "m"}, {1e4, 1.0, ""}, {INFINITY, 1e-3, "k"}};
    double largest = fmax(fabs(r.min), fabs(r.max));
    int k = 0;
    while (k < 3 && largest >= prefixes[k].below) ++k;
    *l = (legend){
        .kind = LEGEND_BAR, .title = title, .min = prefixes[k].scale * r.min, .max = prefixes[k].scale * r.max};
    snprintf(l->unit, sizeof l->unit, "%s%s", prefixes[k].prefix, unit);
}

static vec3f on_scale(paint *p, quantity_range r, float value)
{
    if (isnan(value)) return without_value();
    p->legend.goes_below = p->legend.goes_below || value < r.min - 1e-4 * (r.max - r.min);
    p->legend.goes_above = p->legend.goes_above || value > r.max + 1e-4 * (r.max - r.min);
    return palette_at(&p->scale, (float)((value - r.min) / (r.max - r.min)));
}

static vec3f of_kind(paint *p, uint32_t kind)
{
    legend *l = &p->legend;
    int i = 0;
    while (i < l->swatch_count && l->swatch[i] != kind) ++i;
    if (i == l->swatch_count && i < LEGEND_SWATCHES) l->swatch[l->swatch_count++] = kind;
    return palette_category(kind);
}

static void store(float *rgb, vec3f colour) { memcpy(rgb, &colour, 3 * sizeof *rgb); }

// A few shapes of a material are things, each body with a colour of its own; a crowd of them is a heap of grains, like
// sand.
enum { CROWD = 64 };
typedef struct crowds {
    int64_t count[UINT8_MAX + 1];  // spheres and dynamic parts by material
} crowds;

static crowds count_crowds(const frame *f)
{
    crowds c = {0};
    for (int64_t i = 0; i < f->spheres.count; ++i) ++c.count[f->spheres.material[i]];
    for (int64_t i = 0; i < f->part_count; ++i)
        if (f->parts[i].kind == SCR_DYNAMIC) ++c.count[f->parts[i].material];
    return c;
}

// What colours are chosen by.
typedef struct brush {
    paint *paint;
    const paint_request *request;
    quantity values;  // of a colour that is a quantity
    quantity_range range;
    crowds crowds;
} brush;

static uint32_t group_of(const paint_request *r, uint32_t id)
{
    return id >= 1 && id <= r->body_count ? (uint32_t)r->group_of_body[id - 1] : 0;
}

// Of a shape that moves by itself. value: that of the quantity, if there is one.
static vec3f colour_of(brush *b, const float *value, uint32_t id, uint8_t material, bool may_be_sand)
{
    const paint_request *r = b->request;
    if (r->first_rod >= 0) return bead();
    if (value != NULL) return on_scale(b->paint, b->range, *value);
    if (r->colour == COLOUR_MATERIAL) return of_kind(b->paint, material);
    if (r->colour == COLOUR_GROUP) return of_kind(b->paint, group_of(r, id));
    return may_be_sand && b->crowds.count[material] > CROWD ? palette_sand(id) : palette_category(id);
}

static void paint_spheres(brush *b, const frame_spheres *s)
{
    for (int64_t i = 0; i < s->count; ++i) {
        const float *value = b->values.sphere != NULL ? &b->values.sphere[i] : NULL;
        vec3f colour = colour_of(b, value, s->id[i], s->material[i], true);
        store(&b->paint->sphere[3 * i], appearance_colour(&b->request->appearance, s->id[i], colour));
    }
}

static void paint_boxes(brush *b, const frame *f)
{
    for (int64_t i = 0; i < f->box_count; ++i) {
        const frame_shape *box = &f->boxes[i];
        const float *value = b->values.box != NULL ? &b->values.box[i] : NULL;
        vec3f colour = box->kind == SCR_FIXED       ? b->paint->wall
                       : box->kind == SCR_KINEMATIC ? kinematic_wall()
                                                    : colour_of(b, value, box->id, box->material, false);
        store(&b->paint->box[3 * i], appearance_colour(&b->request->appearance, box->id, colour));
    }
}

static vec3f part_colour(brush *b, const frame_shape *part, int64_t i)
{
    const paint_request *r = b->request;
    if (r->first_rod >= 0 && i >= r->first_rod) return on_scale(b->paint, b->range, r->rod_force[i - r->first_rod]);
    vec3f colour = part->kind == SCR_KINEMATIC      ? kinematic_wall()
                   : part->kind == SCR_DYNAMIC      ? colour_of(b, b->values.part != NULL ? &b->values.part[i] : NULL,
                                                                part->id, part->material, true)
                   : part->shape == SCR_HEIGHTFIELD ? b->paint->ground
                                                    : b->paint->wall;
    return appearance_colour(&r->appearance, part->id, colour);
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static scr_status find_values(brush *b, const frame *f, scr_error *error)
{
    const paint_request *r = b->request;
    scr_status status = SCR_OK;
    if (r->first_rod >= 0) {
        b->range = r->has_range ? r->range : quantity_range_of_forces(f);
        use_bar(&b->paint->legend, "Contact force", "N", b->range);
    } else if (colour_is_quantity(r->colour)) {
        status = quantity_init(&b->values, f, r->colour, r->first, error);
        if (status == SCR_OK && r->has_range) b->range = r->range;
        else if (status == SCR_OK) status = quantity_range_of(&b->values, f, r->colour, &b->range, error);
        quantity_name name = quantity_name_of(r->colour);
        use_bar(&b->paint->legend, name.title, name.unit, b->range);
    } else if (r->colour == COLOUR_MATERIAL || r->colour == COLOUR_GROUP) {
        b->paint->legend.kind = LEGEND_SWATCHES_OF_NAMES;
    }
    return status;
}

static scr_status paint_allocate(paint *p, const frame *f, scr_error *error)
{
    size_t sphere_bytes = scr_array_bytes(f->spheres.count + 1, 3 * sizeof(float));
    size_t box_bytes = scr_array_bytes(f->box_count + 1, 3 * sizeof(float));
    size_t part_bytes = scr_array_bytes(f->part_count + 1, 3 * sizeof(float));
    p->sphere = scr_alloc(sphere_bytes);
    p->box = scr_alloc(box_bytes);
    p->part = scr_alloc(part_bytes);
    if (p->sphere != NULL && p->box != NULL && p->part != NULL) return SCR_OK;
    return scr_fail_memory(error, sphere_bytes + box_bytes + part_bytes, "the colours of a picture");
}

scr_status paint_init(paint *p, const frame *f, const paint_request *request, scr_error *error)
{
    *p = (paint){.ground = palette_oklch(0.87f, 0.003f, 85.0f),
                 .wall = palette_oklch(0.86f, 0.008f, 240.0f),
                 .appearance = request->appearance};
    palette_init(&p->scale, request->map);
    brush b = {.paint = p, .request = request, .range = {0.0, 1.0}, .crowds = count_crowds(f)};
    scr_status status = paint_allocate(p, f, error);
    if (status == SCR_OK) status = find_values(&b, f, error);
    if (status == SCR_OK) {
        paint_spheres(&b, &f->spheres);
        paint_boxes(&b, f);
        for (int64_t i = 0; i < f->part_count; ++i) store(&p->part[3 * i], part_colour(&b, &f->parts[i], i));
        qsort(p->legend.swatch, (size_t)p->legend.swatch_count, sizeof p->legend.swatch[0], by_index);
    } else {
        paint_free(p);
    }
    quantity_free(&b.values);
    return status;
}

void paint_free(paint *p)
{
    scr_free(p->sphere);
    scr_free(p->box);
    scr_free(p->part);
    p->sphere = p->box = p->part = NULL;
}
