// SPDX-License-Identifier: BSD-3-Clause
// Contacts without friction push and never pull: with motion exactly along the normal, where nothing moves across it,
// along all six axes, for every solver, precision and law and every pair of shapes.
#include <stdio.h>

#include "contact_view.h"
#include "dynamics/physics.h"

static const scr_vec3 NOWHERE = {0.0, 0.0, 0.0};
static const double GAP = 1e-4;  // m

// A way to solve a step.
typedef struct way {
    const char *name;
    scr_contact_law law;
    scr_friction_law friction;
    scr_solver_kind kind;
    scr_precision precision;
} way;

#define CONVEX_WAYS(law, words)                                                                                        \
    {words " ags", law, SCR_FRICTION_CONVEX, SCR_SOLVER_AGS, SCR_PRECISION_USUAL},                                     \
        {words " gs", law, SCR_FRICTION_CONVEX, SCR_SOLVER_GS, SCR_PRECISION_USUAL},                                   \
        {words " ags double", law, SCR_FRICTION_CONVEX, SCR_SOLVER_AGS, SCR_PRECISION_DOUBLE},                         \
        {words " gs double", law, SCR_FRICTION_CONVEX, SCR_SOLVER_GS, SCR_PRECISION_DOUBLE},                           \
        {words " apgd", law, SCR_FRICTION_CONVEX, SCR_SOLVER_APGD, SCR_PRECISION_USUAL},                               \
        {words " bb", law, SCR_FRICTION_CONVEX, SCR_SOLVER_BB, SCR_PRECISION_USUAL},                                   \
    {                                                                                                                  \
        words " jacobi", law, SCR_FRICTION_CONVEX, SCR_SOLVER_JACOBI, SCR_PRECISION_USUAL                              \
    }
#define COULOMB_WAYS(law, words)                                                                                       \
    {words " coulomb ags", law, SCR_FRICTION_COULOMB, SCR_SOLVER_AGS, SCR_PRECISION_USUAL},                            \
    {                                                                                                                  \
        words " coulomb gs", law, SCR_FRICTION_COULOMB, SCR_SOLVER_GS, SCR_PRECISION_USUAL                             \
    }

static const way WAYS[] = {
    CONVEX_WAYS(SCR_COMPLIANT, "compliant"),
    COULOMB_WAYS(SCR_COMPLIANT, "compliant"),
    CONVEX_WAYS(SCR_RIGID, "rigid"),
    COULOMB_WAYS(SCR_RIGID, "rigid"),
    {"penalty", SCR_PENALTY, SCR_FRICTION_CONVEX, SCR_SOLVER_AGS, SCR_PRECISION_USUAL},
    {"penalty mixed", SCR_PENALTY, SCR_FRICTION_CONVEX, SCR_SOLVER_AGS, SCR_PRECISION_MIXED},
};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

static scr_vec3 axis_of(int direction)
{
    double sign = direction < 3 ? 1.0 : -1.0;
    return vec3(direction % 3 == 0 ? sign : 0.0, direction % 3 == 1 ? sign : 0.0, direction % 3 == 2 ? sign : 0.0);
}
enum { DIRECTIONS = 6 };

// A rotation that turns z to the direction.
static scr_quat z_to(int direction)
{
    const double c = sqrt(0.5);
    const scr_quat turn[DIRECTIONS] = {{c, 0.0, c, 0.0},  {c, -c, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0},
                                       {c, 0.0, -c, 0.0}, {c, c, 0.0, 0.0},  {0.0, 1.0, 0.0, 0.0}};
    return turn[direction];
}

static scr_world *make_slick_world(const way *w, scr_vec3 gravity, bool resists_rolling, double restitution,
                                   scr_material *slick)
{
    scr_world_def def = scr_default_world_def();
    def.gravity = gravity;
    def.contact.law = w->law;
    def.contact.friction = w->friction;
    def.solver.kind = w->kind;
    def.solver.precision = w->precision;
    if (w->law == SCR_PENALTY) def.time_step = 2e-5;
    if (w->kind != SCR_SOLVER_AGS && w->kind != SCR_SOLVER_GS) {
        def.solver.max_iterations = 3000;
        def.solver.tolerance = 1e-9;  // m/s
    }
    scr_material_def material = scr_default_material_def();
    material.friction = 0.0;
    material.restitution = restitution;
    if (resists_rolling) material.rolling_friction = 0.2, material.spinning_friction = 0.1;
    if (w->law == SCR_PENALTY) material.young = 1e8;
    scr_world *world = make_world(&def);
    assert_ok(scr_world_add_material(world, &material, slick, &error));
    return world;
}

