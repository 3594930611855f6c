// SPDX-License-Identifier: BSD-3-Clause
// Fitted sphere sets of solids that are known in closed form have the error that is reported of them: every sphere and
// every surface point is looked at again, against the solid itself instead of its mesh.
#include "check.h"

#include <math.h>
#include <string.h>

#include "core/maths/rng.h"
#include "fitting/fit.h"
#include "fitting/measure.h"
#include "geometry/made_solids.h"
#include "geometry/surface/triangle.h"

static made_mesh m;  // large: not on the stack

// A solid: how deep a point is in it (m, negative outside), a point of its surface, and how far its mesh is inside it.
typedef struct known_solid {
    const char *name;
    void (*make)(void);
    double (*depth)(scr_vec3 p);
    scr_vec3 (*surface_point)(double u, double v, double w);
    double sagitta;  // m
    double error;    // m, to be asked for
} known_solid;

static const double RADIUS = 0.5, MAJOR = 0.6, MINOR = 0.2, HALF_LENGTH = 0.4;
static const scr_vec3 HALF = {0.5, 0.3, 0.2};

static void make_ball(void) { add_ball(&m, RADIUS, 36); }
static double ball_depth(scr_vec3 p) { return RADIUS - vec3_norm(p); }
static scr_vec3 ball_point(double u, double v, double w)
{
    (void)w;
    double z = 2.0 * u - 1.0, r = sqrt(1.0 - z * z);
    return vec3(RADIUS * r * cos(2.0 * M_PI * v), RADIUS * r * sin(2.0 * M_PI * v), RADIUS * z);
}

static double rectangle_depth(double x, double y)  // of a point at x, y beyond two walls
{
    return x <= 0.0 && y <= 0.0 ? -fmax(x, y) : -hypot(fmax(x, 0.0), fmax(y, 0.0));
}
static void make_box(void) { add_block(&m, vec3(0.0, 0.0, 0.0), HALF); }
static double box_depth(scr_vec3 p)
{
    scr_vec3 out = vec3_sub(vec3_abs(p), HALF), beyond = {fmax(out.x, 0.0), fmax(out.y, 0.0), fmax(out.z, 0.0)};
    double deepest = fmax(out.x, fmax(out.y, out.z));
    return deepest <= 0.0 ? -deepest : -vec3_norm(beyond);
}
static scr_vec3 box_point(double u, double v, double w)
{
    double c[3] = {2.0 * u - 1.0, 2.0 * v - 1.0, 2.0 * w - 1.0};
    int axis = (int)(3.0 * fmod(7.0 * (u + v + w), 1.0));
    c[axis] = c[axis] > 0.0 ? 1.0 : -1.0;
    return vec3_mul(HALF, vec3(c[0], c[1], c[2]));
}

static void make_cylinder(void) { add_cylinder(&m, RADIUS, HALF_LENGTH, 96); }
static double cylinder_depth(scr_vec3 p) { return rectangle_depth(hypot(p.x, p.y) - RADIUS, fabs(p.z) - HALF_LENGTH); }
static scr_vec3 cylinder_point(double u, double v, double w)
{
    double a = 2.0 * M_PI * u, r = w < 0.5 ? RADIUS : RADIUS * sqrt(v);
    return vec3(r * cos(a), r * sin(a),
                w < 0.5    ? HALF_LENGTH * (2.0 * v - 1.0)
                : w < 0.75 ? HALF_LENGTH
                           : -HALF_LENGTH);
}

static void make_torus(void) { add_torus(&m, MAJOR, MINOR, 32); }
static double torus_depth(scr_vec3 p) { return MINOR - hypot(hypot(p.x, p.y) - MAJOR, p.z); }
static scr_vec3 torus_point(double u, double v, double w)
{
    (void)w;
    double a = 2.0 * M_PI * u, b = 2.0 * M_PI * v, r = MAJOR + MINOR * cos(b);
    return vec3(r * cos(a), r * sin(a), MINOR * sin(b));
}

