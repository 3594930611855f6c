// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "collision/contacts/sphere_pairs.h"

#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef double lanes __attribute__((vector_size(32)));
typedef int64_t lane_mask __attribute__((vector_size(32)));

_Static_assert(sizeof(ball) == sizeof(lanes), "a ball is loaded as one vector");

typedef struct ball_lanes4 {
    lanes x, y, z, r;
} ball_lanes4;

// Four records of four numbers, as lanes.
static inline ball_lanes4 load_records(const void *p0, const void *p1, const void *p2, const void *p3)
{
    lanes r0, r1, r2, r3;
    memcpy(&r0, p0, sizeof r0);
    memcpy(&r1, p1, sizeof r1);
    memcpy(&r2, p2, sizeof r2);
    memcpy(&r3, p3, sizeof r3);
    lanes xz01 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6), yr01 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
    lanes xz23 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6), yr23 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
    return (ball_lanes4){
        __builtin_shufflevector(xz01, xz23, 0, 1, 4, 5), __builtin_shufflevector(yr01, yr23, 0, 1, 4, 5),
        __builtin_shufflevector(xz01, xz23, 2, 3, 6, 7), __builtin_shufflevector(yr01, yr23, 2, 3, 6, 7)};
}

// The balls of four colliders.
static inline ball_lanes4 load_balls(const ball *all, const int32_t *which)
{
    return load_records(&all[which[0]], &all[which[1]], &all[which[2]], &all[which[3]]);
}

static inline lanes lanes_sqrt(lanes v)
{
#if defined(__AVX2__)
    return (lanes)_mm256_sqrt_pd((__m256d)v);
#else
    for (int i = 0; i < PAIR_LANES; ++i) v[i] = sqrt(v[i]);
    return v;
#endif
}

static inline lanes lanes_select(lane_mask mask, lanes a, lanes b)
{
    return (lanes)(((lane_mask)a & mask) | ((lane_mask)b & ~mask));
}

