// SPDX-License-Identifier: BSD-3-Clause
// Emitters: random sequential insertion.
//
// Everything drawn is a function of the seed, the emitter and, for a grain's kind, radius and rotation, its number, or,
// for a place, the step and the number of the try: the same for any number of threads and after a resume.
#include "scene/parts/emitters.h"

#include "core/base/interruption.h"
#include "core/maths/rng.h"
#include "dynamics/world/world_state.h"
#include "scene/model/groups.h"
#include "scene/model/messages.h"
#include "scene/overlap/shape_images.h"
#include "scene/overlap/vacancy.h"
#include "scene/parts/list_table.h"
#include "scene/populate/emission_estimate.h"
#include "scene/populate/grain_mix.h"
#include "scene/populate/grain_shape.h"
#include "scene/populate/streams.h"

enum {
    TRIES_PER_GRAIN = 64,
    TRY_BITS = 20,  // tries of an emitter in one step: at most 2^TRY_BITS
    TRIES_PER_STEP = 1 << TRY_BITS,
};
static const double CATCH_UP = 0.1;        // s
static const double DUE_TOLERANCE = 1e-9;  // of a grain: a rate of one grain a step gives one in every step

static const field_info emitter_fields[] = {
    FIELD(emitters, emitted, FIELD_I64, ""),
    FIELD(emitters, mass, FIELD_F64, "kg"),
    FIELD(emitters, forgiven, FIELD_F64, "kg"),
    FIELD(emitters, served, FIELD_I64, ""),
};

// One emitter at work in one step.
typedef struct emission {
    const scene *scene;
    const scene_emitter *emitter;
    const scr_world *world;
    scr_aabb box;  // where its grains may reach
    int index;     // of the emitter
    int64_t step;
    int64_t tries;  // so far in this step
    int64_t count;  // new grains
    double owed;    // kg
    double given;   // kg
} emission;

scr_status emitters_init(emitters *e, const scene *s, scr_error *error)
{
    *e = (emitters){0};
    e->table = (table){"emitters", emitter_fields, sizeof emitter_fields / sizeof *emitter_fields, e, 0, 0, false};
    return list_table_init(&e->table, s->emitter_count, error);
}

void emitters_free(emitters *e)
{
    table_free(&e->table);
    shape_bins_free(&e->bins);
    scr_free(e->points.point);
    selection_free(&e->near);
    scr_free(e->position);
    scr_free(e->velocity);
    scr_free(e->radius);
}

static double largest_mass(const emission *m)
{
    const scene_mix *mix = &m->emitter->mix;
    double largest = 0.0;
    for (int k = 0; k < mix->count; ++k)
        largest = fmax(largest, kind_mass(m->scene, &mix->grain[k], size_largest(&m->emitter->size)));
    return largest;
}

static double owed_at(const emitters *e, const emission *m, double t)
{
    const scene_emitter *emitter = m->emitter;
    double elapsed = fmin(t, emitter->stop) - emitter->start;
    if (!(elapsed > 0.0)) return 0.0;
    return emitter->rate * elapsed - e->mass[m->index] - e->forgiven[m->index];
}

// The grain that comes next.
static uint64_t next_number(const emitters *e, const emission *m)
{
    return (uint64_t)(e->emitted[m->index] + m->count);
}

static const scene_grain *kind_of(const emission *m, uint64_t number)
{
    const scene_mix *mix = &m->emitter->mix;
    return &mix->grain[mix_draw(mix, m->scene->seed, STREAM_EMITTER_MIXES + (uint64_t)m->index, number)];
}

static double next_radius(const emitters *e, const emission *m)
{
    uint64_t stream = STREAM_EMITTER_SIZES + (uint64_t)m->index;
    return size_draw(&m->emitter->size, m->scene->seed, stream, next_number(e, m));
}

static double next_mass(const emitters *e, const emission *m)
{
    return kind_mass(m->scene, kind_of(m, next_number(e, m)), next_radius(e, m));
}

static bool is_due(const emitters *e, const emission *m, double mass)
{
    int64_t limit = m->emitter->limit;
    if (limit > 0 && e->emitted[m->index] + m->count >= limit) return false;
    return m->owed - m->given >= (1.0 - DUE_TOLERANCE) * mass;
}

