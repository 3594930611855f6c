// SPDX-License-Identifier: BSD-3-Clause
// Pairs of shapes many at a time, by every instruction set, are found as each alone: the same points to the last bit.
//
// Pairs of all kinds that have a kernel stand in one block, drawn at random and in the places where branches part: at
// the limit of reach, parallel, crossing exactly, flush, within each other, of no length, of very different sizes.
#include <string.h>

#include "collision/contacts/pair_lanes.h"
#include "collision/ellipsoid/ellipsoid_pairs.h"
#include "collision/lanes/box_pairs.h"
#include "collision/lanes/capsule_pairs.h"
#include "narrow_shapes.h"

enum { PAIRS = SHAPE_PAIRS_MAX, BLOCKS = 120, SHAPES = 2 * PAIRS };

typedef struct company {
    colliders c;
    placed_shape shape[SHAPES];
    ball ball[SHAPES];
    uint8_t kind[SHAPES];
    scr_quat rotation[SHAPES];
    int32_t place[SHAPES];
    double half[3 * SHAPES], reach[PAIRS];
} company;

static double draw_size(draws *d) { return pow(10.0, draw(d, -2.0, 0.3) * draw(d, 0.0, 1.0)); }

static placed_shape draw_of_kind(draws *d, scr_shape_kind kind)
{
    scr_vec3 half = vec3(draw_size(d), draw_size(d), draw_size(d));
    if (kind == SCR_CAPSULE) half = vec3(half.x, half.x, draw(d, 0.0, 1.0) < 0.1 ? 0.0 : half.z);
    double radius = kind == SCR_CAPSULE ? half.x : 0.0;
    return (placed_shape){kind, {draw_vector(d, 2.0), draw_rotation(d)}, radius, half, NULL};
}

static double bounding_radius(const placed_shape *s)
{
    if (s->kind == SCR_BOX) return vec3_norm(s->half);
    if (s->kind == SCR_CAPSULE) return s->radius + s->half.z;
    return fmax(s->half.x, fmax(s->half.y, s->half.z));
}

// How b lies beside a.
static void anywhere(draws *d, const placed_shape *a, placed_shape *b, double *reach)
{
    (void)reach;
    double room = bounding_radius(a) + bounding_radius(b);
    b->pose.position = vec3_add(a->pose.position, draw_vector(d, draw(d, 0.0, 0.8) * room));
}

// Reach is that of the nearest point, but for a few last digits.
static void at_the_limit(draws *d, const placed_shape *a, placed_shape *b, double *reach)
{
    contact_point out[MANIFOLD_MAX];
    anywhere(d, a, b, reach);
    int count = narrow_phase(a, b, 100.0, out);
    *reach = out[(int)draw(d, 0.0, count)].gap * (1.0 + 1e-16 * floor(draw(d, -4.0, 5.0)));
}

static double on_grid(double v, double step) { return step * rint(v / step); }

// Sides that are parallel or nearly so, and faces, edges and corners at the same heights, or nearly so.
static void aligned(draws *d, const placed_shape *a, placed_shape *b, double *reach)
{
    (void)reach;
    const double tilt = draw(d, 0.0, 1.0) < 0.5 ? 0.0 : pow(10.0, draw(d, -16.0, -1.0));
    const scr_quat turns[] = {{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0},           {sqrt(0.5), 0.0, sqrt(0.5), 0.0},
                              {0.5, 0.5, 0.5, 0.5}, {cos(0.4), sin(0.4), 0.0, 0.0}, {cos(0.4), 0.0, 0.0, sin(0.4)}};
    scr_vec3 t = draw_vector(d, tilt), at = draw_vector(d, 1.0), sum = vec3_add(a->half, b->half);
    scr_quat turn = quat_mul(turns[(int)draw(d, 0.0, 6.0)], quat_unit((scr_quat){1.0, t.x, t.y, t.z}));
    at = vec3_mul(vec3(on_grid(at.x, 0.5), on_grid(at.y, 0.5), on_grid(at.z, 0.5)), sum);
    b->pose.rotation = quat_unit(quat_mul(a->pose.rotation, turn));
    b->pose.position = pose_apply(a->pose, vec3_add(at, draw_vector(d, tilt)));
}