static const known_solid solids[] = {
    {"ball", make_ball, ball_depth, ball_point, 0.0025, 0.02},
    {"box", make_box, box_depth, box_point, 0.0, 0.02},
    {"cylinder", make_cylinder, cylinder_depth, cylinder_point, 0.0005, 0.02},
    {"torus", make_torus, torus_depth, torus_point, 0.0025, 0.015},
};
enum { SOLID_COUNT = sizeof solids / sizeof *solids };

static part make_part(const known_solid *solid)
{
    part p;
    scr_error error = {0};
    clear_mesh(&m);
    solid->make();
    scr_triangles t = triangles_of(&m);
    if (part_make(&t, &p, &error) != SCR_OK) fail_msg("%s: %s", solid->name, error.message);
    return p;
}

static sphere_set fit(const part *p, double error)
{
    sphere_set set;
    scr_error reason = {0};
    const cover_fit how = {error, 2};
    if (fit_cover(p, &how, &set, &reason) != SCR_OK) fail_msg("%s", reason.message);
    return set;
}

static sphere_set fit_as_paper(const part *p, double f, double angle, double size)
{
    sphere_set set;
    scr_error reason = {0};
    const paper_fit how = {f, angle, size};
    if (fit_paper(p, &how, &set, &reason) != SCR_OK) fail_msg("%s", reason.message);
    return set;
}

static fit_errors measure(const part *p, const sphere_set *set)
{
    fit_errors errors;
    scr_error reason = {0};
    if (fit_measure(p, set, 2, &errors, &reason) != SCR_OK) fail_msg("%s", reason.message);
    return errors;
}

// By looking at many points of every sphere.
static double looked_protrusion(const known_solid *solid, const sphere_set *set)
{
    double most = 0.0;
    int64_t points = 1000000 / set->count;
    for (int64_t k = 0; k < set->count; ++k) {
        const set_sphere *s = &set->sphere[k];
        for (int64_t i = 0; i < (points < 20000 ? points : 20000); ++i) {
            double u[2];
            scr_uniform2(5, 1, (uint64_t)i, u);
            double z = 2.0 * u[0] - 1.0, r = sqrt(1.0 - z * z), a = 2.0 * M_PI * u[1];
            scr_vec3 at = vec3_add_scaled(s->centre, s->radius, vec3(r * cos(a), r * sin(a), z));
            most = fmax(most, -solid->depth(at));
        }
    }
    return most;
}

// By looking at many points of the surface, and every sphere for each.
static double looked_gap(const known_solid *solid, const sphere_set *set)
{
    double most = 0.0;
    for (uint64_t i = 0; i < 20000; ++i) {
        double u[2], gap = INFINITY;
        scr_uniform2(5, 2, i, u);
        scr_vec3 at = solid->surface_point(u[0], u[1], scr_uniform(5, 3, i));
        for (int64_t k = 0; k < set->count && gap > 0.0; ++k)
            gap = fmin(gap, vec3_norm(vec3_sub(at, set->sphere[k].centre)) - set->sphere[k].radius);
        most = fmax(most, gap);
    }
    return most;
}

static void assert_reported(const known_solid *solid, const sphere_set *set, const fit_errors *reported)
{
    double near = solid->sagitta + 0.12 * solid->error;
    double protrusion = looked_protrusion(solid, set), gap = looked_gap(solid, set);
    if (!(fabs(protrusion - reported->protrusion) <= near) || !(fabs(gap - reported->gap) <= near))
        fail_msg("%s: protrusion %g m, reported %g m; gap %g m, reported %g m", solid->name, protrusion,
                 reported->protrusion, gap, reported->gap);
}

static void a_cover_has_the_error_that_was_asked_for(void **state)
{
    (void)state;
    for (int k = 0; k < SOLID_COUNT; ++k) {
        part p = make_part(&solids[k]);
        sphere_set set = fit(&p, solids[k].error);
        fit_errors errors = measure(&p, &set);
        assert_true(errors.protrusion <= solids[k].error * (1.0 + 1e-6));
        assert_true(errors.protrusion >= 0.9 * solids[k].error);
        assert_true(errors.gap <= solids[k].error * (1.0 + 1e-6));
        assert_reported(&solids[k], &set, &errors);
        sphere_set_free(&set);
        part_free(&p);
    }
}

