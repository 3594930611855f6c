// The numbers of the equations, put where they are eliminated: M + S and -C into pivots, S and J into entries. The unknowns of
// rows are -l, so that everything is symmetric.
//
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/kkt/block6.h"
#include "dynamics/kkt/kkt_factor.h"

// Pivots of bodies are never below those of M, and pivots of rows never below their softness, but for rounding.
static const double BODY_FLOOR = 0.5, ROW_FLOOR = 0.5;

static void fill_body(const kkt_factors *f, int64_t place, const body_inertia *body)
{
    double *a = f->pivot + BLOCK6 * place, *floor = f->floor + SIX * place;
    const six zero = six_zero();
    for (int i = 0; i < 3; ++i) {
        const double *inertia = body->inertia.m[i];  // symmetric: its rows are columns
        six_store(a + SIX * i, six_with_lane(zero, i, body->mass));
        memcpy(a + SIX * (3 + i), (double[SIX]){0.0, 0.0, 0.0, inertia[0], inertia[1], inertia[2]}, SIX * sizeof *a);
        floor[i] = BODY_FLOOR * body->mass;
        floor[3 + i] = BODY_FLOOR / body->inv_inertia.m[i][i];  // no pivot of an inertia is less than this, halved
    }
}

static void add_stiffness(double *pivot, const double *stiffness)
{
    for (int c = 0; c < SIX; ++c) six_store(pivot + SIX * c, six_add(six_load(pivot + SIX * c), six_load(stiffness + SIX * c)));
}

// The column is that of the body that goes first.
static void fill_coupling(double *entry, const double *stiffness, bool a_first)
{
    six v[SIX], turned[SIX];
    block_load(v, stiffness, SIX);
    if (!a_first) six_turn(turned, v);
    block_store(entry, a_first ? v : turned, SIX);
}

static void fill_stiffness(const kkt_factors *f, const kkt_equations *e)
{
    const int32_t *place = f->order.place;
    for (int32_t i = 0; i < e->body_count; ++i) add_stiffness(f->pivot + BLOCK6 * (int64_t)place[i], e->stiffness + BLOCK6 * (int64_t)i);
    for (int64_t c = 0; c < e->coupling_count; ++c)
        fill_coupling(f->entry + BLOCK6 * f->coupling_entry[c], e->coupling_stiffness + BLOCK6 * c,
                      place[e->coupling[c].a] < place[e->coupling[c].b]);
}

static void fill_rows(const kkt_factors *f, int64_t place, const row_block *block)
{
    double *a = f->pivot + BLOCK6 * place, *added = f->added + SIX * place, *floor = f->floor + SIX * place;
    for (int r = 0; r < SIX; ++r) {
        double softness = f->softness[SIX * place + r];
        added[r] = r < block->row_count ? block->compliance[r] : 0.0;
        floor[r] = ROW_FLOOR * softness;
        six_store(a + SIX * r, six_with_lane(six_zero(), r, -(added[r] + softness)));
    }
    f->open[place] = (uint8_t)(block->open | (0x3f & ~0u << block->row_count));  // rows that are not there are open too
}

// J of one arm: rows of the block are columns of the entry if the block goes first.
ALWAYS_INLINE void fill_arm(double *entry, const joint_arm *arm, int row_count, bool body_first)
{
    six v[SIX], turned[SIX];
    UNROLL for (int r = 0; r < SIX; ++r) v[r] = r < row_count ? six_load(arm->row[r]) : six_zero();
    if (body_first) {
        six_turn(turned, v);
        block_store(entry, turned, SIX);
    } else {
        block_store(entry, v, SIX);
    }
}

static void add_arm(double *entry, const joint_arm *arm, int row_count, bool body_first)
{
    for (int r = 0; r < row_count; ++r)
        for (int d = 0; d < SIX; ++d) entry[body_first ? SIX * d + r : SIX * r + d] += arm->row[r][d];
}

static void fill_arms(const kkt_factors *f, const kkt_equations *e, const row_block *block, int32_t place)
{
    for (int64_t a = block->first_arm; a < block->first_arm + block->arm_count; ++a) {
        if (f->arm_entry[a] < 0) continue;
        double *entry = f->entry + BLOCK6 * f->arm_entry[a];
        bool body_first = f->order.place[e->arm[a].body] < place;
        if (arm_is_again(f, block, a)) add_arm(entry, &e->arm[a], block->row_count, body_first);
        else fill_arm(entry, &e->arm[a], block->row_count, body_first);
    }
}

// J M^-1 J^T of all rows of a block and one body, whose entry is filled
static six entry_mobility(const double *entry, const body_inertia *body, bool body_first)
{
    six v[SIX], row[SIX];
    block_load(v, entry, SIX);
    if (body_first) memcpy(row, v, sizeof row);
    else six_turn(row, v);
    six force = six_zero(), turn = six_zero();
    for (int i = 0; i < 3; ++i) {
        const double *inverse = body->inv_inertia.m[i];
        six t = six_add(six_scale(row[3], inverse[0]), six_add(six_scale(row[4], inverse[1]), six_scale(row[5], inverse[2])));
        force = six_add(force, six_multiply(row[i], row[i]));
        turn = six_add(turn, six_multiply(row[3 + i], t));
    }
    return six_plus(turn, force, 1.0 / body->mass);
}

static void find_softness(const kkt_factors *f, const kkt_equations *e, const row_block *block, int32_t place)
{
    six sum = six_zero();
    for (int64_t a = block->first_arm; a < block->first_arm + block->arm_count; ++a) {
        if (f->arm_entry[a] < 0 || arm_is_again(f, block, a)) continue;
        int32_t body = e->arm[a].body;
        six one = entry_mobility(f->entry + BLOCK6 * f->arm_entry[a], &e->body[body], f->order.place[body] < place);
        sum = six_add(sum, e->mass_share != NULL ? six_scale(one, e->mass_share[body]) : one);  // of the whole body
    }
    six_store(f->softness + SIX * (int64_t)place, six_scale(sum, f->soft_share));
}

void KERNEL(kkt_fill)(const kkt_factors *f, const kkt_equations *e, bool soft)
{
    const elimination *o = &f->order;
    for (int64_t i = 0; i < o->first[o->count]; ++i)
        if (f->is_new[i]) memset(f->entry + BLOCK6 * i, 0, BLOCK6 * sizeof *f->entry);
    for (int32_t i = 0; i < e->body_count; ++i) fill_body(f, o->place[i], &e->body[i]);
    if (e->stiffness != NULL) fill_stiffness(f, e);
    for (int64_t b = 0; b < e->block_count; ++b) {
        int32_t place = o->place[e->body_count + b];
        fill_arms(f, e, &e->block[b], place);
        if (soft && b < e->block_count - e->weld_count) find_softness(f, e, &e->block[b], place);
        fill_rows(f, place, &e->block[b]);
    }
}

