// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/cone/sweeps/rolling.h"

#include "dynamics/cone/sweeps/sweep_lanes.h"
#include "dynamics/cone/system/cone.h"

// Where the cone ends, and the metric (1, kappa_t, kappa_q).
typedef struct cone_lanes {
    wide3 n;
    wide mu, apex, roll, spin, kappa_t, kappa_q;
} cone_lanes;

typedef struct load_lanes {
    wide n;      // of g
    wide3 t, q;  // rest of g; q
} load_lanes;

// As cone_project_load, and cone_coulomb_load.
INLINED load_lanes project_load(const cone_lanes *cone, load_lanes p, bool coulomb)
{
    wide qn = wide3_dot(p.q, cone->n), high = p.n + cone->apex;
    wide3 qt = wide3_sub(p.q, wide3_scale(qn, cone->n));
    const cone_limit part[CONE_LIMITS] = {
        {wide_sqrt(wide3_dot(p.t, p.t)), cone->mu, cone->kappa_t},
        {wide_sqrt(wide3_dot(qt, qt)), cone->roll, cone->kappa_q},
        {wide_max(qn, -qn), cone->spin, cone->kappa_q},
    };
    wide x = coulomb ? cone_height_coulomb(high) : cone_height(high, part), most = cone->spin * x;
    wide3 rolls = wide3_scale(cone_share(&part[1], x), qt),
          spins = wide3_scale(wide_max(wide_min(qn, most), -most), cone->n);
    return (load_lanes){cone_normal(p.n, cone->apex, x), wide3_scale(cone_share(&part[0], x), p.t),
                        wide3_add(rolls, spins)};
}

static inline wide3 minus(wide3 a, wide s, wide3 b) { return wide3_sub(a, wide3_scale(s, b)); }
static inline wide3 plus(wide3 a, wide s, wide3 b) { return wide3_add(a, wide3_scale(s, b)); }

INLINED void add_rolling_sums(lane_sums *sums, wide3 w, wide3 z, wide3 change, wide aq, wide compliance_q, bool coulomb)
{
    wide z2 = wide3_dot(z, z);
    if (!coulomb) sums->energy += wide_to_double(wide3_dot(w, z) + wide_set(0.5f) * (compliance_q * z2));
    sums->change += aq * wide3_dot(change, change);
    sums->size += aq * z2;
}

static inline void push_grain_load(const grain_bundle *c, const rolling_grain *m, wide_record *record, wide3 g, wide3 q)
{
    wide3 moment = wide3_cross(wide3_load(c->n), g);
    wide3 ds_a = plus(wide3_scale(wide_load(c->arm_a), moment), wide_load(m->reach_a), q);
    wide3 ds_b = plus(wide3_scale(wide_load(c->arm_b), moment), wide_load(m->reach_b), q);
    records_add_general(record, c->a, c->b, g, ds_a, ds_b);
}

// Relative velocity at the contact and relative spin times the arm, each with what free motion and bias add.
static inline void grain_velocities(const grain_bundle *restrict c, const rolling_grain *restrict m,
                                    const wide_record *restrict record, wide3 *u, wide3 *w)
{
    wide3 v, s_a, s_b, n = wide3_load(c->n);
    records_load(record, c->a, c->b, &v, &s_a, &s_b);
    wide3 s = minus(wide3_scale(wide_load(c->arm_b), s_b), wide_load(c->arm_a), s_a);
    *w = wide3_add(minus(wide3_scale(wide_load(m->reach_b), s_b), wide_load(m->reach_a), s_a), wide3_load(m->w));
    *u = wide3_add(wide3_point_velocity(v, s, n), wide3_load(c->r));
}

static inline void general_velocities(const general_bundle *restrict c, const rolling_general *restrict m,
                                      const wide_record *restrict record, wide3 *u, wide3 *w)
{
    wide3 v, s_a, s_b;
    records_load(record, c->a, c->b, &v, &s_a, &s_b);
    wide3 rotating = wide3_sub(transpose_times(c->angular_b, s_b), transpose_times(c->angular_a, s_a));
    *u = wide3_add(wide3_add(v, rotating), wide3_load(c->r));
    *w = wide3_add(wide3_sub(transpose_times(m->spin_b, s_b), transpose_times(m->spin_a, s_a)), wide3_load(m->w));
}

// A bundle of grains on its way from the old load to the new one.
typedef struct grain_load_step {
    wide3 y, yt, start_q;
    wide yn;
    load_lanes z;  // before and after the projection
} grain_load_step;

INLINED cone_lanes grain_cone(const grain_bundle *c, const rolling_grain *m)
{
    return (cone_lanes){wide3_load(c->n),   wide_load(c->mu),      wide_load(m->apex),   wide_load(m->roll),
                        wide_load(m->spin), wide_load(m->kappa_t), wide_load(m->kappa_q)};
}

