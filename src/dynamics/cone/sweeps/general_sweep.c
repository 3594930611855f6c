// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
//
// Bundles that share no record go side by side: with AVX-512 two in a register, a pair, elsewhere one. One that has to
// go by itself lies beside itself (wide_pairs.h). `apart`: how many bytes the second bundle of a pair is behind the
// first.
#define WIDE_PAIRS
#include "dynamics/cone/sweeps/general_sweep.h"

#include "core/maths/wide_pairs.h"
#include "dynamics/cone/sweeps/sweep_lanes.h"

// Stage by stage, as bundles of grains: 2, 3 and 6 abreast take a tenth longer.
enum { PAIRS_ABREAST = 4 };

// T d and T^T s: L^T is an upper triangle and [lever]x has no diagonal, so the last entry is 0.
INLINED wide3 lever_times(const float m[9][LANES], int64_t apart, wide3 d)
{
    wide t[8];
    for (int k = 0; k < 8; ++k) t[k] = wide_load_apart(m[k], apart);
    return (wide3){(t[0] * d.x + t[1] * d.y) + t[2] * d.z, (t[3] * d.x + t[4] * d.y) + t[5] * d.z,
                   t[6] * d.x + t[7] * d.y};
}

INLINED wide3 lever_velocity(const float m[9][LANES], int64_t apart, wide3 s)
{
    wide t[8];
    for (int k = 0; k < 8; ++k) t[k] = wide_load_apart(m[k], apart);
    return (wide3){(t[0] * s.x + t[3] * s.y) + t[6] * s.z, (t[1] * s.x + t[4] * s.y) + t[7] * s.z,
                   t[2] * s.x + t[5] * s.y};
}

// Relative velocity at the contact, plus bias.
INLINED wide3 velocity_of(const general_bundle *c, int64_t apart, const wide_record *record)
{
    wide3 v, s_a, s_b;
    records_load_apart(record, c->a, c->b, apart, &v, &s_a, &s_b);
    wide3 rotating = wide3_sub(lever_velocity(c->angular_b, apart, s_b), lever_velocity(c->angular_a, apart, s_a));
    return wide3_add(wide3_add(v, rotating), wide3_load_apart(c->r, apart));
}

INLINED void push_pair(const general_bundle *c, int64_t apart, wide_record *record, wide3 impulse)
{
    records_add_apart(record, c->a, c->b, apart, impulse, lever_times(c->angular_a, apart, impulse),
                      lever_times(c->angular_b, apart, impulse));
}

INLINED wide3 old_impulse(general_bundle *c, int64_t apart, const sweep_mode *mode)
{
    wide3 g = wide3_load_apart(c->g, apart);
    if (!mode->accelerated) return g;
    wide3 old = wide3_load_apart(c->old, apart), base = mode->from_old ? old : g;
    wide3_store_apart(c->old, apart, base);
    return extrapolated(base, old, mode);
}

// A pair of bundles on its way from the old impulse to the new one.
typedef struct pair_step {
    wide3 u, y;   // velocity and impulse as the sweep finds them
    wide3 z, zt;  // the impulse so far; its tangent, before and after a projection
    wide zn;
} pair_step;

INLINED void begin_pair(pair_step *s, general_bundle *c, int64_t apart, const wide_record *record,
                        const sweep_mode *mode)
{
    wide3 n = wide3_load_apart(c->n, apart);
    s->u = velocity_of(c, apart, record);
    s->z = s->y = old_impulse(c, apart, mode);
    s->zn = wide3_dot(s->y, n);
    s->zt = wide3_sub(s->y, wide3_scale(s->zn, n));
}

// Down the slope of the contact's own energy at z.
INLINED void descend(pair_step *s, const general_bundle *c, int64_t apart, bool is_first, const sweep_mode *mode,
                     bool coulomb)
{
    wide3 n = wide3_load_apart(c->n, apart), v_z = s->u;
    wide one = wide_set(1.0f), relaxation = wide_set(mode->relaxation);
    if (coulomb) {
        wide yn = wide3_dot(s->y, n);
        relaxation = relaxation_of(mode, yn + wide_load_apart(c->apex, apart), wide3_sub(s->y, wide3_scale(yn, n)),
                                   wide_load_apart(c->mu, apart), coulomb);
    }
    if (!is_first) {
        wide block[6];
        for (int k = 0; k < 6; ++k) block[k] = wide_load_apart(c->block[k], apart);
        v_z = wide3_add(s->u, times_symmetric(block, wide3_sub(s->z, s->y)));
    }
    wide step_n = relaxation * wide_load_apart(c->cn, apart), step_t = relaxation * wide_load_apart(c->ct, apart);
    wide keep_n = one - step_n * wide_load_apart(c->compliance_n, apart),
         keep_t = one - step_t * wide_load_apart(c->compliance_t, apart), un = wide3_dot(v_z, n);
    wide3 ut = wide3_sub(v_z, wide3_scale(un, n));
    s->zn = keep_n * s->zn - step_n * un;
    s->zt = wide3_sub(wide3_scale(keep_t, s->zt), wide3_scale(step_t, ut));
}

INLINED void project_pair(pair_step *s, const general_bundle *c, int64_t apart, const sweep_mode *mode, bool coulomb)
{
    wide mu = wide_load_apart(c->mu, apart), kappa = wide_load_apart(c->kappa, apart);
    if (mode->never_pulls) project(&s->zn, &s->zt, mu, kappa, coulomb);
    else project_from(wide_load_apart(c->apex, apart), &s->zn, &s->zt, mu, kappa, coulomb);
    s->z = wide3_add(wide3_scale(s->zn, wide3_load_apart(c->n, apart)), s->zt);
}

