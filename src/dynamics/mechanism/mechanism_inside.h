// SPDX-License-Identifier: BSD-3-Clause
// A mechanism from inside: its bodies, its elements, and what the stages of a step hand to each other.
#ifndef DYNAMICS_MECHANISM_MECHANISM_INSIDE_H
#define DYNAMICS_MECHANISM_MECHANISM_INSIDE_H

#include "dynamics/bodies/drift_four.h"
#include "dynamics/joints/held_joints.h"
#include "dynamics/joints/mechanism.h"
#include "dynamics/world/world.h"

// What gives a block of rows.
typedef enum element_kind {
    ELEMENT_JOINT,    // the rigid rows of a joint
    ELEMENT_BUSHING,  // six springs and dampers
    ELEMENT_MOTOR,    // one row each from here on
    ELEMENT_LIMIT,
    ELEMENT_FRICTION,
    ELEMENT_SPRING,
    ELEMENT_COUPLING,
} element_kind;

enum { COUPLED_MAX = 3 };

typedef struct element {
    element_kind kind;
    int64_t source;                 // entry among joints, springs or couplings
    scr_axis axis;                  // of a row along or about a joint's axis
    int64_t geometry[COUPLED_MAX];  // entries in mechanism.geometry; but for couplings the first alone
    // Of the present step
    double motion[BLOCK_ROWS];  // m, rad: at its start; of one-row elements and bushings
    double force[BLOCK_ROWS];   // N, N m: of springs and bushings at its start, against the motion
    double stiffness[BLOCK_ROWS], damping[BLOCK_ROWS];
    double target, target_rate;  // driven: where to, or how fast in the middle of the step; how fast at its end
    double rate;                 // m/s, rad/s: of a limit, at the start of the step
    double bound;                // N, N m: the most that a motor or friction may take; infinite for others
    int side;                    // of a limit: -1 the lower, 1 the upper, 0 none
    double pushed[BLOCK_ROWS];   // N s, N m s: what its rows at the start of the step did to b
    bool is_held;                // rows that may be open: whether they are held
    int flips;                   // how often that changed in this step
} element;

// Elements that are worked on together: joints of one kind that holds axes. Where there are fewer, the last is
// repeated.
typedef struct held_four {
    int32_t element[HELD_LANES];
} held_four;

// Rows and masses at one pose of the bodies, factored.
typedef struct placed_rows {
    row_block *block;          // (element_count)
    joint_jacobian *jacobian;  // (jacobian_count)
    body_inertia *inertia;     // (body_count)
    pose *at;                  // (total_body_count) where the bodies are
    kkt *kkt;
    bool is_factored;
    bool is_tense;  // made with tensions
} placed_rows;

struct mechanism {
    int32_t body_count;        // that can be moved
    int32_t total_body_count;  // with those that cannot
    scr_body *body;            // (total_body_count)
    int32_t *slot;             // (total_body_count) where they are in this step
    int64_t geometry_count, element_count, row_count, jacobian_count;
    joint_geometry *geometry;  // of each joint, and the line of each spring between two points
    element *element;
    pose *seen;  // (geometry_count) of joints that hold axes: frame b as frame a sees it where rows were placed last
    int64_t four_count, other_count;
    held_four *four;  // joints that hold axes, rigid
    int32_t *other;   // all other elements
    const held_kernels *held;
    drift_four *drift;
    placed_rows start, end;   // at the start and at the end of the step; how rows are used: finish.c
    placed_rows *ended;       // which has the rows where the last step ended, factored; NULL: none
    double *velocity;         // (6 total_body_count) v1; of those that cannot be moved: as they move
    double *inverse_inertia;  // (3 body_count) 1/(kg m^2): about the body's own axes
    // (6 body_count) momentum that all forces but contacts and joints give in the step
    double *force_impulse;
    // (9 body_count) N m/rad: how forces in joints resist the turning of a body, where it matters
    double *tension;
    double *impulse, *late;              // (row_count) l and m
    double *old_velocity, *old_impulse;  // before a row let go
    double *body_work, *row_work, *kkt_work;
    double size;        // m: how far joints are from the centres of bodies, at most
    double rounding;    // m: gaps below this are rounding, and rows that others keep would fight over them
    double share;       // a
    double miss;        // m or rad: how far joints were open before the last correction
    bool is_touched;    // contacts act on it in this step
    bool has_broken;    // a joint of it broke in this step
    bool is_redundant;  // as found by assembly
    bool is_tense;      // there are tensions that matter
    bool is_plain;      // nothing but rigid rows: the end of a step is the start of the next
    // In a step in which contacts act on it: which rows hold is given, until contacts have been solved
    bool rows_are_chosen;
    bool must_hold_otherwise;  // contacts were solved for rows that hold otherwise
    int contact_rounds;        // how often they have been
    bool is_unsettled;         // and do not fit them in the end
};

