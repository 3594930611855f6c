// SPDX-License-Identifier: BSD-3-Clause
// Sweeps of the default solver: what they cost in number on deep beds, what they say about their own error, and what
// they do with heavy bodies, whose contacts share copies of them.
#include <string.h>

#include "dynamics/cone/solve/sweep_mixing.h"
#include "dynamics/cone/solve/sweep_passes.h"
#include "dynamics/cone/solve/sweeps.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/detection/detection.h"
#include "dynamics/physics.h"
#include "dynamics/step/stages.h"
#include "dynamics/world/world.h"

static const double RADIUS = 0.01;
static const scr_vec3 STILL = {0.0, 0.0, 0.0};
static const double SETTLING_DAMPING = 3e-3;  // s: three time steps
enum { ACROSS = 4 };                          // diameters

typedef struct deep_bed {
    scr_world *world;
    scr_body plate;
    double mass;  // kg, of the grains
    double top;   // m
} deep_bed;

// Grains in a narrow shaft with smooth walls, nearly where they will come to rest.
static deep_bed make_bed(const scr_world_def *def, int layers)
{
    const double width = 2.0 * RADIUS * ACROSS;
    deep_bed bed = {.world = make_world(def)};
    scr_material smooth = add_material(bed.world, 0.0, 0.0), rough = add_material(bed.world, 0.5, 0.0);
    scr_body wall[4];
    add_floor(bed.world, rough);
    add_walls(bed.world, smooth, width, width, wall);
    for (int k = 0; k < ACROSS * ACROSS * layers; ++k) {
        uint64_t draw = 3 * (uint64_t)k;
        double r = RADIUS * random_in(0.9, 1.0, draw), slip = 0.05 * RADIUS;
        scr_vec3 at = vec3(2.0 * RADIUS * (k % ACROSS + 0.5), 2.0 * RADIUS * (k / ACROSS % ACROSS + 0.5),
                           2.0 * RADIUS * (k / (ACROSS * ACROSS) + 0.5));
        at.x += random_in(-slip, slip, draw + 1);
        at.y += random_in(-slip, slip, draw + 2);
        bed.mass += scr_body_mass(bed.world, add_sphere(bed.world, rough, r, at, STILL));
        bed.top = at.z + RADIUS;
    }
    return bed;
}

static void add_plate(deep_bed *bed, double mass)
{
    scr_material_def steel_def = scr_default_material_def();
    scr_material steel;
    assert_ok(scr_world_add_material(bed->world, &steel_def, &steel, &error));
    const double half = RADIUS * ACROSS - 1e-4;
    scr_shape box = scr_box(vec3(half, half, RADIUS), steel);
    scr_body_def def = scr_default_body_def();
    def.position = vec3(RADIUS * ACROSS, RADIUS * ACROSS, bed->top + RADIUS);
    def.mass = mass;
    def.shapes = &box;
    def.shape_count = 1;
    bed->plate = add_body(bed->world, &def);
}

// ---- one problem, solved again and again ----

// The contact problem of the next step, and its first guess.
static float *next_problem(scr_world *world)
{
    body_poses poses = world_poses(world);
    forget_deflections(world);
    assert_ok(sort_in_space(world, &error));
    assert_ok(apply_forces(world, &error));
    assert_ok(colliders_place(&world->colliders, &poses, world->threads, &error));
    assert_ok(find_pairs(world, &error));
    assert_ok(find_contacts(world, &error));
    assert_ok(reduce_contacts(world, &error));
    assert_ok(recall_impulses(world, &error));
    assert_ok(foresee_hover(world, &error));
    size_t bytes = 3 * sizeof(float) * (size_t)world->contacts.count;
    float *guess = malloc(bytes);
    memcpy(guess, world->contacts.impulse, bytes);
    return guess;
}

static solve_result solve_from(scr_world *world, const float *guess, scr_solver_kind kind, int sweeps)
{
    scr_solver_def def = {.kind = kind, .max_iterations = sweeps};
    solve_setting setting = {.def = &def, .kernels = world->kernels};
    memcpy(world->contacts.impulse, guess, 3 * sizeof(float) * (size_t)world->contacts.count);
    assert_ok(prepare(world, &error));
    contact_system system = world_contact_system(world);
    return solve_by_sweeps(&world->problem, &system, &setting, NULL);
}

