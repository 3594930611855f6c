// SPDX-License-Identifier: BSD-3-Clause
// The world: owns bodies, materials and contacts, and moves them one step at a time.
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "scree/body.h"
#include "scree/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the contact problem of a step is solved. docs/solvers.md has the formulae.
typedef enum scr_solver_kind {
    SCR_SOLVER_AGS,     ///< accelerated coloured Gauss-Seidel
    SCR_SOLVER_GS,      ///< plain coloured Gauss-Seidel
    SCR_SOLVER_APGD,    ///< accelerated projected gradient descent
    SCR_SOLVER_JACOBI,  ///< projected Jacobi iteration
    SCR_SOLVER_BB,      ///< spectral projected gradients with the steps of Barzilai and Borwein
    SCR_SOLVER_NEWTON,  ///< Newton's method on the velocities, with a direct solve: for islands and references
    SCR_SOLVER_AUTO,    ///< ags, and newton for islands that are small or that sweeps do not solve: the default
} scr_solver_kind;

/// In which numbers the inner loops compute. The state is double always.
typedef enum scr_precision {
    /// single for the sweeps of ags and gs (under Coulomb friction from a tolerance of 3e-4 on), and of auto unless
    /// some body has more
    SCR_PRECISION_USUAL,
    ///< than 1e4 times the mass of another; double for all else
    SCR_PRECISION_DOUBLE,
    SCR_PRECISION_MIXED,  ///< single where differences are taken in double, or exactly
} scr_precision;

/// How a step is solved and how well.
typedef struct scr_solver_def {
    scr_solver_kind kind;  ///< default SCR_SOLVER_AUTO
    int max_iterations;    ///< at most so many sweeps a step; default 5000
    /// stop when the force error (scr_step_report) is this or less; default 1e-3; 0: do max_iterations
    double tolerance;
    bool warm_start;          ///< begin from the last step's impulses; default true
    scr_precision precision;  ///< default SCR_PRECISION_USUAL
    /// jacobi, and gs in double precision: relaxation of a contact's step; default 0 means 0.3 for jacobi, 1 for gs
    double omega;
    double lambda;  ///< jacobi: share of the new impulses in the next ones; default 0 means 1, all of them
} scr_solver_def;

/// What happens where two bodies touch. docs/contact.md has the formulae.
typedef enum scr_contact_law {
    SCR_COMPLIANT,  ///< complementarity with the material's compliance: large steps, one solve a step; the default
    SCR_RIGID,      ///< complementarity without compliance
    SCR_PENALTY,    ///< springs and dashpots with tangential history: small explicit steps
} scr_contact_law;
/// What scenes call a law: "compliant", "rigid", "penalty". Any thread.
SCR_API const char *scr_contact_law_name(scr_contact_law law);

/// What friction does, under complementarity.
typedef enum scr_friction_law {
    /// the convex relaxation: what slides hovers at a gap of h mu v, up to about 0.1 radii; the default
    SCR_FRICTION_CONVEX,
    /// Coulomb's law itself, without that gap; by auto, newton, ags and gs; costs more time
    SCR_FRICTION_COULOMB,
} scr_friction_law;

/// How the normal force grows with the overlap, under SCR_PENALTY.
typedef enum scr_normal_law { SCR_HERTZ, SCR_HOOKE } scr_normal_law;
/// How rolling is resisted, under SCR_PENALTY.
typedef enum scr_rolling_law {
    SCR_ROLLING_ELASTIC,   ///< an elastic-plastic spring with damping: holds at rest; the default
    SCR_ROLLING_CONSTANT,  ///< a constant torque against the rolling
} scr_rolling_law;
/// How surface energy pulls: Derjaguin, Muller and Toporov, or Johnson, Kendall and Roberts.
typedef enum scr_adhesion_law { SCR_DMT, SCR_JKR } scr_adhesion_law;

/// Which contacts of a pair of bodies are kept when there are more than contact.max_per_pair.
typedef enum scr_reduction {
    /// the deepest, then the farthest from those kept; the same from step to step while they are good
    SCR_REDUCE_SPREAD,
    SCR_REDUCE_RANDOM,  ///< any, drawn anew in every step: for comparison
} scr_reduction;

