// SPDX-License-Identifier: BSD-3-Clause
// The passes over a bed of grains in single precision, with positions in whole numbers and the state in double.
// Compiled once for every instruction set: SCREE_ISA names it.
//
// With way and reach R = r_a + r_b in units, exact, and D = |way|:
//     overlap = (R^2 - D^2) / (R + D)         the numerator in double: as good as a double's for small overlaps, too
#define LANES_SINGLE
#include "dynamics/penalty/bed/grain_images.h"
#include "dynamics/penalty/bed/grain_packs.h"

enum { GRAIN_BYTES = sizeof(grain_line) };
// Beside a batch the first-level cache has the sums of a block, 32 kB: with 16 packs a step took a twentieth longer,
// with 32 a quarter (Zen 4).
enum { BATCH = 8 };  // packs

typedef int32_t whole __attribute__((vector_size(32)));
typedef int32_t whole_half __attribute__((vector_size(16)));
typedef uint32_t fixed_half __attribute__((vector_size(16)));
typedef uint32_t fixed __attribute__((vector_size(32)));
typedef float real_half __attribute__((vector_size(16)));
typedef double double_half __attribute__((vector_size(32)));

typedef struct grain_sum {
    float f[4], m[4];  // N; the fourth is 0
} grain_sum;

_Static_assert(sizeof(grain_sum) <= GRAIN_SUM_BYTES, "sums are allotted by this size");

static inline const char *grain_address(const grain_pass *p, int32_t slot) { return (const char *)&p->line[slot]; }

// Two halves as one. Written out: gcc 12 takes three instructions for what is one, with its operand in memory.
static inline real joined(real_half low, real_half high)
{
#if defined(__AVX2__)
    return (real)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)low), (__m128)high, 1);
#else
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

#define HALVES(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

