// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/double/double_grains.h"

#include <math.h>
#include <string.h>

#include "core/arrays/colouring.h"

enum { OPEN_BUNDLES = 8 };  // filled at a time: enough for most to be full, few enough to keep the order

typedef struct open_bundle {
    int32_t number, lanes;
    int32_t body[2 * DOUBLE_LANES];
} open_bundle;

static bool holds(const open_bundle *bundle, int32_t body)
{
    if (body == NO_BODY) return false;
    for (int k = 0; k < 2 * bundle->lanes; ++k)
        if (bundle->body[k] == body) return true;
    return false;
}

// The first open bundle that has neither body; or a new one, in place of the oldest if too many are open.
static int find_bundle(open_bundle open[OPEN_BUNDLES], int *open_count, int64_t *bundle_count, const contact_ends *ends)
{
    for (int k = 0; k < *open_count; ++k)
        if (!holds(&open[k], ends->a) && !holds(&open[k], ends->b)) return k;
    if (*open_count == OPEN_BUNDLES) memmove(open, open + 1, (size_t)-- * open_count * sizeof *open);
    open[*open_count] = (open_bundle){.number = (int32_t)(*bundle_count)++};
    return (*open_count)++;
}

int64_t double_bundling(const contact_system *system, int32_t *lane_of)
{
    open_bundle open[OPEN_BUNDLES];
    int open_count = 0;
    int64_t bundle_count = 0;
    for (int64_t i = 0; i < system->contact_count; ++i) {
        contact_ends ends = system->ends(system->owner, i);
        if (!ends.centre_line) continue;
        int k = find_bundle(open, &open_count, &bundle_count, &ends);
        open_bundle *bundle = &open[k];
        if (lane_of != NULL) lane_of[i] = bundle->number * DOUBLE_LANES + bundle->lanes;
        bundle->body[2 * bundle->lanes] = ends.a;
        bundle->body[2 * bundle->lanes + 1] = ends.b;
        if (++bundle->lanes == DOUBLE_LANES) memmove(open + k, open + k + 1, (size_t)(--open_count - k) * sizeof *open);
    }
    return bundle_count;
}

static void set3(double to[3][DOUBLE_LANES], int lane, scr_vec3 v)
{
    to[0][lane] = v.x, to[1][lane] = v.y, to[2][lane] = v.z;
}

void double_bundle_clear(double_bundle *bundle, int32_t still)
{
    memset(bundle, 0, sizeof *bundle);
    for (int lane = 0; lane < DOUBLE_LANES; ++lane) {
        bundle->a[lane] = bundle->b[lane] = still;
        bundle->n[2][lane] = bundle->b_n[lane] = bundle->b_t[lane] = bundle->step_n[lane] = bundle->step_t[lane] = 1.0;
        bundle->contact[lane] = -1;
    }
}

void double_bundle_set(double_bundle *bundle, int lane, const contact_row *row, int32_t still, int32_t contact,
                       scr_vec3 g)
{
    bundle->a[lane] = row->a == NO_BODY ? still : row->a;
    bundle->b[lane] = row->b == NO_BODY ? still : row->b;
    bundle->contact[lane] = contact;
    set3(bundle->n, lane, row->n);
    set3(bundle->r, lane, row->r);
    set3(bundle->g, lane, g);
    set3(bundle->old, lane, g);
    bundle->mu[lane] = fmin(row->mu, LARGEST_FRICTION);
    bundle->apex[lane] = row->apex;
    bundle->compliance_n[lane] = row->eps_n * row->a_n;
    bundle->compliance_t[lane] = row->eps_t * row->a_t;
    bundle->b_n[lane] = row->a_n + bundle->compliance_n[lane];
    bundle->b_t[lane] = row->a_t + bundle->compliance_t[lane];
    bundle->step_n[lane] = 1.0 / bundle->b_n[lane];
    bundle->step_t[lane] = 1.0 / bundle->b_t[lane];
    bundle->arm_a[lane] = row->a == NO_BODY ? 0.0 : vec3_dot(row->lever_a, row->n);
    bundle->arm_b[lane] = row->b == NO_BODY ? 0.0 : vec3_dot(row->lever_b, row->n);
}

void double_lane_push(const double_bundle *c, int lane, const double impulse[3][DOUBLE_LANES], body_impulse *body)
{
    scr_vec3 linear = vec3(impulse[0][lane], impulse[1][lane], impulse[2][lane]);
    scr_vec3 angular = vec3_cross(vec3(c->n[0][lane], c->n[1][lane], c->n[2][lane]), linear);
    body_receive(&body[c->a[lane]], vec3_neg(linear), vec3_scale(-c->arm_a[lane], angular));
    body_receive(&body[c->b[lane]], linear, vec3_scale(c->arm_b[lane], angular));
}

void double_rolling_clear(double_rolling *rolling)
{
    memset(rolling, 0, sizeof *rolling);
    for (int lane = 0; lane < DOUBLE_LANES; ++lane)
        rolling->b_q[lane] = rolling->step_t[lane] = rolling->step_q[lane] = 1.0;
}

void double_rolling_set(double_rolling *rolling, const double_bundle *c, int lane, const contact_row *row,
                        const system_body *mass, scr_vec3 q)
{
    double inertia_a = row->a == NO_BODY ? 0.0 : mass[row->a].inv_inertia.m[0][0],
           inertia_b = row->b == NO_BODY ? 0.0 : mass[row->b].inv_inertia.m[0][0];
    double arm = row->arm, compliance_q = row->eps_q * row->a_q,
           b_q = arm * arm * (inertia_a + inertia_b) + compliance_q;
    double cross = arm * (inertia_a * c->arm_a[lane] + inertia_b * c->arm_b[lane]),
           rho = fabs(cross) / sqrt(c->b_t[lane] * b_q);
    set3(rolling->q, lane, q);
    set3(rolling->old, lane, q);
    set3(rolling->w, lane, row->r_q);
    rolling->arm[lane] = arm;
    rolling->roll[lane] = fmin(row->roll, LARGEST_FRICTION);
    rolling->spin[lane] = fmin(row->spin, LARGEST_FRICTION);
    rolling->b_q[lane] = b_q;
    rolling->cross[lane] = cross;
    rolling->compliance_q[lane] = compliance_q;
    rolling->step_t[lane] = 1.0 / ((1.0 + rho) * c->b_t[lane]);
    rolling->step_q[lane] = 1.0 / ((1.0 + rho) * b_q);
}

void double_lane_twist(const double_bundle *c, const double_rolling *rolling, int lane, const double q[3][DOUBLE_LANES],
                       body_impulse *body)
{
    scr_vec3 none = {0.0, 0.0, 0.0},
             angular_impulse = vec3_scale(rolling->arm[lane], vec3(q[0][lane], q[1][lane], q[2][lane]));
    body_receive(&body[c->a[lane]], none, vec3_neg(angular_impulse));
    body_receive(&body[c->b[lane]], none, angular_impulse);
}
