// SPDX-License-Identifier: BSD-3-Clause
// Beds of grains under the penalty law: against a plain loop over pairs in the words of the textbook, and against what
// is conserved. Lists, threads, blocks and instruction sets change nothing.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/maths/rng.h"
#include "dynamics/penalty/bed/grain_bed.h"
#include "dynamics/penalty/bed/grain_rotation.h"
#include "dynamics/world/world.h"

enum { SIDE = 14, COUNT = SIDE * SIDE * SIDE };                 // more than two blocks
static const double RADIUS = 5e-3, STEP = 1e-5, PITCH = 0.992;  // m, s, of the diameter

typedef struct crate {
    scr_world *world;
    grain_bed bed;
    const grain_kernels *kernels;
    int threads;
} crate;

typedef struct crate_def {
    double disorder, size_spread, speed, restitution, friction, rolling, spinning;
    int material_count, threads;
    scr_normal_law normal;
    scr_rolling_law rolling_law;
    scr_precision precision;
    scr_instruction_set set;
    const grain_kernels *kernels;  // if not NULL, these
} crate_def;

static const crate_def USUAL = {
    .disorder = 0.01, .speed = 0.05, .restitution = 0.5, .friction = 0.5, .material_count = 1, .threads = 2};

static grain_source source_of(const crate *c)
{
    return (grain_source){.bodies = &c->world->bodies,
                          .colliders = &c->world->colliders,
                          .materials = &c->world->materials,
                          .contact = &c->world->def.contact,
                          .time_step = STEP};
}

static double uniform(uint64_t k, int part)
{
    double u[2];
    scr_uniform2(3, (uint64_t)part, k, u);
    return 2.0 * u[0] - 1.0;
}

// A crowded lattice, a little disordered, every grain with a velocity of its own. Every other layer may be of another
// material and every grain of another size.
static void fill_crate(crate *c, const crate_def *def)
{
    scr_material material[2];
    for (int m = 0; m < 2; ++m) {
        scr_material_def stuff = scr_default_material_def();
        stuff.young = m == 0 ? 5e6 : 8e6;
        stuff.poisson = m == 0 ? 0.3 : 0.2;
        stuff.restitution = def->restitution;
        stuff.friction = m == 0 ? def->friction : 0.5 * def->friction;
        stuff.rolling_friction = m == 0 ? def->rolling : 0.5 * def->rolling;
        stuff.spinning_friction = def->spinning;
        assert_int_equal(scr_world_add_material(c->world, &stuff, &material[m], NULL), SCR_OK);
    }
    for (int k = 0; k < COUNT; ++k) {
        double pitch = 2.0 * RADIUS * PITCH, jitter = def->disorder * RADIUS;
        int x = k % SIDE, y = k / SIDE % SIDE, z = k / (SIDE * SIDE);
        scr_vec3 at = vec3(x * pitch + jitter * uniform(k, 0), y * pitch + jitter * uniform(k, 1),
                           z * pitch + jitter * uniform(k, 2));
        scr_vec3 v = vec3_scale(def->speed, vec3(uniform(k, 3), uniform(k, 4), uniform(k, 5)));
        double r = RADIUS * (1.0 + def->size_spread * uniform(k, 6));
        assert_int_equal(scr_world_add_spheres(c->world, 1, &at, &r, &v, material[z % def->material_count], NULL, NULL),
                         SCR_OK);
        c->world->bodies.wx[k] = def->speed / RADIUS * uniform(k, 7);
        c->world->bodies.wy[k] = def->speed / RADIUS * uniform(k, 8);
    }
}

static void crate_make(crate *c, const crate_def *def)
{
    *c = (crate){.threads = def->threads};
    scr_world_def world = scr_default_world_def();
    world.contact.law = SCR_PENALTY;
    world.contact.normal = def->normal;
    world.contact.rolling = def->rolling_law;
    assert_int_equal(scr_world_create(&world, &c->world, NULL), SCR_OK);
    fill_crate(c, def);
    grain_source source = source_of(c);
    c->kernels = def->kernels != NULL ? def->kernels : grain_kernels_for(&source, def->precision, def->set);
    assert_int_equal(grain_bed_load(&c->bed, &source, c->kernels, NULL), SCR_OK);
}

