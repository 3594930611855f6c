// SPDX-License-Identifier: BSD-3-Clause
// A space that repeats itself, and whose lengths change. The image of a body n cells up an axis is n lengths ahead and
// n times the rate of the length faster. So bodies that move as the cell does, x = s L with s the same for ever, have
// v = s L' and v' = s L'' = (L'' / L) x: what keeps them so is a change of velocity in proportion to where they are
// whenever the rate changes, and nothing else. All bodies get it, about their common centre of mass, which leaves
// momentum as it is; what contacts then make of it is theirs.
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/body_sums.h"

// Of a length: bodies reach no farther from their centres, as when they were added.
static const double LARGEST_SHARE = 0.25;

scr_vec3 scr_world_cell(const scr_world *world)
{
    const double *length = world->colliders.period.length;
    return vec3(length[0], length[1], length[2]);
}

scr_vec3 scr_world_cell_rate(const scr_world *world)
{
    const double *rate = world->cell_stretch;
    return vec3(rate[0], rate[1], rate[2]);
}

// m: how far the largest body reaches from its centre. Grains of a bed need no look: they do to an eighth of a length.
static double largest_reach(const scr_world *world)
{
    const colliders *c = &world->colliders;
    double reach = 0.0;
    for (int64_t k = 0; k < general_colliders(world); ++k) {
        int32_t place = c->place[k];
        double arm = place == NO_PLACE ? 0.0 : vec3_norm(collider_frame_pose(c, place).position);
        reach = fmax(reach, arm + c->radius[k]);
    }
    return reach;
}

static scr_status check_rate(const scr_world *world, scr_vec3 rate, scr_error *error)
{
    const periodic_cell *p = &world->colliders.period;
    if (!p->is_stretched) return scr_fail(error, SCR_BAD_INPUT, "space is not stretched: its definition says nothing");
    double reach = largest_reach(world);
    for (int axis = 0; axis < 3; ++axis) {
        double along = vec3_along(rate, axis);
        if (!isfinite(along)) return scr_fail(error, SCR_BAD_INPUT, "the rate of a length is not a number");
        if (p->length[axis] == 0.0 && along != 0.0)
            return scr_fail(error, SCR_BAD_INPUT, "space does not repeat along %c: no length there can change",
                            "xyz"[axis]);
        if (along < 0.0 && !(reach < LARGEST_SHARE * p->length[axis]))
            return scr_fail(error, SCR_BAD_INPUT,
                            "the cell is %g m long along %c and must not be shorter: a body reaches %g m from its "
                            "centre, and a quarter of the length is the most",
                            p->length[axis], "xyz"[axis], reach);
    }
    return SCR_OK;
}

static void carry_bodies(scr_world *world, const double share[3], scr_vec3 centre)
{
    bodies *b = &world->bodies;
    ready_bed_for_stretch(world);
    const int64_t n = general_bodies(world);
#pragma omp parallel for num_threads(loop_threads(n, world->threads)) schedule(static)
    for (int64_t i = 0; i < n; ++i) {
        b->vx[i] += share[0] * (b->x[i] - centre.x);
        b->vy[i] += share[1] * (b->y[i] - centre.y);
        b->vz[i] += share[2] * (b->z[i] - centre.z);
    }
    stretch_bed(world, share, centre);
}

scr_status scr_world_stretch(scr_world *world, scr_vec3 rate, scr_error *error)
{
    scr_status status = check_rate(world, rate, error);
    if (status != SCR_OK) return status;
    const periodic_cell *p = &world->colliders.period;
    double share[3];  // 1/s
    bool is_new = false;
    for (int axis = 0; axis < 3; ++axis) {
        double change = vec3_along(rate, axis) - world->cell_stretch[axis];
        is_new = is_new || change != 0.0;
        share[axis] = p->inverse[axis] * change;
        world->cell_stretch[axis] = vec3_along(rate, axis);
    }
    world_place_cells(world, 0.0);
    if (is_new) carry_bodies(world, share, total_of_bodies(world).centre);
    return SCR_OK;
}
