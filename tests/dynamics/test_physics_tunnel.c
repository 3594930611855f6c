// SPDX-License-Identifier: BSD-3-Clause
// Fast grains and thin sheets: at any speed, angle and distance, alone, in bursts and through each other, no grain gets
// to the other side within a step of a millisecond, in which it could fly half a metre through a tenth of a millimetre.
#include "dynamics/physics.h"

static const double SHEET = 5e-5;  // m, half its thickness
static const double WIDE = 20.0;   // m, half its edges
static const scr_vec3 ZERO = {0.0, 0.0, 0.0};

static const double RADIUS[] = {1e-3, 2e-3, 5e-3};                    // m
static const double SPEED[] = {1.0, 7.0, 30.0, 100.0, 250.0, 500.0};  // m/s
static const double SLOPE[] = {0.0, 0.5, 2.0, 6.0};                   // sideways over towards the sheet
enum { RADII = 3, SPEEDS = 6, SLOPES = 4 };

typedef struct law {
    bool rigid;
    double restitution;
} law;
static const law LAW[] = {{false, 0.0}, {true, 0.0}, {false, 0.6}, {true, 1.0}};
enum { LAWS = 4 };

static scr_world *make_range(law l, scr_material *material)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = l.rigid ? SCR_RIGID : SCR_COMPLIANT;
    def.max_speed = 1e4;
    scr_world *world = make_world(&def);
    *material = add_material(world, 0.4, l.restitution);
    return world;
}

// The sheet z = 0, moving as prescribed.
static scr_body add_sheet(scr_world *world, scr_material material, double height, double speed)
{
    scr_body_kind kind = speed == 0.0 ? SCR_FIXED : SCR_KINEMATIC;
    return add_shape(world, kind, scr_box(vec3(WIDE, WIDE, SHEET), material), vec3(0.0, 0.0, height),
                     vec3(0.0, 0.0, speed));
}

// The same without any thickness, of triangles.
static scr_body add_mesh_sheet(scr_world *world, scr_material material, double height, double speed)
{
    enum { CELLS = 8 };
    scr_vec3 vertex[(CELLS + 1) * (CELLS + 1)];
    int32_t triangle[6 * CELLS * CELLS], *t = triangle;
    for (int k = 0; k < (CELLS + 1) * (CELLS + 1); ++k)
        vertex[k] =
            vec3(WIDE * (2.0 * (k % (CELLS + 1)) / CELLS - 1.0), WIDE * (2.0 * (k / (CELLS + 1)) / CELLS - 1.0), 0.0);
    for (int k = 0; k < CELLS * CELLS; ++k, t += 6) {
        int32_t a = k / CELLS * (CELLS + 1) + k % CELLS, d = a + CELLS + 1;
        t[0] = a, t[1] = a + 1, t[2] = d + 1, t[3] = a, t[4] = d + 1, t[5] = d;
    }
    scr_error error;
    scr_surface surface;
    scr_triangles sheet = {(CELLS + 1) * (CELLS + 1), 2 * CELLS * CELLS, vertex, triangle};
    assert_int_equal(scr_world_add_mesh(world, &sheet, &surface, &error), SCR_OK);
    return add_shape(world, speed == 0.0 ? SCR_FIXED : SCR_KINEMATIC, scr_surface_shape(world, surface, material),
                     vec3(0.0, 0.0, height), vec3(0.0, 0.0, speed));
}

// Shots at one sheet, each in a world of its own; those that are beyond it in the end are counted.
typedef struct shot {
    double radius, speed, slope, sheet_speed;
    law law;
    bool mesh;
} shot;

