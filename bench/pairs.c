// SPDX-License-Identifier: BSD-3-Clause
// Pairs of shapes a second that the narrow phase decides, on one core.
//
// Each row draws pairs of two kinds in random orientation, finds the distance along a random direction at which they
// touch, and puts them at a given part of it: a little overlap, as in a bed, where every pair is a contact, or a little
// gap, as most candidates of the broad phase have. The rate is that of processor time, best of several passes over the
// same pairs, which are together larger than the first cache. Ratios are to a target where one is set, else to two
// spheres in the same run.
#include <stdio.h>
#include <time.h>

#include "collision/convex/narrow_phase.h"
#include "collision/ellipsoid/narrow_ellipsoid.h"
#include "core/base/memory.h"
#include "core/maths/rng.h"
#include "report.h"

enum { PAIRS = 4096, PASSES = 40 };

typedef struct shape_pair {
    placed_shape a, b;
} shape_pair;
typedef int pair_function(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);
typedef placed_shape draw_function(uint64_t *next);

static double draw(uint64_t *next, double low, double high)
{
    return low + (high - low) * scr_uniform(1, 0, (*next)++);
}

static scr_quat draw_rotation(uint64_t *next)
{
    double c[4];
    for (int k = 0; k < 4; ++k) c[k] = scr_normal(2, 0, (*next)++);
    return quat_unit((scr_quat){c[0], c[1], c[2], c[3]});
}

// Of a bed with sizes from 0.5 to 1.3.
static placed_shape draw_sphere(uint64_t *next)
{
    return (placed_shape){.kind = SCR_SPHERE, .pose.rotation = QUAT_IDENTITY, .radius = draw(next, 0.5, 1.3)};
}

// Soil: the shortest axis 0.6 of the longest, the middle one between.
static placed_shape draw_ellipsoid(uint64_t *next)
{
    double size = draw(next, 0.5, 1.3), middle = draw(next, 0.6, 1.0);
    return (placed_shape){
        .kind = SCR_ELLIPSOID, .pose.rotation = draw_rotation(next), .half = {size, middle * size, 0.6 * size}};
}

static placed_shape draw_box(uint64_t *next)
{
    double size = draw(next, 0.5, 1.3), middle = draw(next, 0.6, 1.0);
    return (placed_shape){
        .kind = SCR_BOX, .pose.rotation = draw_rotation(next), .half = {size, middle * size, 0.6 * size}};
}

// A way to handle a pair, and the pairs it is given.
typedef struct row {
    const char *name;
    draw_function *draw_a, *draw_b;
    pair_function *meet;
    double nearest, farthest;  // distances over that at which the two touch: below 1 all are contacts, above 1 none
    double target;             // pairs/s; 0 if there is none
} row;

static const row rows[] = {
    {"pairs.sphere-sphere", draw_sphere, draw_sphere, narrow_phase, 0.95, 1.0, 0.0},
    {"pairs.ellipsoid-ellipsoid", draw_ellipsoid, draw_ellipsoid, narrow_phase, 0.95, 1.0, 3e6},
    {"pairs.ellipsoid-ellipsoid.apart", draw_ellipsoid, draw_ellipsoid, narrow_phase, 1.01, 1.2, 0.0},
    {"pairs.sphere-ellipsoid", draw_sphere, draw_ellipsoid, narrow_phase, 0.95, 1.0, 0.0},
    {"pairs.ellipsoid-box", draw_ellipsoid, draw_box, narrow_phase, 0.95, 1.0, 0.0},
    {"pairs.box-box", draw_box, draw_box, narrow_phase, 0.95, 1.0, 0.0},
    {"pairs.sphere-box", draw_sphere, draw_box, narrow_phase, 0.95, 1.0, 0.0},
};

static void draw_pair(const row *r, shape_pair *pair, uint64_t *next)
{
    *pair = (shape_pair){r->draw_a(next), r->draw_b(next)};
    scr_vec3 direction = quat_rotate(draw_rotation(next), vec3(0.0, 0.0, 1.0));
    contact_point out[MANIFOLD_MAX];
    double near = 0.0, far = 10.0;
    for (int k = 0; k < 50; ++k) {
        double middle = 0.5 * (near + far);
        pair->b.pose.position = vec3_scale(middle, direction);
        if (narrow_phase(&pair->a, &pair->b, 0.0, out) > 0) near = middle;
        else far = middle;
    }
    pair->b.pose.position = vec3_scale(near * draw(next, r->nearest, r->farthest), direction);
}

// Pairs a second, or 0 if not all were found to be what they are.
static double pair_rate(const row *r, const shape_pair *pairs)
{
    double best = INFINITY;
    for (int pass = 0; pass < PASSES; ++pass) {
        contact_point out[MANIFOLD_MAX];
        int met = 0;
        clock_t start = clock();
        for (int k = 0; k < PAIRS; ++k) met += r->meet(&pairs[k].a, &pairs[k].b, 0.0, out) > 0;
        best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
        if (met != (r->nearest < 1.0 ? PAIRS : 0)) return 0.0;
    }
    return PAIRS / best;
}

// How many directions ellipsoids look along before they are done.
static void say_evaluations(const shape_pair *pairs, bool json)
{
    enum { MOST = 16 };
    int counts[MOST + 1] = {0};
    for (int k = 0; k < PAIRS; ++k) {
        contact_point out;
        int evaluations;
        ellipsoid_pair(&pairs[k].a, &pairs[k].b, 0.0, &out, &evaluations);
        ++counts[evaluations < MOST ? evaluations : MOST];
    }
    bench_say(json, "    evaluations a pair:");
    for (int k = 0; k <= MOST; ++k)
        if (counts[k] > 0) bench_say(json, "  %d%s: %.2f %%", k, k == MOST ? "+" : "", 100.0 * counts[k] / PAIRS);
    bench_say(json, "\n");
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv), right = true;
    shape_pair *pairs = scr_alloc(PAIRS * sizeof *pairs);
    if (pairs == NULL) return 1;
    bench_say(json, "Pairs of shapes that the narrow phase decides, %d of a kind\n", PAIRS);
    double spheres = 0.0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows && right; ++k) {
        const row *r = &rows[k];
        if (k > 0 && !bench_wants(argc, argv, r->name)) continue;
        uint64_t next = 0;
        for (int j = 0; j < PAIRS; ++j) draw_pair(r, &pairs[j], &next);
        double rate = pair_rate(r, pairs), other = r->target > 0.0 ? r->target : spheres;
        right = rate > 0.0;
        if (k == 0) {
            spheres = rate;
            bench_say(json, "  two spheres: %.3g pairs/s\n", spheres);
            continue;
        }
        const char *against = r->target > 0.0 ? "the target" : "two spheres";
        bench_print(&(bench_figure){r->name, rate, "pairs/s", 1, against, rate / other}, json);
        if (r->draw_a == draw_ellipsoid && r->draw_b == draw_ellipsoid) say_evaluations(pairs, json);
    }
    if (!right) fprintf(stderr, "bench: pairs that touch were not found to, or the reverse\n");
    scr_free(pairs);
    return right ? 0 : 1;
}
