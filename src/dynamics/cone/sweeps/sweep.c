// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/cone/sweeps/general_sweep.h"
#include "dynamics/cone/sweeps/rolling.h"
#include "dynamics/cone/sweeps/sweep_lanes.h"

// Relative velocity at the contact, plus bias.
static inline wide3 grain_velocity(const grain_bundle *restrict c, const wide_record *restrict record)
{
    wide3 v, s_a, s_b, n = wide3_load(c->n);
    records_load(record, c->a, c->b, &v, &s_a, &s_b);
    wide3 s = wide3_sub(wide3_scale(wide_load(c->arm_b), s_b), wide3_scale(wide_load(c->arm_a), s_a));
    return wide3_add(wide3_point_velocity(v, s, n), wide3_load(c->r));
}

static inline void push_grain_pair(const grain_bundle *c, wide_record *record, wide3 impulse)
{
    records_add(record, c->a, c->b, c->arm_a, c->arm_b, impulse, wide3_cross(wide3_load(c->n), impulse));
}

// A bundle of grains on its way from the old impulse to the new one: what waits in memory while others take their turn.
typedef struct grain_step {
    wide3 y, zt;  // zt, zn: before and after the projection
    wide yn, zn, at;
} grain_step;

INLINED grain_step begin_grains(const grain_bundle *restrict c, old_impulses *restrict old, const apex_lanes *apex,
                                const wide_record *restrict record, const sweep_mode *mode, bool coulomb)
{
    grain_step s;
    wide3 n = wide3_load(c->n), u = grain_velocity(c, record);
    s.y = start_impulse(c->g, old != NULL ? old->g : NULL, mode);

    wide cn = wide_load(c->cn), ct = wide_load(c->ct), sigma = wide_load(c->sigma);
    wide un = wide3_dot(u, n);
    wide3 ut = wide3_sub(u, wide3_scale(un, n));
    s.yn = wide3_dot(s.y, n);
    wide3 yt = wide3_sub(s.y, wide3_scale(s.yn, n));
    wide high = apex != NULL ? s.yn + wide_load(apex->apex) : s.yn;
    wide one = wide_set(1.0f), w = relaxation_of(mode, high, yt, wide_load(c->mu), coulomb);
    wide keep = one - w * (one - sigma);
    s.at = one / ct;
    s.zn = keep * s.yn - (w * cn) * un;
    s.zt = wide3_sub(wide3_scale(keep, yt), wide3_scale(w * ct, ut));
    return s;
}

INLINED void project_grains(grain_step *s, const grain_bundle *restrict c, const apex_lanes *apex, bool coulomb)
{
    wide mu = wide_load(c->mu), kappa = wide_load(c->cn) * s->at;
    if (apex != NULL) project_from(wide_load(apex->apex), &s->zn, &s->zt, mu, kappa, coulomb);
    else project(&s->zn, &s->zt, mu, kappa, coulomb);
}

// add_sums of fewer parts: z - y has a length and a normal part, and so a tangent part. eps A = (1 - sigma) (1 + eps) A
INLINED void add_grain_sums(lane_sums *sums, const grain_step *s, const grain_bundle *restrict c, wide3 z, wide3 d,
                            bool coulomb)
{
    wide one = wide_set(1.0f), an = one / wide_load(c->cn), dn = s->zn - s->yn, dn2 = dn * dn;
    wide dt2 = wide_max(wide3_dot(d, d) - dn2, wide_set(0.0f));
    wide size = an * (s->zn * s->zn) + s->at * wide3_dot(s->zt, s->zt);
    wide elastic = (one - wide_load(c->sigma)) * size;
    wide energy = wide3_dot(wide3_load(c->r), z) + wide_set(0.5f) * elastic;
    add_eights(sums, energy, elastic, an * dn2 + s->at * dt2, size, coulomb);
}

INLINED void end_grains(const grain_step *s, grain_bundle *restrict c, wide_record *restrict record,
                        const sweep_mode *mode, bool coulomb, lane_sums *sums)
{
    wide3 z = wide3_add(wide3_scale(s->zn, wide3_load(c->n)), s->zt), d = wide3_sub(z, s->y);
    wide3_store(c->g, z);
    push_grain_pair(c, record, d);
    if (mode->sums) add_grain_sums(sums, s, c, z, d, coulomb);
}

