// SPDX-License-Identifier: BSD-3-Clause
// The same scene gives the same bits for any number of threads and any instruction set: spheres, ellipsoids, boxes and
// bodies of several shapes, or ellipsoids alone, fall on each other between walls, and the hash of the whole state is
// compared along the way.
#include "dynamics/physics.h"

enum { BODIES = 1600, STEPS = 132, LOOK_EVERY = 33, LOOKS = STEPS / LOOK_EVERY };  // enough bodies for four threads
static const double SIZE = 0.01;                                                   // m

typedef struct look {
    uint64_t hash[LOOKS];
} look;

typedef enum crowd { OF_ALL_SHAPES, OF_ELLIPSOIDS, OF_SPHERES } crowd;

static void add_tumbler(scr_world *world, scr_material stone, crowd kind, int k)
{
    enum { SIDE = 12 };
    const double pitch = 2.2 * SIZE;
    uint64_t draw = 100 + 8 * (uint64_t)k;
    double size = SIZE * random_in(0.7, 1.0, draw);
    scr_shape shape[2] = {scr_sphere(size, stone)};
    scr_body_def def = scr_default_body_def();
    def.shapes = shape;
    def.shape_count = 1;
    int which = kind == OF_SPHERES ? 0 : kind == OF_ELLIPSOIDS ? 2 : k % 16;
    if (which % 8 == 2) shape[0] = scr_ellipsoid(vec3(size, 0.8 * size, 0.6 * size), stone);
    else if (which % 4 == 1) shape[0] = scr_box(vec3(0.7 * size, 0.5 * size, 0.4 * size), stone);
    else if (which == 3) {  // a dumb-bell
        shape[0] = shape[1] = scr_sphere(0.5 * size, stone);
        shape[1].position = vec3(0.8 * size, 0.0, 0.0);
        def.shape_count = 2;
    }
    def.position =
        vec3(pitch * (k % SIDE + 0.5 + 0.1 * random_in(-1.0, 1.0, draw + 1)),
             pitch * (k / SIDE % SIDE + 0.5 + 0.1 * random_in(-1.0, 1.0, draw + 2)), pitch * (k / (SIDE * SIDE) + 0.5));
    def.rotation = random_rotation(1000 + (uint64_t)k);
    def.velocity = vec3(0.0, 0.0, -1.0);
    def.spin = vec3(random_in(-5.0, 5.0, draw + 3), random_in(-5.0, 5.0, draw + 4), 0.0);
    add_body(world, &def);
}

static look run(int threads, scr_instruction_set set, scr_solver_kind solver, bool rigid, crowd kind)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    def.instruction_set = set;
    def.solver.kind = solver;
    def.solver.max_iterations = 6;  // few: nothing need converge here
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.2);
    scr_body wall[4];
    add_floor(world, stone);
    add_walls(world, stone, 12 * 2.2 * SIZE, 12 * 2.2 * SIZE, wall);
    for (int k = 0; k < BODIES; ++k) add_tumbler(world, stone, kind, k);
    look result;
    for (int k = 0; k < LOOKS; ++k) {
        step(world, LOOK_EVERY);
        result.hash[k] = scr_world_hash(world);
    }
    assert_true(scr_world_report(world).touching_count > BODIES / 2);  // they did meet
    scr_world_destroy(world);
    return result;
}

static void check_same(const look *a, const look *b, const char *what)
{
    for (int k = 0; k < LOOKS; ++k) {
        if (a->hash[k] == b->hash[k]) continue;
        print_error("%s: after %d steps the hash is %016llx, not %016llx\n", what, (k + 1) * LOOK_EVERY,
                    (unsigned long long)b->hash[k], (unsigned long long)a->hash[k]);
        fail();
    }
}

static void check_all(scr_solver_kind solver, bool rigid, crowd kind)
{
    look one = run(1, SCR_BEST, solver, rigid, kind), two = run(2, SCR_PLAIN, solver, rigid, kind);
    look three = run(3, SCR_BEST, solver, rigid, kind), four = run(4, SCR_BEST, solver, rigid, kind);
    check_same(&one, &two, "2 threads, plain instructions");
    check_same(&one, &three, "3 threads");
    check_same(&one, &four, "4 threads");
}

