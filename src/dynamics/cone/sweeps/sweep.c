// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
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

// T d and T^T s of a general bundle: L^T is an upper triangle and [lever]x has no diagonal, so the last entry is 0.
static inline wide3 lever_times(const float m[9][LANES], wide3 d)
{
    wide3 s;
    s.x = (wide_load(m[0]) * d.x + wide_load(m[1]) * d.y) + wide_load(m[2]) * d.z;
    s.y = (wide_load(m[3]) * d.x + wide_load(m[4]) * d.y) + wide_load(m[5]) * d.z;
    s.z = wide_load(m[6]) * d.x + wide_load(m[7]) * d.y;
    return s;
}

static inline wide3 lever_velocity(const float m[9][LANES], wide3 s)
{
    wide3 v;
    v.x = (wide_load(m[0]) * s.x + wide_load(m[3]) * s.y) + wide_load(m[6]) * s.z;
    v.y = (wide_load(m[1]) * s.x + wide_load(m[4]) * s.y) + wide_load(m[7]) * s.z;
    v.z = wide_load(m[2]) * s.x + wide_load(m[5]) * s.y;
    return v;
}

static inline wide3 general_velocity(const general_bundle *restrict c, const wide_record *restrict record)
{
    wide3 v, s_a, s_b;
    records_load(record, c->a, c->b, &v, &s_a, &s_b);
    wide3 rotating = wide3_sub(lever_velocity(c->angular_b, s_b), lever_velocity(c->angular_a, s_a));
    return wide3_add(wide3_add(v, rotating), wide3_load(c->r));
}

static inline void push_grain_pair(const grain_bundle *c, wide_record *record, wide3 impulse)
{
    records_add(record, c->a, c->b, c->arm_a, c->arm_b, impulse, wide3_cross(wide3_load(c->n), impulse));
}

// A bundle of grains on its way from the old impulse to the new one.
typedef struct grain_step {
    wide3 n, y, yt, zt;  // zt, zn: before and after the projection
    wide yn, zn, at;
} grain_step;

INLINED grain_step begin_grains(const grain_bundle *restrict c, old_impulses *restrict old, const apex_lanes *apex,
                                const wide_record *restrict record, const sweep_mode *mode, bool coulomb)
{
    grain_step s = {.n = wide3_load(c->n)};
    wide3 u = grain_velocity(c, record);
    s.y = start_impulse(c->g, old != NULL ? old->g : NULL, mode);

    wide cn = wide_load(c->cn), ct = wide_load(c->ct), sigma = wide_load(c->sigma);
    wide un = wide3_dot(u, s.n);
    wide3 ut = wide3_sub(u, wide3_scale(un, s.n));
    s.yn = wide3_dot(s.y, s.n);
    s.yt = wide3_sub(s.y, wide3_scale(s.yn, s.n));
    wide high = apex != NULL ? s.yn + wide_load(apex->apex) : s.yn;
    wide one = wide_set(1.0f), w = relaxation_of(mode, high, s.yt, wide_load(c->mu), coulomb);
    wide keep = one - w * (one - sigma);
    s.at = one / ct;
    s.zn = keep * s.yn - (w * cn) * un;
    s.zt = wide3_sub(wide3_scale(keep, s.yt), wide3_scale(w * ct, ut));
    return s;
}

INLINED void project_grains(grain_step *s, const grain_bundle *restrict c, const apex_lanes *apex, bool coulomb)
{
    wide mu = wide_load(c->mu), kappa = wide_load(c->cn) * s->at;
    if (apex != NULL) project_from(wide_load(apex->apex), &s->zn, &s->zt, mu, kappa, coulomb);
    else project(&s->zn, &s->zt, mu, kappa, coulomb);
}

INLINED void end_grains(const grain_step *s, grain_bundle *restrict c, wide_record *restrict record,
                        const sweep_mode *mode, bool coulomb, lane_sums *sums)
{
    wide3 z = wide3_add(wide3_scale(s->zn, s->n), s->zt), d = wide3_sub(z, s->y);
    wide3_store(c->g, z);
    push_grain_pair(c, record, d);
    if (!mode->sums) return;
    wide one = wide_set(1.0f), an = one / wide_load(c->cn), compliance = one - wide_load(c->sigma);
    // eps A = (1 - sigma) (1 + eps) A
    add_sums(sums, wide3_load(c->r), z, s->zn, s->zt, s->zn - s->yn, wide3_sub(s->zt, s->yt), an, s->at,
             compliance * an, compliance * s->at, coulomb);
}

static inline void push_pair(const general_bundle *c, wide_record *record, wide3 impulse)
{
    records_add_general(record, c->a, c->b, impulse, lever_times(c->angular_a, impulse),
                        lever_times(c->angular_b, impulse));
}