INLINED grain_load_step begin_grain_loads(const grain_bundle *restrict c, old_impulses *restrict old,
                                          rolling_grain *restrict m, const wide_record *restrict record,
                                          const sweep_mode *mode, bool coulomb)
{
    wide3 u, w, n = wide3_load(c->n);
    grain_velocities(c, m, record, &u, &w);
    grain_load_step s = {.y = start_impulse(c->g, old != NULL ? old->g : NULL, mode),
                         .start_q = start_impulse(m->q, m->old, mode)};
    wide one = wide_set(1.0f), un = wide3_dot(u, n);
    wide rest_n = one - wide_load(c->sigma), rest_t = one - wide_load(m->keep_t), rest_q = one - wide_load(m->keep_q);
    s.yn = wide3_dot(s.y, n);
    s.yt = minus(s.y, s.yn, n);
    wide relaxation = relaxation_of(mode, s.yn + wide_load(m->apex), s.yt, wide_load(c->mu), coulomb);
    s.z = (load_lanes){
        (one - relaxation * rest_n) * s.yn - (relaxation * wide_load(c->cn)) * un,
        minus(wide3_scale(one - relaxation * rest_t, s.yt), relaxation * wide_load(m->ct), minus(u, un, n)),
        minus(wide3_scale(one - relaxation * rest_q, s.start_q), relaxation * wide_load(m->cq), w)};
    return s;
}

INLINED void project_grain_loads(grain_load_step *s, const grain_bundle *c, const rolling_grain *m, bool coulomb)
{
    const cone_lanes cone = grain_cone(c, m);
    s->z = project_load(&cone, s->z, coulomb);
}

INLINED void end_grain_loads(const grain_load_step *s, grain_bundle *restrict c, rolling_grain *restrict m,
                             wide_record *restrict record, const sweep_mode *mode, bool coulomb, lane_sums *sums)
{
    wide3 g = plus(s->z.t, s->z.n, wide3_load(c->n)), change_q = wide3_sub(s->z.q, s->start_q);
    wide3_store(c->g, g);
    wide3_store(m->q, s->z.q);
    push_grain_load(c, m, record, wide3_sub(g, s->y), change_q);
    if (!mode->sums) return;
    wide one = wide_set(1.0f), an = one / wide_load(c->cn), at = wide_load(m->kappa_t) * an,
         aq = wide_load(m->kappa_q) * an;
    wide rest_n = one - wide_load(c->sigma), rest_t = one - wide_load(m->keep_t), rest_q = one - wide_load(m->keep_q);
    add_sums(sums, wide3_load(c->r), g, s->z.n, s->z.t, s->z.n - s->yn, wide3_sub(s->z.t, s->yt), an, at, rest_n * an,
             rest_t * at, coulomb, false);
    add_rolling_sums(sums, wide3_load(m->w), s->z.q, change_q, aq, rest_q * aq, coulomb);
}

INLINED void sweep_abreast(grain_bundle *restrict bundle, old_impulses *restrict old, rolling_grain *restrict rolling,
                           int64_t count, wide_record *restrict record, const sweep_mode *mode, bool coulomb,
                           lane_sums *sums)
{
    grain_load_step s[BUNDLES_ABREAST];
    for (int64_t k = 0; k < count; ++k)
        s[k] = begin_grain_loads(&bundle[k], mode->accelerated ? &old[k] : NULL, &rolling[k], record, mode, coulomb);
    for (int64_t k = 0; k < count; ++k) project_grain_loads(&s[k], &bundle[k], &rolling[k], coulomb);
    for (int64_t k = 0; k < count; ++k) end_grain_loads(&s[k], &bundle[k], &rolling[k], record, mode, coulomb, sums);
}

INLINED void sweep_grain_loads(grain_bundle *bundle, old_impulses *old, rolling_grain *rolling, int64_t count,
                               wide_record *record, const sweep_mode *mode, bool coulomb, lane_sums *sums)
{
    int64_t k = 0;
    for (; mode->is_apart && k + BUNDLES_ABREAST <= count; k += BUNDLES_ABREAST)
        sweep_abreast(&bundle[k], mode->accelerated ? &old[k] : NULL, &rolling[k], BUNDLES_ABREAST, record, mode,
                      coulomb, sums);
    for (; k < count; ++k)
        sweep_abreast(&bundle[k], mode->accelerated ? &old[k] : NULL, &rolling[k], 1, record, mode, coulomb, sums);
}

static inline void push_general_load(const general_bundle *c, const rolling_general *m, wide_record *record, wide3 g,
                                     wide3 q)
{
    records_add_general(record, c->a, c->b, g, wide3_add(matrix_times(c->angular_a, g), matrix_times(m->spin_a, q)),
                        wide3_add(matrix_times(c->angular_b, g), matrix_times(m->spin_b, q)));
}