// Shared out among threads. For one thread, or one mechanism, no parallel region is opened: each costs as much as two
// joints.
typedef void mechanism_work(scr_world *world, mechanism *m);
static inline void for_each_mechanism(scr_world *world, mechanism_work *work)
{
    mechanism *first = world->mechanisms.mechanism;
    int64_t count = world->mechanisms.count;
    if (count <= 1 || world->threads == 1) {
        for (int64_t p = 0; p < count; ++p) work(world, &first[p]);
        return;
    }
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t p = 0; p < count; ++p) work(world, &first[p]);
}

// Forces change the motion of the first bodies of a mechanism; the others, and the ground, move as prescribed.
static inline bool can_be_moved(const mechanism *m, int32_t body) { return body != NO_BODY && body < m->body_count; }
static inline double larger(double a, double b) { return b > a ? b : a; }  // fmax without a call; b may be no number
static inline bool is_compliant(const element *e) { return e->kind == ELEMENT_SPRING || e->kind == ELEMENT_BUSHING; }
static inline kkt_equations equations_of(const mechanism *m, const placed_rows *set)
{
    return (kkt_equations){.body_count = m->body_count,
                           .block_count = m->element_count,
                           .row_count = m->row_count,
                           .jacobian_count = m->jacobian_count,
                           .body = set->inertia,
                           .block = set->block,
                           .jacobian = set->jacobian,
                           .is_redundant = m->is_redundant};
}

// tension.c
// where bodies are at the start, from the last step's forces
void find_tensions(const scr_world *world, mechanism *m);
// where there was no last step: from the impulses so far
bool find_first_tensions(const scr_world *world, mechanism *m);
void add_tension(const scr_world *world, const mechanism *m, int32_t body, body_inertia *inertia);

// rows.c
// Jacobians and inertia where bodies are
void place_rows(const scr_world *world, mechanism *m, placed_rows *set, const pose *at);
// everything of an element that the step starts from
void begin_elements(const scr_world *world, mechanism *m);
void set_compliances(const scr_world *world, mechanism *m);  // of the first stage
// velocity units: what Newton's method must bring to 0; returns the largest of a joint's own rows
double row_errors(const scr_world *world, const mechanism *m, double *rest);
// momentum += J^T row
void add_row_push(const mechanism *m, const placed_rows *set, const double *row, double *momentum);
double row_rate(const placed_rows *set, int64_t block, int row, const double *velocity);  // J v
// of one-row elements; m, rad
double element_motion(const scr_world *world, const mechanism *m, const element *e, const pose *at);

// held_rows.c: motors, friction, limits
void begin_held(const scr_world *world, element *e);  // once its motion and rate are known
// a motor or friction that holds with no more than its bound
bool is_bounded(const scr_world *world, const element *e);
// as in row_errors, whether it is held or open
double held_error(const scr_world *world, const element *e, double motion);
// Rows that need more than they have let go; `before` are the impulses as they were before the load was found, and get
// theirs.
bool release_overloaded(const scr_world *world, mechanism *m, double *before, double *push);
// Motors that gave all they have in the last step let go. Whether there are any.
bool release_stalled(const scr_world *world, mechanism *m);
// which rows change; push: change of impulses of those that open
bool reconsider_held(const scr_world *world, mechanism *m, double *push);
// of friction, where the last step gives none; whether there is a push
bool find_first_loads(const scr_world *world, mechanism *m, double *push);
double open_impulse(const element *e, double share, double duration);  // N s or N m s of a row that is open
// m/s, rad/s: of a limit that is held, after the step
double limit_bounce(const scr_world *world, const element *e);

// closing.c
void read_mechanism_bodies(const scr_world *world, mechanism *m, pose *at);  // -> at, velocity
void factor_rows(mechanism *m, placed_rows *set);
void factor_and_count_rows(mechanism *m, placed_rows *set);  // the same, and redundant ones are counted

// reactions.c: what joints, springs and couplings have done in the step, how far they are now, and which of them break;
// first what impulses have done by rows at its start, whose place others may take then
void note_first_reactions(scr_world *world, const mechanism *m);
void note_reactions(scr_world *world, mechanism *m, const placed_rows *ended);
scr_vec3 joint_impulse(const mechanism *m, int64_t element);  // N s: on b, of the first stage so far
// N: what a joint's impulses so far press together
double pressing_load(const mechanism *m, int64_t element, double duration);
void note_motion(joints *j, const mechanism *m, const element *e);  // of its joint, at end.at

#endif