// From the velocity u to the new impulse: what it changes by.
INLINED wide3 solve_general(general_bundle *restrict c, wide3 u, const sweep_mode *mode, bool coulomb, lane_sums *sums)
{
    wide3 n = wide3_load(c->n), r = wide3_load(c->r), y = start_impulse(c->g, c->old, mode);
    wide block[6], cn = wide_load(c->cn), ct = wide_load(c->ct), mu = wide_load(c->mu), kappa = wide_load(c->kappa);
    wide compliance_n = wide_load(c->compliance_n), compliance_t = wide_load(c->compliance_t);
    for (int k = 0; k < 6; ++k) block[k] = wide_load(c->block[k]);

    // A few projected steps on the contact alone, each a descent because c majorises the block.
    wide yn = wide3_dot(y, n), zn = yn;
    wide3 yt = wide3_sub(y, wide3_scale(yn, n)), zt = yt, z = y, v_z = u;
    wide one = wide_set(1.0f), relaxation = relaxation_of(mode, yn + wide_load(c->apex), yt, mu, coulomb);
    wide step_n = relaxation * cn, step_t = relaxation * ct;
    wide keep_n = one - step_n * compliance_n, keep_t = one - step_t * compliance_t;
    for (int k = 0; k < GENERAL_LOCAL_STEPS; ++k) {
        if (k > 0) v_z = wide3_add(u, times_symmetric(block, wide3_sub(z, y)));
        wide un = wide3_dot(v_z, n);
        wide3 ut = wide3_sub(v_z, wide3_scale(un, n));
        zn = keep_n * zn - step_n * un;
        zt = wide3_sub(wide3_scale(keep_t, zt), wide3_scale(step_t, ut));
        if (mode->never_pulls) project(&zn, &zt, mu, kappa, coulomb);
        else project_from(wide_load(c->apex), &zn, &zt, mu, kappa, coulomb);
        z = wide3_add(wide3_scale(zn, n), zt);
    }
    wide3_store(c->g, z);
    if (mode->sums) {
        wide an = one / cn;
        add_sums(sums, r, z, zn, zt, zn - yn, wide3_sub(zt, yt), an, kappa * an, compliance_n, compliance_t, coulomb);
    }
    return wide3_sub(z, y);
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

INLINED void sweep_grains_abreast(grain_bundle *restrict bundle, old_impulses *restrict old, const apex_lanes *apex,
                                  int64_t count, wide_record *restrict record, const sweep_mode *mode, bool coulomb,
                                  lane_sums *sums)
{
    grain_step s[BUNDLES_ABREAST];
    for (int64_t k = 0; k < count; ++k)
        s[k] = begin_grains(&bundle[k], mode->accelerated ? &old[k] : NULL, apex != NULL ? &apex[k] : NULL, record,
                            mode, coulomb);
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
        const sweep_mode plain = {.relaxation = 1.0f, .fetches = mode->fetches, .is_apart = mode->is_apart};
        sweep_grains(bundle, NULL, NULL, count, record, &plain, false, &lanes);
    } else sweep_grains(bundle, old, NULL, count, record, mode, false, &lanes);
    sums_close(&lanes, sums);
}

INLINED void sweep_abreast(general_bundle *restrict bundle, int64_t count, wide_record *restrict record,
                           const sweep_mode *mode, bool coulomb, lane_sums *sums)
{
    wide3 u[BUNDLES_ABREAST];
    for (int64_t k = 0; k < count; ++k) u[k] = general_velocity(&bundle[k], record);
    for (int64_t k = 0; k < count; ++k) u[k] = solve_general(&bundle[k], u[k], mode, coulomb, sums);
    for (int64_t k = 0; k < count; ++k) push_pair(&bundle[k], record, u[k]);
}

INLINED void sweep_general(general_bundle *bundle, int64_t count, wide_record *record, const sweep_mode *mode,
                           bool coulomb, lane_sums *sums)
{
    int64_t abreast = mode->is_apart ? BUNDLES_ABREAST : 1;
    for (int64_t k = 0; k < count; k += abreast)
        sweep_abreast(&bundle[k], count - k < abreast ? count - k : abreast, record, mode, coulomb, sums);
}

static void general(general_bundle *bundle, int64_t count, wide_record *record, const sweep_mode *mode,
                    sweep_sums *sums)
{
    lane_sums lanes = {0};
    if (mode->coulomb) {
        sweep_general(bundle, count, record, mode, true, &lanes);
    } else if (mode->accelerated && mode->sums && mode->is_apart && mode->never_pulls) {
        const sweep_mode usual = {.beta = mode->beta,
                                  .relaxation = mode->relaxation,
                                  .from_old = mode->from_old,
                                  .accelerated = true,
                                  .sums = true,
                                  .is_apart = true,
                                  .never_pulls = true};
        sweep_general(bundle, count, record, &usual, false, &lanes);
    } else sweep_general(bundle, count, record, mode, false, &lanes);
    sums_close(&lanes, sums);
}