static void crate_free(crate *c)
{
    grain_bed_free(&c->bed);
    scr_world_destroy(c->world);
}

static void crate_step(crate *c, int steps)
{
    grain_source source = source_of(c);
    grain_forces forces = {.max_speed = 100.0};
    for (int k = 0; k < steps; ++k) {
        assert_int_equal(grain_bed_keep_lists(&c->bed, &source, c->threads, NULL), SCR_OK);
        assert_int_equal(grain_bed_step(&c->bed, &source, &forces, c->threads, NULL), SCR_OK);
    }
    grain_bed_store(&c->bed, &c->world->bodies, STEP, c->threads);
}

// ---- The same by the textbook: one pair after the other, every pair that could ever touch.

typedef struct plain_pair {
    int a, b;
    scr_vec3 spring, roll, spin;  // the last two: angles about axes across the normal and about it
} plain_pair;
typedef struct plain_bed {
    scr_vec3 x[COUNT], v[COUNT], w[COUNT], force[COUNT], torque[COUNT];
    plain_pair *pair;
    int pair_count;
    double elastic;  // J
} plain_bed;

static plain_bed *plain_make(const crate *c)
{
    plain_bed *p = calloc(1, sizeof *p);
    p->pair = calloc(20 * COUNT, sizeof *p->pair);
    const bodies *b = &c->world->bodies;
    for (int i = 0; i < COUNT; ++i)
        p->x[i] = body_position(b, i), p->v[i] = body_velocity(b, i), p->w[i] = vec3(b->wx[i], b->wy[i], b->wz[i]);
    for (int i = 0; i < COUNT; ++i)
        for (int j = i + 1; j < COUNT; ++j)
            if (vec3_norm(vec3_sub(p->x[j], p->x[i])) < 3.2 * RADIUS)
                p->pair[p->pair_count++] = (plain_pair){.a = i, .b = j};
    return p;
}

static void plain_free(plain_bed *p)
{
    free(p->pair);
    free(p);
}

// Ai et al. (2011), types A and C: the torque on b of a resistance mu R* against an angular rate, given the angle so
// far.
static scr_vec3 plain_torque(const crate *c, double arm, double load, double stiff, double inertia, scr_vec3 rate,
                             scr_vec3 *angle)
{
    double most = arm * load;
    if (arm == 0.0) return vec3(0.0, 0.0, 0.0);
    if (c->world->def.contact.rolling == SCR_ROLLING_CONSTANT)
        return vec3_scale(-fmin(most / vec3_norm(rate), inertia / STEP), rate);
    double k = 2.25 * arm * arm * stiff, damp = 2.0 * 0.3 * sqrt(3.5 * inertia * k);
    *angle = vec3_add_scaled(*angle, STEP, rate);
    scr_vec3 torque = vec3_add_scaled(vec3_scale(-k, *angle), -damp, rate);
    double size = vec3_norm(torque);
    if (size <= most) return torque;
    torque = vec3_scale(most / size, torque);
    *angle = vec3_scale(-1.0 / k, torque);
    return torque;
}

static scr_vec3 along(scr_vec3 v, scr_vec3 n) { return vec3_scale(vec3_dot(v, n), n); }

