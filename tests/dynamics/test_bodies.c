// SPDX-License-Identifier: BSD-3-Clause
// Bodies: handles that know when they are stale, compound bodies weighed by closed form, definitions refused with a
// sentence, and every allocation made to fail without a trace.
#include <string.h>

#include "dynamics/world/world.h"
#include "mixed_world.h"

// ---- handles against a simple model ----

enum { MODEL_MAX = 400, OPERATIONS = 3000 };

typedef struct known_body {
    scr_body handle;
    uint64_t id;
    scr_vec3 position;
    double mass;
} known_body;

typedef struct model {
    scr_world *world;
    scr_material material;
    known_body alive[MODEL_MAX];
    int count;
    scr_body dead[OPERATIONS * 8];
    int dead_count;
    uint64_t next_id, draws;
} model;

static int draw_int(model *m, int below) { return (int)random_in(0.0, below, m->draws++); }

// A place of its own for every body ever made: nothing touches.
static scr_vec3 site(uint64_t id)
{
    return vec3(0.1 * (double)(id % 32), 0.1 * (double)(id / 32 % 32), 0.1 * (double)(id / 1024));
}

static void know(model *m, scr_body handle, scr_vec3 position, double mass)
{
    m->alive[m->count++] = (known_body){handle, m->next_id++, position, mass};
}

static void add_one(model *m)
{
    scr_vec3 at = site(m->next_id);
    scr_body body;
    double side = 0.01, density = 2500.0;
    switch (draw_int(m, 3)) {
    case 0: body = add_box(m->world, m->material, vec3(side, side, side), at, vec3(0.0, 0.0, 0.0)); break;
    case 1: body = add_shape(m->world, SCR_FIXED, scr_sphere(side, m->material), at, vec3(0.0, 0.0, 0.0)); break;
    default: {
        scr_shape halves[2] = {scr_box(vec3(side, side, 0.5 * side), m->material),
                               scr_box(vec3(side, side, 0.5 * side), m->material)};
        halves[0].position.z = -0.5 * side, halves[1].position.z = 0.5 * side;  // together the same cube
        scr_body_def def = scr_default_body_def();
        def.position = at, def.shapes = halves, def.shape_count = 2;
        body = add_body(m->world, &def);
    }
    }
    bool fixed = scr_body_mass(m->world, body) == 0.0;
    know(m, body, at, fixed ? 0.0 : 8.0 * side * side * side * density);
}

static void add_several(model *m)
{
    scr_vec3 at[8];
    double radius[8];
    scr_body made[8];
    int count = draw_int(m, 9);
    for (int k = 0; k < count; ++k) at[k] = site(m->next_id + (uint64_t)k), radius[k] = 0.01;
    assert_ok(scr_world_add_spheres(m->world, count, at, radius, NULL, m->material, made, &error));
    for (int k = 0; k < count; ++k) know(m, made[k], at[k], 2500.0 * 4.0 / 3.0 * 3.14159265358979324 * 1e-6);
}

static void remove_several(model *m)
{
    scr_body gone[8];
    int count = draw_int(m, 9);
    if (count > m->count) count = m->count;
    for (int k = 0; k < count; ++k) {
        int which = draw_int(m, m->count);
        gone[k] = m->dead[m->dead_count++] = m->alive[which].handle;
        m->alive[which] = m->alive[--m->count];
    }
    assert_ok(scr_world_remove_bodies(m->world, count, gone, &error));
}

static void check_stale(const model *m, scr_body body)
{
    scr_error error = {0};
    scr_body_state state;
    assert_false(scr_body_is_alive(m->world, body));
    assert_int_equal(scr_body_get_state(m->world, body, &state, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "stale"));
    assert_true(scr_body_mass(m->world, body) == 0.0);
}

