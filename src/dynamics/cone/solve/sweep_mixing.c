// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/solve/sweep_mixing.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "dynamics/cone/solve/sweep_passes.h"

enum { BLOCK = 64, LOADS = 3 * LANES };         // bundles; numbers that a bundle has of impulses, and of moments
enum { START, CHANGED, REACHED, DIFFERENCES };  // vectors: x, f, G; then df and dG of each pair
enum { VECTORS = DIFFERENCES + 2 * MIXED_CYCLES };
enum {
    OWN,
    WITH_CHANGE,
    WITH_NEW = WITH_CHANGE + MIXED_CYCLES,
    SUMS = WITH_NEW + MIXED_CYCLES
};  // f.f, df_i.f, df_i.df
// Of each df.df: what keeps c small where differences are nearly the same. 1e-4 leaves one step of 40 unsolved.
static const double RIDGE = 1e-2;
// Of |f|, from one cycle to the next: then contacts have changed so much that what was learned of G is void.
static const double JUMP = 3.0;

static int64_t bundles_of(const problem *p) { return p->grains.bundle_count + p->general.bundle_count; }

static int64_t numbers_of(const problem *p) { return p->rolls ? 2 * LOADS : LOADS; }

static int64_t blocks_of(const problem *p) { return block_count_of(bundles_of(p), BLOCK); }

scr_status mixing_reserve(mixing_memory *memory, const problem *p, scr_error *error)
{
    scr_status status = scr_grow_anew(&memory->vector, &memory->vector_capacity, bundles_of(p) * numbers_of(p),
                                      VECTORS * sizeof *memory->vector, "sweeps", error);
    if (status != SCR_OK) return status;
    return scr_grow_anew(&memory->sums, &memory->sums_capacity, blocks_of(p), SUMS * sizeof *memory->sums, "sweeps",
                         error);
}

void mixing_free(mixing_memory *memory)
{
    scr_free(memory->vector);
    scr_free(memory->sums);
    *memory = (mixing_memory){0};
}

// What a bundle has of a vector: all of them lie side by side.
static float *part(const sweeper *s, int64_t bundle, int vector)
{
    return s->mixing->vector + (bundle * VECTORS + vector) * numbers_of(s->p);
}

static int df(int pair) { return DIFFERENCES + 2 * pair; }

static int dg(int pair) { return DIFFERENCES + 2 * pair + 1; }

typedef struct bundle_loads {
    float *load[2];        // impulses, moments
    const float *step[2];  // (LANES) one over the weight
} bundle_loads;

static bundle_loads loads_of(const problem *p, int64_t bundle)
{
    int64_t k = bundle - p->grains.bundle_count;
    if (k < 0) {
        grain_bundle *c = &p->grain[bundle];
        rolling_grain *m = p->rolls ? &p->rolling_grain[bundle] : NULL;
        return (bundle_loads){{c->g[0], m != NULL ? m->q[0] : NULL}, {c->ct, m != NULL ? m->cq : NULL}};
    }
    general_bundle *c = &p->general_bundle[k];
    rolling_general *m = p->rolls ? &p->rolling_general[k] : NULL;
    return (bundle_loads){{c->g[0], m != NULL ? m->q[0] : NULL}, {m != NULL ? m->ct : c->ct, m != NULL ? m->cq : NULL}};
}

static void begin_bundle(const sweeper *s, int64_t bundle)
{
    bundle_loads own = loads_of(s->p, bundle);
    float *start = part(s, bundle, START);
    for (int kind = 0; kind < (s->p->rolls ? 2 : 1); ++kind)
        memcpy(start + kind * LOADS, own.load[kind], LOADS * sizeof *start);
}