static bool passes(shot s, uint64_t draw)
{
    scr_material material;
    scr_world *world = make_range(s.law, &material);
    scr_body sheet = (s.mesh ? add_mesh_sheet : add_sheet)(world, material, 0.0, s.sheet_speed);
    double down = s.speed / sqrt(1.0 + s.slope * s.slope), closing = down + s.sheet_speed;
    double way = random_in(0.0, 1.5e-3 * closing, draw);  // anywhere within the first step or the next
    scr_body grain = add_sphere(world, material, s.radius, vec3(0.01, 0.02, SHEET + s.radius + way),
                                vec3(-s.slope * down, 0.0, -down));
    bool beyond = false;
    for (int k = 0; k < 6 && !beyond; ++k) {
        step(world, 1);
        beyond = state_of(world, grain).position.z < state_of(world, sheet).position.z;
    }
    scr_world_destroy(world);
    return beyond;
}

static void no_grain_passes_a_sheet(void **state)
{
    (void)state;
    uint64_t draw = 0;
    for (int l = 0; l < LAWS; ++l)
        for (int r = 0; r < RADII; ++r)
            for (int v = 0; v < SPEEDS; ++v)
                for (int s = 0; s < SLOPES; ++s)
                    for (int k = 0; k < 4; ++k)
                        if (passes((shot){RADIUS[r], SPEED[v], SLOPE[s], 0.0, LAW[l], k % 2 == 0}, ++draw))
                            fail_msg("law %d: radius %g m, %g m/s, slope %g: through", l, RADIUS[r], SPEED[v],
                                     SLOPE[s]);
}

// A sheet that comes to meet the grain, or strikes one at rest.
static void no_sheet_passes_a_grain(void **state)
{
    (void)state;
    uint64_t draw = 5000;
    for (int l = 0; l < LAWS; ++l)
        for (int r = 0; r < RADII; ++r)
            for (int v = 0; v < SPEEDS; ++v)
                for (int k = 0; k < 6; ++k) {
                    double speed = k % 2 == 0 ? 1e-3 : 0.5 * SPEED[v];
                    if (passes((shot){RADIUS[r], speed, SLOPE[k % SLOPES], SPEED[v], LAW[l], k >= 3}, ++draw))
                        fail_msg("law %d: radius %g m, sheet at %g m/s, grain at %g m/s: through", l, RADIUS[r],
                                 SPEED[v], speed);
                }
}

// Grains fired at each other do not swap places.
static void grains_do_not_pass_each_other(void **state)
{
    (void)state;
    uint64_t draw = 9000;
    for (int l = 0; l < LAWS; ++l) {
        for (int r = 0; r < RADII; ++r) {
            for (int v = 0; v < SPEEDS; ++v) {
                scr_material material;
                scr_world *world = make_range(LAW[l], &material);
                double apart = 2.0 * RADIUS[r] + random_in(0.0, 3e-3 * SPEED[v], ++draw);
                scr_body a = add_sphere(world, material, RADIUS[r], ZERO, vec3(SPEED[v], 0.0, 0.0));
                scr_body b = add_sphere(world, material, RADIUS[r], vec3(apart, 0.0, 0.0), vec3(-SPEED[v], 0.0, 0.0));
                for (int k = 0; k < 6; ++k) {
                    step(world, 1);
                    if (state_of(world, b).position.x < state_of(world, a).position.x)
                        fail_msg("law %d: radius %g m, %g m/s: through each other", l, RADIUS[r], SPEED[v]);
                }
                scr_world_destroy(world);
            }
        }
    }
}

// A grain at rest before the sheet is struck from behind: in the step in which it is struck it would fly through.
static void a_struck_grain_does_not_pass(void **state)
{
    (void)state;
    enum { ROW = 4 };
    for (int l = 0; l < LAWS; ++l) {
        for (int r = 0; r < RADII; ++r) {
            for (int v = 0; v < SPEEDS; ++v) {
                scr_material material;
                scr_body row[ROW];
                scr_world *world = make_range(LAW[l], &material);
                add_sheet(world, material, 0.0, 0.0);
                for (int k = 0; k < ROW; ++k) {
                    double z = 3.0 * RADIUS[r] + 2.5 * RADIUS[r] * k;
                    row[k] = add_sphere(world, material, RADIUS[r], vec3(0.0, 0.0, z),
                                        vec3(0.0, 0.0, k == ROW - 1 ? -SPEED[v] : 0.0));
                }
                for (int k = 0; k < 6; ++k) {
                    step(world, 1);
                    for (int i = 0; i < ROW; ++i)
                        if (state_of(world, row[i]).position.z < 0.0)
                            fail_msg("law %d: radius %g m, %g m/s: grain %d is through", l, RADIUS[r], SPEED[v], i);
                }
                scr_world_destroy(world);
            }
        }
    }
}