static void check_model(const model *m)
{
    scr_body_view view = scr_world_bodies(m->world);
    assert_int_equal(view.count, m->count);
    for (int k = 0; k < m->count; ++k) {
        const known_body *body = &m->alive[k];
        assert_true(scr_body_is_alive(m->world, body->handle));
        scr_body_state now = state_of(m->world, body->handle);
        assert_within3(now.position, body->position, 1e-12);
        assert_near(scr_body_mass(m->world, body->handle), body->mass, 1e-12);
        int64_t slot = body_slot(&m->world->bodies, body->handle);
        assert_true(view.id[slot] == body->id);
        assert_memory_equal(&view.handle[slot], &body->handle, sizeof body->handle);
    }
    for (int k = m->dead_count > 20 ? m->dead_count - 20 : 0; k < m->dead_count; ++k) check_stale(m, m->dead[k]);
    assert_true(bodies_are_valid(&m->world->bodies, &m->world->colliders));
}

static void handles_follow_their_bodies(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.gravity = vec3(0.0, 0.0, 0.0);
    model *m = calloc(1, sizeof *m);
    *m = (model){.world = make_world(&def), .next_id = 1};
    m->material = add_material(m->world, 0.5, 0.0);
    int64_t steps = 0;
    for (int k = 0; k < OPERATIONS; ++k) {
        int what = draw_int(m, 10);
        if (what < 3 && m->count < MODEL_MAX - 8) add_one(m);
        else if (what < 5 && m->count < MODEL_MAX - 8) add_several(m);
        else if (what < 8) remove_several(m);
        else step(m->world, 1), ++steps;
        if (k % 10 == 0) check_model(m);
    }
    assert_true(steps > 256);  // bodies were re-sorted more than once
    for (int k = 0; k < m->dead_count; ++k) check_stale(m, m->dead[k]);
    print_message("%llu bodies made, %d removed, %lld steps\n", (unsigned long long)m->next_id - 1, m->dead_count,
                  (long long)steps);
    scr_world_destroy(m->world);
    free(m);
}

static void no_call_takes_a_bad_handle(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material material = add_material(world, 0.5, 0.0);
    scr_body here = add_sphere(world, material, 0.1, vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0));
    scr_body gone = add_sphere(world, material, 0.1, vec3(1.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0));
    assert_ok(scr_world_remove_bodies(world, 1, &gone, &error));
    uint64_t before = scr_world_hash(world);
    const scr_body bad[] = {{0},
                            gone,
                            {here.index1, here.generation + 1},
                            {here.index1, here.generation + 2},
                            {99, 1},
                            {UINT32_MAX, UINT32_MAX},
                            {gone.index1, gone.generation + 1}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        scr_error error = {0};
        scr_body_state now = state_of(world, here);
        scr_vec3 v = {0.0, 0.0, 0.0};
        const scr_body pair[2] = {here, bad[k]};
        assert_false(scr_body_is_alive(world, bad[k]));
        assert_int_equal(scr_body_get_state(world, bad[k], &now, &error), SCR_BAD_INPUT);
        assert_int_equal(scr_body_set_state(world, bad[k], &now, &error), SCR_BAD_INPUT);
        assert_int_equal(scr_body_apply_force(world, bad[k], v, v, &error), SCR_BAD_INPUT);
        assert_int_equal(scr_body_contact_force(world, bad[k], &v, &v, &error), SCR_BAD_INPUT);
        assert_int_equal(scr_world_remove_bodies(world, 2, pair, &error), SCR_BAD_INPUT);
        assert_true(strlen(error.message) > 10);
        assert_true(scr_body_is_alive(world, here) && scr_world_hash(world) == before);
    }
    scr_error error;
    const scr_body twice[2] = {here, here};
    assert_int_equal(scr_world_remove_bodies(world, 2, twice, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "twice"));
    assert_true(scr_body_is_alive(world, here));
    scr_world_destroy(world);
}

// ---- compound bodies ----

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The principal moments of inertia, smallest first.
static void principal_inertia(const scr_world *world, scr_body body, double inertia[3])
{
    int64_t i = body_slot(&world->bodies, body);
    const double inverse[3] = {world->bodies.inv_ix[i], world->bodies.inv_iy[i], world->bodies.inv_iz[i]};
    for (int k = 0; k < 3; ++k) inertia[k] = 1.0 / inverse[k];
    qsort(inertia, 3, sizeof *inertia, compare_doubles);
}