/// contact.damping that is critical at restitution 0 and none at 1.
#define SCR_DAMPING_OF_RESTITUTION (-1.0)

/// The contact law and its parameters.
typedef struct scr_contact_def {
    scr_contact_law law;        ///< default SCR_COMPLIANT
    scr_friction_law friction;  ///< complementarity; default SCR_FRICTION_CONVEX
    /// s, complementarity: a contact's damper over its spring; default SCR_DAMPING_OF_RESTITUTION
    double damping;
    scr_normal_law normal;      ///< penalty; default SCR_HERTZ
    double stiffness;           ///< N/m, penalty with SCR_HOOKE; default 0: from Young's modulus
    scr_rolling_law rolling;    ///< penalty; default SCR_ROLLING_ELASTIC
    scr_adhesion_law adhesion;  ///< how surface energy acts; default SCR_DMT. Complementarity takes its pull-off force
    /// complementarity, where no material gives Young's modulus: 1/(h^2 k a), k being a contact's stiffness
    double compliance;
    /// and a its inverse mass, so that it depends on step and masses; default 0: the default
    /// modulus
    double envelope;  ///< contacts are kept when nearer than this share of the smaller radius; default 0.02
    /// m/s; overlaps that did not come from motion are undone no faster; default 0 means 5 |g| h
    double recovery_speed;
    int max_per_pair;         ///< at most so many contacts between two bodies; default 8; 0: all
    scr_reduction reduction;  ///< default SCR_REDUCE_SPREAD
} scr_contact_def;

/// Which instructions the hot loops may use. Results are the same bits for all of them.
typedef enum scr_instruction_set { SCR_BEST, SCR_PLAIN } scr_instruction_set;

/// Space that is sheared (Lees-Edwards): the next cell up along the axis `gradient` moves along the axis `flow` at
/// rate x length of the cell, relative to the one below it. Both axes repeat. A sheared space holds moving bodies only:
/// none that are fixed or kinematic, no joints, no springs.
typedef struct scr_shear {
    int flow, gradient;  ///< 0, 1, 2: x, y, z; default 0 both: it is not sheared
    double rate;         ///< 1/s; default 0; see scr_world_set_shear_rate()
} scr_shear;

/// Space that repeats itself: along an axis where high is above low, a body that leaves the cell at one end touches
/// those at the other. Positions go on beyond the cell; scr_world_wrapped() says where in it they are. A moving body
/// reaches at most a quarter of a length from its centre, and planes do not stand across such an axis.
typedef struct scr_period {
    scr_vec3 low, high;  ///< m; default { 0, 0, 0 } both: no axis repeats
    scr_shear shear;
    /// Its lengths change: scr_world_stretch(). Then it holds moving bodies only, as a sheared one, and is not sheared.
    bool is_stretched;
} scr_period;

/// Everything needed to make a world. Start from scr_default_world_def() and change what you need.
typedef struct scr_world_def {
    scr_vec3 gravity;  ///< m/s^2; default { 0, 0, -9.81 }
    double time_step;  ///< s; fixed for the life of the world; default 1/1000
    int thread_count;  ///< used by a step; results do not depend on it; 0 (default): all cores, fewer in a small world
    scr_instruction_set instruction_set;  ///< default SCR_BEST: picked at run time
    scr_solver_def solver;
    scr_contact_def contact;
    double max_speed;  ///< m/s; a body faster than this ends the run with SCR_DIVERGED; default 1000
    /// SCR_PENALTY: whether the rotation of spheres is followed where there are so many that else only their spin is
    /// kept, and their axes are the world's; default false, which is faster. Motion is the same but for rounding
    bool follow_rotations;
    scr_period period;
} scr_world_def;

/// Seconds spent since the world was made, by stage of the step.
typedef struct scr_stage_seconds {
    double sort, forces, pairs, contacts, prepare, solve, integrate, total;
} scr_stage_seconds;

