// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion of bodies that joints hold together, solved directly.
//
//     (M + S) v - J^T l = p  bodies: momentum, impulses l of the rows
//     J v + C l         = c  rows: velocity, compliance (0: rigid)
//
// S, symmetric and never negative, is what else resists the motion of bodies and of pairs of them: contacts, in
// Newton's method. Mechanisms by themselves have none.
//
// Unknown bodies (6 numbers) and blocks of rows (up to 6) are eliminated one by one, a block after at least one of its
// bodies (kkt_order.h): then every pivot is definite, a chain costs as much as it has links, whatever the masses, and a
// hub of many joints fills in nothing; one that many loops go through is split (kkt_split.h). What the elimination of a
// body leaves is its articulated inertia. The order follows from who is connected to whom and is found once; the
// numbers are factored in every step; where only S changes, those of nodes that it has no part in are factored once.
//
// A row that others already keep leaves a pivot of nothing but rounding. Such rows are found (a pivot below a share of
// all that was added up into it, and a motion that violates the row without energy) and counted. All rows then get a
// compliance of next to nothing, and solving again makes the answer that of the rigid rows, with the least impulses
// among all answers (in the metric of the rows' own diagonal). What redundant rows ask for against each other has no
// effect.
//
// Why not a library: SuiteSparse 5.12 was measured on the equations of whole steps (bench_kkt, one thread, its filling
// of the matrix not counted). CHOLMOD's LDL^T, given our order because it does not pivot, takes 2.7 times as long to
// factor a vehicle of 150 bodies, 6.6 times a ring of 5,000, 3.7 times a stack of 30 boxes in Newton's method; its
// supernodal kernels 7, 8 and 13 times; UMFPACK 18 times and more. Blocks of 6 are known when this is compiled, they
// are not there. None finds redundant rows or solves them exactly, which is why our solves, two to four a call there,
// take up to 2.9 times as long as CHOLMOD's one. The bits here are the same on every processor; those of BLAS are not.
#ifndef DYNAMICS_KKT_KKT_H
#define DYNAMICS_KKT_KKT_H

#include "core/base/memory.h"
#include "core/maths/mat3.h"
#include "scree/world.h"

enum { BLOCK_ROWS = 6, BLOCK_JACOBIANS = 6 };

// What a block's rows see of one body: row . (v, w), world axes, w about the centre of mass.
typedef struct joint_jacobian {
    int32_t body;  // number in the mechanism; from body_count on, or NO_BODY: cannot be moved
    double row[BLOCK_ROWS][6];
} joint_jacobian;

typedef struct row_block {
    int32_t row_count, jacobian_count;
    int64_t first_jacobian;         // in the array of Jacobians
    int64_t first_row;              // in vectors of rows
    double compliance[BLOCK_ROWS];  // 1/kg or the like: velocity per impulse
    uint8_t open;                   // bit k: row k holds nothing now, its impulse is 0
    uint8_t turning_count;          // the last rows only turn: the first three numbers of their Jacobians are 0, always
} row_block;

typedef struct body_inertia {
    double mass;                // kg
    mat3 inertia, inv_inertia;  // kg m^2, world axes
} body_inertia;

enum { BODY_NUMBERS = 6, BODY_BLOCK = BODY_NUMBERS * BODY_NUMBERS };

// Two bodies between which something resists motion: where S is not zero off its diagonal.
typedef struct body_coupling {
    int32_t a, b;  // movable, a < b; a pair is listed once
} body_coupling;

typedef struct kkt_equations {
    int32_t body_count;  // that can be moved
    int64_t block_count, row_count, jacobian_count;
    const body_inertia *body;
    const row_block *block;
    const joint_jacobian *jacobian;
    // S, kg or the like, in blocks of 6 x 6, column by column; NULL and 0: none
    int64_t coupling_count;
    const body_coupling *coupling;
    const double *stiffness;           // (body_count blocks) on the diagonal
    const double *coupling_stiffness;  // (coupling_count blocks) row of b, column of a
    const uint8_t *is_touched;         // (body_count) 0: S is 0 there, always; kkt_order asks for it. NULL: of none
    bool is_stiffness_alone;           // new since the last factoring: rows and masses are what they were there
    bool is_step;                      // to an answer, from which what rows lack will be seen and asked for again
    bool is_redundant;                 // known to have rows that others keep: saves the look for them
    bool is_counted;                   // else: look for them closely, so that their number is right in long loops too
    // Of bodies that were split into copies; else 0 and NULL
    int64_t weld_count;        // blocks that hold copies together, the last ones: they never yield
    const double *mass_share;  // (body_count) of the whole body's mass
} kkt_equations;

typedef struct kkt kkt;  // order and factors; opaque

scr_status kkt_create(kkt **k, scr_error *error);
void kkt_use(kkt *k, scr_instruction_set set);  // SCR_BEST unless it is called
void kkt_destroy(kkt *k);                       // NULL is fine
// Find the order for who is connected to whom; numbers do not matter. Allocates; the two below do not.
scr_status kkt_order(kkt *k, const kkt_equations *e, scr_error *error);
// Factor the numbers. The equations must stay as they are until the next factoring, because solving may refine.
void kkt_factor(kkt *k, const kkt_equations *e);
// body: 6 numbers each, p on entry, v on return; row: c on entry, l on return. May be called from several threads at
// once if each brings its own work of kkt_work_count numbers.
int64_t kkt_work_count(const kkt *k);
void kkt_solve(const kkt *k, double *body, double *row, double *work);
// The same with p = 0: what is in body on entry does not matter. Bodies that nothing is asked of are passed over.
void kkt_solve_rows(const kkt *k, double *body, double *row, double *work);
// kkt_solve at half the price, but for what rows yield where some are redundant: a share of some 1e-6 to 1e-3 of the
// answer. For the first of several steps to one, of which the others see what is missing. Not where rows may contradict
// each other, as gaps do: what they ask for against each other would stay in the impulses.
void kkt_solve_roughly(const kkt *k, double *body, double *row, double *work);
// Of the last factoring that looked for them: redundant rows in all, and 1 for each of them in is_redundant
// (row_count), unless NULL.
int64_t kkt_redundant(const kkt *k, uint8_t *is_redundant);
// Blocks below the diagonal of the factor: what the order costs.
int64_t kkt_entry_count(const kkt *k);

#endif