// ---- every pair of shapes ----

typedef enum solid { BALL, EGG, BRICK, PILL, DRUM, CONE, POINTS, TRIANGLES, SOLIDS } solid;

static const scr_vec3 HALF = {0.05, 0.06, 0.07};  // m; round ones have 0.05 across z
static const scr_vec3 CORNER[8] = {{-0.05, -0.06, -0.07}, {0.05, -0.06, -0.07}, {-0.05, 0.06, -0.07},
                                   {0.05, 0.06, -0.07},   {-0.05, -0.06, 0.07}, {0.05, -0.06, 0.07},
                                   {-0.05, 0.06, 0.07},   {0.05, 0.06, 0.07}};
static const int32_t FACE[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

// A cone points in the direction: its tip meets what lies ahead, its base what lies behind.
static scr_shape make_cone(int direction, scr_material material)
{
    scr_shape shape = scr_cone(HALF.x, HALF.z, material);
    shape.rotation = z_to(direction);
    return shape;
}

static scr_shape make_solid(scr_world *world, solid kind, int direction, scr_material material)
{
    scr_surface surface = {0};
    const scr_triangles cube = {8, 12, CORNER, FACE};
    switch (kind) {
    case BALL: return scr_sphere(HALF.x, material);
    case EGG: return scr_ellipsoid(HALF, material);
    case BRICK: return scr_box(HALF, material);
    case PILL: return scr_capsule(HALF.x, HALF.z - HALF.x, material);
    case DRUM: return scr_cylinder(HALF.x, HALF.z, material);
    case CONE: return make_cone(direction, material);
    case POINTS: assert_ok(scr_world_add_hull(world, 8, CORNER, &surface, &error)); break;
    default: assert_ok(scr_world_add_mesh(world, &cube, &surface, &error)); break;
    }
    return scr_surface_shape(world, surface, material);
}

static double reach_of(solid kind, int direction)
{
    int axis = direction % 3;
    bool is_round = kind == PILL || kind == DRUM;
    if (kind == CONE) return HALF.z;
    if (kind == BALL || axis == 0 || (is_round && axis == 1)) return HALF.x;
    return axis == 1 ? HALF.y : HALF.z;
}

static void check_no_pull(const scr_world *world, const char *what)
{
    for (int64_t i = 0; i < contact_count(world); ++i) {
        one_contact contact = contact_at(world, i);
        double push = vec3_dot(contact.force, contact.normal);
        if (!(push >= 0.0)) fail_msg("%s: a contact pulls with %.3g N", what, -push);
    }
}

// Two bodies 0.1 mm apart along an axis, moving apart at that speed or at rest: nothing changes, not by a bit.
static void check_pair(const way *w, solid a, solid b, int direction, bool resists_rolling, double speed)
{
    char what[200];
    snprintf(what, sizeof what, "%s, shapes %d and %d, axis %d, rolling %d, %g m/s apart", w->name, (int)a, (int)b,
             direction, resists_rolling, speed);
    scr_material slick;
    scr_world *world = make_slick_world(w, NOWHERE, resists_rolling, 0.0, &slick);
    scr_vec3 axis = axis_of(direction), apart = vec3_scale(speed, axis);
    double distance = reach_of(a, direction) + reach_of(b, direction) + GAP;
    scr_body first = add_shape(world, SCR_DYNAMIC, make_solid(world, a, direction, slick), NOWHERE, NOWHERE);
    scr_body second =
        add_shape(world, SCR_DYNAMIC, make_solid(world, b, direction, slick), vec3_scale(distance, axis), apart);
    assert_ok(scr_world_find_contacts(world, &error));
    if (w->law != SCR_PENALTY && contact_count(world) == 0) fail_msg("%s: not in contact", what);
    for (int k = 0; k < 3; ++k) {
        step(world, 1);
        check_no_pull(world, what);
    }
    scr_vec3 u = state_of(world, first).velocity, v = vec3_sub(state_of(world, second).velocity, apart);
    if (vec3_norm(u) != 0.0 || vec3_norm(v) != 0.0)
        fail_msg("%s: changed their speed by %g", what, vec3_norm(vec3_sub(v, u)));
    scr_world_destroy(world);
}

static void check_pairs(double speed)
{
    for (int w = 0; w < WAY_COUNT; ++w)
        for (int direction = 0; direction < DIRECTIONS; ++direction)
            for (solid a = BALL; a < SOLIDS; ++a)
                for (solid b = a == CONE ? BALL : a; b < SOLIDS; ++b)  // with its tip; as b with its base
                    check_pair(&WAYS[w], a, b, direction, (a + b + (solid)direction) % 2 == 1, speed);
}

static void a_frictionless_contact_never_draws_bodies_together(void **state)
{
    (void)state;
    check_pairs(0.0);
}

static void a_frictionless_contact_never_holds_bodies_back(void **state)
{
    (void)state;
    check_pairs(0.3);
}

// ---- on the ground ----

typedef enum ground { PLANE, HEIGHTS, GROUNDS } ground;

// Solid below the origin, against the direction.
static scr_body add_ground(scr_world *world, ground kind, int direction, scr_material material)
{
    const double flat[9] = {0.0};
    scr_surface surface;
    scr_shape shape = scr_plane(material);
    if (kind == HEIGHTS) {
        assert_ok(scr_world_add_heightfield(world, &(scr_heights){{3, 3}, {0.5, 0.5}, flat}, &surface, &error));
        shape = scr_surface_shape(world, surface, material);
    }
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_FIXED;
    def.rotation = z_to(direction);
    def.shapes = &shape;
    def.shape_count = 1;
    return add_body(world, &def);
}

static void a_ball_rebounds_from_slick_ground_by_its_restitution(void **state)
{
    (void)state;
    const double e = 0.7, v = 1.0;
    for (int w = 0; w < WAY_COUNT; ++w) {
        for (int k = 0; k < 2 * GROUNDS * DIRECTIONS; ++k) {
            int direction = k % DIRECTIONS;
            ground on = (ground)(k / DIRECTIONS % GROUNDS);
            scr_vec3 up = axis_of(direction);
            scr_material slick;
            scr_world *world = make_slick_world(&WAYS[w], NOWHERE, k >= GROUNDS * DIRECTIONS, e, &slick);
            add_ground(world, on, direction, slick);
            scr_body ball = add_sphere(world, slick, 0.05, vec3_scale(0.0523, up), vec3_scale(-v, up));
            step(world, WAYS[w].law == SCR_PENALTY ? 400 : 8);
            double left = vec3_dot(state_of(world, ball).velocity, up),
                   accuracy = WAYS[w].law == SCR_PENALTY ? 0.02 : 1e-6;
            if (!(fabs(left - e * v) <= accuracy * v))
                fail_msg("%s, axis %d, ground %d: leaves at %.9g m/s", WAYS[w].name, direction, (int)on, left);
            scr_world_destroy(world);
        }
    }
}

// A brick rests on the ground, and a lid on it that is lifted off at 1 m/s: the ground carries the weight of the brick
// as before.
static void a_lid_that_is_lifted_feels_no_pull(void **state)
{
    (void)state;
    for (int w = 0; w < WAY_COUNT; ++w) {
        if (WAYS[w].law == SCR_PENALTY) continue;  // nothing there to hold on with: forces are those of overlaps
        for (int direction = 0; direction < DIRECTIONS; ++direction) {
            scr_vec3 up = axis_of(direction);
            scr_material slick;
            scr_world *world = make_slick_world(&WAYS[w], vec3_scale(-GRAVITY, up), false, 0.0, &slick);
            double half = reach_of(BRICK, direction);
            scr_body floor = add_ground(world, PLANE, direction, slick);
            scr_body brick = add_box(world, slick, HALF, vec3_scale(half, up), NOWHERE);
            scr_body lid = add_shape(world, SCR_KINEMATIC, scr_box(HALF, slick), vec3_scale(3.0 * half + GAP, up),
                                     vec3_scale(1.0, up));
            double weight = GRAVITY * scr_body_mass(world, brick);
            for (int k = 0; k < 20; ++k) {
                step(world, 1);
                check_no_pull(world, WAYS[w].name);
                assert_within3(contact_force_on(world, lid), NOWHERE, 0.0);
                assert_at_most(vec3_dot(state_of(world, brick).velocity, up), 1e-3);
            }
            assert_within(-vec3_dot(contact_force_on(world, floor), up), weight, 0.02 * weight);
            scr_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frictionless_contact_never_draws_bodies_together),
        cmocka_unit_test(a_frictionless_contact_never_holds_bodies_back),
        cmocka_unit_test(a_ball_rebounds_from_slick_ground_by_its_restitution),
        cmocka_unit_test(a_lid_that_is_lifted_feels_no_pull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