// One centre, or one within the other; and unturned, so that numbers are exact.
static void within(draws *d, const placed_shape *a, placed_shape *b, double *reach)
{
    (void)reach;
    double off = draw(d, 0.0, 1.0) < 0.5 ? 0.0 : 0.1;
    b->pose.position = vec3_add(a->pose.position, draw_vector(d, off * fmin(a->half.x, a->half.z)));
    b->half = vec3_scale(draw(d, 0.001, 1.0), b->half);
    if (b->kind == SCR_CAPSULE) b->radius = b->half.x;
    if (draw(d, 0.0, 1.0) < 0.3) b->pose.rotation = a->pose.rotation;
}

// Axes of capsules, or edges of boxes, that meet at right angles.
static void crossing(draws *d, const placed_shape *a, placed_shape *b, double *reach)
{
    (void)reach;
    double s = sqrt(0.5), up = a->half.x + b->half.x, gap = on_grid(draw(d, -2.0, 2.0), 0.5);
    scr_quat on_edge = {cos(0.125 * 3.14159265358979), 0.0, 0.0, sin(0.125 * 3.14159265358979)};
    b->pose.rotation = quat_mul(a->pose.rotation, quat_mul((scr_quat){s, s, 0.0, 0.0}, on_edge));
    b->pose.position = pose_apply(a->pose, vec3(gap * up, 0.0, on_grid(draw(d, -1.0, 1.0), 1.0) * a->half.z));
}

static void nowhere(draws *d, const placed_shape *a, placed_shape *b, double *reach)
{
    anywhere(d, a, b, reach);
    if (draw(d, 0.0, 1.0) < 0.3) b->pose.position.y = NAN;
    else if (draw(d, 0.0, 1.0) < 0.5) b->pose.rotation.w = NAN;
}

static void (*const lie[])(draws *, const placed_shape *, placed_shape *, double *) = {anywhere, at_the_limit, aligned,
                                                                                       within,   crossing,     nowhere};
enum { WAYS = sizeof lie / sizeof *lie };

static void put(company *all, int k, const placed_shape *s)
{
    scr_vec3 at = s->pose.position;
    all->shape[k] = *s;
    all->ball[k] = (ball){at.x, at.y, at.z, bounding_radius(s)};
    all->kind[k] = (uint8_t)s->kind;
    all->rotation[k] = s->pose.rotation;
    all->place[k] = k;
    all->half[3 * k] = s->half.x, all->half[3 * k + 1] = s->half.y, all->half[3 * k + 2] = s->half.z;
}

// only: a kind, or -1 for all in turn
static void draw_company(company *all, draws *d, int only)
{
    static const scr_shape_kind kinds[LANE_KINDS] = {SCR_ELLIPSOID, SCR_CAPSULE, SCR_BOX};
    for (int k = 0; k < PAIRS; ++k) {
        scr_shape_kind kind = kinds[only >= 0 ? only : (int)draw(d, 0.0, LANE_KINDS)];
        placed_shape a = draw_of_kind(d, kind), b = draw_of_kind(d, kind);
        all->reach[k] = draw(d, -0.1, 0.3);
        lie[(int)draw(d, 0.0, WAYS)](d, &a, &b, &all->reach[k]);
        put(all, 2 * k, &a);
        put(all, 2 * k + 1, &b);
    }
    static int32_t no_surface[SHAPES];
    static double radius[SHAPES];
    for (int k = 0; k < SHAPES; ++k) no_surface[k] = -1, radius[k] = all->ball[k].r;
    all->c = (colliders){.ball = all->ball,
                         .kind = all->kind,
                         .radius = radius,
                         .place = all->place,
                         .rotation = all->rotation,
                         .places = {.half = all->half, .surface = no_surface}};
}

static bool is_same_point(const contact_point *p, const contact_point *q)
{
    return memcmp(&p->point, &q->point, sizeof p->point) == 0 &&
           memcmp(&p->normal, &q->normal, sizeof p->normal) == 0 && memcmp(&p->gap, &q->gap, sizeof p->gap) == 0 &&
           p->feature == q->feature;
}