// Records are found by what bundles say: ask for those of the next four while these are solved.
static inline void fetch_records(const grain_bundle *bundle, int64_t k, int64_t count, const wide_record *record,
                                 bool fetches)
{
    if (!fetches) return;
    for (int64_t i = k + BUNDLES_ABREAST; i < k + 2 * BUNDLES_ABREAST && i < count; ++i) {
        for (int lane = 0; lane < LANES; ++lane) {
            __builtin_prefetch(&record[bundle[i].a[lane]], 1);
            __builtin_prefetch(&record[bundle[i].b[lane]], 1);
        }
    }
}

// Where bundles come from memory, processors ask for what follows them by themselves, but only to the end of a page,
// and begin anew at the next one: every 60 contacts a core waited. Into the second-level cache: the first one is full
// of records. Of a million spheres that takes an eighth off a sweep on two threads, a fifth on one. 16 and 32 bundles
// ahead do as well as 8, 4 are too few; asked for into the first-level cache they cost a tenth. Each of four bundles
// asks for another one: the 40 lines of all four at once are more than a core can wait for, and of 64,000 spheres it
// takes a sweep a twentieth longer.
enum { STREAMED_AHEAD = 8 };

static inline void ask_for(const void *bundle, size_t size)
{
    for (size_t at = 0; at < size; at += 64) __builtin_prefetch((const char *)bundle + at, 0, 2);
}

static inline void fetch_bundle(const grain_bundle *bundle, const old_impulses *old, const sweep_mode *mode)
{
    if (!mode->streams) return;
    ask_for(bundle + STREAMED_AHEAD, sizeof *bundle);
    if (old != NULL) ask_for(old + STREAMED_AHEAD, sizeof *old);
}

INLINED void sweep_grains_abreast(grain_bundle *restrict bundle, old_impulses *restrict old, const apex_lanes *apex,
                                  int64_t count, wide_record *restrict record, const sweep_mode *mode, bool coulomb,
                                  lane_sums *sums)
{
    grain_step s[BUNDLES_ABREAST];
    for (int64_t k = 0; k < count; ++k) {
        old_impulses *own_old = mode->accelerated ? &old[k] : NULL;
        s[k] = begin_grains(&bundle[k], own_old, apex != NULL ? &apex[k] : NULL, record, mode, coulomb);
        fetch_bundle(&bundle[k], own_old, mode);
    }
    for (int64_t k = 0; k < count; ++k) project_grains(&s[k], &bundle[k], apex != NULL ? &apex[k] : NULL, coulomb);
    for (int64_t k = 0; k < count; ++k) end_grains(&s[k], &bundle[k], record, mode, coulomb, sums);
}

INLINED void sweep_grains(grain_bundle *bundle, old_impulses *old, const apex_lanes *apex, int64_t count,
                          wide_record *record, const sweep_mode *mode, bool coulomb, lane_sums *sums)
{
    int64_t k = 0;
    for (; mode->is_apart && k + BUNDLES_ABREAST <= count; k += BUNDLES_ABREAST) {
        fetch_records(bundle, k, count, record, mode->fetches);
        sweep_grains_abreast(&bundle[k], mode->accelerated ? &old[k] : NULL, apex != NULL ? &apex[k] : NULL,
                             BUNDLES_ABREAST, record, mode, coulomb, sums);
    }
    for (; k < count; ++k)
        sweep_grains_abreast(&bundle[k], mode->accelerated ? &old[k] : NULL, apex != NULL ? &apex[k] : NULL, 1, record,
                             mode, coulomb, sums);
}