INLINED void sweep_general_loads(general_bundle *restrict c, rolling_general *restrict m, wide_record *restrict record,
                                 const sweep_mode *mode, bool coulomb, lane_sums *sums)
{
    wide3 u, w, n = wide3_load(c->n), r = wide3_load(c->r), free_w = wide3_load(m->w);
    general_velocities(c, m, record, &u, &w);
    wide3 y = start_impulse(c->g, c->old, mode), start_q = start_impulse(m->q, m->old, mode);

    wide block[6], block_q[6], cn = wide_load(m->cn), ct = wide_load(m->ct), cq = wide_load(m->cq);
    wide compliance_n = wide_load(c->compliance_n), compliance_t = wide_load(c->compliance_t),
         compliance_q = wide_load(m->compliance_q);
    for (int k = 0; k < 6; ++k) block[k] = wide_load(c->block[k]), block_q[k] = wide_load(m->block_q[k]);
    const cone_lanes cone = {n,       wide_load(c->mu), wide_load(c->apex), wide_load(m->roll), wide_load(m->spin),
                             cn / ct, cn / cq};
    wide yn = wide3_dot(y, n);
    wide3 yt = minus(y, yn, n);
    load_lanes z = {yn, yt, start_q};
    wide relaxation = relaxation_of(mode, yn + cone.apex, yt, cone.mu, coulomb), step_n = relaxation * cn,
         step_t = relaxation * ct, step_q = relaxation * cq;
    for (int k = 0; k < GENERAL_LOCAL_STEPS; ++k) {
        wide un = wide3_dot(u, n);
        const load_lanes p = {z.n - step_n * (un + compliance_n * z.n),
                              minus(z.t, step_t, plus(minus(u, un, n), compliance_t, z.t)),
                              minus(z.q, step_q, plus(w, compliance_q, z.q))};
        load_lanes next = project_load(&cone, p, coulomb);
        wide3 d = plus(wide3_sub(next.t, z.t), next.n - z.n, n), e = wide3_sub(next.q, z.q);
        u = wide3_add(u, wide3_add(times_symmetric(block, d), matrix_times(m->mix, e)));
        w = wide3_add(w, wide3_add(times_symmetric(block_q, e), transpose_times(m->mix, d)));
        z = next;
    }
    wide3 g = plus(z.t, z.n, n);
    wide3_store(c->g, g);
    wide3_store(m->q, z.q);
    push_general_load(c, m, record, wide3_sub(g, y), wide3_sub(z.q, start_q));
    if (mode->sums) {
        wide one = wide_set(1.0f);
        add_sums(sums, r, g, z.n, z.t, z.n - yn, wide3_sub(z.t, yt), one / cn, one / ct, compliance_n, compliance_t,
                 coulomb, false);
        add_rolling_sums(sums, free_w, z.q, wide3_sub(z.q, start_q), one / cq, compliance_q, coulomb);
    }
}

static void grains(grain_bundle *bundle, old_impulses *old, rolling_grain *rolling, int64_t count, wide_record *record,
                   const sweep_mode *mode, sweep_sums *sums)
{
    lane_sums lanes = {0};
    if (mode->coulomb) sweep_grain_loads(bundle, old, rolling, count, record, mode, true, &lanes);
    else sweep_grain_loads(bundle, old, rolling, count, record, mode, false, &lanes);
    sums_close(&lanes, sums);
}

static void general(general_bundle *bundle, rolling_general *rolling, int64_t count, wide_record *record,
                    const sweep_mode *mode, sweep_sums *sums)
{
    lane_sums lanes = {0};
    if (mode->coulomb)
        for (int64_t k = 0; k < count; ++k) sweep_general_loads(&bundle[k], &rolling[k], record, mode, true, &lanes);
    else
        for (int64_t k = 0; k < count; ++k) sweep_general_loads(&bundle[k], &rolling[k], record, mode, false, &lanes);
    sums_close(&lanes, sums);
}

static void push_grains(const grain_bundle *bundle, const rolling_grain *rolling, int64_t count, wide_record *record)
{
    for (int64_t k = 0; k < count; ++k)
        push_grain_load(&bundle[k], &rolling[k], record, wide3_load(bundle[k].g), wide3_load(rolling[k].q));
}

static void push_general(const general_bundle *bundle, const rolling_general *rolling, int64_t count,
                         wide_record *record)
{
    for (int64_t k = 0; k < count; ++k)
        push_general_load(&bundle[k], &rolling[k], record, wide3_load(bundle[k].g), wide3_load(rolling[k].q));
}

