// SPDX-License-Identifier: BSD-3-Clause
// A time step, stage by stage: one function for each contact law.
//
// A stage is a function of the world. The first failure ends the step: the stages after it are passed over, and the
// world is what it was.
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/detection/detection.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/step/stages.h"
#include "dynamics/world/world_state.h"

typedef struct step_context {
    scr_world *world;
    scr_status status;  // of the first failure
    scr_error *error;
    double mark;  // s; when the last lap ended
} step_context;

typedef scr_status stage(scr_world *world, scr_error *error);
typedef void sure_stage(scr_world *world);  // cannot fail

static void run(step_context *s, stage *work)
{
    if (s->status == SCR_OK) s->status = work(s->world, s->error);
}

static void run_sure(step_context *s, sure_stage *work)
{
    if (s->status == SCR_OK) work(s->world);
}

static void lap(step_context *s, double *seconds) { scr_lap(&s->mark, seconds); }

static scr_status place_colliders(scr_world *world, scr_error *error)
{
    body_poses poses = world_poses(world);
    return colliders_place_first(&world->colliders, &poses, general_colliders(world), world->threads, error);
}

static scr_status show_problem(scr_world *world, scr_error *error)
{
    return world->watch.see != NULL ? world->watch.see(world->watch.context, world, error) : SCR_OK;
}

static int useful_threads(const scr_world *world)
{
    if (world->def.thread_count > 0) return world->def.thread_count;
    return threads_for_bodies(world->bodies.table.count, world->max_threads);
}

// ---- complementarity ----

static void prepare_and_solve(step_context *s)
{
    run(s, prepare);       // contacts -> coloured bundles
    run(s, show_problem);  // to those who ask
    lap(s, &s->world->seconds.prepare);
    run(s, solve);          // bundles -> impulses -> velocities
    run(s, settle_joints);  // impulses that close the joints at the end of the step
    lap(s, &s->world->seconds.solve);
}

static void guess_and_solve(step_context *s)
{
    run(s, recall_impulses);  // last step -> first guess
    run(s, take_impacts);     // what bounces, blow upon blow
    run(s, foresee_hover);    // what slides fast
    lap(s, &s->world->seconds.contacts);
    prepare_and_solve(s);
}

// Contacts and their impulses, for bodies that would move as apply_forces has set it.
static void solve_contacts(step_context *s)
{
    run(s, find_pairs);  // shapes -> neighbour lists
    lap(s, &s->world->seconds.pairs);
    run(s, find_contacts);    // neighbours -> contacts
    run(s, reduce_contacts);  // few for each pair of bodies
    run(s, hold_joints);      // velocities that joints allow, without contacts
    guess_and_solve(s);
}

// The same contacts once more, with other rows of joints held. Not from the impulses so far: against a motor that
// could not give way they may have grown without end.
static void solve_held_otherwise(step_context *s)
{
    run(s, apply_forces);
    run(s, hold_joints_again);
    guess_and_solve(s);
}

// The same contacts once more, with less taken from their hover.
static void solve_again(step_context *s)
{
    run(s, apply_forces);
    run(s, hold_joints_again);
    run(s, take_impacts);
    prepare_and_solve(s);
}

static void solve_until_consistent(step_context *s)
{
    while (s->status == SCR_OK) {
        if (must_hold_otherwise(s->world)) solve_held_otherwise(s);
        else if (must_hover_more(s->world)) solve_again(s);
        else return;
    }
}

enum { PASSES_MAX = 8 };  // in one step: each follows fast bodies to the next ones they strike

static void move_by_impulses(step_context *s)
{
    run(s, apply_forces);       // velocities without contacts
    run(s, check_free_motion);  // or stop here, naming who is to blame
    run(s, place_colliders);    // bodies -> shapes in the world
    lap(s, &s->world->seconds.forces);
    for (int passes = 1;; ++passes) {
        solve_contacts(s);
        solve_until_consistent(s);
        run(s, sum_motion);  // how fast all are now
        // With joints settled: else a light body of a heavy mechanism would seem to be sent far off by its contacts.
        if (s->status != SCR_OK || passes == PASSES_MAX || !must_detect_again(s->world)) break;
        run(s, apply_forces);
    }
    run(s, check_motion);          // or stop here, state untouched
    run_sure(s, stretch_springs);  // what damped contacts remember
    lap(s, &s->world->seconds.solve);
}

// ---- penalty ----

static void move_by_forces(step_context *s)
{
    run(s, go_to_midpoint);  // where contacts will act
    run(s, apply_forces);
    run(s, check_free_motion);
    run(s, place_colliders);
    lap(s, &s->world->seconds.forces);
    run(s, s->world->grains.is_loaded ? find_pairs_outside_bed : find_pairs);
    lap(s, &s->world->seconds.pairs);
    run(s, find_contacts);
    run(s, reduce_contacts);
    run(s, recall_history);  // last step -> springs
    lap(s, &s->world->seconds.contacts);
    run_sure(s, find_contact_forces);  // overlaps, springs -> forces
    run(s, push_bodies);               // forces -> velocities
    lap(s, &s->world->seconds.prepare);
    run(s, settle_joints);  // where bodies are at the midpoint
    run(s, sum_motion);
    run(s, check_motion);
    run(s, step_grains);  // the bed, if there is one
    lap(s, &s->world->seconds.solve);
}

// ---- both ----

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
    step_context s = {world, SCR_OK, error, scr_now()};
    double began = s.mark;
    world->shape_tree_is_behind = true;
    int64_t applied_before = world->applied_count;
    world->has_contacts = false;
    world->shown_contacts.is_behind = true;
    world->report.is_solved = true;  // unless there is something to solve
    forget_deflections(world);
    world->threads = useful_threads(world);
    run(&s, sort_in_space);  // now and then: memory follows space
    if (s.status != SCR_OK) return s.status;
    lap(&s, &world->seconds.sort);
    run(&s, find_mechanisms);       // bodies that joints hold together
    run(&s, ask_for_forces);        // of the user's function
    run(&s, take_grains_into_bed);  // if there are many, under the penalty law
    if (world_is_penalty(world)) move_by_forces(&s);
    else move_by_impulses(&s);
    run(&s, integrate);           // velocities -> positions
    run_sure(&s, finish_joints);  // velocities that fit them there, reactions
    lap(&s, &world->seconds.integrate);
    scr_lap(&began, &world->seconds.total);
    if (s.status != SCR_OK) {
        world->applied_count = applied_before;
        undo_sort(world);
        world_place_cells(world, 0.0);
        return s.status;
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
    step_context s = {world, SCR_OK, error, scr_now()};
    give_grains_back(world);
    world->has_contacts = false;
    world->shown_contacts.is_behind = true;
    forget_deflections(world);
    world->threads = useful_threads(world);
    run(&s, find_mechanisms);
    if (world_is_penalty(world)) run(&s, go_to_midpoint);
    run(&s, apply_forces);
    run(&s, check_free_motion);
    run(&s, place_colliders);
    run(&s, find_pairs);
    run(&s, find_contacts);
    if (world_is_penalty(world)) run(&s, recall_history);
    world_place_cells(world, 0.0);
    if (s.status != SCR_OK) return s.status;
    for (int64_t i = 0; i < 3 * world->contacts.count; ++i) world->contacts.impulse[i] = 0.0f;
    world->contacts.has_angular_impulses = world->contacts.has_blows = false;
    problem_clear(&world->problem);
    penalty_clear(world);
    world->has_contacts = true;
    return SCR_OK;
}