/// What the last step did.
typedef struct scr_step_report {
    int64_t step;  ///< steps done so far
    double time;   ///< s
    int64_t body_count;
    int64_t contact_count;   ///< contacts handed to the solver
    int64_t touching_count;  ///< those that carry a force
    int iterations;
    double change;  ///< relative change of the impulses in the last iteration
    /// of the contact forces on bodies, relative to them: the true error is at most twice as large.
    double force_error;
    ///< With rigid contacts or Coulomb friction an estimate. docs/solvers.md
    bool is_solved;          ///< within the tolerance, if there is one; contacts and overloaded joints fit each other
    double max_penetration;  ///< m
    double max_speed;        ///< m/s
} scr_step_report;

/// Figures that cost a pass over all contacts to compute: ask for them when they are shown, not in every step.
typedef struct scr_accuracy {
    /// m/s; of the last step's contact problem: the 2-norm of (g - P(g - d u))/d, as docs/solvers.md says.
    double residual;
    double cone_violation;  ///< max over contacts of (|g_t| - mu g_n) / max g_n and of pulls, 0 when all are inside
} scr_accuracy;

/// The energy of a world.
typedef struct scr_energy {
    double kinetic;    ///< J, translation and rotation; where space is sheared as bodies move in the cell
    double potential;  ///< J, in the present gravity, zero at the origin
    double elastic;    ///< J, stored in contacts, springs and bushings; too much while dampers of contacts act
} scr_energy;

/// The mean stress of a space that repeats itself along all three axes, in the last step. Compression is positive:
/// contact[i][j] is the sum of l_i f_j over contacts by the volume of a cell, where f is the force on b, l the way from
/// the centre of mass of a to that of b; kinetic[i][j] the sum of m c_i c_j, where c is a body's velocity less that of
/// the mean flow: the common one, and where space is sheared rate x height, where it is stretched rate x place over
/// length. Zero where an axis does not repeat.
typedef struct scr_stress {
    double contact[3][3], kinetic[3][3];  ///< Pa
    double volume;                        ///< m^3, of a cell
    /// Pa: what contact[i][i] would rise by, over strain along that axis, if all bodies moved as the cell does and no
    /// contact slid or opened: of normal stiffnesses as of Hertz' law, sum of k (l_i n_i)^2 by volume. A bound from
    /// above but for tangential stiffness.
    double stiffness[3];
} scr_stress;

/// How deep bodies overlap, those that do, over the smaller radius of the two.
typedef struct scr_overlap {
    double mean, max;  ///< 0 where none do
} scr_overlap;

/// Which of two times limits the step of the penalty law.
typedef enum scr_step_limit {
    SCR_LIMIT_NONE,      ///< nothing moves that could touch
    SCR_LIMIT_RAYLEIGH,  ///< a surface wave's way across a grain
    SCR_LIMIT_CONTACT,   ///< how long an impact lasts
} scr_step_limit;

/// The time step that the penalty law should not exceed, and why.
typedef struct scr_step_advice {
    double time_step;      ///< s; the smaller of rayleigh_time / 5 and contact_time / 20; 0 without a limit
    scr_step_limit limit;  ///< which of the two it is
    double rayleigh_time;  ///< s, the least of any body that moves
    double contact_time;   ///< s, the shortest impact of two bodies alike, or of one and whatever is stiffest
    /// m/s for which contact_time holds: the present fastest, or a fall from a grain's own height
    double impact_speed;
    /// index, from 0, in the order in which materials were added: that of the body that sets the limit
    uint32_t material;
    double radius;  ///< m, of that body where it touches
} scr_step_advice;

/// Gravity along -z, steps of 1 ms, compliant contacts, solver auto to a force error of 1e-3.
SCR_API scr_world_def scr_default_world_def(void);
/// Make a world, which belongs to the caller: scr_world_destroy. SCR_BAD_INPUT names the field; *world is NULL then.
SCR_API scr_status scr_world_create(const scr_world_def *def, scr_world **world, scr_error *error);
/// Give back a world and all it owns. NULL is fine.
SCR_API void scr_world_destroy(scr_world *world);
/// Advance by one time step. After a failure the world is as it was before the call: SCR_DIVERGED names step and body,
/// SCR_NO_MEMORY what there was no memory for.
SCR_API scr_status scr_world_step(scr_world *world, scr_error *error);