// As cone_slip.
static inline wide slip(const cone_lanes *cone, wide3 ut, wide3 w)
{
    wide wn = wide3_dot(w, cone->n);
    wide3 wt = minus(w, wn, cone->n);
    return cone->mu * wide_sqrt(wide3_dot(ut, ut)) + cone->roll * wide_sqrt(wide3_dot(wt, wt)) +
           cone->spin * wide_max(wn, -wn);
}

static inline wide load_gap(wide3 n, wide3 y, wide3 q, wide3 u, wide3 w, const wide own[3], const wide compliance[3],
                            cone_lanes cone, bool coulomb)
{
    wide one = wide_set(1.0f), tiny = wide_set(1e-30f), yn = wide3_dot(y, n), un = wide3_dot(u, n), step[3];
    for (int k = 0; k < 3; ++k) step[k] = one / wide_max(compliance[k], tiny);
    cone.kappa_t = compliance[1] * step[0], cone.kappa_q = compliance[2] * step[0];
    wide3 yt = minus(y, yn, n), ut = minus(u, un, n);
    ut = plus(ut, own[1], yt), w = plus(w, own[2], q);
    if (coulomb) un += slip(&cone, ut, w);
    load_lanes p = {yn - step[0] * (un + own[0] * yn), minus(yt, step[1], ut), minus(q, step[2], w)};
    load_lanes z = project_load(&cone, p, false);
    gap_lanes gap = {0};
    add_gap(&gap, compliance[0], along_x(yn), along_x(z.n), along_x(p.n));
    add_gap(&gap, compliance[1], yt, z.t, p.t);
    add_gap(&gap, compliance[2], q, z.q, p.q);
    return gap_total(&gap);
}

static double grain_gap(const grain_bundle *bundle, const rolling_grain *rolling, int64_t count,
                        const wide_record *record, const gap_mode *mode)
{
    wide_double sum = {0};
    for (int64_t k = 0; k < count; ++k) {
        const grain_bundle *c = &bundle[k];
        const rolling_grain *m = &rolling[k];
        wide3 u, w, n = wide3_load(c->n);
        grain_velocities(c, m, record, &u, &w);
        wide one = wide_set(1.0f), share = wide_set(mode->least), own[3], compliance[3];
        const wide keep[3] = {wide_load(c->sigma), wide_load(m->keep_t), wide_load(m->keep_q)};
        const wide whole[3] = {one / wide_load(c->cn), one / wide_load(m->ct), one / wide_load(m->cq)};
        for (int i = 0; i < 3; ++i) {
            own[i] = (one - keep[i]) * whole[i];
            compliance[i] = wide_max(own[i], share * (keep[i] * whole[i]));
        }
        const cone_lanes cone = {
            n, wide_load(c->mu), wide_load(m->apex), wide_load(m->roll), wide_load(m->spin), share, share};
        wide gap = load_gap(n, wide3_load(c->g), wide3_load(m->q), u, w, own, compliance, cone, mode->coulomb);
        keep_gap(mode, k, gap);
        sum += wide_to_double(gap);
    }
    return wide_double_sum(sum);
}

static double general_gap(const general_bundle *bundle, const rolling_general *rolling, int64_t count,
                          const wide_record *record, const gap_mode *mode)
{
    wide_double sum = {0};
    for (int64_t k = 0; k < count; ++k) {
        const general_bundle *c = &bundle[k];
        const rolling_general *m = &rolling[k];
        wide3 u, w, n = wide3_load(c->n);
        general_velocities(c, m, record, &u, &w);
        wide block[6];
        for (int i = 0; i < 6; ++i) block[i] = wide_load(c->block[i]);
        wide an = wide3_dot(n, times_symmetric(block, n)), at = wide_set(0.5f) * (block[0] + block[1] + block[2] - an);
        wide aq =
            wide_set(1.0f / 3.0f) * (wide_load(m->block_q[0]) + wide_load(m->block_q[1]) + wide_load(m->block_q[2]));
        const wide own[3] = {wide_load(c->compliance_n), wide_load(c->compliance_t), wide_load(m->compliance_q)},
                   share = wide_set(mode->least);
        const wide compliance[3] = {wide_max(own[0], share * an), wide_max(own[1], share * at),
                                    wide_max(own[2], share * aq)};
        const cone_lanes cone = {
            n, wide_load(c->mu), wide_load(c->apex), wide_load(m->roll), wide_load(m->spin), share, share};
        wide gap = load_gap(n, wide3_load(c->g), wide3_load(m->q), u, w, own, compliance, cone, mode->coulomb);
        keep_gap(mode, k, gap);
        sum += wide_to_double(gap);
    }
    return wide_double_sum(sum);
}

const rolling_kernels KERNEL(rolling_kernels) = {push_grains, push_general, grains, general, grain_gap, general_gap};