// Within each half four rows become four columns.
static inline void transpose_halves(real *r0, real *r1, real *r2, real *r3)
{
    real a = HALVES(*r0, *r1, 0, 8, 1, 9, 4, 12, 5, 13), b = HALVES(*r0, *r1, 2, 10, 3, 11, 6, 14, 7, 15);
    real c = HALVES(*r2, *r3, 0, 8, 1, 9, 4, 12, 5, 13), d = HALVES(*r2, *r3, 2, 10, 3, 11, 6, 14, 7, 15);
    *r0 = HALVES(a, c, 0, 1, 8, 9, 4, 5, 12, 13), *r1 = HALVES(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    *r2 = HALVES(b, d, 0, 1, 8, 9, 4, 5, 12, 13), *r3 = HALVES(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

// Eight records of eight numbers become eight lanes, or back.
static inline void transpose(real r[8])
{
    transpose_halves(&r[0], &r[1], &r[2], &r[3]);
    transpose_halves(&r[4], &r[5], &r[6], &r[7]);
    for (int k = 0; k < 4; ++k) {
        real low = r[k], high = r[k + 4];
        r[k] = HALVES(low, high, 0, 1, 2, 3, 8, 9, 10, 11);
        r[k + 4] = HALVES(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

static inline fixed_half load_position(const grain_line *g)
{
    fixed_half v;
    memcpy(&v, g->q, sizeof v);
    return v;
}
static inline fixed load_positions(const grain_line *low, const grain_line *high)
{
    return (fixed)joined((real_half)load_position(low), (real_half)load_position(high));
}
static inline real_half four(const float *p)
{
    real_half v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline double_half to_double(whole v, bool high)
{
    whole_half half = high ? HALVES(v, v, 4, 5, 6, 7) : HALVES(v, v, 0, 1, 2, 3);
    return quad_of_whole(half);
}

// R^2 - D^2 in units^2
static inline real_half squares(const whole way[4], bool high)
{
    double_half dx = to_double(way[0], high), dy = to_double(way[1], high), dz = to_double(way[2], high);
    double_half r = to_double(way[3], high);
    return __builtin_convertvector(r * r - ((dx * dx + dy * dy) + dz * dz), real_half);
}

// The ways from a to b and the sums of their radii, lane by lane, in units. Positions are modulo 2^32, differences too.
static inline void load_ways(const grain_line *line, const int32_t *a, const int32_t *b, whole way[4])
{
    const fixed minus = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, UINT32_MAX, UINT32_MAX, UINT32_MAX, 0};
    real r[4];
    for (int k = 0; k < 4; ++k) {
        fixed to = load_positions(&line[b[k]], &line[b[k + 4]]), from = load_positions(&line[a[k]], &line[a[k + 4]]);
        r[k] = (real)(to + ((from ^ minus) - minus));
    }
    transpose_halves(&r[0], &r[1], &r[2], &r[3]);
    for (int k = 0; k < 4; ++k) way[k] = (whole)r[k];
}

// The nearest whole numbers modulo 2^32. Adding 1.5 x 2^52 rounds a double and leaves that number in its last bits.
static inline fixed_half wrapped(double_half units)
{
    const double shift = 6755399441055744.0, period = 4294967296.0;
    double_half periods = (units * (1.0 / period) + shift) - shift, rest = (units - periods * period) + shift;
    fixed words = (fixed)rest;
    return __builtin_shufflevector(words, words, 0, 2, 4, 6);
}

static inline whole less_cells(whole way, double units, double length, real cells)
{
    uint32_t l = wrapped((double_half){units * length})[0];
    return (whole)((fixed)way - l * (fixed) __builtin_convertvector(cells, whole));
}

// To the nearest image of b. v: of b less that of a, in the end of that image; or NULL.
static inline void turn_to_nearest(const periodic_cell *period, double units, real layers, whole way[3], real3 *v)
{
    real3 cells = cells_between(layers);
    if (period->is_sheared) {
        const int flow = period->flow;
        const double slid = period->inverse[flow] * period->shear_offset;
        real up = real_whole(along(cells, period->gradient));
        cells = less_along(cells, flow, up * real_set((float)(slid - rint(slid))));
        way[flow] = less_cells(way[flow], units, period_offset_along(period, flow, period->shear_offset), up);
        if (v != NULL) *v = less_along(*v, flow, up * real_set((float)period->shear_velocity));
    }
    cells = (real3){real_whole(cells.x), real_whole(cells.y), real_whole(cells.z)};
    if (period->is_stretched && v != NULL) *v = less_stretching(period, *v, cells);
    for (int axis = 0; axis < 3; ++axis)
        way[axis] = less_cells(way[axis], units, period->length[axis], along(cells, axis));
}

// v of b less a's, s of both together; their radii, too. layers: likewise, where space repeats itself.
static inline real load_motion(const grain_pass *p, const grain_pack *pack, real3 *v, real3 *s, real *layers)
{
    const whole minus = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, 0, 0, 0, 0};
    real r[8];
    for (int lane = 0; lane < 8; ++lane) {
        const grain_line *a = &p->line[pack->a[lane]], *b = &p->line[pack->b[lane]];
        r[lane] = real_load(b->v) + (real)((whole)real_load(a->v) ^ minus);
    }
    transpose(r);
    *v = (real3){r[0], r[1], r[2]};
    *s = (real3){r[4], r[5], r[6]};
    *layers = r[3];
    return r[7];
}

// w of b less a's; the difference of their radii, too.
static inline real load_spins(const grain_pass *p, const grain_pack *pack, real3 *w)
{
    real r[4];
    for (int k = 0; k < 4; ++k) {
        real_half low = four(p->line[pack->b[k]].w) - four(p->line[pack->a[k]].w);
        real_half high = four(p->line[pack->b[k + 4]].w) - four(p->line[pack->a[k + 4]].w);
        r[k] = joined(low, high);
    }
    transpose_halves(&r[0], &r[1], &r[2], &r[3]);
    *w = (real3){r[0], r[1], r[2]};
    return r[3];
}

static inline __attribute__((always_inline)) void load_pairs(const grain_pass *p, const grain_pack *pack, bool rolling,
                                                             pair_geometry *pair)
{
    whole way[4];
    real layers;
    load_ways(p->line, pack->a, pack->b, way);
    real radii = load_motion(p, pack, &pair->v, &pair->s, &layers);
    if (p->period != NULL) turn_to_nearest(p->period, p->units, layers, way, &pair->v);
    if (rolling || stress_needs_radii(p)) set_radii(pair, radii, load_spins(p, pack, &pair->w));
    real3 d3 = {__builtin_convertvector(way[0], real), __builtin_convertvector(way[1], real),
                __builtin_convertvector(way[2], real)};
    real r = __builtin_convertvector(way[3], real), d2 = real3_dot(d3, d3), d = real_sqrt(d2), both = r + d;
    real_half low = squares(way, false), high = squares(way, true);
    real excess = joined(low, high);
    // 1 / (D R (R + D)) for three quotients; grains at one place push nowhere.
    real inverse = real_where(d2 > (real){0}, real_set(1.0f) / (d * r * both));
    pair->n = real3_scale(inverse * (r * both), d3);
    pair->overlap = excess * (inverse * (d * r)) * real_set((float)p->unit);
    pair->lever = d2 * (inverse * both);
    pair->distance = d * real_set((float)p->unit);
}

static inline real layers_between(const grain_line *line, const pair_candidates *c)
{
    real layers;
    for (int k = 0; k < REAL_LANES; ++k) layers[k] = line[c->b[k]].v[3] - line[c->a[k]].v[3];
    return layers;
}

// The ways of candidates as those of pairs, and beside them the sum of the radii.
static inline uint32_t find_near(const grain_fill *f, const pair_candidates *c, double margin)
{
    whole whole_way[4];
    load_ways(f->line, c->a, c->b, whole_way);
    if (f->period != NULL) turn_to_nearest(f->period, f->units, layers_between(f->line, c), whole_way, NULL);
    real3 way = {__builtin_convertvector(whole_way[0], real), __builtin_convertvector(whole_way[1], real),
                 __builtin_convertvector(whole_way[2], real)};
    real within = __builtin_convertvector(whole_way[3], real) + real_set(margin * f->units);
    return real_bits(real3_dot(way, way) < within * within);
}

// moment: of a and of b, different if pairs resist rolling
static inline void sum_pairs(grain_sum *sum, const grain_pack *pack, int64_t first, real3 force, const real3 moment[2],
                             bool crossing, bool rolling)
{
    const whole minus = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, 0, 0, 0, 0};
    real r[8] = {force.x, force.y, force.z, {0}, moment[0].x, moment[0].y, moment[0].z, {0}};
    real other[8] = {force.x, force.y, force.z, {0}, moment[1].x, moment[1].y, moment[1].z, {0}};
    transpose(r);
    if (rolling && !crossing) transpose(other);
    for (int lane = 0; lane < 8; ++lane) {
        grain_sum *a = &sum[pack->a[lane] - first];
        real_store(a->f, real_load(a->f) + (real)((whole)r[lane] ^ minus));
        if (crossing) continue;
        grain_sum *b = &sum[pack->b[lane] - first];
        real_store(b->f, real_load(b->f) + (rolling ? other[lane] : r[lane]));
    }
}

// What lanes hold is added to a sum one after another.
static inline void add_lanes(double sum[4], real x, real y, real z, real last)
{
    quad all = quad_load(sum);
    transpose_halves(&x, &y, &z, &last);
    const real row[4] = {x, y, z, last};
    for (int k = 0; k < 4; ++k) all = all + quad_of_numbers(HALVES(row[k], row[k], 0, 1, 2, 3));
    for (int k = 0; k < 4; ++k) all = all + quad_of_numbers(HALVES(row[k], row[k], 4, 5, 6, 7));
    quad_store(sum, all);
}

static inline double_half doubles(const double *p)
{
    double_half v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void doubles_store(double *p, double_half v) { memcpy(p, &v, sizeof v); }

// What the record has in its fourth numbers goes along; beside the spin stands the radius.
static inline void write_line_of(double_half x, double_half v, double_half w, double radius, double units,
                                 const periodic_cell *period, grain_line *line)
{
    float layers = 0.0f;
    if (period != NULL) x = place_in_cell(period, x, &v, &layers);
    fixed_half q = wrapped(units * x);
    double_half s = radius * w;
    real_half v4 = __builtin_convertvector(v, real_half), s4 = __builtin_convertvector(s, real_half);
    real_half w4 = __builtin_convertvector((double_half){w[0], w[1], w[2], radius}, real_half);
    memcpy(line->q, &q, sizeof q);
    memcpy(line->v, &v4, sizeof v4);
    if (period != NULL) line->v[3] = layers;
    memcpy(line->s, &s4, sizeof s4);
    memcpy(line->w, &w4, sizeof w4);
}

static void write_line(const grain_record *g, double half_step, double unit, const periodic_cell *period,
                       grain_line *line)
{
    double_half v = doubles(g->v), half = {half_step, half_step, half_step, 0.0};
    write_line_of(doubles(g->x) + half * v, v, doubles(g->w), g->radius, 1.0 / unit, period, line);
}

enum { ADVANCE_AHEAD = 16 };  // grains

// Nobody has been since the step before where a grain's state is, which pairs do not read, nor where the new one goes:
// the caches beyond are asked for both in time. Tried on a Zen 4 and of no use: asking for them a few at a time while
// pairs are worked on, which cost a tenth; new records written past the caches, which gained nothing that lasted.
static inline void ask_for_state(const grain_pass *p, int64_t i)
{
    if (i >= p->count) return;
    __builtin_prefetch(&p->record[i]);
    __builtin_prefetch(p->record[i].w);
    __builtin_prefetch(&p->next[i], 1);
    __builtin_prefetch(p->next[i].w, 1);
    if (p->next_line != NULL) __builtin_prefetch(&p->next_line[i], 1);
}

// The new velocity. The fourth numbers stay as they are: nothing is added to them.
static inline quad advance(const grain_pass *p, int64_t i, const grain_sum *sum, quad *spin)
{
    const grain_record *g = &p->record[i];
    grain_record *next = &p->next[i];
    ask_for_state(p, i + ADVANCE_AHEAD);
    const double h = p->time_step, radius = g->radius, mobility = h * g->inv_mass;
    const double_half gravity = {h * p->gravity[0], h * p->gravity[1], h * p->gravity[2], 0.0};
    const double_half half = {0.5 * h, 0.5 * h, 0.5 * h, 0.0};
    real_half f, m;
    memcpy(&f, sum->f, sizeof f);
    memcpy(&m, sum->m, sizeof m);
    double_half v = doubles(g->v) + (mobility * quad_of_numbers(f) + gravity);
    double_half w = doubles(g->w) + (2.5 * mobility / radius) * quad_of_numbers(m);
    double_half x = (doubles(g->x) + half * doubles(g->v)) + half * v;
    doubles_store(next->x, x);
    doubles_store(next->v, v);
    doubles_store(next->w, w);
    *spin = w;
    if (p->next_line != NULL) write_line_of(x + half * v, v, w, radius, p->units, p->next_period, &p->next_line[i]);
    return v;
}

static inline quad end_of_step(const grain_pass *p, int64_t i, quad half_way)
{
    (void)half_way;
    return quad_load(p->next[i].x);
}

static inline quad carry_grain(const grain_carrying *c, int64_t i, quad share, quad centre)
{
    grain_record *g = &c->record[i];
    const quad half = {0.5 * c->time_step, 0.5 * c->time_step, 0.5 * c->time_step, 0.0};
    const quad x = quad_load(g->x), v = quad_load(g->v) + share * (x - centre);
    quad_store(g->v, v);
    write_line_of(x + half * v, v, quad_load(g->w), g->radius, 1.0 / c->unit, c->period, &c->line[i]);
    return v;
}

#include "dynamics/penalty/bed/grain_block.h"

const grain_kernels KERNEL(grain_kernels_mixed) = {
    .lanes = REAL_LANES,
    .pack_bytes = sizeof(grain_pack),
    .coefficient_bytes = sizeof(pack_coefficient),
    .roll_bytes = sizeof(pack_roll),
    .neck_bytes = sizeof(pack_neck),
    .candidate_bytes = sizeof(pair_candidates),
    .wall_pack_bytes = sizeof(wall_pack),
    .has_lines = true,
    .fill = fill_packs,
    .pass = pass_block,
    .carry = carry_block,
    .write_line = write_line,
    .springs = block_springs,
    .wall_springs = block_wall_springs,
    .springs_of = block_springs_of,
};