static void grains(grain_bundle *bundle, old_impulses *old, const apex_lanes *apex, int64_t count, wide_record *record,
                   const sweep_mode *mode, sweep_sums *sums)
{
    lane_sums lanes = {0};
    // Constants that the compiler can see: one loop for each kind of sweep.
    if (mode->coulomb) sweep_grains(bundle, old, apex, count, record, mode, true, &lanes);
    else if (apex != NULL) sweep_grains(bundle, old, apex, count, record, mode, false, &lanes);
    else if (!mode->accelerated && !mode->sums) {  // these are never relaxed
        const sweep_mode plain = {
            .relaxation = 1.0f, .fetches = mode->fetches, .streams = mode->streams, .is_apart = mode->is_apart};
        sweep_grains(bundle, NULL, NULL, count, record, &plain, false, &lanes);
    } else if (mode->accelerated && mode->sums && !mode->from_old) {
        const sweep_mode usual = {.beta = mode->beta,
                                  .relaxation = mode->relaxation,
                                  .accelerated = true,
                                  .sums = true,
                                  .fetches = mode->fetches,
                                  .streams = mode->streams,
                                  .is_apart = mode->is_apart};
        sweep_grains(bundle, old, NULL, count, record, &usual, false, &lanes);
    } else sweep_grains(bundle, old, NULL, count, record, mode, false, &lanes);
    sums_close(&lanes, sums);
}

static double grain_gap(const grain_bundle *bundle, const apex_lanes *apex, int64_t count, const wide_record *record,
                        const gap_mode *mode)
{
    wide_double sum = {0};
    for (int64_t k = 0; k < count; ++k) {
        const grain_bundle *c = &bundle[k];
        wide one = wide_set(1.0f), an = one / wide_load(c->cn), at = one / wide_load(c->ct),
             sigma = wide_load(c->sigma);
        wide own = one - sigma, compliance = wide_max(own, wide_set(mode->least) * sigma);
        wide gap = contact_gap(wide3_load(c->g), wide3_load(c->n), grain_velocity(c, record), own * an, own * at,
                               compliance * an, compliance * at, wide_load(c->mu),
                               apex != NULL ? wide_load(apex[k].apex) : wide_set(0.0f), mode->coulomb);
        keep_gap(mode, k, gap);
        sum += wide_to_double(gap);
    }
    return wide_double_sum(sum);
}

static void push_grains(const grain_bundle *bundle, int64_t count, wide_record *record)
{
    for (int64_t k = 0; k < count; ++k) push_grain_pair(&bundle[k], record, wide3_load(bundle[k].g));
}

// Records by the register: two where there is AVX-512, else one. Compilers take vectors that are wider than registers
// apart number by number where they are shuffled, or come from memory.
#if defined(__AVX512F__)
typedef float records __attribute__((vector_size(2 * sizeof(wide_record))));
typedef int32_t records_mask __attribute__((vector_size(2 * sizeof(wide_record))));
#else
typedef wide records;
#endif
enum { RECORDS = sizeof(records) / sizeof(wide_record) };

static inline records load_records(const wide_record *record)
{
    records r;
    memcpy(&r, record, sizeof r);
    return r;
}

static inline void extrapolate_some(wide_record *restrict record, wide_record *restrict old, float beta, bool from_old)
{
    records now = load_records(record), before = load_records(old), base = from_old ? before : now;
    records next = base + beta * (base - before);
    memcpy(old, &base, sizeof base);
    memcpy(record, &next, sizeof next);
}

static void extrapolate(wide_record *restrict record, wide_record *restrict old, int64_t count, float beta,
                        bool from_old)
{
    for (int64_t i = 0; i + RECORDS <= count; i += RECORDS) extrapolate_some(record + i, old + i, beta, from_old);
    if (count % RECORDS == 0) return;
    wide_record last[2] = {record[count - 1]}, last_old[2] = {old[count - 1]};
    extrapolate_some(last, last_old, beta, from_old);
    record[count - 1] = last[0], old[count - 1] = last_old[0];
}