// Two equal spheres at +-d: I = 2 (2/5 m r^2) along the line, + 2 m d^2 across it. Turned and moved as a whole.
static void a_dumbbell_weighs_by_closed_form(void **state)
{
    (void)state;
    const double r = 0.1, d = 0.3, density = 2500.0, m = density * 4.0 / 3.0 * 3.14159265358979324 * r * r * r;
    scr_world_def world_def = scr_default_world_def();
    scr_world *world = make_world(&world_def);
    scr_material material = add_material(world, 0.5, 0.0);
    for (uint64_t k = 0; k < 20; ++k) {
        scr_vec3 along = quat_rotate(random_rotation(k), vec3(d, 0.0, 0.0)), middle = vec3(0.5, -0.2, 0.1);
        scr_shape shapes[2] = {scr_sphere(r, material), scr_sphere(r, material)};
        shapes[0].position = vec3_add(middle, along), shapes[1].position = vec3_sub(middle, along);
        scr_body_def def = scr_default_body_def();
        def.position = vec3(10.0 * (double)k, 2.0, 3.0), def.rotation = random_rotation(100 + k);
        def.spin = vec3(1.0, 2.0, -3.0), def.velocity = vec3(-1.0, 0.5, 0.25);
        def.shapes = shapes, def.shape_count = 2;
        def.mass = k % 2 == 0 ? 0.0 : 7.0;
        scr_body body = add_body(world, &def);
        double scale = k % 2 == 0 ? 1.0 : 7.0 / (2.0 * m), inertia[3];
        assert_near(scr_body_mass(world, body), scale * 2.0 * m, 1e-13);
        principal_inertia(world, body, inertia);
        assert_near(inertia[0], scale * 0.8 * m * r * r, 1e-11);
        assert_near(inertia[1], scale * (0.8 * m * r * r + 2.0 * m * d * d), 1e-12);
        assert_near(inertia[2], scale * (0.8 * m * r * r + 2.0 * m * d * d), 1e-12);
        scr_body_state now = state_of(world, body);
        assert_within3(now.position, pose_apply((pose){def.position, def.rotation}, middle), 1e-12);
        assert_within3(now.velocity, def.velocity, 0.0);
        assert_within3(now.spin, def.spin, 1e-14);
        // Turning about the line meets the small moment: L = I w.
        for (int s = 0; s < 2; ++s) {
            scr_placed_shape placed = scr_world_shape(world, scr_world_shape_count(world) - 2 + s);
            scr_vec3 expected = pose_apply((pose){def.position, def.rotation}, shapes[s].position);
            assert_within3(placed.position, expected, 1e-12);
        }
    }
    scr_world_destroy(world);
}

// A cuboid cut into eight unequal blocks is the cuboid: mass, centre, inertia, and the axes its inertia belongs to.
static void the_parts_of_a_cuboid_make_the_cuboid(void **state)
{
    (void)state;
    const double half[3] = {0.3, 0.2, 0.1}, cut[3] = {0.05, -0.1, 0.02}, density = 2500.0;
    scr_world_def world_def = scr_default_world_def();
    scr_world *world = make_world(&world_def);
    scr_material material = add_material(world, 0.5, 0.0);
    scr_quat frame = random_rotation(77);
    scr_shape shapes[8];
    for (int k = 0; k < 8; ++k) {
        double size[3], at[3];
        for (int axis = 0; axis < 3; ++axis) {
            double low = k >> axis & 1 ? cut[axis] : -half[axis], high = k >> axis & 1 ? half[axis] : cut[axis];
            size[axis] = 0.5 * (high - low), at[axis] = 0.5 * (high + low);
        }
        shapes[k] = scr_box(vec3(size[0], size[1], size[2]), material);
        shapes[k].position = quat_rotate(frame, vec3(at[0] + 1.0, at[1] + 2.0, at[2] + 3.0));
        shapes[k].rotation = frame;
    }
    scr_body_def def = scr_default_body_def();
    def.shapes = shapes, def.shape_count = 8;
    scr_body body = add_body(world, &def);
    double mass = 8.0 * density * half[0] * half[1] * half[2], inertia[3];
    assert_near(scr_body_mass(world, body), mass, 1e-13);
    assert_within3(state_of(world, body).position, quat_rotate(frame, vec3(1.0, 2.0, 3.0)), 1e-13);
    principal_inertia(world, body, inertia);
    assert_near(inertia[0], mass / 3.0 * (0.04 + 0.01), 1e-12);
    assert_near(inertia[1], mass / 3.0 * (0.09 + 0.01), 1e-12);
    assert_near(inertia[2], mass / 3.0 * (0.09 + 0.04), 1e-12);
    // Spin about the cuboid's own x, y, z: angular momentum is along it, with that moment.
    const double expected[3] = {mass / 3.0 * 0.05, mass / 3.0 * 0.10, mass / 3.0 * 0.13};
    for (int axis = 0; axis < 3; ++axis) {
        scr_body_state now = state_of(world, body);
        now.velocity = vec3(0.0, 0.0, 0.0);
        now.spin = quat_rotate(frame, vec3(axis == 0, axis == 1, axis == 2));
        set_state(world, body, now);
        assert_within3(scr_world_angular_momentum(world), vec3_scale(expected[axis], now.spin), 1e-11 * mass);
    }
    scr_world_destroy(world);
}