static void plain_rolling(plain_bed *p, const crate *c, plain_pair *pair, scr_vec3 n, double load, double stiff)
{
    const scr_world *world = c->world;
    int i = pair->a, j = pair->b;
    const material_pair *both =
        materials_pair(&world->materials, world->colliders.material[i], world->colliders.material[j]);
    double ri = world->colliders.radius[i], rj = world->colliders.radius[j], radius = ri * rj / (ri + rj);
    double inertia = 0.4 * radius * radius / (world->bodies.inv_mass[i] + world->bodies.inv_mass[j]);
    scr_vec3 w = vec3_sub(p->w[j], p->w[i]), about = along(w, n), across = vec3_sub(w, about);
    scr_vec3 angle = vec3_add(pair->roll, pair->spin);  // their parts change when the normal turns
    pair->spin = along(angle, n);
    pair->roll = vec3_sub(angle, pair->spin);
    if (both->spinning_friction == 0.0) pair->spin = vec3(0.0, 0.0, 0.0);
    scr_vec3 torque =
        vec3_add(plain_torque(c, both->rolling_friction * radius, load, stiff, inertia, across, &pair->roll),
                 plain_torque(c, both->spinning_friction * radius, load, stiff, inertia, about, &pair->spin));
    p->torque[i] = vec3_sub(p->torque[i], torque);
    p->torque[j] = vec3_add(p->torque[j], torque);
}

static void plain_contact(plain_bed *p, const crate *c, plain_pair *pair)
{
    const scr_world *world = c->world;
    int i = pair->a, j = pair->b;
    double ri = world->colliders.radius[i], rj = world->colliders.radius[j];
    scr_vec3 way = vec3_sub(p->x[j], p->x[i]);
    double distance = vec3_norm(way), overlap = ri + rj - distance;
    if (overlap <= 0.0) {
        pair->spring = pair->roll = pair->spin = vec3(0.0, 0.0, 0.0);
        return;
    }
    const material_pair *both =
        materials_pair(&world->materials, world->colliders.material[i], world->colliders.material[j]);
    double radius = ri * rj / (ri + rj), mass = 1.0 / (world->bodies.inv_mass[i] + world->bodies.inv_mass[j]);
    double stiff = 2.0 * both->modulus * sqrt(radius * overlap),
           shear = 8.0 * both->shear_modulus * sqrt(radius * overlap);
    double damp = 2.0 * sqrt(5.0 / 6.0) * both->damping_ratio;
    scr_vec3 n = vec3_scale(1.0 / distance, way);
    double arm_i = distance * ri / (ri + rj), arm_j = distance * rj / (ri + rj);
    scr_vec3 u = vec3_sub(vec3_sub(p->v[j], vec3_cross(p->w[j], vec3_scale(arm_j, n))),
                          vec3_add(p->v[i], vec3_cross(p->w[i], vec3_scale(arm_i, n))));
    double un = vec3_dot(u, n);
    scr_vec3 ut = vec3_add_scaled(u, -un, n);
    double push =
        fmax(0.0, 4.0 / 3.0 * both->modulus * sqrt(radius) * pow(overlap, 1.5) - damp * sqrt(stiff * mass) * un);
    pair->spring = vec3_add_scaled(vec3_add_scaled(pair->spring, -vec3_dot(pair->spring, n), n), STEP, ut);
    scr_vec3 drag = vec3_add_scaled(vec3_scale(shear, pair->spring), damp * sqrt(shear * mass), ut);
    double limit = both->friction * push, size = vec3_norm(drag);
    if (size > limit) {
        drag = vec3_scale(limit / size, drag);
        pair->spring = vec3_scale(1.0 / shear, drag);
    }
    scr_vec3 force = vec3_sub(vec3_scale(push, n), drag);  // on j
    p->force[i] = vec3_sub(p->force[i], force);
    p->force[j] = vec3_add(p->force[j], force);
    p->torque[i] = vec3_add(p->torque[i], vec3_cross(vec3_scale(arm_i, n), vec3_scale(-1.0, force)));
    p->torque[j] = vec3_add(p->torque[j], vec3_cross(vec3_scale(-arm_j, n), force));
    plain_rolling(p, c, pair, n, push, stiff);
    p->elastic += 8.0 / 15.0 * both->modulus * sqrt(radius) * pow(overlap, 2.5);
}

static void plain_forces(plain_bed *p, const crate *c)
{
    p->elastic = 0.0;
    memset(p->force, 0, sizeof p->force);
    memset(p->torque, 0, sizeof p->torque);
    for (int k = 0; k < p->pair_count; ++k) plain_contact(p, c, &p->pair[k]);
}