// v^2 / v_factor and s^2 / s_factor of eight records, added up: those with even numbers, those with odd ones, and then
// both. Lanes 3 and 7 are of no use.
#if defined(__AVX512F__)
// One division for all.
static inline wide_eight eight_energies(const wide_record record[8])
{
    records r0 = load_records(record), r1 = load_records(record + 2), r2 = load_records(record + 4),
            r3 = load_records(record + 6);
    // twice each: v_factor of 0 2, s_factor of 0 2; the same of 1 3
    records low = __builtin_shufflevector(r0, r1, 3, 3, 19, 19, 7, 7, 23, 23, 11, 11, 27, 27, 15, 15, 31, 31);
    records high = __builtin_shufflevector(r2, r3, 3, 3, 19, 19, 7, 7, 23, 23, 11, 11, 27, 27, 15, 15, 31, 31);
    // v_factor of 0 2 4 6, s_factor of 0 2 4 6; the same of 1 3 5 7
    records factor = __builtin_shufflevector(low, high, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30);
    records mass = (records)((records_mask)(1.0f / factor) & (factor > 0.0f));
    records m0 = __builtin_shufflevector(mass, mass, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    records m1 = __builtin_shufflevector(mass, mass, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13);
    records m2 = __builtin_shufflevector(mass, mass, 2, 2, 2, 2, 6, 6, 6, 6, 10, 10, 10, 10, 14, 14, 14, 14);
    records m3 = __builtin_shufflevector(mass, mass, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    records sum = (r0 * r0 * m0 + r1 * r1 * m1) + (r2 * r2 * m2 + r3 * r3 * m3);
    return __builtin_shufflevector(sum, sum, 0, 1, 2, 3, 4, 5, 6, 7) +
           __builtin_shufflevector(sum, sum, 8, 9, 10, 11, 12, 13, 14, 15);
}
#else
// One division for four.
static inline wide four_energies(wide r0, wide r1, wide r2, wide r3)
{
    wide zero = wide_set(0.0f), low = __builtin_shufflevector(r0, r1, 3, 11, 3, 11, 7, 15, 7, 15);
    wide high = __builtin_shufflevector(r2, r3, 3, 11, 3, 11, 7, 15, 7, 15);
    wide factor = __builtin_shufflevector(low, high, 0, 1, 8, 9, 4, 5, 12, 13);  // v of 0 1 2 3, s of 0 1 2 3
    wide mass = wide_select(factor > zero, wide_set(1.0f) / factor, zero);
    wide sum01 = r0 * r0 * __builtin_shufflevector(mass, mass, 0, 0, 0, 0, 4, 4, 4, 4) +
                 r1 * r1 * __builtin_shufflevector(mass, mass, 1, 1, 1, 1, 5, 5, 5, 5);
    wide sum23 = r2 * r2 * __builtin_shufflevector(mass, mass, 2, 2, 2, 2, 6, 6, 6, 6) +
                 r3 * r3 * __builtin_shufflevector(mass, mass, 3, 3, 3, 3, 7, 7, 7, 7);
    return sum01 + sum23;
}

static inline wide_eight eight_energies(const wide_record r[8])
{
    return four_energies(wide_load(r[0].v), wide_load(r[2].v), wide_load(r[4].v), wide_load(r[6].v)) +
           four_energies(wide_load(r[1].v), wide_load(r[3].v), wide_load(r[5].v), wide_load(r[7].v));
}
#endif

static inline wide_double kinetic_of_eight(const wide_record record[8])
{
    const wide_mask vectors = {-1, -1, -1, 0, -1, -1, -1, 0};
    return wide_to_double(wide_select(vectors, eight_energies(record), wide_set(0.0f)));
}

// Eight records are added in single precision before they join the sum: that is where the time goes.
static double kinetic(const wide_record *record, int64_t count)
{
    wide_double sum = {0};
    int64_t k = 0;
    for (; k + 8 <= count; k += 8) sum += kinetic_of_eight(record + k);
    if (k < count) {
        wide_record rest[8] = {0};
        memcpy(rest, record + k, (size_t)(count - k) * sizeof *rest);
        sum += kinetic_of_eight(rest);
    }
    return 0.5 * wide_double_sum(sum);
}

const sweep_kernels KERNEL(sweep_kernels) = {
    push_grains, extrapolate, kinetic, grains, grain_gap, &KERNEL(general_sweeps), &KERNEL(rolling_kernels)};