// f, G and, from the second cycle on, the differences of the new pair.
static void see_bundle(const sweeper *s, int64_t bundle, double sums[SUMS])
{
    const mixing_memory *m = s->mixing;
    bundle_loads own = loads_of(s->p, bundle);
    const float *start = part(s, bundle, START);
    float *changed = part(s, bundle, CHANGED), *reached = part(s, bundle, REACHED);
    float *new_df = part(s, bundle, df(m->next)), *new_dg = part(s, bundle, dg(m->next));
    for (int k = 0; k < numbers_of(s->p); ++k) {
        int kind = k / LOADS;
        float g = own.load[kind][k % LOADS], f = g - start[k], step = own.step[kind][k % LANES];
        double weight = step > 0.0f ? 1.0 / (double)step : 0.0;
        if (m->is_second) new_df[k] = f - changed[k], new_dg[k] = g - reached[k];
        changed[k] = f, reached[k] = g;
        sums[OWN] += weight * (double)f * (double)f;
        for (int i = 0; m->is_second && i < MIXED_CYCLES; ++i) {
            if (i >= m->pairs && i != m->next) continue;
            double d = weight * (double)part(s, bundle, df(i))[k];
            sums[WITH_CHANGE + i] += d * (double)f;
            sums[WITH_NEW + i] += d * (double)new_df[k];
        }
    }
}

static void mix_bundle(const sweeper *s, int64_t bundle)
{
    const mixing_memory *m = s->mixing;
    bundle_loads own = loads_of(s->p, bundle);
    for (int k = 0; k < numbers_of(s->p); ++k) {
        float *load = &own.load[k / LOADS][k % LOADS];
        for (int i = 0; i < m->pairs; ++i) *load -= (float)m->share[i] * part(s, bundle, dg(i))[k];
    }
    begin_bundle(s, bundle);
}

// (A + ridge) c = b by elimination; A is positive. What has no length gets nothing.
static void solve_shares(mixing_memory *m, const double change[MIXED_CYCLES])
{
    double a[MIXED_CYCLES][MIXED_CYCLES], b[MIXED_CYCLES];
    int n = m->pairs;
    for (int i = 0; i < n; ++i) {
        b[i] = change[i];
        for (int j = 0; j < n; ++j) a[i][j] = (i == j ? 1.0 + RIDGE : 1.0) * m->gram[i][j];
    }
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n && a[i][i] > 0.0; ++j) {
            double over = a[j][i] / a[i][i];
            for (int k = i; k < n; ++k) a[j][k] -= over * a[i][k];
            b[j] -= over * b[i];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) b[i] -= a[i][j] * m->share[j];
        m->share[i] = a[i][i] > 0.0 ? b[i] / a[i][i] : 0.0;
    }
}

// One thread.
static void find_shares(const sweeper *s)
{
    mixing_memory *m = s->mixing;
    double total[SUMS] = {0};
    for (int64_t b = 0; b < blocks_of(s->p); ++b)
        for (int i = 0; i < SUMS; ++i) total[i] += m->sums[SUMS * b + i];
    bool jumps = total[OWN] > JUMP * JUMP * m->last_change;
    m->last_change = total[OWN];
    if (jumps) {
        m->pairs = m->next = 0;
    } else if (m->is_second) {
        int now = m->next;
        if (m->pairs < MIXED_CYCLES) ++m->pairs;
        for (int i = 0; i < m->pairs; ++i) m->gram[i][now] = m->gram[now][i] = total[WITH_NEW + i];
        m->next = (now + 1) % MIXED_CYCLES;
    }
    m->is_second = true;
    solve_shares(m, total + WITH_CHANGE);
}

void mixing_begin(sweeper *s)
{
    index_range mine = my_share(0, bundles_of(s->p));
    for (int64_t k = mine.first; k < mine.last; ++k) begin_bundle(s, k);
    if (omp_get_thread_num() == 0) {
        mixing_memory *m = s->mixing;
        m->pairs = m->next = 0;
        m->is_second = false;
        m->last_change = INFINITY;
    }
    meet(s);
}

void mixing_go_on(sweeper *s)
{
    index_range blocks = my_share(0, blocks_of(s->p)), mine = my_share(0, bundles_of(s->p));
    for (int64_t b = blocks.first; b < blocks.last; ++b) {
        double *sums = s->mixing->sums + SUMS * b;
        memset(sums, 0, SUMS * sizeof *sums);
        for (int64_t k = BLOCK * b; k < min_i64(BLOCK * (b + 1), bundles_of(s->p)); ++k) see_bundle(s, k, sums);
    }
    meet(s);
    if (omp_get_thread_num() == 0) find_shares(s);
    meet(s);
    for (int64_t k = mine.first; k < mine.last; ++k) mix_bundle(s, k);
    meet(s);
    velocities_from_impulses(s);
}
