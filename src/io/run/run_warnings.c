// SPDX-License-Identifier: BSD-3-Clause
// Warnings and notes on a run, from what its record and its simulation know.
#include "io/run/run_warnings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text/human.h"
#include "scene/parts/phases.h"
#include "scene/probe/rig_probe.h"
#include "scene/probe/vehicle_faults.h"
#include "scene/run/rest_watch.h"

static const double OVERLAP_HIGH = 0.05;     // of the smaller radius
static const double LOAD_ERROR_HIGH = 0.01;  // of a rig's load, in the mean

static void say(scr_sentences *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(scr_sentences *list, const char *format, ...)
{
    if (list->count == SCR_SENTENCES_MAX) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(list->text[list->count++], SCR_SENTENCE_LENGTH, format, arguments);
    va_end(arguments);
}

// Where not all iterations were used, more of them would not help: sweeps in single precision end where only rounding
// changes anything, and Newton's method may have no more to go on with.
static const char *cure_of(const scr_run_record *r, const scr_world_def *world)
{
    const scr_solver_def *solver = &world->solver;
    bool sweeps = solver->kind == SCR_SOLVER_AUTO || solver->kind == SCR_SOLVER_AGS || solver->kind == SCR_SOLVER_GS;
    bool is_convex = world->contact.friction == SCR_FRICTION_CONVEX;
    bool is_single = sweeps && is_convex && solver->precision != SCR_PRECISION_DOUBLE;
    if (r->iteration_max >= solver->max_iterations && solver->kind != SCR_SOLVER_NEWTON)
        return "More solver.max_iterations or a shorter time step help";
    return is_single ? "A shorter time step or solver.precision \"double\" help"
                     : "A shorter time step or another solver.method help";
}

static void warn_of_unsolved_steps(scr_sentences *list, const scr_run_record *r, const scr_world_def *world)
{
    if (r->unsolved_steps == 0) return;
    if (world->solver.tolerance == 0.0 || r->force_error_max <= world->solver.tolerance)
        say(list,
            "In %s of %s contacts and the motors, friction or limits of joints that they overload did not come to fit "
            "each other. A shorter time step helps.",
            human_count(r->unsolved_steps).text, human_things(r->step, "step", "steps").text);
    else
        say(list,
            "%s of %s did not reach the solver's tolerance: the force error was up to %.2g, "
            "and %.2g was asked for. %s.",
            human_count(r->unsolved_steps).text, human_things(r->step, "step", "steps").text, r->force_error_max,
            world->solver.tolerance, cure_of(r, world));
}

static void warn_of_long_steps(scr_sentences *list, const scr_run_record *r, double time_step)
{
    if (r->advised_step <= 0.0 || time_step <= r->advised_step) return;
    say(list,
        "The time step is %.2g times the longest that the penalty law advises (%s): forces and energy may be "
        "wrong. A shorter time step helps.",
        time_step / r->advised_step, human_duration(r->advised_step).text);
}

static void tell_of_packing(run_warnings *w, const simulation *sim)
{
    const scene_packing *asked = &simulation_scene(sim)->packing;
    const rest_watch *rest = simulation_rest(sim);
    if (!(asked->fraction > 0.0) || !simulation_is_done(sim)) return;
    if (rest->packed_at < INFINITY)
        say(&w->notes, "The packing reached %.4f at t = %g s; %g was asked for.", rest->packing, rest->packed_at,
            asked->fraction);
    else
        say(&w->warnings, "The packing is %.4f in the end: it did not reach %g, which was asked for.", rest->packing,
            asked->fraction);
}

static void warn_of_pins(scr_sentences *list, const simulation *sim, const scene_probe *probe, const scene_track *track,
                         const char *side)
{
    int first = -1;
    int64_t count = 0;
    for (int k = 0; k < track->pin_count; ++k) {
        double at = simulation_broken_at(sim, track->pin[k]);
        if (at == 0.0) continue;
        if (first < 0 || at < simulation_broken_at(sim, track->pin[first])) first = k;
        ++count;
    }
    if (count > 0)
        say(list, "%s of the %s track of %s broke: the first was '%s' at t = %.4g s.",
            human_things(count, "pin", "pins").text, side, probe->name,
            simulation_scene(sim)->joints[track->pin[first]].name, simulation_broken_at(sim, track->pin[first]));
}

static void warn_of_tracks(scr_sentences *list, const simulation *sim, int vehicle)
{
    const scene_probe *probe = simulation_vehicle(sim, vehicle);
    for (int t = 0; t < probe->vehicle->track_count; ++t) {
        const scene_track *track = &probe->vehicle->track[t];
        const char *side = track->is_right ? "right" : "left";
        track_faults faults = simulation_track_faults(sim, vehicle, t);
        warn_of_pins(list, sim, probe, track, side);
        if (faults.thrown_at > 0.0)
            say(list, "The %s track of %s was thrown at t = %.4g s: shoes have left the guidance of its wheels.", side,
                probe->name, faults.thrown_at);
        if (faults.stalled > 0.0)
            say(list, "The %s sprocket of %s stalled at t = %.4g s, and for %s in all: it was driven and stood.", side,
                probe->name, faults.stalled_at, human_duration(faults.stalled).text);
    }
}

static void tell_of_phases(run_warnings *w, const simulation *sim)
{
    const phases *p = simulation_phases(sim);
    const scene *s = simulation_scene(sim);
    for (int k = 0; k < s->phase_count; ++k)
        if (p->result[k] == PHASE_TIMED_OUT)
            say(&w->warnings, "The phase \"%s\" ended after %g s without having reached what it waited for.",
                s->phases[k].name, s->phases[k].at_most);
    if (s->phase_count > 0 && simulation_is_done(sim) && !(p->ended_at < INFINITY))
        say(&w->warnings, "The run ended in the phase \"%s\": %g s were too short for all phases.",
            s->phases[p->index].name, s->end_time);
}

static void warn_of_load(scr_sentences *list, const simulation *sim)
{
    if (simulation_rig(sim) == NULL || simulation_phases(sim)->index != simulation_scene(sim)->rig.measure) return;
    scr_rig_report rig = rig_probe_report(simulation_rig(sim), &simulation_scene(sim)->rig);
    for (int k = 0; k < rig.figure_count; ++k)
        if (strcmp(rig.figure[k].name, "load_error") == 0 && fabs(rig.figure[k].value) > LOAD_ERROR_HIGH)
            say(list, "The rig's load was %+.2g %% off in the mean: a heavier part or a shorter time step helps.",
                100.0 * rig.figure[k].value);
}

run_warnings run_warnings_of(const scr_run_record *record, const simulation *sim)
{
    const scr_world_def *world = &simulation_scene(sim)->world;
    scr_scene_counts counts = simulation_count(sim);
    run_warnings w = {0};
    // The penalty law solves nothing.
    if (world->contact.law == SCR_PENALTY) warn_of_long_steps(&w.warnings, record, world->time_step);
    else warn_of_unsolved_steps(&w.warnings, record, world);
    for (int k = 0; k < simulation_vehicle_count(sim); ++k) warn_of_tracks(&w.warnings, sim, k);
    tell_of_packing(&w, sim);
    tell_of_phases(&w, sim);
    warn_of_load(&w.warnings, sim);
    if (record->overlap_max > OVERLAP_HIGH)
        say(&w.notes, "In the last step bodies overlap by up to %.2g %% of the smaller radius.",
            100.0 * record->overlap_max);
    if (counts.active.parked_fast > 0)
        say(&w.notes, "%s parked while faster than %g m/s. A larger active box or a thicker shell helps.",
            human_things(counts.active.parked_fast, "grain was", "grains were").text,
            simulation_scene(sim)->active_box.freeze_speed);
    if (counts.left > 0) say(&w.notes, "%s left the domain.", human_things(counts.left, "body", "bodies").text);
    return w;
}
