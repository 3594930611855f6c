// A time step, stage by stage.
#include "core/stopwatch.h"
#include "core/threads.h"
#include "dynamics/world.h"

static scr_status place_colliders(scr_world *world, scr_error *error)
{
    body_poses poses = world_poses(world);
    return colliders_place_first(&world->colliders, &poses, general_colliders(world), world->threads, error);
}

// As many threads as were asked for. If that was left open: a small world is done sooner by fewer threads than there are
// cores. The result is the same for any number.
enum { BODIES_PER_THREAD = 2000 };
static int useful_threads(const scr_world *world)
{
    if (world->def.thread_count > 0) return world->def.thread_count;
    int64_t useful = 1 + world->bodies.table.count / BODIES_PER_THREAD;
    return (int)min_i64(useful, world->max_threads);
}

// Complementarity: contacts and their impulses, for bodies that would move as apply_forces has set it.
static scr_status solve_contacts(scr_world *world, double *mark, scr_error *error)
{
    scr_stage_seconds *seconds = &world->seconds;
    scr_status status = find_pairs(world, error);                   // neighbours.c    shapes -> neighbour lists
    scr_lap(mark, &seconds->pairs);
    if (status == SCR_OK) status = find_contacts(world, error);     // contacts.c      neighbours -> contacts
    if (status == SCR_OK) status = reduce_contacts(world, error);   // reduction.c     few for each pair of bodies
    if (status == SCR_OK) status = hold_joints(world, error);       // closing.c       velocities that joints allow, without contacts
    if (status == SCR_OK) status = recall_impulses(world, error);   // warm_start.c    last step -> first guess
    if (status == SCR_OK) status = take_impacts(world, error);      // impacts.c       what bounces, blow upon blow
    if (status == SCR_OK) status = foresee_hover(world, error);     // hover.c         what slides fast
    scr_lap(mark, &seconds->contacts);
    if (status == SCR_OK) status = prepare(world, error);           // problem.c       contacts -> coloured bundles
    if (status == SCR_OK && world->kept != NULL) status = saved_system_copy(world->kept, world, error);  // for those who ask
    scr_lap(mark, &seconds->prepare);
    if (status == SCR_OK) status = solve(world, error);             // solve.c         bundles -> velocities
    scr_lap(mark, &seconds->solve);
    return status;
}

// The same contacts once more, with less taken from their hover.
static scr_status solve_again(scr_world *world, double *mark, scr_error *error)
{
    scr_status status = apply_forces(world, error);
    if (status == SCR_OK) status = hold_joints(world, error);
    if (status == SCR_OK) status = take_impacts(world, error);
    if (status == SCR_OK) status = prepare(world, error);
    if (status == SCR_OK && world->kept != NULL) status = saved_system_copy(world->kept, world, error);
    scr_lap(mark, &world->seconds.prepare);
    if (status == SCR_OK) status = solve(world, error);
    if (status == SCR_OK) status = settle_joints(world, error);
    scr_lap(mark, &world->seconds.solve);
    return status;
}

enum { LOOKS_MAX = 8 };  // in one step: each follows fast bodies to the next ones they strike

static scr_status solve_until_seen(scr_world *world, double *mark, scr_error *error)
{
    for (int looks = 1;; ++looks) {
        scr_status status = solve_contacts(world, mark, error);
        // First the joints: without them a light body of a heavy mechanism would seem to be sent far off by its contacts.
        if (status == SCR_OK) status = settle_joints(world, error);  // closing.c      joints closed at the end of the step
        while (status == SCR_OK && must_hover_more(world)) status = solve_again(world, mark, error);  // hover.c
        if (status != SCR_OK || looks == LOOKS_MAX || !must_look_further(world)) return status;  // look_again.c
        status = apply_forces(world, error);
        if (status != SCR_OK) return status;
    }
}

// Penalty: contacts and their forces, where bodies are half way.
static scr_status push_contacts(scr_world *world, double *mark, scr_error *error)
{
    scr_stage_seconds *seconds = &world->seconds;
    scr_status status = find_pairs(world, error);                   // neighbours.c      shapes -> neighbour lists
    scr_lap(mark, &seconds->pairs);
    if (status == SCR_OK) status = find_contacts(world, error);     // contacts.c        neighbours -> contacts
    if (status == SCR_OK) status = reduce_contacts(world, error);   // reduction.c       few for each pair of bodies
    if (status == SCR_OK) status = recall_history(world, error);    // contact_forces.c  last step -> springs
    scr_lap(mark, &seconds->contacts);
    if (status == SCR_OK) find_contact_forces(world);               // contact_forces.c  overlaps, springs -> forces
    if (status == SCR_OK) status = push_bodies(world, error);       // body_forces.c     forces -> velocities
    scr_lap(mark, &seconds->prepare);
    return status;
}