/// Forces of one's own. Called once at the beginning of every step, on the thread that makes it, with all bodies as
/// they are and an array of zeros for force (N) and torque (N m, about the centre of mass), both in world axes: entry i
/// is that of bodies->handle[i]. What it adds there acts on dynamic bodies in this step, besides scr_body_apply_force.
/// It may read the world, but not change it. Runs repeat bit by bit if what it adds depends on the state, the time and
/// its own constants alone. A number that is not finite ends the step with SCR_BAD_INPUT.
typedef void scr_force_function(void *context, const scr_world *world, const scr_body_view *bodies, scr_vec3 *force,
                                scr_vec3 *torque);
/// Let a function add forces in every step from now on, instead of the one before; NULL: none. The context is passed to
/// it and must live as long. Neither is saved with the world.
SCR_API void scr_world_set_force_function(scr_world *world, scr_force_function *function, void *context);

/// The step to take under the penalty law, for the bodies that are there now: a pass over all of them.
SCR_API scr_step_advice scr_world_advised_step(const scr_world *world);

/// The present time in s: steps done times the time step.
SCR_API double scr_world_time(const scr_world *world);
/// The time step in s, as it was given.
SCR_API double scr_world_time_step(const scr_world *world);
/// Steps done so far.
SCR_API int64_t scr_world_step_count(const scr_world *world);
/// Where a position is within the cell of a space that repeats itself; the position itself in any other.
SCR_API scr_vec3 scr_world_wrapped(const scr_world *world, scr_vec3 position);
/// The present gravity in m/s^2.
SCR_API scr_vec3 scr_world_gravity(const scr_world *world);
/// Change gravity, in m/s^2, between any two steps. SCR_BAD_INPUT if it is not a number.
SCR_API scr_status scr_world_set_gravity(scr_world *world, scr_vec3 gravity, scr_error *error);
/// The present shear rate in 1/s; 0 where space is not sheared.
SCR_API double scr_world_shear_rate(const scr_world *world);
/// Change it between any two steps. SCR_BAD_INPUT if the world's definition says no axes of shear.
SCR_API scr_status scr_world_set_shear_rate(scr_world *world, double rate, scr_error *error);
/// How far the next cell up has slid so far, in m.
SCR_API double scr_world_shear_offset(const scr_world *world);
/// The lengths of the cell along x, y and z in m; 0 along axes that do not repeat.
SCR_API scr_vec3 scr_world_cell(const scr_world *world);
/// How fast they grow, in m/s.
SCR_API scr_vec3 scr_world_cell_rate(const scr_world *world);
/// Let the lengths grow at these rates (m/s) from now on, between any two steps; shrink where they are negative. All
/// bodies take part in the change: their velocities change by (rate - rate before) / length x the way from the common
/// centre of mass, so that momentum stays as it is. The image one cell up is faster by the rate. SCR_BAD_INPUT if the
/// definition does not say is_stretched, or if a length would have to grow that does not repeat.
SCR_API scr_status scr_world_stretch(scr_world *world, scr_vec3 rate, scr_error *error);
/// What the last step did.
SCR_API scr_step_report scr_world_report(const scr_world *world);
/// Where the time went since the world was made.
SCR_API scr_stage_seconds scr_world_stage_seconds(const scr_world *world);
/// The present energy in J: a pass over all bodies and contacts.
SCR_API scr_energy scr_world_energy(const scr_world *world);
/// The stress of the last step. SCR_NO_MEMORY if contacts cannot be listed.
SCR_API scr_status scr_world_stress(const scr_world *world, scr_stress *stress, scr_error *error);
/// The momentum of all dynamic bodies together, kg m/s.
SCR_API scr_vec3 scr_world_momentum(const scr_world *world);
/// Their angular momentum about the origin, kg m^2/s.
SCR_API scr_vec3 scr_world_angular_momentum(const scr_world *world);
/// How well the last step's contact problem is solved; under SCR_PENALTY, which solves none, all zero.
SCR_API scr_status scr_world_accuracy(scr_world *world, scr_accuracy *accuracy, scr_error *error);
/// How deep bodies overlapped in the last step: a pass over its contacts.
SCR_API scr_overlap scr_world_overlap(const scr_world *world);
/// A fingerprint of everything that decides the future. The same for any thread count and instruction set.
SCR_API uint64_t scr_world_hash(const scr_world *world);

#ifdef __cplusplus
}
#endif

#endif
