// SPDX-License-Identifier: BSD-3-Clause
// Populating a world.
#include "scene/populate/populate.h"

#include <math.h>

#include "core/base/memory.h"
#include "core/maths/vec3.h"
#include "core/text/human.h"
#include "scene/model/messages.h"
#include "scene/overlap/vacancy.h"
#include "scene/populate/emission_estimate.h"
#include "scene/populate/grain_mix.h"
#include "scene/populate/grain_shape.h"
#include "scene/populate/mesh_layers.h"
#include "scene/populate/particle_table.h"
#include "scene/populate/place_beds.h"
#include "scene/populate/populate_grounds.h"
#include "scene/populate/streams.h"

scr_status populate_materials(const scene *s, scr_world *world, scr_error *error)
{
    scr_error reason;
    scr_material material;
    for (int i = 0; i < s->material_count; ++i) {
        scr_status status = scr_world_add_material(world, &s->materials[i].def, &material, &reason);
        if (status != SCR_OK)
            return scr_fail(error, status, "%s: material '%s': %s", s->path, s->materials[i].name, reason.message);
    }
    for (int i = 0; i < s->pair_count; ++i) {
        const scene_material_pair *pair = &s->pairs[i];
        scr_material a = {(uint32_t)pair->a + 1}, b = {(uint32_t)pair->b + 1};
        scr_status status = scr_world_pair_materials(world, a, b, &pair->def, &reason);
        if (status != SCR_OK)
            return scr_fail(error, status, "%s: materials '%s' and '%s': %s", s->path, s->materials[pair->a].name,
                            s->materials[pair->b].name, reason.message);
    }
    return SCR_OK;
}

// Grains on their way into the world.
typedef struct grain_list {
    packed_grains places;
    scr_vec3 *velocity;  // NULL: they stand still
} grain_list;

static scr_status give_velocity(grain_list *g, scr_vec3 velocity, scr_error *error)
{
    scr_free(g->velocity);
    g->velocity = NULL;
    if (!(vec3_norm(velocity) > 0.0)) return SCR_OK;
    scr_status status = scr_make_zeros(&g->velocity, g->places.count, sizeof *g->velocity, "grains", error);
    for (int64_t i = 0; i < g->places.count && status == SCR_OK; ++i) g->velocity[i] = velocity;
    return status;
}

static void grain_list_free(grain_list *g)
{
    packed_grains_free(&g->places);
    scr_free(g->velocity);
}

// Is the number of grains that there is room for what was asked for? Else a sentence.
static scr_status check_fill(const scene *s, const scene_fill *fill, const char *label, int64_t count, scr_error *error)
{
    human_text largest = human_length(size_largest(&fill->size));
    if (count == PACKING_TOO_LARGE)
        return scene_fail(error, SCR_BAD_INPUT, s, fill->location,
                          "%s: the region is too large for grains of %s radius", label, largest.text);
    if (count < fill->count)
        return scene_fail(error, SCR_BAD_INPUT, s, fill->location, "%s holds %s, %s asked for", label,
                          human_things(count, "grain", "grains").text, human_things(fill->count, "was", "were").text);
    if (count == 0)
        return scene_fail(error, SCR_BAD_INPUT, s, fill->location,
                          "%s is empty: no grain of %s radius fits into the region", label, largest.text);
    return SCR_OK;
}

// The grains of one kind after those of another, so that each kind is added at once; which grain is of which is drawn.
static scr_status add_mix(const scene *s, int index, int64_t count, scr_world *world, grain_list *g, scr_error *error)
{
    const scene_mix *mix = &s->fills[index].mix;
    uint64_t stream = STREAM_FILL_MIXES + (uint64_t)index;
    packed_grains kind = {0};
    int64_t added = 0;
    scr_status status = mix->count > 1 ? packed_grains_reserve(&kind, count, error) : SCR_OK;
    for (int k = 0; k < mix->count && status == SCR_OK; ++k) {
        grain_batch batch = {count,
                             g->places.position,
                             g->places.radius,
                             g->velocity,
                             {(uint32_t)mix->grain[k].material + 1},
                             s->seed,
                             STREAM_FILL_ROTATIONS + (uint64_t)index,
                             STREAM_FILL_PEBBLES + (uint64_t)index + PEBBLE_KIND * (uint64_t)k,
                             (uint64_t)added,
                             s->fills[index].fixed};
        if (mix->count > 1) {
            batch.count = 0;
            for (int64_t i = 0; i < count; ++i) {
                if (mix_draw(mix, s->seed, stream, (uint64_t)i) != k) continue;
                kind.position[batch.count] = g->places.position[i];
                kind.radius[batch.count++] = g->places.radius[i];
            }
            batch.position = kind.position;
            batch.radius = kind.radius;
        }
        status = add_grains(world, &mix->grain[k], &batch, error);
        added += batch.count;
    }
    packed_grains_free(&kind);
    return status;
}