// own: the compliance in the problem, R; compliance: the one that is used, which is at least a share of the contact's
// diagonal
static inline wide contact_gap(wide3 y, wide3 n, wide3 u, wide own_n, wide own_t, wide compliance_n, wide compliance_t,
                               wide mu, wide apex, bool coulomb)
{
    wide yn = wide3_dot(y, n), un = wide3_dot(u, n);
    wide3 yt = wide3_sub(y, wide3_scale(yn, n)), ut = wide3_sub(u, wide3_scale(un, n));
    if (coulomb) {
        wide3 slides = wide3_add(ut, wide3_scale(own_t, yt));
        un += mu * wide_sqrt(wide3_dot(slides, slides));
    }
    wide one = wide_set(1.0f), tiny = wide_set(1e-30f), step_n = one / wide_max(compliance_n, tiny),
         step_t = one / wide_max(compliance_t, tiny);
    wide pn = yn - step_n * (un + own_n * yn), zn = pn;
    wide3 pt = wide3_sub(yt, wide3_scale(step_t, wide3_add(ut, wide3_scale(own_t, yt)))), zt = pt;
    project_from(apex, &zn, &zt, mu, compliance_t * step_n, false);
    gap_lanes gap = {0};
    add_gap(&gap, compliance_n, along_x(yn), along_x(zn), along_x(pn));
    add_gap(&gap, compliance_t, yt, zt, pt);
    return gap_total(&gap);
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

static double general_gap(const general_bundle *bundle, int64_t count, const wide_record *record, const gap_mode *mode)
{
    wide least = wide_set(mode->least);
    wide_double sum = {0};
    for (int64_t k = 0; k < count; ++k) {
        const general_bundle *c = &bundle[k];
        wide3 n = wide3_load(c->n);
        wide block[6];
        for (int i = 0; i < 6; ++i) block[i] = wide_load(c->block[i]);
        wide an = wide3_dot(n, times_symmetric(block, n)), at = wide_set(0.5f) * (block[0] + block[1] + block[2] - an);
        wide own_n = wide_load(c->compliance_n), own_t = wide_load(c->compliance_t);
        wide gap =
            contact_gap(wide3_load(c->g), n, general_velocity(c, record), own_n, own_t, wide_max(own_n, least * an),
                        wide_max(own_t, least * at), wide_load(c->mu), wide_load(c->apex), mode->coulomb);
        keep_gap(mode, k, gap);
        sum += wide_to_double(gap);
    }
    return wide_double_sum(sum);
}

static void push_grains(const grain_bundle *bundle, int64_t count, wide_record *record)
{
    for (int64_t k = 0; k < count; ++k) push_grain_pair(&bundle[k], record, wide3_load(bundle[k].g));
}

static void push_general(const general_bundle *bundle, int64_t count, wide_record *record)
{
    for (int64_t k = 0; k < count; ++k) push_pair(&bundle[k], record, wide3_load(bundle[k].g));
}

static void extrapolate(wide_record *restrict record, wide_record *restrict old, int64_t count, float beta,
                        bool from_old)
{
    for (int64_t i = 0; i < count; ++i) {
        wide now = wide_load(record[i].v), before = wide_load(old[i].v), base = from_old ? before : now;
        wide_store(old[i].v, base);
        wide_store(record[i].v, base + wide_set(beta) * (base - before));
    }
}

// v^2 / v_factor and s^2 / s_factor of four records, added up; lanes 3 and 7 are of no use. One division for all four.
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

static inline wide record_or_zero(const wide_record *record, int64_t i, int64_t count)
{
    return i < count ? wide_load(record[i].v) : wide_set(0.0f);
}

// Eight records are added in single precision before they join the sum: that is where the time goes.
static double kinetic(const wide_record *record, int64_t count)
{
    const wide_mask vectors = {-1, -1, -1, 0, -1, -1, -1, 0};
    wide_double sum = {0};
    for (int64_t first = 0; first < count; first += 8) {
        wide r[8];
        for (int k = 0; k < 8; ++k) r[k] = record_or_zero(record, first + k, count);
        wide few = four_energies(r[0], r[1], r[2], r[3]) + four_energies(r[4], r[5], r[6], r[7]);
        sum += wide_to_double(wide_select(vectors, few, wide_set(0.0f)));
    }
    return 0.5 * wide_double_sum(sum);
}

const sweep_kernels KERNEL(sweep_kernels) = {
    push_grains, push_general, extrapolate, kinetic, grains, general, grain_gap, general_gap, &KERNEL(rolling_kernels)};