// And a cover of the same error needs a third of its spheres at most.
static void the_papers_sets_have_the_error_that_is_reported(void **state)
{
    (void)state;
    for (int k = 0; k < SOLID_COUNT; ++k) {
        part p = make_part(&solids[k]);
        sphere_set paper = fit_as_paper(&p, 0.7, 0.5, 0.08);
        fit_errors errors = measure(&p, &paper);
        assert_reported(&solids[k], &paper, &errors);
        sphere_set cover = fit(&p, fit_largest_error(&errors));
        if (3 * cover.count > paper.count)
            fail_msg("%s: %lld spheres, %lld of the paper", solids[k].name, (long long)cover.count,
                     (long long)paper.count);
        sphere_set_free(&paper);
        sphere_set_free(&cover);
        part_free(&p);
    }
}

static void a_ball_is_one_sphere(void **state)
{
    (void)state;
    part p = make_part(&solids[0]);
    sphere_set set = fit(&p, 0.02);
    assert_int_equal(set.count, 1);
    assert_true(vec3_norm(set.sphere[0].centre) < 0.02);
    sphere_set_free(&set);
    part_free(&p);
}

// The paper's sphere: through the three corners, its centre at f r below the triangle.
static void a_papers_sphere_goes_through_the_corners(void **state)
{
    (void)state;
    const double f = 0.6;
    part p = make_part(&solids[3]);
    sphere_set set = fit_as_paper(&p, f, M_PI, INFINITY);
    const scr_triangles *t = &p.surface->triangles;
    assert_int_equal(set.count, t->triangle_count);
    for (int64_t k = 0; k < set.count; ++k) {
        triangle3 own = triangle_corners(t, k);
        const set_sphere *s = &set.sphere[k];
        scr_vec3 down = vec3_sub(own.corner[0], s->centre);
        for (int c = 0; c < 3; ++c) assert_near(vec3_norm(vec3_sub(own.corner[c], s->centre)), s->radius, 1e-9);
        assert_near(vec3_dot(down, triangle_normal(&own)), f * s->radius, 1e-9);
    }
    sphere_set_free(&set);
    part_free(&p);
}

// All triangles of a box are at sharp edges: four spheres each, with their centres in the faces.
static void triangles_at_sharp_edges_are_refined(void **state)
{
    (void)state;
    part p = make_part(&solids[1]);
    sphere_set set = fit_as_paper(&p, 0.7, 0.5, INFINITY);
    assert_int_equal(set.count, 48);
    for (int64_t k = 0; k < set.count; ++k) {
        scr_vec3 out = vec3_sub(vec3_abs(set.sphere[k].centre), HALF);
        assert_true(fmin(fabs(out.x), fmin(fabs(out.y), fabs(out.z))) < 1e-12);
    }
    sphere_set_free(&set);
    // Nothing is sharp beyond a half turn.
    set = fit_as_paper(&p, 0.7, M_PI, INFINITY);
    assert_int_equal(set.count, 12);
    sphere_set_free(&set);
    part_free(&p);
}

static void threads_never_change_a_set_or_its_errors(void **state)
{
    (void)state;
    part p = make_part(&solids[3]);
    sphere_set first = fit(&p, 0.01);
    fit_errors errors = measure(&p, &first);
    for (int threads = 1; threads <= 3; threads += 2) {
        sphere_set set;
        fit_errors again;
        const cover_fit how = {0.01, threads};
        assert_int_equal(fit_cover(&p, &how, &set, NULL), SCR_OK);
        assert_int_equal(fit_measure(&p, &set, threads, &again, NULL), SCR_OK);
        assert_int_equal(set.count, first.count);
        assert_memory_equal(set.sphere, first.sphere, (size_t)set.count * sizeof *set.sphere);
        assert_memory_equal(&again, &errors, sizeof errors);
        sphere_set_free(&set);
    }
    sphere_set_free(&first);
    part_free(&p);
}