static scr_status add_fill(const scene *s, int index, const height_grid *grounds, scr_world *world, grain_list *g,
                           scr_error *error)
{
    const scene_fill *fill = &s->fills[index];
    scene_label label = label_of("fill", fill->name, index);
    region where = fill_region(fill, grounds);
    packing p = {
        fill->pattern,        &where, &fill->size, fill->spacing, fill->jitter, s->seed, STREAM_FILLS + (uint64_t)index,
        mix_reach(&fill->mix)};
    bool is_lattice = fill->layers == 0 && pattern_is_lattice(p.pattern);
    int64_t count = 0, there = scr_world_bodies(world).count;
    scr_error reason;
    if (check_body_limit((double)(there + fill->count), &reason) != SCR_OK)
        return scene_fail(error, SCR_BAD_INPUT, s, fill->location, "%s: %s", label.text, reason.message);
    scr_status status = SCR_OK;
    if (fill->layers > 0) status = mesh_layers_fill(s, index, world, &g->places, &reason);
    else if (!is_lattice) status = packing_scatter(&p, fill->count, &g->places, &reason);
    if (status != SCR_OK) return scene_fail(error, status, s, fill->location, "%s: %s", label.text, reason.message);
    count = is_lattice ? packing_count(&p, fill->count) : g->places.count;
    status = check_fill(s, fill, label.text, count, error);
    if (status != SCR_OK) return status;
    if (check_body_limit((double)(there + count), &reason) != SCR_OK) status = SCR_BAD_INPUT;
    if (status == SCR_OK) status = packed_grains_reserve(&g->places, count, &reason);
    if (status == SCR_OK) {
        if (is_lattice) packing_fill(&p, count, g->places.position, g->places.radius);
        g->places.count = count;
        if (fill->avoid) status = drop_taken(world, p.reach, &g->places, &reason);
        count = g->places.count;
    }
    if (status == SCR_OK) status = give_velocity(g, fill->velocity, &reason);
    if (status == SCR_OK) status = add_mix(s, index, count, world, g, &reason);
    if (status != SCR_OK) return scene_fail(error, status, s, fill->location, "%s: %s", label.text, reason.message);
    return SCR_OK;
}

// What is wrong inside the table is said with the place in the table; what the world refuses, with that in the scene.
static scr_status add_table(const scene *s, int index, scr_world *world, scr_error *error)
{
    const scene_table *from = &s->tables[index];
    particle_table t = {0};
    scr_status status = particle_table_read_file(from->path, &t, error);
    if (status == SCR_OK) {
        scr_error reason;
        scr_material material = {(uint32_t)from->material + 1};
        status = scr_world_add_spheres(world, t.count, t.position, t.radius, t.velocity, material, NULL, &reason);
        if (status != SCR_OK)
            status = scene_fail(error, status, s, from->location, "%s: %s", label_of("table", from->name, index).text,
                                reason.message);
    }
    particle_table_free(&t);
    return status;
}

scr_status populate_grains(const scene *s, const height_grid *grounds, scr_world *world, grain_origin *origins,
                           scr_error *error)
{
    grain_list grains = {0};
    scr_status status = SCR_OK;
    for (int i = 0; i < s->fill_count && status == SCR_OK; ++i) {
        uint64_t first_id = (uint64_t)scr_world_bodies(world).count + 1;
        *origins++ = (grain_origin){"fill", s->fills[i].name, i, s->fills[i].location, first_id};
        status = add_fill(s, i, grounds, world, &grains, error);
    }
    for (int i = 0; i < s->table_count && status == SCR_OK; ++i) {
        uint64_t first_id = (uint64_t)scr_world_bodies(world).count + 1;
        *origins++ = (grain_origin){"table", s->tables[i].name, i, s->tables[i].location, first_id};
        status = add_table(s, i, world, error);
    }
    for (int i = 0; i < s->bed_count && status == SCR_OK; ++i) {
        uint64_t first_id = (uint64_t)scr_world_bodies(world).count + 1;
        *origins++ = (grain_origin){"bed", s->beds[i].name, i, s->beds[i].location, first_id};
        status = place_bed(s, i, world, error);
    }
    grain_list_free(&grains);
    return status;
}