static void one_shape_keeps_its_own_frame(void **state)
{
    (void)state;
    scr_world_def world_def = scr_default_world_def();
    scr_world *world = make_world(&world_def);
    scr_material material = add_material(world, 0.5, 0.0);
    scr_shape shape = scr_box(vec3(0.1, 0.2, 0.3), material);
    shape.position = vec3(0.5, 0.0, 0.0), shape.rotation = random_rotation(1);
    scr_body_def def = scr_default_body_def();
    def.position = vec3(1.0, 2.0, 3.0), def.rotation = random_rotation(2);
    def.shapes = &shape, def.shape_count = 1;
    scr_body_state now = state_of(world, add_body(world, &def));
    scr_quat expected = quat_mul(def.rotation, shape.rotation);
    assert_within3(now.position, pose_apply((pose){def.position, def.rotation}, shape.position), 1e-14);
    double same = now.rotation.w * expected.w + now.rotation.x * expected.x + now.rotation.y * expected.y +
                  now.rotation.z * expected.z;
    assert_near(fabs(same), 1.0, 1e-14);
    scr_world_destroy(world);
}

// ---- definitions that cannot be ----

static void check_refused(scr_world *world, const scr_body_def *def, const char *word)
{
    uint64_t before = scr_world_hash(world);
    scr_body body = {5, 5};
    scr_error error = {0};
    assert_int_equal(scr_world_add_body(world, def, &body, &error), SCR_BAD_INPUT);
    if (strstr(error.message, word) == NULL) fail_msg("\"%s\" does not speak of %s", error.message, word);
    assert_true(body.index1 == 0 && scr_world_hash(world) == before);
}

static void impossible_bodies_are_refused(void **state)
{
    (void)state;
    scr_world_def world_def = scr_default_world_def();
    scr_world *world = make_world(&world_def);
    scr_material material = add_material(world, 0.5, 0.0);
    scr_shape sphere = scr_sphere(0.1, material), plane = scr_plane(material);
    scr_body_def good = scr_default_body_def(), def;
    good.shapes = &sphere, good.shape_count = 1;

    def = good, def.kind = (scr_body_kind)9, check_refused(world, &def, "kind");
    def = good, def.mass = -1.0, check_refused(world, &def, "mass");
    def = good, def.mass = NAN, check_refused(world, &def, "mass");
    def = good, def.mass = INFINITY, check_refused(world, &def, "mass");
    def = good, def.shape_count = 0, check_refused(world, &def, "shape");
    def = good, def.shapes = NULL, check_refused(world, &def, "shape");
    def = good, def.shapes = &plane, check_refused(world, &def, "plane");
    def = good, def.position.y = NAN, check_refused(world, &def, "position");
    def = good, def.position.x = 1e300, check_refused(world, &def, "position");
    def = good, def.rotation = (scr_quat){0.0, 0.0, 0.0, 0.0}, check_refused(world, &def, "rotation");
    def = good, def.rotation.x = INFINITY, check_refused(world, &def, "rotation");
    def = good, def.velocity.z = INFINITY, check_refused(world, &def, "velocity");
    def = good, def.spin.x = NAN, check_refused(world, &def, "spin");
    const double not_radii[] = {0.0, -1.0, NAN, INFINITY, 1e-300, 1e300};
    for (int k = 0; k < 6; ++k) {
        sphere.radius = not_radii[k];
        check_refused(world, &good, "radius");
        scr_vec3 at = {0.0, 0.0, 0.0};
        scr_error error = {0};
        uint64_t before = scr_world_hash(world);
        assert_int_equal(scr_world_add_spheres(world, 1, &at, &sphere.radius, NULL, material, NULL, &error),
                         SCR_BAD_INPUT);
        assert_non_null(strstr(error.message, "radius"));
        assert_true(scr_world_hash(world) == before);
    }
    sphere = scr_sphere(0.1, (scr_material){0}), check_refused(world, &good, "material");
    sphere = scr_sphere(0.1, (scr_material){2}), check_refused(world, &good, "material");
    scr_world_destroy(world);
}