// All spheres of a ring of equal parts stand out by the same but for rounding: who is looked at first must not matter.
static void threads_never_change_what_is_measured(void **state)
{
    (void)state;
    const double profile[6][2] = {{0.05, -0.1}, {0.26, -0.1}, {0.3, -0.05}, {0.3, 0.05}, {0.26, 0.1}, {0.05, 0.1}};
    part p;
    clear_mesh(&m);
    add_revolved(&m, profile, 6, 97);
    scr_triangles t = triangles_of(&m);
    assert_int_equal(part_make(&t, &p, NULL), SCR_OK);
    sphere_set set = fit_as_paper(&p, 0.7, 0.5, INFINITY);
    fit_errors first = measure(&p, &set), again;
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(fit_measure(&p, &set, 1 + k % 3, &again, NULL), SCR_OK);
        assert_memory_equal(&again, &first, sizeof first);
    }
    sphere_set_free(&set);
    part_free(&p);
}

static void an_absurd_error_gets_a_sentence(void **state)
{
    (void)state;
    part p = make_part(&solids[1]);
    sphere_set set;
    scr_error error = {0};
    const cover_fit how = {1e-9, 2};
    assert_int_equal(fit_cover(&p, &how, &set, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "too small for a part of this size"));
    assert_null(set.sphere);
    part_free(&p);
}

// Two thin fins on a hub: a centre that went through a fin is in the air beyond it, not deep in the part.
static void walls_thinner_than_the_error_are_not_gone_through(void **state)
{
    (void)state;
    const double error = 0.01, thin = 0.3 * error;
    const double profile[8][2] = {{0.05, -0.2},      {0.3, -0.2},       {0.3, -0.2 + thin}, {0.1, -0.2 + thin},
                                  {0.1, 0.2 - thin}, {0.3, 0.2 - thin}, {0.3, 0.2},         {0.05, 0.2}};
    part p;
    clear_mesh(&m);
    add_revolved(&m, profile, 8, 48);
    scr_triangles t = triangles_of(&m);
    assert_int_equal(part_make(&t, &p, NULL), SCR_OK);
    sphere_set set = fit(&p, error);
    fit_errors errors = measure(&p, &set);
    assert_true(errors.protrusion <= error * (1.0 + 1e-6));
    assert_true(errors.gap <= error * (1.0 + 1e-6));
    sphere_set_free(&set);
    part_free(&p);
}

// The volume beyond the surface of one sphere about a box: that of the ball less the box, all of which it holds.
static void volumes_are_those_on_the_wrong_side(void **state)
{
    (void)state;
    part p = make_part(&solids[1]);
    sphere_set set = {.solid = part_solid(&p)};
    double radius = vec3_norm(HALF);
    assert_int_equal(sphere_set_add(&set, (set_sphere){vec3(0.0, 0.0, 0.0), radius}, NULL), SCR_OK);
    fit_errors errors = measure(&p, &set);
    double box = 8.0 * HALF.x * HALF.y * HALF.z;
    assert_near(errors.volume_outside, 4.0 / 3.0 * M_PI * radius * radius * radius - box, 0.005);
    assert_near(errors.volume_missing + 1.0, 1.0, 1e-12);
    assert_near(errors.protrusion, radius - HALF.z, 1e-6);
    assert_true(errors.gap < 1e-12);
    set.sphere[0].radius = 0.1;  // inside
    errors = measure(&p, &set);
    assert_near(errors.protrusion + 1.0, 1.0, 1e-12);
    assert_near(errors.gap, radius - 0.1, 1e-9);
    sphere_set_free(&set);
    part_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cover_has_the_error_that_was_asked_for),
        cmocka_unit_test(the_papers_sets_have_the_error_that_is_reported),
        cmocka_unit_test(a_ball_is_one_sphere),
        cmocka_unit_test(a_papers_sphere_goes_through_the_corners),
        cmocka_unit_test(triangles_at_sharp_edges_are_refined),
        cmocka_unit_test(threads_never_change_a_set_or_its_errors),
        cmocka_unit_test(threads_never_change_what_is_measured),
        cmocka_unit_test(an_absurd_error_gets_a_sentence),
        cmocka_unit_test(walls_thinner_than_the_error_are_not_gone_through),
        cmocka_unit_test(volumes_are_those_on_the_wrong_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
