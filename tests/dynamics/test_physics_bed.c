// A bed of grains that fell into a bin and came to rest: what it does on the way down, and what it must not do there.
//
// The floor is one fixed body of many spheres, rough enough that no grain rolls about on it; the walls are smooth, so
// the floor alone carries the weight. The bed settles once for all tests, with compliant and with rigid contacts.
#include "core/memory.h"
#include "dynamics/physics.h"

enum { SIDE = 8, LAYERS = 8, GRAINS = SIDE * SIDE * LAYERS, FLOOR_SIDE = 11, SETTLE_STEPS = 3000 };
static const double RADIUS = 0.01;      // m, the mean
static const double TOLERANCE = 1e-6;   // the solver's: at 1e-3 forces flicker by a percent and grains creep

typedef struct bed {
    scr_world *world;
    scr_body floor, wall[4];
    scr_body grain[GRAINS];
    double weight;       // N
    double worst_growth; // J, the largest gain of energy in a step of the settling
} bed;

static scr_body add_rough_floor(scr_world *world, scr_material material)
{
    scr_shape bump[FLOOR_SIDE * FLOOR_SIDE];
    for (int k = 0; k < FLOOR_SIDE * FLOOR_SIDE; ++k) {
        bump[k] = scr_sphere(RADIUS, material);
        bump[k].position = vec3(1.7 * RADIUS * (k % FLOOR_SIDE), 1.7 * RADIUS * (k / FLOOR_SIDE), 0.0);
    }
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_FIXED;
    def.shapes = bump;
    def.shape_count = FLOOR_SIDE * FLOOR_SIDE;
    return add_body(world, &def);
}

static void add_grains(scr_world *world, scr_material material, scr_body *grain)
{
    const double pitch = 2.1 * RADIUS;
    scr_vec3 at[GRAINS];
    double radius[GRAINS];
    for (int k = 0; k < GRAINS; ++k) {
        uint64_t draw = 3 * (uint64_t)k;
        int x = k % SIDE, y = k / SIDE % SIDE, z = k / (SIDE * SIDE);
        radius[k] = RADIUS * random_in(0.85, 1.0, draw);
        at[k] = vec3(pitch * (x + 0.5) + 1e-4 * random_in(0.0, 1.0, draw + 1), pitch * (y + 0.5) + 1e-4 * random_in(0.0, 1.0, draw + 2),
                     pitch * (z + 1.0));
    }
    assert_ok(scr_world_add_spheres(world, GRAINS, at, radius, NULL, material, grain, &error));
}

static bed *settle_bed(bool rigid)
{
    bed *b = calloc(1, sizeof *b);
    assert_non_null(b);
    scr_world_def def = scr_default_world_def();
    def.contact.rigid = rigid;
    def.solver.tolerance = TOLERANCE;
    b->world = make_world(&def);
    scr_material stone = add_material(b->world, 0.5, 0.0), smooth = add_material(b->world, 0.0, 0.0);
    b->floor = add_rough_floor(b->world, stone);
    add_walls(b->world, smooth, 2.1 * RADIUS * SIDE, 2.1 * RADIUS * SIDE, b->wall);
    add_grains(b->world, stone, b->grain);
    b->weight = GRAVITY * total_mass(b->world);
    double before = total_energy(b->world);
    for (int k = 0; k < SETTLE_STEPS; ++k) {
        step(b->world, 1);
        double after = total_energy(b->world);
        b->worst_growth = fmax(b->worst_growth, after - before);
        before = after;
    }
    return b;
}

typedef struct both_beds { bed *bed[2]; } both_beds;  // compliant, rigid

static int make_beds(void **state)
{
    static both_beds beds;
    for (int rigid = 0; rigid <= 1; ++rigid) beds.bed[rigid] = settle_bed(rigid);
    *state = &beds;
    return 0;
}

static int free_beds(void **state)
{
    both_beds *beds = *state;
    for (int rigid = 0; rigid <= 1; ++rigid) {
        scr_world_destroy(beds->bed[rigid]->world);
        free(beds->bed[rigid]);
    }
    return 0;
}

// Kinetic, potential and elastic energy together, step by step. What is allowed is what rounding of the impulses to
// single precision gives: a part in ten million of the energy that lifts the bed by one radius.
static void energy_never_grows_while_grains_settle(void **state)
{
    both_beds *beds = *state;
    for (int k = 0; k < 2; ++k) assert_at_most(beds->bed[k]->worst_growth, 1e-7 * beds->bed[k]->weight * RADIUS);
}