static void spheres_are_added_all_or_none(void **state)
{
    (void)state;
    scr_world_def world_def = scr_default_world_def();
    scr_world *world = make_world(&world_def);
    scr_material material = add_material(world, 0.5, 0.0);
    scr_vec3 at[4] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {3.0, 0.0, 0.0}};
    double radius[4] = {0.1, 0.1, 0.1, -0.1};
    uint64_t before = scr_world_hash(world);
    scr_error error = {0};
    assert_int_equal(scr_world_add_spheres(world, 4, at, radius, NULL, material, NULL, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "sphere 3"));
    radius[3] = 0.1, at[2].z = NAN;
    assert_int_equal(scr_world_add_spheres(world, 4, at, radius, NULL, material, NULL, &error), SCR_BAD_INPUT);
    at[2].z = -1e200;
    assert_int_equal(scr_world_add_spheres(world, 4, at, radius, NULL, material, NULL, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_world_add_spheres(world, -1, at, radius, NULL, material, NULL, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_world_add_spheres(world, 4, at, radius, NULL, (scr_material){0}, NULL, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_world_add_spheres(world, INT64_MAX / 2, NULL, NULL, NULL, (scr_material){9}, NULL, &error),
                     SCR_BAD_INPUT);
    assert_true(scr_world_hash(world) == before);
    scr_world_destroy(world);
}

// ---- every allocation made to fail ----

enum { FEW = 90 };

static scr_status remove_some(scr_world *world, scr_error *error)
{
    scr_body gone[7];
    for (uint64_t k = 0; k < 7; ++k) gone[k] = body_with_id(world, 15 + 9 * k);
    return scr_world_remove_bodies(world, 7, gone, error);
}

static scr_status remove_newcomers(scr_world *world, scr_error *error)
{
    scr_body gone[7];
    for (uint64_t k = 0; k < 7; ++k) gone[k] = body_with_id(world, world->bodies.next_id - 1 - 9 * k);
    return scr_world_remove_bodies(world, 7, gone, error);
}

static scr_status add_some(scr_world *world, scr_error *error)
{
    scr_vec3 at[200], velocity[200];
    double radius[200];
    for (int k = 0; k < 200; ++k) {
        at[k] = vec3(0.01 + 0.011 * (k % 13), 0.01 + 0.011 * (k / 13 % 13), 0.1 + 0.011 * (k / 169));
        velocity[k] = vec3(0.0, 0.0, -1.0), radius[k] = 0.005;
    }
    return scr_world_add_spheres(world, 200, at, radius, velocity, (scr_material){1}, NULL, error);
}

static scr_status add_one_compound(scr_world *world, scr_error *error)
{
    scr_body body;
    return add_compound(world, (scr_material){2}, vec3(0.08, 0.08, 0.2), QUAT_IDENTITY, &body, error);
}

// A sequence that makes every array grow: tried with the n-th allocation of one operation failing.
typedef struct operation {
    const char *name;
    int steps_before;
    scr_status (*perform)(scr_world *world, scr_error *error);
    bool sorts;  // re-orders bodies before it may fail: the same state in another order
} operation;

static const operation OPERATIONS_TO_FAIL[] = {
    {"first step", 0, scr_world_step, true},
    {"add a body", 3, add_one_compound, false},
    {"step", 2, scr_world_step, false},
    {"add spheres", 0, add_some, false},
    {"step after adding", 0, scr_world_step, false},
    {"remove", 20, remove_some, false},
    {"step after removal", 0, scr_world_step, false},
    {"add, then", 3, add_some, false},
    {"remove newcomers", 0, remove_newcomers, false},
    {"sorting step", 96, scr_world_step, true},
};
enum { OPERATION_COUNT = sizeof OPERATIONS_TO_FAIL / sizeof *OPERATIONS_TO_FAIL };

// Perform operations 0 to last, the last one with its n-th allocation failing, then go on. Whether it failed.
static bool run_with_failure(int last, int64_t n, scr_solver_kind kind, uint64_t *final_hash)
{
    scr_world_def def = mixed_def(1);
    def.solver.kind = kind;
    scr_world *world = mixed_world(&def, FEW);
    bool failed = false;
    for (int k = 0; k <= last; ++k) {
        const operation *op = &OPERATIONS_TO_FAIL[k];
        step(world, op->steps_before);
        uint64_t before = scr_world_hash(world);
        if (op->sorts) assert_int_equal(scr_world_step_count(world) % 128, 0);  // the interval of spatial_sort.c
        if (k == last) scr_fail_allocation_in(n);
        scr_error why = {0};
        scr_status status = op->perform(world, &why);
        scr_fail_allocation_in(-1);
        if (status == SCR_OK) continue;
        failed = true;
        if (k != last || status != SCR_NO_MEMORY) fail_msg("%s: %s", op->name, why.message);
        assert_true(strlen(why.message) > 10);
        if (!op->sorts && scr_world_hash(world) != before) fail_msg("%s changed the world as it failed", op->name);
        assert_ok(op->perform(world, &error));
    }
    step(world, 3);
    *final_hash = scr_world_hash(world);
    scr_world_destroy(world);
    return failed;
}

static void a_failed_allocation_leaves_no_trace(void **state)
{
    (void)state;
    const scr_solver_kind kinds[] = {SCR_SOLVER_AGS, SCR_SOLVER_APGD};
    int64_t failures = 0;
    for (int s = 0; s < 2; ++s) {
        for (int last = 0; last < OPERATION_COUNT; ++last) {
            uint64_t undisturbed, disturbed;
            if (kinds[s] == SCR_SOLVER_APGD && last > 0) break;
            assert_false(run_with_failure(last, -1, kinds[s], &undisturbed));
            for (int64_t n = 0; run_with_failure(last, n, kinds[s], &disturbed); ++n, ++failures)
                if (disturbed != undisturbed)
                    fail_msg("%s: after allocation %lld failed the run goes another way", OPERATIONS_TO_FAIL[last].name,
                             (long long)n);
            assert_true(disturbed == undisturbed);
        }
    }
    print_message("%lld failed allocations\n", (long long)failures);
    assert_true(failures > 100);
}

static void a_world_that_cannot_be_made_leaks_nothing(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    for (int64_t n = 0;; ++n) {
        scr_world *world = (scr_world *)&def;
        scr_error error = {0};
        scr_fail_allocation_in(n);
        scr_status status = scr_world_create(&def, &world, &error);
        scr_fail_allocation_in(-1);
        if (status == SCR_OK) {
            assert_true(n > 0);
            scr_world_destroy(world);
            break;
        }
        assert_int_equal(status, SCR_NO_MEMORY);
        assert_null(world);
    }
    scr_world_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_follow_their_bodies),
        cmocka_unit_test(no_call_takes_a_bad_handle),
        cmocka_unit_test(a_dumbbell_weighs_by_closed_form),
        cmocka_unit_test(the_parts_of_a_cuboid_make_the_cuboid),
        cmocka_unit_test(one_shape_keeps_its_own_frame),
        cmocka_unit_test(impossible_bodies_are_refused),
        cmocka_unit_test(spheres_are_added_all_or_none),
        cmocka_unit_test(a_failed_allocation_leaves_no_trace),
        cmocka_unit_test(a_world_that_cannot_be_made_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