typedef struct tally {
    int verdict[LANE_KINDS][3], points[MANIFOLD_MAX + 1];
} tally;

static void assert_found_alike(const company *all, const lane_block *block, const char *isa, tally *t)
{
    for (int k = 0; k < block->pairs.count; ++k) {
        contact_point alone[MANIFOLD_MAX], memory[MANIFOLD_MAX];
        const placed_shape *a = &all->shape[2 * k];
        int count = narrow_phase(a, &all->shape[2 * k + 1], all->reach[k], alone);
        int among_many;
        const contact_point *many = lane_block_points(block, &all->c, k, memory, &among_many);
        bool same = among_many == count;
        for (int i = 0; i < count && same; ++i) same = is_same_point(&alone[i], &many[i]);
        if (!same) fail_msg("%s, pair %d of kind %d: not as alone (%d points)", isa, k, (int)a->kind, count);
        int kind = a->kind == SCR_ELLIPSOID ? TWO_ELLIPSOIDS : a->kind == SCR_CAPSULE ? TWO_CAPSULES : TWO_BOXES;
        ++t->verdict[kind][block->pairs.verdict[k]];
        ++t->points[count];
    }
}

#define EACH_KERNEL(choose, best)                                                                                      \
    {                                                                                                                  \
        {                                                                                                              \
            choose(best, ellipsoid_pairs), choose(best, capsule_pairs), KERNEL_FOR(best, box_pairs)                    \
        }                                                                                                              \
    }

static void many_at_a_time_are_found_as_each_alone(void **state)
{
    (void)state;
    static company all;
    static lane_block block;
    const struct {
        const char *name;
        lane_kernels kernels;
    } isa[] = {{"plain", EACH_KERNEL(KERNEL_FOR, false)},
               {"AVX2", EACH_KERNEL(KERNEL_FOR, true)},
               {"AVX-512", EACH_KERNEL(KERNEL_TO_AVX512_FOR, true)}};
    for (int set = 0; set < 3; ++set) {
        tally t = {0};
        for (int trial = 0; trial < BLOCKS * (LANE_KINDS + 1); ++trial) {
            draws d = {100 + (uint64_t)trial, 0};
            draw_company(&all, &d, trial % (LANE_KINDS + 1) - 1);
            lane_block_empty(&block);
            int count = trial % 5 == 0 ? 1 + trial % PAIRS : PAIRS;
            for (int k = 0; k < count; ++k) {
                assert_true(has_lane_kernel(&all.c, 2 * k, 2 * k + 1));
                lane_block_add(&block, &all.c, 2 * k, 2 * k + 1, all.reach[k]);
            }
            lane_block_search(&block, &all.c, &isa[set].kernels);
            assert_found_alike(&all, &block, isa[set].name, &t);
        }
        for (int kind = 0; kind < LANE_KINDS; ++kind) {
            assert_true(t.verdict[kind][PAIR_APART] > 5000 && t.verdict[kind][PAIR_OPEN] > 2000);
            if (kind != TWO_BOXES) assert_true(t.verdict[kind][PAIR_TOUCHES] > 5000);
        }
        for (int points = 1; points <= MANIFOLD_MAX; ++points) assert_true(t.points[points] > 0);
    }
}

static void kernels_are_for_pairs_of_their_kinds_alone(void **state)
{
    (void)state;
    static company all;
    draws d = {7, 0};
    draw_company(&all, &d, -1);
    int with = 0;
    for (int k = 0; k + 1 < SHAPES; ++k) {
        bool same = all.kind[k] == all.kind[k + 1];
        assert_int_equal(has_lane_kernel(&all.c, k, k + 1), same);
        with += same;
    }
    assert_true(with >= PAIRS && with < SHAPES - 1);
    all.c.period.any = true;  // kernels know no images
    assert_false(has_lane_kernel(&all.c, 0, 1));
    all.kind[0] = SCR_SPHERE_SET, all.kind[1] = SCR_PLANE;
    all.c.period.any = false;
    assert_false(has_lane_kernel(&all.c, 0, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_at_a_time_are_found_as_each_alone),
        cmocka_unit_test(kernels_are_for_pairs_of_their_kinds_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