// The shapes that may touch a grain in the region.
typedef struct neighbourhood {
    const scr_world *world;
    const scene *scene;
    const uint64_t *body_id;
    body_groups grain;
    scr_aabb box;
} neighbourhood;

static shape_images images_near(const scr_world *world, const placed_shape *shape, const scr_aabb *near)
{
    scr_aabb box = placed_aabb(shape);
    return images_overlapping(world_period(world), &box, near);
}

static int64_t find_near(const void *context, int64_t first, int64_t last, int32_t *hits)
{
    const neighbourhood *n = context;
    int64_t count = 0;
    for (int64_t i = first; i < last; ++i) {
        int64_t body;
        placed_shape shape = world_placed_shape(n->world, i, &body);
        if (images_near(n->world, &shape, &n->box).count == 0) continue;
        if (groups_touch(groups_of_body(n->scene, n->body_id[body], n->grain), n->grain)) hits[count++] = (int32_t)i;
    }
    return count;
}

// A grain may stick out of a thin region by as far as it reaches.
static scr_aabb box_of_grains(const emission *m)
{
    scr_aabb box = region_bounds(&m->emitter->region);
    double largest = mix_reach(&m->emitter->mix) * size_largest(&m->emitter->size);
    scr_vec3 reach = vec3(largest, largest, largest);
    return (scr_aabb){vec3_sub(box.low, reach), vec3_add(box.high, reach)};
}

// A shape, wherever new grains could touch it.
static scr_status add_images(emitters *e, const emission *m, const placed_shape *shape, scr_error *error)
{
    shape_images images = images_near(m->world, shape, &m->box);
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < images.count && status == SCR_OK; ++k) {
        placed_shape image = shape_image(&images, shape, k);
        status = shape_bins_add(&e->bins, &image, error);
    }
    return status;
}

static scr_status collect_neighbours(emitters *e, const emission *m, int threads, scr_error *error)
{
    const scr_world *world = m->world;
    neighbourhood n = {world, m->scene, scr_world_bodies(world).id, groups_of_grain(), m->box};
    int64_t shapes = scr_world_shape_count(world);
    scr_status status = selection_reserve(&e->near, shapes, error);
    if (status != SCR_OK) return status;
    selection_make(&e->near, shapes, find_near, &n, threads);

    status = shape_bins_reset(&e->bins, 2 * e->near.count, error);
    for (int64_t i = 0; i < e->near.count && status == SCR_OK; ++i) {
        int64_t body;
        placed_shape shape = world_placed_shape(world, e->near.index[i], &body);
        status = add_images(e, m, &shape, error);
    }
    return status;
}

// A grain that might be the next.
typedef struct candidate {
    placed_shape grain;
    double radius, reach;  // m; the size that was drawn, and of the ball around the grain
} candidate;

static scr_vec3 random_position(emission *m, double radius)
{
    uint64_t stream = STREAM_EMITTER_POSITIONS + (uint64_t)m->index;
    uint64_t index = ((uint64_t)m->step << (TRY_BITS + 1)) + 2 * (uint64_t)m->tries++;
    double u[4];
    scr_uniform2(m->scene->seed, stream, index, u);
    scr_uniform2(m->scene->seed, stream, index + 1, u + 2);
    return region_point(&m->emitter->region, radius, u);
}

// Find room for a grain; false if there is none in sight.
static bool find_position(emitters *e, emission *m, candidate *c)
{
    for (int try = 0; try < TRIES_PER_GRAIN && m->tries < TRIES_PER_STEP; ++try) {
        c->grain.pose.position = random_position(m, c->reach);
        if (!place_is_taken(&e->bins, &c->grain, &e->points)) return true;
    }
    return false;
}

static scr_status append(emitters *e, emission *m, const candidate *c, double mass, scr_error *error)
{
    const char *what = "new grains";
    int64_t need = m->count + 1;
    scr_status status = scr_grow(&e->position, &e->position_capacity, need, sizeof *e->position, what, error);
    if (status == SCR_OK)
        status = scr_grow(&e->velocity, &e->velocity_capacity, need, sizeof *e->velocity, what, error);
    if (status == SCR_OK) status = scr_grow(&e->radius, &e->radius_capacity, need, sizeof *e->radius, what, error);
    if (status == SCR_OK) status = add_images(e, m, &c->grain, error);
    if (status != SCR_OK) return status;
    e->position[m->count] = c->grain.pose.position;
    e->velocity[m->count] = m->emitter->velocity;
    e->radius[m->count] = c->radius;
    ++m->count;
    m->given += mass;
    return SCR_OK;
}

