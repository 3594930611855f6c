// SPDX-License-Identifier: BSD-3-Clause
// Pairs of convex shapes a second by the narrow phase, on one core, beside libccd and Bullet on the same pairs.
//
// Pairs are drawn in random orientation with a small gap or overlap. libccd gets our support functions, so that only
// the methods differ; it has no distance of disjoint shapes, so only overlaps are compared with it. Of each program
// the rate is told (processor time, best of several passes) and how far its gaps are from ours at worst.
#include <stdio.h>
#include <time.h>

#ifdef SCREE_CCD
#include <ccd/ccd.h>
#endif

#include "bullet_convex.h"
#include "collision/convex/convex_shape.h"
#include "collision/convex/narrow_convex.h"
#include "collision/convex/narrow_phase.h"
#include "core/maths/rng.h"
#include "geometry/surface/surfaces.h"
#include "report.h"

enum { PAIRS = 2000, PASSES = 10, HULLS = 16 };
static const double SIZE = 0.7;  // m

typedef struct bench_pair {
    placed_shape a, b;
    bool triangle;       // b is one
    scr_vec3 corner[3];  // m, of the triangle in the world
} bench_pair;

typedef struct bench_set {
    bench_pair pair[PAIRS];
    double gap[PAIRS];  // m, ours
    peer_shape peer_a[PAIRS], peer_b[PAIRS];
} bench_set;

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

static scr_status make_hulls(surfaces *hulls, scr_error *error)
{
    uint64_t next = 0;
    scr_status status = SCR_OK;
    surfaces_init(hulls);
    for (int i = 0; i < HULLS && status == SCR_OK; ++i) {
        scr_vec3 points[PEER_CORNERS];
        for (int k = 0; k < PEER_CORNERS; ++k) points[k] = quat_rotate(draw_rotation(&next), vec3(0.0, 0.0, SIZE));
        status = surfaces_add_hull(hulls, PEER_CORNERS, points, error);
    }
    return status;
}

static placed_shape draw_shape(scr_shape_kind kind, const surfaces *hulls, uint64_t *next)
{
    placed_shape s = {.kind = kind, .pose.rotation = draw_rotation(next), .radius = draw(next, 0.5, 1.0) * SIZE};
    s.half = vec3(s.radius, s.radius, draw(next, 0.5, 1.0) * SIZE);
    if (kind == SCR_HULL) s.surface = surface_of(hulls, (scr_surface){1 + (uint32_t)draw(next, 0.0, HULLS)});
    return s;
}

static double meet(const bench_pair *p, contact_point out[MANIFOLD_MAX], scr_vec3 *normal)
{
    int count = p->triangle ? convex_triangle(&p->a, p->corner, 10.0, out) : narrow_phase(&p->a, &p->b, 10.0, out),
        least = 0;
    for (int k = 1; k < count; ++k)
        if (out[k].gap < out[least].gap) least = k;
    *normal = out[least].normal;
    return out[least].gap;
}

// Move b along the normal until the gap is the wanted one.
static void draw_pair(bench_pair *p, scr_shape_kind kind_a, scr_shape_kind kind_b, double gap, const surfaces *hulls,
                      uint64_t *next)
{
    scr_vec3 between = quat_rotate(draw_rotation(next), vec3(0.0, 0.0, 2.0 * SIZE)), normal;
    *p = (bench_pair){.a = draw_shape(kind_a, hulls, next), .triangle = kind_b == SCR_MESH};
    if (p->triangle) {
        for (int k = 0; k < 3; ++k)
            p->corner[k] = vec3_add(between, quat_rotate(draw_rotation(next), vec3(0.0, 0.0, SIZE)));
    } else p->b = draw_shape(kind_b, hulls, next);
    p->b.pose.position = between;
    for (int k = 0; k < 3; ++k) {
        contact_point out[MANIFOLD_MAX];
        double move = gap - meet(p, out, &normal);
        p->b.pose.position = vec3_add_scaled(p->b.pose.position, move, normal);
        for (int c = 0; c < 3; ++c) p->corner[c] = vec3_add_scaled(p->corner[c], move, normal);
    }
}

static void copy_vector(scr_vec3 v, double out[3]) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

static void tell_peer(const placed_shape *s, peer_shape *peer)
{
    static const peer_kind kinds[] = {
        [SCR_SPHERE] = PEER_SPHERE, [SCR_BOX] = PEER_BOX, [SCR_CYLINDER] = PEER_CYLINDER, [SCR_HULL] = PEER_HULL};
    *peer = (peer_shape){.kind = kinds[s->kind],
                         .radius = s->radius,
                         .half_length = s->half.z,
                         .rotation = {s->pose.rotation.w, s->pose.rotation.x, s->pose.rotation.y, s->pose.rotation.z}};
    copy_vector(s->pose.position, peer->position);
    if (s->kind != SCR_HULL) return;
    for (int k = 0; k < PEER_CORNERS; ++k) copy_vector(s->surface->triangles.vertex[k], peer->corner[k]);
}