INLINED void end_pair(const pair_step *s, general_bundle *c, int64_t apart, wide_record *record, const sweep_mode *mode,
                      bool coulomb, bool is_pair, lane_sums *sums)
{
    wide3_store_apart(c->g, apart, s->z);
    push_pair(c, apart, record, wide3_sub(s->z, s->y));
    if (!mode->sums) return;
    wide3 n = wide3_load_apart(c->n, apart);
    wide one = wide_set(1.0f), an = one / wide_load_apart(c->cn, apart), yn = wide3_dot(s->y, n);
    wide3 yt = wide3_sub(s->y, wide3_scale(yn, n));
    add_sums(sums, wide3_load_apart(c->r, apart), s->z, s->zn, s->zt, s->zn - yn, wide3_sub(s->zt, yt), an,
             wide_load_apart(c->kappa, apart) * an, wide_load_apart(c->compliance_n, apart),
             wide_load_apart(c->compliance_t, apart), coulomb, is_pair);
}

// A few projected steps on each contact alone, each a descent because c majorises the block.
INLINED void sweep_abreast(general_bundle *bundle, int64_t pairs, int64_t eights, wide_record *record,
                           const sweep_mode *mode, bool coulomb, lane_sums *sums)
{
    pair_step s[PAIRS_ABREAST];
    const int64_t apart = (eights - 1) * (int64_t)sizeof *bundle;
    for (int64_t k = 0; k < pairs; ++k) begin_pair(&s[k], &bundle[eights * k], apart, record, mode);
    for (int step = 0; step < GENERAL_LOCAL_STEPS; ++step) {
        for (int64_t k = 0; k < pairs; ++k) descend(&s[k], &bundle[eights * k], apart, step == 0, mode, coulomb);
        for (int64_t k = 0; k < pairs; ++k) project_pair(&s[k], &bundle[eights * k], apart, mode, coulomb);
    }
    for (int64_t k = 0; k < pairs; ++k)
        end_pair(&s[k], &bundle[eights * k], apart, record, mode, coulomb, eights > 1, sums);
}

INLINED void sweep_all(general_bundle *bundle, int64_t count, wide_record *record, const sweep_mode *mode, bool coulomb,
                       lane_sums *sums)
{
    int64_t k = 0, most = PAIRS_ABREAST * WIDE_EIGHTS;
    for (; mode->is_apart && k + most <= count; k += most)
        sweep_abreast(&bundle[k], PAIRS_ABREAST, WIDE_EIGHTS, record, mode, coulomb, sums);
    for (; mode->is_apart && k + WIDE_EIGHTS <= count; k += WIDE_EIGHTS)
        sweep_abreast(&bundle[k], 1, WIDE_EIGHTS, record, mode, coulomb, sums);
    for (; k < count; ++k) sweep_abreast(&bundle[k], 1, 1, record, mode, coulomb, sums);
}

static void sweep(general_bundle *bundle, int64_t count, wide_record *record, const sweep_mode *mode, sweep_sums *sums)
{
    lane_sums lanes = {0};
    if (mode->coulomb) {
        sweep_all(bundle, count, record, mode, true, &lanes);
    } else if (mode->accelerated && mode->sums && mode->is_apart && mode->never_pulls) {
        const sweep_mode usual = {.beta = mode->beta,
                                  .relaxation = mode->relaxation,
                                  .from_old = mode->from_old,
                                  .accelerated = true,
                                  .sums = true,
                                  .is_apart = true,
                                  .never_pulls = true};
        sweep_all(bundle, count, record, &usual, false, &lanes);
    } else sweep_all(bundle, count, record, mode, false, &lanes);
    sums_close(&lanes, sums);
}

static double gap(const general_bundle *bundle, int64_t count, const wide_record *record, const gap_mode *mode)
{
    wide least = wide_set(mode->least);
    wide_double sum = {0};
    for (int64_t k = 0; k < count; ++k) {
        const general_bundle *c = &bundle[k];
        wide3 n = wide3_load_apart(c->n, 0);
        wide block[6];
        for (int i = 0; i < 6; ++i) block[i] = wide_load_apart(c->block[i], 0);
        wide an = wide3_dot(n, times_symmetric(block, n)), at = wide_set(0.5f) * (block[0] + block[1] + block[2] - an);
        wide own_n = wide_load_apart(c->compliance_n, 0), own_t = wide_load_apart(c->compliance_t, 0);
        wide of = contact_gap(wide3_load_apart(c->g, 0), n, velocity_of(c, 0, record), own_n, own_t,
                              wide_max(own_n, least * an), wide_max(own_t, least * at), wide_load_apart(c->mu, 0),
                              wide_load_apart(c->apex, 0), mode->coulomb);
        keep_gap(mode, k, wide_low(of));
        sum += wide_to_double(wide_low(of));
    }
    return wide_double_sum(sum);
}

static void push(const general_bundle *bundle, int64_t count, wide_record *record)
{
    for (int64_t k = 0; k < count; ++k) push_pair(&bundle[k], 0, record, wide3_load_apart(bundle[k].g, 0));
}

const general_sweeps KERNEL(general_sweeps) = {push, sweep, gap};
