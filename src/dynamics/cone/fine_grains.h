// Contacts between grains in double precision, four at a time, each solved exactly while all others stand still: the
// innermost loop of fine_sweeps.c.
//
// A body holds what it has received so far: an impulse and its moment. Velocities follow when they are needed, so bodies
// of any mass, light, heavy or fixed, are alike. For a contact with impulse y, with u = (N + R) y + r and block B of N + R,
//     convex    z minimises 1/2 (z - y)^T B (z - y) + u . (z - y) over the cone |z_t| <= mu z_n
//     Coulomb   v = u + B (z - y):  0 <= v_n, z_n >= 0, one of them 0;  z_t opposes v_t with |z_t| = mu z_n, or v_t = 0
// Where bodies cohere, z_n + apex stands for z_n in both. Between grains B is diag(b_n, b_t, b_t): convex, one projection in
// its metric; Coulomb, the normal first, then the disc.
//
// A bundle holds four contacts that share no body. Bundles are filled in the order of the contacts, a few at a time, so
// that sweeps go through space as the contacts do.
#ifndef DYNAMICS_CONE_FINE_GRAINS_H
#define DYNAMICS_CONE_FINE_GRAINS_H

#include "dynamics/cone/contact_system.h"

enum { FINE_LANES = 4 };

// One aligned vector each: what was received, and the factor that makes a velocity of it.
typedef struct body_impulse {
    double push[3], inv_mass;     // N s; 1/kg
    double turn[3], inv_inertia;  // N m s; 1/(kg m^2), of a grain
} body_impulse;
_Static_assert(sizeof(body_impulse) == 64, "two vectors of four");

static inline scr_vec3 body_push(const body_impulse *body) { return vec3(body->push[0], body->push[1], body->push[2]); }
static inline scr_vec3 body_turn(const body_impulse *body) { return vec3(body->turn[0], body->turn[1], body->turn[2]); }
static inline void body_receive(body_impulse *body, scr_vec3 push, scr_vec3 turn)
{
    body->push[0] += push.x, body->push[1] += push.y, body->push[2] += push.z;
    body->turn[0] += turn.x, body->turn[1] += turn.y, body->turn[2] += turn.z;
}

typedef struct fine_bundle {
    int32_t a[FINE_LANES], b[FINE_LANES];  // bodies; what cannot be moved has an entry of its own with zero factors
    double n[3][FINE_LANES], r[3][FINE_LANES], g[3][FINE_LANES], old[3][FINE_LANES];  // old: of the sweep before
    double mu[FINE_LANES], apex[FINE_LANES];                                          // apex: N s, how much it can pull
    double b_n[FINE_LANES], b_t[FINE_LANES], step_n[FINE_LANES], step_t[FINE_LANES];  // 1/kg, and kg: inverses
    double soft_n[FINE_LANES], soft_t[FINE_LANES];                                    // 1/kg, of R
    double arm_a[FINE_LANES], arm_b[FINE_LANES];                                      // m, along n
    int32_t contact[FINE_LANES];                                                      // -1: a lane without one
} fine_bundle;

typedef struct fine_sums {
    double energy;        // J: sum of r . z + 1/2 z R z
    double change, size;  // J: sum of (z - y) B (z - y), of z B z; other shapes count with the diagonal of B
} fine_sums;

typedef struct fine_mode {
    double beta;   // start from y = g + beta (g - old)
    double omega;  // relaxation of a step
    bool coulomb;
} fine_mode;

// Friction beyond this holds whatever there is, and squares would overflow.
static const double FINE_LARGEST_MU = 1e8;

// Where contacts go. place (contact count) receives bundle times FINE_LANES plus lane of those on the centre line; NULL:
// only count. Returns the number of bundles.
int64_t fine_bundling(const contact_system *system, int32_t *place);
void fine_bundle_clear(fine_bundle *bundle, int32_t still);
void fine_bundle_set(fine_bundle *bundle, int lane, const contact_row *row, int32_t still, int32_t contact, scr_vec3 g);
// Add to the bodies what the impulses of a lane bring them.
void fine_lane_push(const fine_bundle *c, int lane, const double impulse[3][FINE_LANES], body_impulse *body);

// fine_sweep.c, compiled for several instruction sets
typedef void (*fine_sweep)(fine_bundle *bundle, int64_t count, body_impulse *body, const fine_mode *mode, fine_sums *sums);
extern const fine_sweep fine_sweep_plain;
#if defined(SCREE_HAVE_AVX2)
extern const fine_sweep fine_sweep_avx2;
#endif

#endif