typedef struct change_of_motion {
    scr_vec3 v, w;
} change_of_motion;

// What the impulses do to the bodies, from the rows of the problem in double precision; *energy is f.
static change_of_motion *motion_made(const scr_world *world, double *energy)
{
    contact_system system = world_contact_system(world);
    change_of_motion *made = calloc((size_t)system.body_count, sizeof *made);
    *energy = 0.0;
    for (int64_t i = 0; i < system.contact_count; ++i) {
        contact_row row = system.row(system.owner, i);
        const float *f = system.impulse + 3 * i;
        scr_vec3 g = vec3((double)f[0], (double)f[1], (double)f[2]);
        double gn = vec3_dot(g, row.n);
        *energy += vec3_dot(row.r, g) +
                   0.5 * (row.eps_n * row.a_n * gn * gn + row.eps_t * row.a_t * (vec3_dot(g, g) - gn * gn));
        const int32_t body[2] = {row.a, row.b};
        const scr_vec3 lever[2] = {row.lever_a, row.lever_b}, push[2] = {vec3_neg(g), g};
        for (int s = 0; s < 2; ++s) {
            if (body[s] < 0) continue;
            system_body mass = system.body(system.owner, body[s]);
            change_of_motion *to = &made[body[s]];
            to->v = vec3_add_scaled(to->v, mass.inv_mass, push[s]);
            to->w = vec3_add(to->w, mat3_times(&mass.inv_inertia, vec3_cross(lever[s], push[s])));
        }
    }
    return made;
}

// |a - b|_M^2; b may be NULL, which is no motion.
static double distance2(const scr_world *world, const change_of_motion *a, const change_of_motion *b)
{
    contact_system system = world_contact_system(world);
    double sum = 0.0;
    for (int64_t i = 0; i < system.body_count; ++i) {
        system_body mass = system.body(system.owner, i);
        if (mass.inv_mass == 0.0) continue;
        mat3 inertia = mat3_inverse_symmetric(&mass.inv_inertia);
        scr_vec3 v = b != NULL ? vec3_sub(a[i].v, b[i].v) : a[i].v, w = b != NULL ? vec3_sub(a[i].w, b[i].w) : a[i].w;
        sum += vec3_dot(v, v) / mass.inv_mass + vec3_dot(w, mat3_times(&inertia, w));
    }
    return sum;
}

// |v - v*|_M / |v* - v_free|_M after so many sweeps.
static double error_after(scr_world *world, const float *guess, scr_solver_kind kind, int sweeps,
                          const change_of_motion *exact, double *estimate)
{
    double energy;
    *estimate = solve_from(world, guess, kind, sweeps).force_error;
    change_of_motion *made = motion_made(world, &energy);
    double error = sqrt(distance2(world, made, exact) / distance2(world, exact, NULL));
    free(made);
    return error;
}

// ---- how many sweeps ----

// A bed at rest, or under a plate that outweighs it and has just been struck: the problem of its next step.
static scr_world *hard_problem(int layers, bool loaded, bool warm, float **guess)
{
    scr_world_def def = scr_default_world_def();
    def.contact.damping = SETTLING_DAMPING;
    deep_bed bed = make_bed(&def, layers);
    if (loaded) add_plate(&bed, 25.0 * bed.mass);
    step(bed.world, 400);
    bed.world->def.contact.damping = 0.0;
    step(bed.world, 3);
    if (loaded) {
        scr_body_state now = state_of(bed.world, bed.plate);
        now.velocity.z -= 0.02;
        set_state(bed.world, bed.plate, now);
    } else {
        scr_world_set_gravity(bed.world, vec3(0.087 * GRAVITY, 0.0, -0.996 * GRAVITY),
                              NULL);  // leans over by 5 degrees
    }
    bed.world->def.solver.warm_start = warm;
    *guess = next_problem(bed.world);
    return bed.world;
}