static void plain_step(plain_bed *p, const crate *c)
{
    for (int i = 0; i < COUNT; ++i) p->x[i] = vec3_add_scaled(p->x[i], 0.5 * STEP, p->v[i]);
    plain_forces(p, c);
    for (int i = 0; i < COUNT; ++i) {
        p->v[i] = vec3_add_scaled(p->v[i], STEP * c->world->bodies.inv_mass[i], p->force[i]);
        p->w[i] = vec3_add_scaled(p->w[i], STEP * c->world->bodies.inv_ix[i], p->torque[i]);
        p->x[i] = vec3_add_scaled(p->x[i], 0.5 * STEP, p->v[i]);
    }
}

// Root mean square difference of the velocities over the root mean square velocity.
static double velocity_error(const plain_bed *p, const crate *c)
{
    double wrong = 0.0, all = 0.0;
    for (int i = 0; i < COUNT; ++i) {
        scr_vec3 v = body_velocity(&c->world->bodies, i), d = vec3_sub(v, p->v[i]);
        wrong += vec3_dot(d, d), all += vec3_dot(p->v[i], p->v[i]);
    }
    return sqrt(wrong / all);
}

static double spin_error(const plain_bed *p, const crate *c)
{
    double wrong = 0.0, all = 0.0;
    for (int i = 0; i < COUNT; ++i) {
        scr_vec3 d = vec3_sub(body_spin(&c->world->bodies, i), p->w[i]);
        wrong += vec3_dot(d, d), all += vec3_dot(p->w[i], p->w[i]);
    }
    return sqrt(wrong / all);
}

static void check_against_textbook(const crate_def *def, int steps, double v_error, double w_error)
{
    crate c;
    crate_make(&c, def);
    plain_bed *p = plain_make(&c);
    for (int k = 0; k < steps; ++k) plain_step(p, &c);
    crate_step(&c, steps);
    assert_within(velocity_error(p, &c), 0.0, v_error);
    assert_within(spin_error(p, &c), 0.0, w_error);
    plain_free(p);
    crate_free(&c);
}

static void equal_grains_follow_the_textbook(void **state)
{
    (void)state;
    check_against_textbook(&USUAL, 200, 1e-10, 1e-10);
}

static void unequal_grains_of_two_materials_follow_the_textbook(void **state)
{
    (void)state;
    crate_def def = USUAL;
    def.size_spread = 0.02;
    def.material_count = 2;
    check_against_textbook(&def, 200, 1e-10, 1e-10);
}

static void mixed_precision_follows_the_textbook(void **state)
{
    (void)state;
    crate_def def = USUAL;
    def.precision = SCR_PRECISION_MIXED;
    check_against_textbook(&def, 1, 1e-7, 1e-7);
    check_against_textbook(&def, 60, 1e-6, 1e-6);
    def.size_spread = 0.02;
    def.material_count = 2;
    check_against_textbook(&def, 60, 1e-6, 1e-6);
}

static void grains_that_resist_rolling_follow_the_textbook(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; ++kind) {
        bool mixed = kind & 1, constant = kind & 2;
        crate_def def = USUAL;
        def.precision = mixed ? SCR_PRECISION_MIXED : SCR_PRECISION_DOUBLE;
        def.rolling_law = constant ? SCR_ROLLING_CONSTANT : SCR_ROLLING_ELASTIC;
        def.rolling = 0.2;
        if (kind & 4) def.spinning = 0.1, def.size_spread = 0.02, def.material_count = 2;
        check_against_textbook(&def, mixed ? 60 : 200, mixed ? 1e-6 : 1e-10, mixed ? 1e-6 : 1e-10);
    }
}