static void accelerated_sweeps_give_the_same_bits(void **state)
{
    (void)state;
    check_all(SCR_SOLVER_AGS, false, OF_ALL_SHAPES);
}

static void plain_sweeps_give_the_same_bits(void **state)
{
    (void)state;
    check_all(SCR_SOLVER_GS, true, OF_ALL_SHAPES);
}

static void projected_gradients_give_the_same_bits(void **state)
{
    (void)state;
    check_all(SCR_SOLVER_APGD, false, OF_ALL_SHAPES);
}

static void a_bed_of_ellipsoids_gives_the_same_bits(void **state)
{
    (void)state;
    look one = run(1, SCR_BEST, SCR_SOLVER_AUTO, false, OF_ELLIPSOIDS);
    look two = run(2, SCR_PLAIN, SCR_SOLVER_AUTO, false, OF_ELLIPSOIDS);
    look three = run(3, SCR_BEST, SCR_SOLVER_AUTO, false, OF_ELLIPSOIDS);
    check_same(&one, &two, "2 threads, plain instructions");
    check_same(&one, &three, "3 threads");
}

// The hash is worth something: a change in the last bit of one number changes it.
static scr_world *crowd_that_does_not_bounce(crowd kind, int threads, bool something_else_may)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    def.solver.kind = SCR_SOLVER_AGS;
    def.solver.max_iterations = 6;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_body wall[4];
    if (something_else_may) add_material(world, 0.5, 0.2);
    add_floor(world, stone);
    add_walls(world, stone, 12 * 2.2 * SIZE, 12 * 2.2 * SIZE, wall);
    for (int k = 0; k < BODIES; ++k) add_tumbler(world, stone, kind, k);
    return world;
}

// Contacts begin a step while they are packed, or before it where a material of the world bounces: nothing else may
// depend on that.
static void contacts_begin_alike_early_and_late(void **state)
{
    (void)state;
    const crowd kinds[] = {OF_SPHERES, OF_ALL_SHAPES};
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; ++n) {
        scr_world *late = crowd_that_does_not_bounce(kinds[n], 1, false),
                  *early = crowd_that_does_not_bounce(kinds[n], 3, true);
        step(late, STEPS / 2);
        step(early, STEPS / 2);
        scr_body_view a = scr_world_bodies(late), b = scr_world_bodies(early);
        size_t bytes = (size_t)a.count * sizeof *a.x;
        assert_true(scr_world_report(late).touching_count > BODIES / 2);
        assert_int_equal(scr_world_report(late).touching_count, scr_world_report(early).touching_count);
        assert_memory_equal(a.x, b.x, bytes);
        assert_memory_equal(a.z, b.z, bytes);
        assert_memory_equal(a.vx, b.vx, bytes);
        assert_memory_equal(a.vz, b.vz, bytes);
        scr_world_destroy(late);
        scr_world_destroy(early);
    }
}

static void the_hash_notices_one_bit(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_body ball = add_sphere(world, add_material(world, 0.5, 0.0), SIZE, vec3(1.0, 2.0, 3.0), vec3(0.0, 0.0, 0.0));
    uint64_t before = scr_world_hash(world);
    scr_body_state now = state_of(world, ball);
    now.position.x = nextafter(now.position.x, 2.0);
    set_state(world, ball, now);
    assert_true(scr_world_hash(world) != before);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerated_sweeps_give_the_same_bits),
        cmocka_unit_test(plain_sweeps_give_the_same_bits),
        cmocka_unit_test(projected_gradients_give_the_same_bits),
        cmocka_unit_test(a_bed_of_ellipsoids_gives_the_same_bits),
        cmocka_unit_test(contacts_begin_alike_early_and_late),
        cmocka_unit_test(the_hash_notices_one_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