// Counts, not times: they are the same on every machine. The answer they are measured against is that of many more
// sweeps, on which three solvers agree (test_solvers.c).
static void one_percent_takes_few_sweeps_at_any_depth_and_load(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        if (!is_long() && k % 3 != 0) continue;
        int layers = k % 2 == 0 ? 12 : 28;
        bool loaded = k / 2 % 2 == 1, warm = k / 4 == 1;
        float *guess;
        scr_world *world = hard_problem(layers, loaded, warm, &guess);
        double energy, estimate, error = 1.0, worst_high = 0.0, worst_low = INFINITY;
        solve_from(world, guess, SCR_SOLVER_AGS, 1500);
        change_of_motion *exact = motion_made(world, &energy);
        int sweeps = 0, most = warm ? 90 : 220;
        for (int n = 10; n <= most; n += 10) {
            error = error_after(world, guess, SCR_SOLVER_AGS, n, exact, &estimate);
            if (error > 0.01) sweeps = n + 10;
            if (error > 2e-3 && error < 0.2) {  // between the first rush and what single precision can tell
                worst_high = fmax(worst_high, error / estimate);
                worst_low = fmin(worst_low, error / estimate);
            }
        }
        print_message("%d layers%s, %s: %d sweeps to 1 %%; error %.2f to %.2f times what is stated\n", layers,
                      loaded ? " under a plate" : "", warm ? "warm" : "cold", sweeps, worst_low, worst_high);
        assert_at_most(sweeps, most);
        assert_at_most(worst_high, 2.0);
        assert_at_most(0.1, worst_low);
        free(exact);
        free(guess);
        scr_world_destroy(world);
    }
}

// ---- heavy bodies ----

// A plate on side x side balls on a floor, or a ball on as many.
static scr_world *loaded_balls(const scr_world_def *def, int side, double mass, bool round)
{
    const double r = 0.02, width = 2.2 * r * side;
    scr_world *world = make_world(def);
    scr_material stone = add_material(world, 0.5, 0.0);
    add_floor(world, stone);
    scr_vec3 centre = vec3(0.5 * width, 0.5 * width, round ? 10.0 * width : 2.0 * r + 0.02);
    for (int k = 0; k < side * side; ++k) {
        scr_vec3 at = vec3(2.2 * r * (k % side + 0.5), 2.2 * r * (k / side + 0.5), r);
        if (round) {  // just below its surface
            double x = at.x - centre.x, y = at.y - centre.y, big = 10.0 * width - 2.5 * r;
            at.z = centre.z - sqrt((big + r) * (big + r) - x * x - y * y);
        }
        add_sphere(world, stone, r, at, vec3(0.3 * random_in(-1.0, 1.0, (uint64_t)k), 0.0, 0.5));
    }
    scr_shape shape =
        round ? scr_sphere(10.0 * width - 2.5 * r, stone) : scr_box(vec3(0.5 * width, 0.5 * width, 0.02), stone);
    scr_body_def heavy = scr_default_body_def();
    heavy.position = centre;
    heavy.velocity = vec3(0.2, 0.1, -0.5);
    heavy.spin = round ? STILL : vec3(0.3, -0.2, 0.5);
    heavy.mass = mass;
    heavy.shapes = &shape;
    heavy.shape_count = 1;
    add_body(world, &heavy);
    return world;
}

static bool has_shared_span(const contact_order *order)
{
    for (int k = 0; k < order->span_count; ++k)
        if (order->span[k].kind == SPAN_SHARED) return true;
    return false;
}

// Light enough that copies count: 576 contacts make three groups, and the body weighs as little as the rule allows.
static void shared_sweeps_never_raise_the_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        bool round = k % 2 == 1, rigid = k / 2 % 2 == 1;
        scr_solver_kind kind = k / 4 == 0 ? SCR_SOLVER_AGS : SCR_SOLVER_GS;
        scr_world_def def = scr_default_world_def();
        def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
        double grain = 2500.0 * 4.0 / 3.0 * 3.14159265358979323846 * 8e-6;
        scr_world *world = loaded_balls(&def, 24, 1.01 * HEAVY_RATIO * grain, round);
        float *guess = next_problem(world);
        double last = 0.0, f;
        for (int sweeps = 1; sweeps <= 40; ++sweeps) {
            solve_from(world, guess, kind, sweeps);
            change_of_motion *made = motion_made(world, &f);
            f += 0.5 * distance2(world, made, NULL);
            free(made);
            if (f > last + 1e-6 * fabs(last))
                fail_msg("case %d: f rises from %.9g to %.9g J in sweep %d", k, last, f, sweeps);
            last = f;
        }
        assert_true(has_shared_span(round ? &world->problem.grains : &world->problem.general));
        assert_true(last < 0.0);
        free(guess);
        scr_world_destroy(world);
    }
}