// Forces come in pairs that act along one line: nothing but rounding changes momentum and angular momentum, however
// unequal the grains, in either precision.
static void momentum_is_kept(void **state)
{
    (void)state;
    for (int precision = SCR_PRECISION_DOUBLE; precision <= SCR_PRECISION_MIXED; ++precision) {
        crate_def def = USUAL;
        def.size_spread = 0.02, def.material_count = 2, def.precision = (scr_precision)precision;
        def.rolling = 0.2, def.spinning = 0.1;
        crate c;
        crate_make(&c, &def);
        scr_vec3 p = scr_world_momentum(c.world), l = scr_world_angular_momentum(c.world);
        double size = 0.0;
        for (int i = 0; i < COUNT; ++i)
            size += vec3_norm(body_velocity(&c.world->bodies, i)) / c.world->bodies.inv_mass[i];
        crate_step(&c, 150);
        double error = precision == SCR_PRECISION_DOUBLE ? 1e-14 : 1e-7, width = SIDE * 2.0 * RADIUS;
        assert_within(vec3_norm(vec3_sub(scr_world_momentum(c.world), p)), 0.0, error * size);
        assert_within(vec3_norm(vec3_sub(scr_world_angular_momentum(c.world), l)), 0.0, error * size * width);
        crate_free(&c);
    }
}

// Without friction and damping all energy is in motion or in overlaps; the textbook's list knows the latter.
static void energy_is_kept_without_losses(void **state)
{
    (void)state;
    crate_def def = USUAL;
    def.friction = 0.0, def.restitution = 1.0;
    crate c;
    crate_make(&c, &def);
    double energy[2];
    for (int k = 0; k < 2; ++k) {
        plain_bed *p = plain_make(&c);
        plain_forces(p, &c);
        energy[k] = scr_world_energy(c.world).kinetic + p->elastic;
        plain_free(p);
        if (k == 0) crate_step(&c, 300);
    }
    assert_near(energy[1], energy[0], 1e-4);
    crate_free(&c);
}

static void assert_same_motion(const crate *a, const crate *b)
{
    const bodies *x = &a->world->bodies, *y = &b->world->bodies;
    const double *in_a[] = {x->x, x->y, x->z, x->vx, x->vy, x->vz, x->wx, x->wy, x->wz};
    const double *in_b[] = {y->x, y->y, y->z, y->vx, y->vy, y->vz, y->wx, y->wy, y->wz};
    for (int k = 0; k < 9; ++k) assert_memory_equal(in_a[k], in_b[k], COUNT * sizeof(double));
}

// Those for AVX2, also where the processor has more; without it the plain ones.
static const grain_kernels *avx2_kernels(int precision)
{
    return precision == SCR_PRECISION_MIXED ? KERNEL_FOR(true, grain_kernels_mixed)
                                            : KERNEL_FOR(true, grain_kernels_double);
}

// Pairs listed that do not touch, lists made at odd moments, other instructions: no bit of it is felt.
static void lists_change_no_bit(void **state)
{
    (void)state;
    for (int precision = SCR_PRECISION_DOUBLE; precision <= SCR_PRECISION_MIXED; ++precision) {
        crate_def def = USUAL;
        def.disorder = 0.05, def.size_spread = 0.02, def.material_count = 2, def.precision = (scr_precision)precision;
        def.rolling = 0.2, def.spinning = 0.1;
        crate a, b, other_threads;
        crate_make(&a, &def);
        def.kernels = avx2_kernels(precision);
        crate_make(&b, &def);
        def.kernels = NULL;
        def.threads = 3, def.set = SCR_PLAIN;
        crate_make(&other_threads, &def);
        for (int64_t k = 0; k < b.bed.wear.block_count; ++k)
            b.bed.wear.rate[k].stray = 50.0;  // asks for wide margins at first
        int64_t pairs[2] = {0};
        for (int k = 0; k < 8; ++k) {
            crate_step(&a, 15);
            crate_step(&b, 15);
            crate_step(&other_threads, 15);
            if (k == 0) pairs[0] = grain_bed_pair_count(&a.bed), pairs[1] = grain_bed_pair_count(&b.bed);
            if (k % 3 == 1) grain_bed_forget_rows(&b.bed);
        }
        assert_true(pairs[1] > pairs[0] + pairs[0] / 10);
        assert_same_motion(&a, &b);
        assert_same_motion(&a, &other_threads);
        crate_free(&a), crate_free(&b), crate_free(&other_threads);
    }
}