// Between two sheets, a bounce off one sends the grain towards the other within the same step.
static void no_grain_leaves_a_narrow_channel(void **state)
{
    (void)state;
    uint64_t draw = 20000;
    for (int l = 0; l < LAWS; ++l) {
        for (int r = 0; r < RADII; ++r) {
            for (int v = 0; v < SPEEDS; ++v) {
                scr_material material;
                scr_world *world = make_range(LAW[l], &material);
                const double height = 0.02;
                add_sheet(world, material, 0.0, 0.0);
                add_sheet(world, material, height, 0.0);
                scr_body grain =
                    add_sphere(world, material, RADIUS[r], vec3(0.0, 0.0, random_in(0.3, 0.7, ++draw) * height),
                               vec3(0.3 * SPEED[v], 0.0, -SPEED[v]));
                for (int k = 0; k < 20; ++k) {
                    step(world, 1);
                    double z = state_of(world, grain).position.z;
                    if (z < 0.0 || z > height)
                        fail_msg("law %d: radius %g m, %g m/s: out of the channel", l, RADIUS[r], SPEED[v]);
                }
                scr_world_destroy(world);
            }
        }
    }
}

// Many at once: those behind strike those that the sheet has stopped.
static void a_burst_does_not_pass(void **state)
{
    (void)state;
    enum { BURST = 40 };
    for (int l = 0; l < LAWS; ++l) {
        for (int v = 1; v < SPEEDS; v += 2) {
            for (int kind = 0; kind < 4; ++kind) {
                scr_material material;
                scr_world *world = make_range(LAW[l], &material);
                bool moving = kind % 2 == 1, mesh = kind / 2 == 1;
                scr_body sheet =
                             (mesh ? add_mesh_sheet : add_sheet)(world, material, 0.0, moving ? 0.3 * SPEED[v] : 0.0),
                         grain[BURST];
                for (int k = 0; k < BURST; ++k) {
                    uint64_t draw = 30000 + 10 * (uint64_t)k;
                    scr_vec3 at = vec3(0.011 * (k % 4) + random_in(0.0, 1e-3, draw),
                                       0.011 * (k / 4 % 4) + random_in(0.0, 1e-3, draw + 1), 0.01 + 0.011 * (k / 16));
                    scr_vec3 velocity =
                        vec3(random_in(-0.2, 0.2, draw + 2) * SPEED[v], random_in(-0.2, 0.2, draw + 3) * SPEED[v],
                             -random_in(0.6, 1.0, draw + 4) * SPEED[v]);
                    grain[k] = add_sphere(world, material, random_in(1e-3, 5e-3, draw + 5), at, velocity);
                }
                for (int k = 0; k < 6; ++k) {
                    step(world, 1);
                    double height = state_of(world, sheet).position.z;
                    for (int i = 0; i < BURST; ++i)
                        if (state_of(world, grain[i]).position.z < height)
                            fail_msg("law %d, %g m/s, moving %d, mesh %d: grain %d is through in step %d", l, SPEED[v],
                                     moving, mesh, i, k);
                }
                scr_world_destroy(world);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_grain_passes_a_sheet),          cmocka_unit_test(no_sheet_passes_a_grain),
        cmocka_unit_test(grains_do_not_pass_each_other),    cmocka_unit_test(a_struck_grain_does_not_pass),
        cmocka_unit_test(no_grain_leaves_a_narrow_channel), cmocka_unit_test(a_burst_does_not_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