static void shared_sweeps_have_the_same_bits_for_any_thread_count(void **state)
{
    (void)state;
    for (int round = 0; round <= 1; ++round) {
        uint64_t hash = 0;
        for (int variant = 0; variant < 4; ++variant) {
            scr_world_def def = scr_default_world_def();
            def.thread_count = variant < 3 ? variant + 1 : 2;
            def.instruction_set = variant == 3 ? SCR_PLAIN : SCR_BEST;
            def.solver.max_iterations = 8;
            scr_world *world = loaded_balls(&def, 24, 100.0, round);
            step(world, 3);
            assert_true(has_shared_span(round ? &world->problem.grains : &world->problem.general));
            if (variant == 0) hash = scr_world_hash(world);
            assert_true(scr_world_hash(world) == hash);
            scr_world_destroy(world);
        }
    }
}

// A plate of 25 bed masses on 32 layers is a mass on a long spring. With dampers in the contacts it comes to rest, and
// then reads its weight.
static void a_heavy_plate_on_a_deep_bed_reads_its_weight(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.contact.damping = SETTLING_DAMPING;
    deep_bed bed = make_bed(&def, 32);
    step(bed.world, 150);
    bed.top = 0.0;
    scr_body_view view = scr_world_bodies(bed.world);
    for (int64_t i = 0; i < view.count; ++i)
        if (view.inv_mass[i] > 0.0) bed.top = fmax(bed.top, view.z[i] + RADIUS);
    add_plate(&bed, 25.0 * bed.mass);
    step(bed.world, 500);
    double mean = 0.0, weight = GRAVITY * scr_body_mass(bed.world, bed.plate);
    const int count = 200;
    for (int k = 0; k < count; ++k) {
        step(bed.world, 1);
        mean += contact_force_on(bed.world, bed.plate).z / count;
    }
    print_message("plate: %.4f of its weight\n", mean / weight);
    assert_near(mean, weight, 0.01);
    scr_world_destroy(bed.world);
}

// All sweeps of a bed that is tipped over and slides, at a force error of 1 %.
static double sweeps_of_slide(scr_friction_law law)
{
    enum { LAYERS = 24, STEPS = 150 };
    scr_world_def def = scr_default_world_def();
    def.gravity = vec3(7.0, 1.0, -7.0);
    def.solver.kind = SCR_SOLVER_AGS;
    def.solver.tolerance = 1e-2;
    def.contact.friction = law;
    deep_bed bed = make_bed(&def, LAYERS);
    double sweeps = 0.0;
    for (int k = 0; k < STEPS; ++k) {
        assert_ok(scr_world_step(bed.world, &error));
        sweeps += (double)scr_world_report(bed.world).iterations;
    }
    scr_world_destroy(bed.world);
    return sweeps;
}

static void coulombs_law_takes_twice_the_sweeps(void **state)
{
    (void)state;
    double convex = sweeps_of_slide(SCR_FRICTION_CONVEX), coulomb = sweeps_of_slide(SCR_FRICTION_COULOMB);
    print_message("convex %g, Coulomb %g: %.2f\n", convex, coulomb, coulomb / convex);
    assert_true(coulomb < 1.9 * convex);  // 1.99 where every contact is relaxed alike
}

// ---- mixing ----

// Plain sweeps in cycles, which are mixed or not.
static void sweep_in_cycles(scr_world *world, const sweep_kernels *kernels, const float *guess, int cycles, bool mixes)
{
    mixing_memory memory = {0};
    memcpy(world->contacts.impulse, guess, 3 * sizeof(float) * (size_t)world->contacts.count);
    assert_ok(prepare(world, &error));
    assert_ok(mixing_reserve(&memory, &world->problem, &error));
    contact_system system = world_contact_system(world);
    sweeper s = {.p = &world->problem, .kernels = kernels, .mode = {.relaxation = 1.0f}, .mixing = &memory};
#pragma omp parallel num_threads(world->threads)
    {
        sweeps_begin(&s);
        if (mixes) mixing_begin(&s);
        for (int cycle = 0; cycle < cycles; ++cycle) {
            if (cycle > 0 && mixes) mixing_go_on(&s);
            for (int sweep = 0; sweep < CYCLE_SWEEPS; ++sweep) sweep_all_contacts(&s);
        }
    }
    problem_collect(&world->problem, &system);
    mixing_free(&memory);
}