// The same crate with other velocities: how often the packs of a block were made in some steps.
static int64_t blocks_filled(scr_vec3 common, scr_vec3 first, scr_vec3 last, int steps)
{
    crate_def def = USUAL;
    def.speed = 0.0;
    crate c;
    crate_make(&c, &def);
    bodies *b = &c.world->bodies;
    for (int k = 0; k < COUNT; ++k) {
        scr_vec3 v = k == 0 ? vec3_add(common, first) : k == COUNT - 1 ? vec3_add(common, last) : common;
        b->vx[k] = v.x, b->vy[k] = v.y, b->vz[k] = v.z;
    }
    grain_source source = source_of(&c);
    assert_int_equal(grain_bed_load(&c.bed, &source, c.kernels, NULL), SCR_OK);
    crate_step(&c, steps);
    int64_t filled = c.bed.blocks_filled;
    crate_free(&c);
    return filled;
}

// What all grains have in common brings no two of them nearer.
static void common_motion_wears_no_list(void **state)
{
    (void)state;
    const scr_vec3 none = {0};
    int64_t at_rest = blocks_filled(none, none, none, 60),
            on_the_way = blocks_filled(vec3(9.0, 4.0, -7.0), none, none, 60);
    assert_true(at_rest >= 3);
    assert_true(on_the_way <= at_rest + 1);
}

// A fast grain in the first block wears out its lists and those of the block beside it, not of the third.
static void fast_grains_wear_their_own_blocks(void **state)
{
    (void)state;
    const scr_vec3 none = {0}, away[2] = {{-5.0, 0.0, 0.0}, {5.0, 0.0, 0.0}};
    int64_t one_end = blocks_filled(none, away[0], none, 40), both_ends = blocks_filled(none, away[0], away[1], 40);
    assert_true(both_ends >= 9);
    assert_true(5 * one_end < 4 * both_ends);
}

static void four_grains_rotate_as_one_does(void **state)
{
    (void)state;
    grain_rotation *kernels[] = {KERNEL_FOR(false, rotate_four_grains), KERNEL_FOR(true, rotate_four_grains)};
    const double half = 5e-3;  // s
    for (int set = 0; set < 2; ++set) {
        grain_record from[4], to[4];
        memset(from, 0, sizeof from), memset(to, 0, sizeof to);
        rotating r[4], alone[4];
        for (int k = 0; k < 4; ++k) {
            for (int axis = 0; axis < 3; ++axis) {
                from[k].w[axis] = (k + 1) * (axis - 0.7);
                to[k].w[axis] = k * (1.3 - axis);  // that of the first is nothing
            }
            alone[k] = rotate_steadily(QUAT_IDENTITY, vec3(k, 1.0, -2.0), 0.3);
            r[k] = alone[k];
            scr_vec3 old = vec3(from[k].w[0], from[k].w[1], from[k].w[2]),
                     new = vec3(to[k].w[0], to[k].w[1], to[k].w[2]);
            alone[k] = rotate_steadily(quat_advanced(alone[k].q, old, half), new, half);
        }
        assert_true(kernels[set](from, to, r, half));
        for (int k = 0; k < 4; ++k) {
            scr_vec3 left = quat_rotate(alone[k].q, alone[k].spin);
            assert_memory_equal(&r[k], &alone[k], sizeof r[k]);
            assert_memory_equal(to[k].w, &left, sizeof left);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_grains_rotate_as_one_does),
        cmocka_unit_test(equal_grains_follow_the_textbook),
        cmocka_unit_test(unequal_grains_of_two_materials_follow_the_textbook),
        cmocka_unit_test(mixed_precision_follows_the_textbook),
        cmocka_unit_test(grains_that_resist_rolling_follow_the_textbook),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(energy_is_kept_without_losses),
        cmocka_unit_test(lists_change_no_bit),
        cmocka_unit_test(common_motion_wears_no_list),
        cmocka_unit_test(fast_grains_wear_their_own_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
