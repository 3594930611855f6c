// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of sweep.c and rolling_sweep.c share: projection, extrapolation and sums, eight contacts at a time.
#ifndef DYNAMICS_CONE_SWEEPS_SWEEP_LANES_H
#define DYNAMICS_CONE_SWEEPS_SWEEP_LANES_H

#include "dynamics/cone/sweeps/sweep.h"

#define LANES_SINGLE
#include "dynamics/cone/system/cone_lanes.h"

// The energy decides about restarts and is summed in double; the others only say when to stop.
typedef struct lane_sums {
    wide_double energy;
    wide_eight change, size, elastic;
} lane_sums;

// Square roots and divisions of one bundle wait for each other, those of several do not: bundles that share no record
// go side by side, stage by stage. Of grains that takes a fifth less time than one after the other.
enum { BUNDLES_ABREAST = 4 };

#define INLINED static inline __attribute__((always_inline))  // so that one loop is made for each law

// Projection onto the cone |t| <= mu n in the metric (1, kappa): the nearest point, exactly. Coulomb: n first.
INLINED void project(wide *pn, wide3 *pt, wide mu, wide kappa, bool coulomb)
{
    const cone_limit part = {wide_sqrt(wide3_dot(*pt, *pt)), mu, kappa};
    *pn = coulomb ? cone_height_coulomb(*pn) : cone_height_of_one(*pn, &part);
    *pt = wide3_scale(cone_share(&part, *pn), *pt);
}

// The same for |t| <= mu (n + apex).
INLINED void project_from(wide apex, wide *pn, wide3 *pt, wide mu, wide kappa, bool coulomb)
{
    wide x = *pn + apex;
    project(&x, pt, mu, kappa, coulomb);
    *pn = cone_normal(*pn, apex, x);
}

// w of sweep.h. Under Coulomb's law a contact counts as sliding if it starts so, at its limit to rounding.
static const float AT_LIMIT = 0.999f;
INLINED wide relaxation_of(const sweep_mode *mode, wide height, wide3 yt, wide mu, bool coulomb)
{
    wide w = wide_set(mode->relaxation), zero = wide_set(0.0f);
    if (!coulomb) return w;
    wide most = wide_set(AT_LIMIT) * mu * wide_max(height, zero);
    return wide_select((mu > zero) & (wide3_dot(yt, yt) >= most * most), wide_set(mode->sliding), w);
}

// From base = g, or old again after a rejected sweep; that is what `old` is to become.
static inline wide3 extrapolated(wide3 base, wide3 old, const sweep_mode *mode)
{
    return wide3_add(base, wide3_scale(wide_set(mode->beta), wide3_sub(base, old)));
}

static inline wide3 start_impulse(const float g[3][LANES], float old[3][LANES], const sweep_mode *mode)
{
    if (!mode->accelerated) return wide3_load(g);
    wide3 before = wide3_load(old), base = mode->from_old ? before : wide3_load(g);
    wide3_store(old, base);
    return extrapolated(base, before, mode);
}

INLINED void add_eights(lane_sums *sums, wide_eight energy, wide_eight elastic, wide_eight change, wide_eight size,
                        bool coulomb)
{
    if (!coulomb) sums->energy += wide_to_double(energy);
    sums->elastic += elastic;
    sums->change += change;
    sums->size += size;
}

// Coulomb's law has no energy. an, at: (1 + eps) times the metric A; compliance_n, compliance_t: eps times it. Bundles
// are added one by one, however many go at once; of a pair that is one bundle twice it counts once.
INLINED void add_sums(lane_sums *sums, wide3 r, wide3 z, wide zn, wide3 zt, wide dn, wide3 dt, wide an, wide at,
                      wide compliance_n, wide compliance_t, bool coulomb, bool is_pair)
{
    wide zn2 = zn * zn, zt2 = wide3_dot(zt, zt), elastic = compliance_n * zn2 + compliance_t * zt2;
    wide energy = wide3_dot(r, z) + wide_set(0.5f) * elastic, change = an * (dn * dn) + at * wide3_dot(dt, dt);
    wide size = an * zn2 + at * zt2;
    add_eights(sums, wide_low(energy), wide_low(elastic), wide_low(change), wide_low(size), coulomb);
    if (is_pair) add_eights(sums, wide_high(energy), wide_high(elastic), wide_high(change), wide_high(size), coulomb);
}

// The duality gap of response.h in single precision: y the load, z the response, p what that would be without a cone.
static const float LOAD_ROUNDING = 4e-7f;  // of a load: what it is off its cone by without being wrong

typedef struct gap_lanes {
    wide curved;   // 1/2 d . R d, d = y - z
    wide steep;    // d . R (z - p)
    wide rounded;  // what rounding may make of it, over LOAD_ROUNDING
} gap_lanes;

static inline void add_gap(gap_lanes *gap, wide compliance, wide3 y, wide3 z, wide3 p)
{
    wide3 d = wide3_sub(y, z), out = wide3_sub(z, p);
    gap->curved += wide_set(0.5f) * (compliance * wide3_dot(d, d));
    gap->steep += compliance * wide3_dot(d, out);
    gap->rounded += compliance * wide_sqrt(wide3_dot(y, y) * wide3_dot(out, out));
}

static inline void keep_gap(const gap_mode *mode, int64_t bundle, wide_eight gap)
{
    if (mode->each != NULL) memcpy(mode->each + LANES * bundle, &gap, sizeof gap);
}

static inline wide gap_total(const gap_lanes *gap)
{
    return gap->curved + wide_max(gap->steep - wide_set(LOAD_ROUNDING) * gap->rounded, wide_set(0.0f));
}

static inline wide3 along_x(wide x) { return (wide3){x, wide_set(0.0f), wide_set(0.0f)}; }

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

static inline wide3 times_symmetric(const wide m[6], wide3 v)
{
    return (wide3){(m[0] * v.x + m[3] * v.y) + m[4] * v.z, (m[3] * v.x + m[1] * v.y) + m[5] * v.z,
                   (m[4] * v.x + m[5] * v.y) + m[2] * v.z};
}

// m d, and m^T s; m is 3 x 3, row by row.
static inline wide3 matrix_times(const float m[9][LANES], wide3 d)
{
    wide3 s;
    s.x = (wide_load(m[0]) * d.x + wide_load(m[1]) * d.y) + wide_load(m[2]) * d.z;
    s.y = (wide_load(m[3]) * d.x + wide_load(m[4]) * d.y) + wide_load(m[5]) * d.z;
    s.z = (wide_load(m[6]) * d.x + wide_load(m[7]) * d.y) + wide_load(m[8]) * d.z;
    return s;
}

static inline wide3 transpose_times(const float m[9][LANES], wide3 s)
{
    wide3 v;
    v.x = (wide_load(m[0]) * s.x + wide_load(m[3]) * s.y) + wide_load(m[6]) * s.z;
    v.y = (wide_load(m[1]) * s.x + wide_load(m[4]) * s.y) + wide_load(m[7]) * s.z;
    v.z = (wide_load(m[2]) * s.x + wide_load(m[5]) * s.y) + wide_load(m[8]) * s.z;
    return v;
}

static inline void sums_close(const lane_sums *lanes, sweep_sums *sums)
{
    *sums = (sweep_sums){wide_double_sum(lanes->energy), wide_double_sum(wide_to_double(lanes->change)),
                         wide_double_sum(wide_to_double(lanes->size)), wide_double_sum(wide_to_double(lanes->elastic))};
}

#endif