// What plain sweeps leave of a heavy plate's error on a deep bed falls by a few hundredths a sweep: few unknowns see
// it. On any number of threads, plain and by vectors, to the last bit.
static void mixed_cycles_of_sweeps_lead_farther(void **state)
{
    (void)state;
    enum { CYCLES = 12 };
    float *guess;
    scr_world *world = hard_problem(12, true, false, &guess);
    const sweep_kernels *best = world->kernels, *plain = KERNEL_TO_AVX512_FOR(false, sweep_kernels);
    double energy, left[2];
    solve_from(world, guess, SCR_SOLVER_AGS, 1500);
    change_of_motion *exact = motion_made(world, &energy);
    for (int mixes = 0; mixes <= 1; ++mixes) {
        sweep_in_cycles(world, best, guess, CYCLES, mixes);
        change_of_motion *made = motion_made(world, &energy);
        left[mixes] = sqrt(distance2(world, made, exact) / distance2(world, exact, NULL));
        free(made);
    }
    print_message("error after %d sweeps: %.2g, mixed %.2g\n", CYCLES * CYCLE_SWEEPS, left[0], left[1]);
    assert_true(left[1] < 0.3 * left[0]);
    size_t bytes = 3 * sizeof(float) * (size_t)world->contacts.count;
    float *once = malloc(bytes);
    memcpy(once, world->contacts.impulse, bytes);
    for (int threads = 1; threads <= 4; ++threads) {
        world->threads = threads;
        sweep_in_cycles(world, threads < 4 ? best : plain, guess, CYCLES, true);
        assert_memory_equal(world->contacts.impulse, once, bytes);
    }
    free(once);
    free(exact);
    free(guess);
    scr_world_destroy(world);
}

// ---- kernels ----

static double energy_of(const wide_record *body)
{
    double linear = 0.0, angular = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        linear += (double)body->v[axis] * (double)body->v[axis];
        angular += (double)body->s[axis] * (double)body->s[axis];
    }
    double energy = body->v_factor > 0.0f ? 0.5 * linear / (double)body->v_factor : 0.0;
    return energy + (body->s_factor > 0.0f ? 0.5 * angular / (double)body->s_factor : 0.0);
}

static wide_record some_record(uint64_t draw, bool is_fixed, bool is_round)
{
    wide_record r = {.v_factor = is_fixed ? 0.0f : 3.0f, .s_factor = is_fixed || !is_round ? 0.0f : 7.5f};
    for (int axis = 0; axis < 3; ++axis) {
        r.v[axis] = (float)random_in(-1.0, 1.0, draw + (uint64_t)axis);
        r.s[axis] = (float)random_in(-1.0, 1.0, draw + 3 + (uint64_t)axis);
    }
    return r;
}

static float onward(float base, float before, float beta) { return base + beta * (base - before); }

static void extrapolate_one(wide_record *record, wide_record *old, float beta, bool from_old)
{
    wide_record base = from_old ? *old : *record, before = *old;
    for (int axis = 0; axis < 3; ++axis) {
        record->v[axis] = onward(base.v[axis], before.v[axis], beta);
        record->s[axis] = onward(base.s[axis], before.s[axis], beta);
    }
    *old = base;
}