// The rotation of a grain is fixed beforehand, as its radius is.
static uint64_t rotation_stream(const emission *m) { return STREAM_EMITTER_ROTATIONS + (uint64_t)m->index; }

static candidate next_candidate(emitters *e, const emission *m)
{
    candidate c = {.radius = next_radius(e, m)};
    const scene_grain *kind = kind_of(m, next_number(e, m));
    scr_shape shape = grain_shape(&kind->shape, c.radius, (scr_material){0});
    scr_quat rotation = QUAT_IDENTITY;
    if (shape.kind != SCR_SPHERE) rotation = rotation_draw(m->scene->seed, rotation_stream(m), next_number(e, m));
    c.reach = grain_reach(kind) * c.radius;
    c.grain = shape_place(&shape, NULL, (pose){.rotation = rotation});
    return c;
}

// Insert grains until no more is due or there is no room.
static scr_status insert_grains(emitters *e, emission *m, scr_error *error)
{
    for (;;) {
        if (interruption_is_overdue()) return interruption_fail(error);
        candidate c = next_candidate(e, m);
        double mass = next_mass(e, m);
        if (!is_due(e, m, mass) || !find_position(e, m, &c)) return SCR_OK;
        scr_status status = append(e, m, &c, mass, error);
        if (status != SCR_OK) return status;
    }
}

// Grains of one kind that follow each other are added at once: their rotations are draws that follow each other.
static scr_status add_new(const emitters *e, const emission *m, scr_world *world, scr_error *error)
{
    uint64_t first_number = (uint64_t)e->emitted[m->index];
    scr_status status = SCR_OK;
    for (int64_t first = 0, last = 0; first < m->count && status == SCR_OK; first = last) {
        const scene_grain *kind = kind_of(m, first_number + (uint64_t)first);
        do ++last;
        while (last < m->count && kind_of(m, first_number + (uint64_t)last) == kind);
        grain_batch batch = {.count = last - first,
                             .position = e->position + first,
                             .radius = e->radius + first,
                             .velocity = e->velocity + first,
                             .material = {(uint32_t)kind->material + 1},
                             .seed = m->scene->seed,
                             .rotation_stream = rotation_stream(m),
                             .first = first_number + (uint64_t)first};
        status = add_grains(world, kind, &batch, error);
    }
    return status;
}

static scr_status emit(emitters *e, emission *m, scr_world *world, int threads, scr_error *error)
{
    scr_status status = collect_neighbours(e, m, threads, error);
    if (status == SCR_OK) status = insert_grains(e, m, error);
    if (status == SCR_OK) status = check_body_limit((double)(scr_world_bodies(world).count + m->count), error);
    if (status == SCR_OK) status = add_new(e, m, world, error);
    if (status != SCR_OK) return status;

    double kept = m->emitter->rate * CATCH_UP + largest_mass(m);
    e->emitted[m->index] += m->count;
    e->mass[m->index] += m->given;
    e->forgiven[m->index] += fmax(0.0, m->owed - m->given - kept);
    return SCR_OK;
}

scr_status emitters_run(emitters *e, const scene *s, scr_world *world, int threads, scr_error *error)
{
    int64_t step = scr_world_step_count(world);
    for (int k = 0; k < s->emitter_count; ++k) {
        if (e->served[k] == step + 1) continue;
        emission m = {.scene = s, .emitter = &s->emitters[k], .world = world, .index = k, .step = step};
        m.box = box_of_grains(&m);
        m.owed = owed_at(e, &m, scr_world_time(world));
        scr_error reason;
        if (m.owed > 0.0 && is_due(e, &m, next_mass(e, &m))) {
            scr_status status = emit(e, &m, world, threads, &reason);
            if (status != SCR_OK)
                return scene_fail(error, status, s, m.emitter->location, "%s: %s",
                                  label_of("emitter", m.emitter->name, k).text, reason.message);
        }
        e->served[k] = step + 1;
    }
    return SCR_OK;
}