static inline lanes lanes_round(lanes v)
{
#if defined(__AVX2__)
    return (lanes)_mm256_round_pd((__m256d)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    for (int i = 0; i < PAIR_LANES; ++i) v[i] = rint(v[i]);
    return v;
#endif
}

typedef struct offset_lanes {
    lanes x, y, z;
} offset_lanes;

static inline lanes all_lanes(double v) { return (lanes){v, v, v, v}; }

static inline lanes nearest_along(const periodic_cell *p, int axis, lanes d)
{
    return d - all_lanes(p->length[axis]) * lanes_round(all_lanes(p->inverse[axis]) * d);
}

static inline lanes *along(offset_lanes *d, int axis) { return axis == 0 ? &d->x : axis == 1 ? &d->y : &d->z; }

// As period_unsheared.
static inline void unshear(const periodic_cell *p, offset_lanes *d)
{
    lanes cells = lanes_round(all_lanes(p->inverse[p->gradient]) * *along(d, p->gradient));
    *along(d, p->flow) = *along(d, p->flow) - cells * all_lanes(p->shear_offset);
}

// From a to the nearest image of b.
static inline offset_lanes offsets(const grain_pairs *p, const ball_lanes4 *a, const ball_lanes4 *b)
{
    offset_lanes d = {b->x - a->x, b->y - a->y, b->z - a->z};
    if (p->period == NULL) return d;
    if (p->period->is_sheared) unshear(p->period, &d);
    return (offset_lanes){nearest_along(p->period, 0, d.x), nearest_along(p->period, 1, d.y),
                          nearest_along(p->period, 2, d.z)};
}

// What becomes of four pairs.
typedef struct four_verdicts {
    lane_mask meets, in_reach;
    lanes gap;  // m
} four_verdicts;

static inline four_verdicts meet_four(const grain_pairs *p, const int32_t *ia, const int32_t *ib)
{
    ball_lanes4 a = load_balls(p->ball, ia), b = load_balls(p->ball, ib);
    offset_lanes d = offsets(p, &a, &b);
    lanes d2 = d.x * d.x + d.y * d.y + d.z * d.z;
    lanes both = a.r + b.r, near = both + all_lanes(p->envelope) * lanes_select(a.r < b.r, a.r, b.r);
    const float *c = p->closing;
    lanes closing_a = {c[ia[0]], c[ia[1]], c[ia[2]], c[ia[3]]}, closing_b = {c[ib[0]], c[ib[1]], c[ib[2]], c[ib[3]]};
    lanes far = near + closing_a + closing_b;
    return (four_verdicts){d2 < near * near, d2 < far * far, lanes_sqrt(d2) - both};
}

static inline uint32_t bits_of(lane_mask mask)
{
#if defined(__AVX2__)
    return (uint32_t)_mm256_movemask_pd((__m256d)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < PAIR_LANES; ++i) bits |= (uint32_t)(mask[i] < 0) << i;
    return bits;
#endif
}

// The lanes of the mask, one after the other, from `to` on; what follows them is undefined.
static inline void put_lanes(int32_t *to, const int32_t *from, uint32_t mask)
{
#if defined(__AVX2__)
    // by mask: where each of the bytes comes from
#define FROM(k) 4 * (k), 4 * (k) + 1, 4 * (k) + 2, 4 * (k) + 3
    static const uint8_t BYTES[16][16] = {
        {0},
        {FROM(0)},
        {FROM(1)},
        {FROM(0), FROM(1)},
        {FROM(2)},
        {FROM(0), FROM(2)},
        {FROM(1), FROM(2)},
        {FROM(0), FROM(1), FROM(2)},
        {FROM(3)},
        {FROM(0), FROM(3)},
        {FROM(1), FROM(3)},
        {FROM(0), FROM(1), FROM(3)},
        {FROM(2), FROM(3)},
        {FROM(0), FROM(2), FROM(3)},
        {FROM(1), FROM(2), FROM(3)},
        {FROM(0), FROM(1), FROM(2), FROM(3)},
    };
#undef FROM
    __m128i all = _mm_loadu_si128((const __m128i *)from), bytes = _mm_loadu_si128((const __m128i *)BYTES[mask]);
    _mm_storeu_si128((__m128i *)to, _mm_shuffle_epi8(all, bytes));
#else
    for (int i = 0; i < PAIR_LANES; ++i) {
        *to = from[i];
        to += mask >> i & 1;
    }
#endif
}

enum { ALL_LANES = (1 << PAIR_LANES) - 1 };

static inline lane_mask lanes_of(uint32_t bits)
{
    const lane_mask bit = {1, 2, 4, 8}, all = {bits, bits, bits, bits};
    return (all & bit) != 0;
}

static void KERNEL(place)(const grain_pairs *p, pair_frames *out)
{
    const lanes zero = {0.0, 0.0, 0.0, 0.0}, one = {1.0, 1.0, 1.0, 1.0};
    for (int k = 0; k < p->count; k += PAIR_LANES) {
        ball_lanes4 a = load_balls(p->ball, p->a + k), b = load_balls(p->ball, p->b + k);
        offset_lanes to = offsets(p, &a, &b);
        lanes d = lanes_sqrt(to.x * to.x + to.y * to.y + to.z * to.z);
        // Centres that coincide have no normal; up will do, and is the same for everyone.
        lane_mask apart = d > zero;
        lanes inverse = lanes_select(apart, one / d, zero), gap = d - (a.r + b.r);
        lanes nx = to.x * inverse, ny = to.y * inverse, nz = lanes_select(apart, to.z * inverse, one);
        memcpy(out->gap + k, &gap, sizeof gap);
        for (int i = 0; i < PAIR_LANES; ++i) {
            double *n = out->normal + 3 * (k + i);
            n[0] = nx[i], n[1] = ny[i], n[2] = nz[i];
        }
    }
}

// The twists of the bodies of four grains; the fourth numbers are not used.
typedef struct twist_lanes {
    ball_lanes4 v, w;
} twist_lanes;

static inline twist_lanes load_twists(const pair_motion *m, const int32_t *which)
{
    const body_motion *b0 = &m->motion[m->body[which[0]]], *b1 = &m->motion[m->body[which[1]]],
                      *b2 = &m->motion[m->body[which[2]]], *b3 = &m->motion[m->body[which[3]]];
    return (twist_lanes){load_records(b0->v, b1->v, b2->v, b3->v), load_records(b0->w, b1->w, b2->w, b3->w)};
}

static inline lanes dot(offset_lanes a, offset_lanes b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// As may_close of contacts.c, the point midway between the surfaces being on the centre line.
static inline lane_mask close_four(const grain_pairs *p, const pair_motion *m, const int32_t *ia, const int32_t *ib)
{
    const lanes zero = all_lanes(0.0), half = all_lanes(0.5);
    ball_lanes4 a = load_balls(p->ball, ia), b = load_balls(p->ball, ib);
    twist_lanes t_a = load_twists(m, ia), t_b = load_twists(m, ib);
    offset_lanes d = {b.x - a.x, b.y - a.y, b.z - a.z};
    lanes distance = lanes_sqrt(dot(d, d)), inverse = all_lanes(1.0) / distance;  // not 0: balls that overlap meet
    lanes gap = distance - (a.r + b.r), arm_a = a.r + half * gap, arm_b = b.r + half * gap;
    offset_lanes n = {d.x * inverse, d.y * inverse, d.z * inverse};
    offset_lanes s = {arm_a * t_a.w.x + arm_b * t_b.w.x, arm_a * t_a.w.y + arm_b * t_b.w.y,
                      arm_a * t_a.w.z + arm_b * t_b.w.z};
    offset_lanes u = {t_b.v.x - t_a.v.x - (s.y * n.z - s.z * n.y), t_b.v.y - t_a.v.y - (s.z * n.x - s.x * n.z),
                      t_b.v.z - t_a.v.z - (s.x * n.y - s.y * n.x)};
    lanes un = dot(u, n), approach = lanes_select(un < zero, -un, zero);
    offset_lanes slide = {u.x - un * n.x, u.y - un * n.y, u.z - un * n.z};
    lanes near = all_lanes(p->envelope) * lanes_select(a.r < b.r, a.r, b.r);
    lanes way = approach + all_lanes(m->max_friction) * lanes_sqrt(dot(slide, slide));
    return gap < near + all_lanes(m->time_step) * way;
}

enum { FOURS = PAIR_BLOCK / PAIR_LANES };

// What becomes of a block: bits of each four that pass, and that do undecided.
typedef struct block_verdicts {
    uint8_t passed[FOURS], undecided[FOURS];
} block_verdicts;

// Pairs of a block that velocities decide, and which they are.
typedef struct open_pairs {
    grain_pairs pairs;
    int32_t at[PAIR_BLOCK + PAIR_LANES];
} open_pairs;

// By the distance of centres alone. A pair that is not two grains has balls, too: what they would say is masked out.
// open: NULL, or those that distance does not decide, who do not pass yet
static inline void judge(const grain_pairs *p, block_verdicts *verdicts, open_pairs *open, double *deepest_of_all)
{
    lanes deepest = all_lanes(*deepest_of_all);
    int count = 0;
    for (int k = 0; k < p->count; k += PAIR_LANES) {
        four_verdicts v = meet_four(p, p->a + k, p->b + k);
        uint32_t there = p->count - k < PAIR_LANES ? (1u << (p->count - k)) - 1 : ALL_LANES;
        uint32_t others = (uint32_t)(p->is_other[k / 64] >> k % 64) & there, grains = ~others & there;
        uint32_t meets = bits_of(v.meets) & grains, may = bits_of(v.in_reach) & ~meets & grains;
        lanes overlap = lanes_select(meets == ALL_LANES ? v.meets : lanes_of(meets), -v.gap, deepest);
        deepest = lanes_select(overlap > deepest, overlap, deepest);
        if (open != NULL) {
            const int32_t at[PAIR_LANES] = {k, k + 1, k + 2, k + 3};
            put_lanes(open->pairs.a + count, p->a + k, may);
            put_lanes(open->pairs.b + count, p->b + k, may);
            put_lanes(open->at + count, at, may);
            count += __builtin_popcount(may);
            may = 0;
        }
        verdicts->undecided[k / PAIR_LANES] = (uint8_t)(others | may);
        verdicts->passed[k / PAIR_LANES] = (uint8_t)(meets | others | may);
    }
    if (open != NULL) open->pairs.count = count;
    for (int i = 0; i < PAIR_LANES; ++i) *deepest_of_all = fmax(*deepest_of_all, deepest[i]);
}

// Those that come together pass.
static inline void settle(open_pairs *open, const pair_motion *m, block_verdicts *verdicts)
{
    grain_pairs *p = &open->pairs;
    for (int k = p->count; k % PAIR_LANES != 0; ++k) p->a[k] = p->a[0], p->b[k] = p->b[0];
    for (int k = 0; k < p->count; k += PAIR_LANES) {
        uint32_t closes = bits_of(close_four(p, m, p->a + k, p->b + k));
        int there = p->count - k < PAIR_LANES ? p->count - k : PAIR_LANES;
        for (int i = 0; i < there; ++i) {
            int32_t at = open->at[k + i];
            verdicts->passed[at / PAIR_LANES] |= (uint8_t)((closes >> i & 1) << at % PAIR_LANES);
        }
    }
}

static inline void pass_on(const grain_pairs *p, const block_verdicts *verdicts, sifted_pairs *out)
{
    int64_t count = out->count;
    for (int k = 0; k < p->count; k += PAIR_LANES) {
        uint32_t passed = verdicts->passed[k / PAIR_LANES], undecided = verdicts->undecided[k / PAIR_LANES];
        put_lanes(out->a + count, p->a + k, passed);
        if (undecided == 0) {
            put_lanes(out->b + count, p->b + k, passed);
        } else {
            int32_t other[PAIR_LANES];
            for (int i = 0; i < PAIR_LANES; ++i) other[i] = undecided >> i & 1 ? ~p->b[k + i] : p->b[k + i];
            put_lanes(out->b + count, other, passed);
            out->undecided += __builtin_popcount(undecided);
        }
        count += __builtin_popcount(passed);
    }
    out->count = count;
}

// In three goes over a block: no branch depends on whether a pair is open, and open ones are settled four at a time.
static void KERNEL(sift)(const grain_pairs *p, const pair_motion *m, sifted_pairs *out)
{
    block_verdicts verdicts;
    open_pairs open;
    open.pairs.ball = p->ball, open.pairs.envelope = p->envelope;  // all that settle asks
    judge(p, &verdicts, m != NULL ? &open : NULL, &out->deepest);
    if (m != NULL) settle(&open, m, &verdicts);
    pass_on(p, &verdicts, out);
}

const pair_kernels KERNEL(pair_kernels) = {KERNEL(sift), KERNEL(place)};