// However many there are, and nobody else's.
static void bodies_go_on_and_are_weighed_as_one_by_one(void **state)
{
    (void)state;
    enum { MOST = 20 };
    const sweep_kernels *kernels[] = {KERNEL_TO_AVX512_FOR(true, sweep_kernels), KERNEL_FOR(true, sweep_kernels),
                                      KERNEL_FOR(false, sweep_kernels)};
    for (int64_t count = 0; count < MOST; ++count) {
        wide_record start[MOST], start_old[MOST], one_by_one[MOST], one_by_one_old[MOST];
        double energy = 0.0, first = 0.0;
        bool from_old = count % 3 == 0;
        for (int64_t i = 0; i < MOST; ++i) {
            start[i] = some_record((uint64_t)(100 * count + 12 * i), i % 5 == 2, i % 4 > 0);
            start_old[i] = some_record((uint64_t)(100 * count + 12 * i + 6), i % 5 == 2, i % 4 > 0);
            if (i < count) energy += energy_of(&start[i]);
        }
        memcpy(one_by_one, start, sizeof start), memcpy(one_by_one_old, start_old, sizeof start);
        for (int64_t i = 0; i < count; ++i) extrapolate_one(&one_by_one[i], &one_by_one_old[i], 0.3f, from_old);
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
            wide_record record[MOST], old[MOST];
            memcpy(record, start, sizeof start), memcpy(old, start_old, sizeof start);
            double kinetic = kernels[k]->kinetic(record, count);
            if (k == 0) first = kinetic;
            assert_true(kinetic == first);
            assert_true(fabs(kinetic - energy) <= 1e-6 * energy);
            kernels[k]->extrapolate(record, old, count, 0.3f, from_old);
            assert_memory_equal(record, one_by_one, sizeof record);
            assert_memory_equal(old, one_by_one_old, sizeof old);
        }
    }
}

// Of one lane, which went from y to z.
static void add_lane_sums(const grain_bundle *c, const float y[3][LANES], int lane, sweep_sums *sums)
{
    double an = 1.0 / (double)c->cn[lane], at = 1.0 / (double)c->ct[lane], eps = 1.0 - (double)c->sigma[lane];
    double zn = 0.0, dn = 0.0, z2 = 0.0, d2 = 0.0, work = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double n = (double)c->n[axis][lane], z = (double)c->g[axis][lane], d = z - (double)y[axis][lane];
        zn += n * z, dn += n * d, z2 += z * z, d2 += d * d;
        work += (double)c->r[axis][lane] * z;
    }
    double size = an * zn * zn + at * (z2 - zn * zn);
    sums->size += size;
    sums->elastic += eps * size;
    sums->energy += work + 0.5 * eps * size;
    sums->change += an * dn * dn + at * (d2 - dn * dn);
}

// In every bundle of a hard problem.
static void sweeps_sum_up_what_they_do(void **state)
{
    (void)state;
    float *guess;
    scr_world *world = hard_problem(12, true, true, &guess);
    problem *p = &world->problem;
    const sweep_mode mode = {.beta = 0.3f, .relaxation = 1.2f, .accelerated = true, .sums = true};
    memcpy(world->contacts.impulse, guess, 3 * sizeof(float) * (size_t)world->contacts.count);
    assert_ok(prepare(world, &error));
    int64_t changed = 0;
    for (int64_t b = 0; b < p->grains.bundle_count; ++b) {
        grain_bundle *c = &p->grain[b];
        float y[3][LANES];
        sweep_sums sums, exact = {0};
        for (int axis = 0; axis < 3; ++axis) {
            for (int lane = 0; lane < LANES; ++lane) {
                float g = c->g[axis][lane], old = 0.8f * g;
                p->grain_old[b].g[axis][lane] = old;
                y[axis][lane] = onward(g, old, mode.beta);
            }
        }
        world->kernels->grains(c, &p->grain_old[b], NULL, 1, p->record, &mode, &sums);
        for (int lane = 0; lane < LANES; ++lane) add_lane_sums(c, y, lane, &exact);
        changed += exact.change > 1e-6 * exact.size;
        assert_near(sums.size, exact.size, 1e-5);
        assert_near(sums.elastic, exact.elastic, 1e-5);
        // of differences of impulses, each of which is rounded
        assert_within(sums.change, exact.change, 1e-6 * sqrt(exact.change * exact.size));
        assert_within(sums.energy, exact.energy, 1e-5 * (fabs(exact.energy) + exact.size));
    }
    assert_true(changed > 0);
    free(guess);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_go_on_and_are_weighed_as_one_by_one),
        cmocka_unit_test(sweeps_sum_up_what_they_do),
        cmocka_unit_test(one_percent_takes_few_sweeps_at_any_depth_and_load),
        cmocka_unit_test(shared_sweeps_never_raise_the_energy),
        cmocka_unit_test(shared_sweeps_have_the_same_bits_for_any_thread_count),
        cmocka_unit_test(a_heavy_plate_on_a_deep_bed_reads_its_weight),
        cmocka_unit_test(coulombs_law_takes_twice_the_sweeps),
        cmocka_unit_test(mixed_cycles_of_sweeps_lead_farther),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