static void check_floor_carries(const bed *b)
{
    scr_vec3 sum = {0};
    for (int64_t i = 0; i < scr_world_contact_count(b->world); ++i) {
        scr_contact c = scr_world_contact(b->world, i);
        if (c.a.index1 == b->floor.index1) sum = vec3_sub(sum, c.force);
        if (c.b.index1 == b->floor.index1) sum = vec3_add(sum, c.force);
    }
    assert_near(-sum.z, b->weight, 0.001);
    scr_vec3 asked = contact_force_on(b->world, b->floor);
    assert_within3(asked, sum, 1e-9 * b->weight);

    scr_vec3 all = asked;
    for (int k = 0; k < 4; ++k) all = vec3_add(all, contact_force_on(b->world, b->wall[k]));
    assert_within3(all, vec3(0.0, 0.0, -b->weight), 0.001 * b->weight);
}

static void the_floor_carries_the_weight(void **state)
{
    both_beds *beds = *state;
    for (int k = 0; k < 2; ++k) {
        for (int n = 0; n < 20; ++n) {  // in every step, not on average
            step(beds->bed[k]->world, 1);
            check_floor_carries(beds->bed[k]);
        }
    }
}

// How many contacts with a force each grain has.
static void count_touching(const bed *b, int count[GRAINS])
{
    for (int k = 0; k < GRAINS; ++k) count[k] = 0;
    for (int64_t i = 0; i < scr_world_contact_count(b->world); ++i) {
        scr_contact c = scr_world_contact(b->world, i);
        if (vec3_norm(c.force) == 0.0) continue;
        // Grains were added in one go: their handles are consecutive.
        int64_t a = (int64_t)c.a.index1 - b->grain[0].index1, other = (int64_t)c.b.index1 - b->grain[0].index1;
        if (a >= 0 && a < GRAINS) ++count[a];
        if (other >= 0 && other < GRAINS) ++count[other];
    }
}

// A grain that touches fewer than three others may roll for ever: the law has no rolling friction. All others stand.
static void check_no_drift(bed *b)
{
    enum { STEPS = 1000 };
    static int before[GRAINS], after[GRAINS];
    static scr_vec3 start[GRAINS];
    count_touching(b, before);
    for (int k = 0; k < GRAINS; ++k) start[k] = state_of(b->world, b->grain[k]).position;
    step(b->world, STEPS);
    count_touching(b, after);
    double seconds = STEPS * scr_world_time_step(b->world), fastest = 0.0;
    int held = 0;
    for (int k = 0; k < GRAINS; ++k) {
        if (before[k] < 3 || after[k] < 3) continue;
        ++held;
        fastest = fmax(fastest, vec3_norm(vec3_sub(state_of(b->world, b->grain[k]).position, start[k])) / seconds);
    }
    assert_at_most(fastest, 1e-4 * RADIUS);  // m/s
    assert_true(held > 0.95 * GRAINS);
}

static void grains_at_rest_do_not_drift(void **state)
{
    both_beds *beds = *state;
    for (int k = 0; k < 2; ++k) check_no_drift(beds->bed[k]);
}

// Contacts with compliance overlap by F/k, k = 1/(h^2 eps a_n): nothing sinks in.
static void overlaps_at_rest_are_those_of_the_compliance(void **state)
{
    both_beds *beds = *state;
    assert_at_most(scr_world_report(beds->bed[0]->world).max_penetration, 2e-4 * RADIUS);
    assert_at_most(scr_world_report(beds->bed[1]->world).max_penetration, 1e-6 * RADIUS);
}

static void a_steady_step_allocates_nothing(void **state)
{
    both_beds *beds = *state;
    for (int k = 0; k < 2; ++k) {
        int64_t before = scr_allocation_count();
        step(beds->bed[k]->world, 300);  // bodies are re-sorted at least twice on the way
        assert_int_equal(scr_allocation_count(), before);
    }
}

static void the_last_step_was_solved_well(void **state)
{
    both_beds *beds = *state;
    for (int k = 0; k < 2; ++k) {
        scr_accuracy accuracy;
        step(beds->bed[k]->world, 1);
        assert_ok(scr_world_accuracy(beds->bed[k]->world, &accuracy, &error));
        assert_at_most(accuracy.cone_violation, 1e-6);  // single precision
        assert_at_most(accuracy.force_error, 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_never_grows_while_grains_settle),
        cmocka_unit_test(the_floor_carries_the_weight),
        cmocka_unit_test(grains_at_rest_do_not_drift),
        cmocka_unit_test(overlaps_at_rest_are_those_of_the_compliance),
        cmocka_unit_test(a_steady_step_allocates_nothing),
        cmocka_unit_test(the_last_step_was_solved_well),
    };
    return cmocka_run_group_tests(tests, make_beds, free_beds);
}