static double our_pass(bench_set *set)
{
    clock_t start = clock();
    for (int k = 0; k < PAIRS; ++k) {
        contact_point out[MANIFOLD_MAX];
        scr_vec3 normal;
        set->gap[k] = meet(&set->pair[k], out, &normal);
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

#ifdef SCREE_CCD
typedef struct ccd_body {
    convex_shape shape;
    int32_t corner;
} ccd_body;

// libccd walks on from the last corner too.
static void ccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    ccd_body *body = (ccd_body *)object;
    scr_vec3 d = vec3(direction->v[0], direction->v[1], direction->v[2]);
    support_point p = convex_support(&body->shape, d, body->corner);
    body->corner = p.corner;
    p.at = vec3_add_scaled(p.at, body->shape.margin, vec3_unit(d));
    ccdVec3Set(out, p.at.x, p.at.y, p.at.z);
}

static void ccd_centre(const void *object, ccd_vec3_t *centre)
{
    const ccd_body *body = object;
    ccdVec3Set(centre, body->shape.centre.x, body->shape.centre.y, body->shape.centre.z);
}

typedef int ccd_method(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);

static double ccd_pass(const bench_set *set, ccd_method *method, double *gap)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_centre;
    ccd.max_iterations = 200;
    ccd.mpr_tolerance = 1e-10, ccd.epa_tolerance = 1e-6;
    clock_t start = clock();
    for (int k = 0; k < PAIRS; ++k) {
        const bench_pair *p = &set->pair[k];
        ccd_body a = {convex_of_shape(&p->a, &p->a), 0};
        ccd_body b = {p->triangle ? convex_of_triangle(p->corner, &p->a) : convex_of_shape(&p->b, &p->a), 0};
        ccd_real_t depth;
        ccd_vec3_t direction, position;
        gap[k] = method(&a, &b, &ccd, &depth, &direction, &position) == 0 ? -depth : INFINITY;
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}
#endif

static void print_rate(const char *name, const char *who, double seconds, double ours, bool json)
{
    char full[96];
    snprintf(full, sizeof full, "%s.%s", name, who);
    bench_print(&(bench_figure){full, PAIRS / seconds, "pairs/s", 1, "ours", ours / seconds}, json);
}

#if defined(SCREE_CCD) || defined(SCREE_BULLET)
static void say_error(const bench_set *set, const double *gap, bool json)
{
    double worst = 0.0;
    int missed = 0;
    for (int k = 0; k < PAIRS; ++k) {
        if (!(gap[k] < 1e9)) ++missed;
        else worst = fmax(worst, fabs(gap[k] - set->gap[k]));
    }
    bench_say(json, "    gaps differ by %.1e m at most, %d pairs of %d not found\n", worst, missed, PAIRS);
}
#endif

typedef struct row {
    const char *name;
    scr_shape_kind a, b;  // SCR_MESH stands for a triangle
    double gap;           // m
} row;

static const row rows[] = {
    {"convex.box-box", SCR_BOX, SCR_BOX, -0.01},
    {"convex.box-box.apart", SCR_BOX, SCR_BOX, 0.01},
    {"convex.hull-hull", SCR_HULL, SCR_HULL, -0.01},
    {"convex.hull-hull.apart", SCR_HULL, SCR_HULL, 0.01},
    {"convex.cylinder-cylinder", SCR_CYLINDER, SCR_CYLINDER, -0.01},
    {"convex.cylinder-cylinder.apart", SCR_CYLINDER, SCR_CYLINDER, 0.01},
    {"convex.sphere-triangle", SCR_SPHERE, SCR_MESH, -0.01},
};

static void run_row(const row *r, bench_set *set, const surfaces *hulls, bool json)
{
    uint64_t next = 1000000;
    for (int k = 0; k < PAIRS; ++k) {
        bench_pair *p = &set->pair[k];
        draw_pair(p, r->a, r->b, r->gap, hulls, &next);
        tell_peer(&p->a, &set->peer_a[k]);
        tell_peer(&p->b, &set->peer_b[k]);
        if (!p->triangle) continue;
        set->peer_b[k] = (peer_shape){.kind = PEER_TRIANGLE, .rotation = {1.0, 0.0, 0.0, 0.0}};
        for (int c = 0; c < 3; ++c) copy_vector(p->corner[c], set->peer_b[k].corner[c]);
    }
    double ours = INFINITY;
    for (int pass = 0; pass < PASSES; ++pass) ours = fmin(ours, our_pass(set));
    print_rate(r->name, "scree", ours, ours, json);
#if defined(SCREE_CCD) || defined(SCREE_BULLET)
    double gap[PAIRS];
#endif
#ifdef SCREE_CCD
    if (r->gap < 0.0) {
        double mpr = INFINITY, epa = INFINITY;
        for (int pass = 0; pass < PASSES / 2; ++pass) mpr = fmin(mpr, ccd_pass(set, ccdMPRPenetration, gap));
        print_rate(r->name, "libccd-mpr", mpr, ours, json);
        say_error(set, gap, json);
        for (int pass = 0; pass < PASSES / 2; ++pass) epa = fmin(epa, ccd_pass(set, ccdGJKPenetration, gap));
        print_rate(r->name, "libccd-epa", epa, ours, json);
        say_error(set, gap, json);
    }
#endif
#ifdef SCREE_BULLET
    double bullet = INFINITY;
    for (int pass = 0; pass < PASSES / 2; ++pass)
        bullet = fmin(bullet, bullet_pass(set->peer_a, set->peer_b, PAIRS, gap));
    print_rate(r->name, "bullet", bullet, ours, json);
    say_error(set, gap, json);
#endif
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    surfaces hulls;
    scr_error error = {0};
    bench_set *set = scr_alloc(sizeof *set);
    if (set == NULL || make_hulls(&hulls, &error) != SCR_OK) {
        fprintf(stderr, "bench: %s\n", set == NULL ? "out of memory" : error.message);
        return 1;
    }
    bench_say(json, "Pairs of convex shapes, %d of a kind\n", PAIRS);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
        if (bench_wants(argc, argv, rows[k].name)) run_row(&rows[k], set, &hulls, json);
    surfaces_free(&hulls);
    scr_free(set);
    return 0;
}