static void report_contacts(scr_world *world)
{
    const grain_world *g = &world->grains;
    world->report.contact_count = world->contacts.count;
    world->report.max_penetration = world->contacts.max_penetration;
    if (!g->is_loaded) return;
    world->report.contact_count += g->bed.touching;
    world->report.max_penetration = fmax(world->report.max_penetration, g->bed.overlap);
}

scr_status scr_world_step(scr_world *world, scr_error *error)
{
    scr_stage_seconds *seconds = &world->seconds;
    double mark = scr_now(), whole = mark;
    world->has_contacts = false;
    world->report.is_solved = true;  // unless there is something to solve
    forget_kicks(world);
    world->threads = useful_threads(world);
    scr_status status = sort_in_space(world, error);                // spatial_sort.c  now and then: memory follows space
    if (status != SCR_OK) return status;
    scr_lap(&mark, &seconds->sort);
    if (status == SCR_OK) status = find_mechanisms(world, error);   // topology.c      bodies that joints hold together
    if (status == SCR_OK) status = take_grains_into_bed(world, error);  // grain_world.c   if there are many, under the penalty law
    if (status == SCR_OK && world_is_penalty(world)) status = go_half_way(world, error);  // integrate.c   where contacts will act
    if (status == SCR_OK) status = apply_forces(world, error);      // forces.c        velocities without contacts
    if (status == SCR_OK) status = check_free_motion(world, error); // integrate.c     or stop here, naming who is to blame
    if (status == SCR_OK) status = place_colliders(world, error);   // colliders.c     bodies -> shapes in the world
    scr_lap(&mark, &seconds->forces);
    if (status == SCR_OK)
        status = world_is_penalty(world) ? push_contacts(world, &mark, error) : solve_until_seen(world, &mark, error);
    if (status == SCR_OK && world_is_penalty(world)) status = settle_joints(world, error);  // the same where bodies are half way
    if (status == SCR_OK) status = check_motion(world, error);      // integrate.c     or stop here, state untouched
    if (status == SCR_OK) stretch_springs(world);                   // warm_start.c    what damped contacts remember
    if (status == SCR_OK) status = step_grains(world, error);       // grain_world.c   the bed
    scr_lap(&mark, &seconds->solve);
    if (status == SCR_OK) status = integrate(world, error);         // integrate.c     velocities -> positions
    if (status == SCR_OK) finish_joints(world);                     // finish.c        velocities that fit them there, reactions
    scr_lap(&mark, &seconds->integrate);
    scr_lap(&whole, &seconds->total);
    if (status != SCR_OK) {
        undo_sort(world);
        return status;
    }
    report_contacts(world);
    world->applied_count = 0;
    world->has_contacts = true;
    ++world->step_count;
    return SCR_OK;
}

// The first stages of a step. The contact problem of the last step no longer fits the contacts: it is emptied.
scr_status scr_world_find_contacts(scr_world *world, scr_error *error)
{
    give_grains_back(world);
    world->has_contacts = false;
    forget_kicks(world);
    world->threads = useful_threads(world);
    scr_status status = find_mechanisms(world, error);
    if (status == SCR_OK && world_is_penalty(world)) status = go_half_way(world, error);
    if (status == SCR_OK) status = apply_forces(world, error);
    if (status == SCR_OK) status = check_free_motion(world, error);
    if (status == SCR_OK) status = place_colliders(world, error);
    if (status == SCR_OK) status = find_pairs(world, error);
    if (status == SCR_OK) status = find_contacts(world, error);
    if (status == SCR_OK && world_is_penalty(world)) status = recall_history(world, error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < 3 * world->contacts.count; ++i) world->contacts.impulse[i] = 0.0f;
    world->contacts.has_twists = world->contacts.has_blows = false;
    problem_clear(&world->problem);
    penalty_clear(world);
    world->has_contacts = true;
    return SCR_OK;
}
