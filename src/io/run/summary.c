// SPDX-License-Identifier: BSD-3-Clause
// summary.json: the figures of a run. docs/run_directory.md lists its keys.
#include "io/run/summary.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "build_info.h"
#include "core/base/printable.h"
#include "core/file/safe_file.h"
#include "io/json/json_memory.h"
#include "io/json/json_write.h"
#include "io/run/run_files.h"
#include "io/scene/scene_reader.h"
#include "scene/model/messages.h"
#include "scene/parts/phases.h"
#include "scene/probe/rig_probe.h"

static const char *const stage_names[8] = {"sort",    "forces", "pairs",     "contacts",
                                           "prepare", "solve",  "integrate", "steps"};

const char *scr_run_status_name(scr_run_status status)
{
    static const char *const names[] = {"running", "done", "interrupted", "failed"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

static int64_t peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * 1024 : 0;
}

scr_run_summary summary_of(simulation *sim, const scr_run_record *record, int threads, uint64_t state_hash)
{
    scr_world *world = simulation_world(sim);
    scr_energy energy = scr_world_energy(world);
    energy.elastic = record->elastic_energy;
    scr_scene_counts counts = simulation_count(sim);
    energy.potential += counts.active.potential + counts.sleep.potential;
    run_warnings sentences = run_warnings_of(record, sim);
    scr_run_summary summary = {
        .title = simulation_scene(sim)->title,
        .record = *record,
        .law = simulation_scene(sim)->world.contact.law,
        .time_step = scr_world_time_step(world),
        .threads = threads,
        .body_count = scr_world_bodies(world).count,
        .joint_count = simulation_joints(sim).count,
        .energy = energy,
        .momentum = scr_world_momentum(world),
        .angular_momentum = scr_world_angular_momentum(world),
        .counts = counts,
        .state_hash = state_hash,
        .peak_memory = peak_memory(),
        .warnings = sentences.warnings,
        .notes = sentences.notes,
    };
    for (int k = 0; k < simulation_vehicle_count(sim) && k < SCR_VEHICLES_MAX; ++k)
        summary.vehicle[summary.vehicle_count++] = simulation_mobility(sim, k);
    if (simulation_rig(sim) != NULL) summary.rig = rig_probe_report(simulation_rig(sim), &simulation_scene(sim)->rig);
    return summary;
}

// JSON knows no infinity: a figure that is none is null.
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }
static json_t *vector(scr_vec3 v) { return json_pack("[o, o, o]", number(v.x), number(v.y), number(v.z)); }

static json_t *energy_object(const scr_energy *energy, const double start[3])
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "kinetic", number(energy->kinetic), "potential",
                     number(energy->potential), "elastic", number(energy->elastic), "total",
                     number(energy->kinetic + energy->potential + energy->elastic), "total_at_start",
                     number(start[0] + start[1] + start[2]));
}

static json_t *seconds_object(const scr_run_record *r)
{
    json_t *seconds = json_object();
    json_object_set_new(seconds, "wall", number(r->wall_seconds));
    for (int k = 0; k < 8; ++k) json_object_set_new(seconds, stage_names[k], number(r->stage_seconds[k]));
    json_object_set_new(seconds, "output", number(r->output_seconds));
    json_object_set_new(seconds, "checkpoints", number(r->checkpoint_seconds));
    json_object_set_new(seconds, "per_step", number(r->step > 0 ? r->stage_seconds[7] / (double)r->step : 0.0));
    return seconds;
}

static json_t *count_and_mass(int64_t count, double mass)
{
    return json_pack("{s:I, s:o}", "count", (json_int_t)count, "mass", number(mass));
}

static json_t *active_object(const scr_active_counts *a)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o}", "live", (json_int_t)a->live, "fixed", (json_int_t)a->fixed,
                     "parked", (json_int_t)a->parked, "total", (json_int_t)(a->live + a->fixed + a->parked),
                     "parked_fast", (json_int_t)a->parked_fast, "frozen_energy", number(a->frozen_energy));
}

static json_t *sleep_object(const scr_sleep_counts *s)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:o}", "awake", (json_int_t)s->awake, "asleep", (json_int_t)s->asleep,
                     "fallen", (json_int_t)s->fallen, "woken_cells", (json_int_t)s->woken_cells, "frozen_energy",
                     number(s->frozen_energy));
}

static json_t *versions_object(void)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "scree", SCREE_VERSION, "build", SCREE_BUILD_TYPE, "compiler",
                     SCREE_COMPILER, "target", SCREE_TARGET, "hdf5", SCREE_HDF5_VERSION, "jansson",
                     SCREE_JANSSON_VERSION);
}

static json_t *iterations_object(const scr_run_record *r)
{
    double mean = r->step > 0 ? (double)r->iteration_sum / (double)r->step : 0.0;
    return json_pack("{s:I, s:o, s:I}", "last", (json_int_t)r->iterations, "mean", number(mean), "max",
                     (json_int_t)r->iteration_max);
}

static json_t *last_and_max(double last, double max)
{
    return json_pack("{s:o, s:o}", "last", number(last), "max", number(max));
}

// How well the contact problem was solved. The penalty law has none: its keys are there and null, so that tables over
// runs of both laws have the same columns.
static void set_solution(json_t *o, const scr_run_record *r, bool is_solved)
{
    json_object_set_new(o, "iterations", is_solved ? iterations_object(r) : json_null());
    json_object_set_new(o, "change", number(is_solved ? r->change : NAN));
    json_object_set_new(o, "residual", number(is_solved ? r->residual : NAN));
    json_object_set_new(o, "cone_violation", number(is_solved ? r->cone_violation : NAN));
    json_object_set_new(o, "force_error", is_solved ? last_and_max(r->force_error, r->force_error_max) : json_null());
    json_object_set_new(o, "unsolved_steps", is_solved ? json_integer((json_int_t)r->unsolved_steps) : json_null());
}

static void set_advice(json_t *o, const scr_run_summary *s)
{
    double advised = s->law == SCR_PENALTY && s->record.advised_step > 0.0 ? s->record.advised_step : NAN;
    json_object_set_new(o, "advised_time_step", number(advised));
    json_object_set_new(o, "time_step_over_advised", number(s->time_step / advised));
}

static json_t *broken_list(const simulation *sim)
{
    const scene *s = simulation_scene(sim);
    json_t *list = json_array();
    for (int i = 0; i < s->joint_count; ++i) {
        double time = simulation_broken_at(sim, i);
        if (time > 0.0)
            json_array_append_new(list,
                                  json_pack("{s:s, s:o}", "joint", label_of_joint(s, i).text, "time", number(time)));
    }
    return list;
}

static json_t *joints_object(const scr_run_summary *s, const simulation *sim)
{
    const scr_run_record *r = &s->record;
    return json_pack("{s:I, s:o, s:o, s:o}", "count", (json_int_t)s->joint_count, "gap",
                     last_and_max(r->joint_gap, r->joint_gap_max), "tilt",
                     last_and_max(r->joint_tilt, r->joint_tilt_max), "broken", broken_list(sim));
}

static json_t *vehicle_object(const scr_mobility *m)
{
    json_t *tracks = json_object();
    for (int t = 0; t < m->track_count; ++t)
        json_object_set_new(tracks, m->track[t],
                            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "slip", number(m->slip[t]), "sinkage",
                                      number(m->sinkage[t]), "torque", number(m->torque[t]), "power",
                                      number(m->power[t]), "tension", number(m->tension[t]), "pin_force",
                                      number(m->pin_force[t]), "wheel_force", number(m->wheel_force[t])));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "duration", number(m->duration), "distance",
                     number(m->distance), "speed", number(m->speed), "thrust", number(m->thrust), "drawbar",
                     number(m->drawbar), "resistance", number(m->resistance), "energy_per_metre",
                     number(m->energy_per_metre), "tracks", tracks);
}

static json_t *vehicles_object(const scr_run_summary *s)
{
    json_t *vehicles = json_object();
    for (int k = 0; k < s->vehicle_count; ++k)
        json_object_set_new(vehicles, s->vehicle[k].name, vehicle_object(&s->vehicle[k]));
    return vehicles;
}

// The curve of a rig, bin by bin.
static json_t *curve_object(const simulation *sim)
{
    rig_kind kind = simulation_scene(sim)->rig.def.kind;
    rig_curve curve = rig_probe_curve(simulation_rig(sim));
    json_t *columns = json_object();
    for (int c = 0; c < rig_column_count(kind); ++c) {
        json_t *values = json_array();
        for (int k = 0; k < curve_filled(&curve); ++k) json_array_append_new(values, number(curve_bin(&curve, k, c)));
        json_object_set_new(columns, rig_columns(kind)[c].name, values);
    }
    return columns;
}

static json_t *rig_object(const scr_rig_report *rig, const simulation *sim)
{
    json_t *o = json_pack("{s:s}", "kind", rig->kind), *errors = json_object();
    for (int k = 0; k < rig->figure_count; ++k) {
        json_object_set_new(o, rig->figure[k].name, number(rig->figure[k].value));
        if (isfinite(rig->figure[k].error))
            json_object_set_new(errors, rig->figure[k].name, number(rig->figure[k].error));
    }
    json_object_set_new(o, "standard_error", errors);
    json_object_set_new(o, "curve", curve_object(sim));
    return o;
}

static json_t *phases_array(const simulation *sim)
{
    static const char *const results[] = {
        [PHASE_OPEN] = "open", [PHASE_REACHED] = "reached", [PHASE_TIMED_OUT] = "timed out"};
    const phases *p = simulation_phases(sim);
    const scene *s = simulation_scene(sim);
    json_t *list = json_array();
    for (int k = 0; k < s->phase_count; ++k)
        json_array_append_new(list, json_pack("{s:s, s:o, s:s}", "name", s->phases[k].name, "began",
                                              number(p->began_at[k]), "result", results[p->result[k]]));
    return list;
}

static json_t *sentences_array(const scr_sentences *list)
{
    json_t *array = json_array();
    for (int k = 0; k < list->count; ++k) json_array_append_new(array, json_string(list->text[k]));
    return array;
}

static json_t *summary_object(const scr_run_summary *s, const simulation *sim)
{
    const scr_run_record *r = &s->record;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, s->state_hash);
    json_t *o = json_object();
    json_object_set_new(o, "status", json_string(scr_run_status_name(s->status)));
    if (s->reason != NULL) json_object_set_new(o, "reason", json_string(s->reason));
    json_object_set_new(o, "warnings", sentences_array(&s->warnings));
    json_object_set_new(o, "notes", sentences_array(&s->notes));
    json_object_set_new(o, "title", json_string(s->title));
    json_object_set_new(o, "time", number(r->time));
    json_object_set_new(o, "end_time", number(r->end_time));
    json_object_set_new(o, "law", json_string(scr_contact_law_name(s->law)));
    json_object_set_new(o, "time_step", number(s->time_step));
    set_advice(o, s);
    json_object_set_new(o, "steps", json_integer(r->step));
    json_object_set_new(o, "bodies", json_integer(s->body_count));
    if (simulation_scene(sim)->joint_count > 0) json_object_set_new(o, "joints", joints_object(s, sim));
    json_object_set_new(o, "contacts", json_integer(r->contact_count));
    json_object_set_new(o, "touching", json_integer(r->touching_count));
    set_solution(o, r, s->law != SCR_PENALTY);
    json_object_set_new(o, "penetration", last_and_max(r->penetration, r->penetration_max));
    json_object_set_new(o, "overlap",
                        json_pack("{s:o, s:o}", "mean", number(r->overlap_mean), "max", number(r->overlap_max)));
    json_object_set_new(o, "max_speed", number(r->max_speed));
    json_object_set_new(o, "energy", energy_object(&s->energy, r->start_energy));
    json_object_set_new(o, "momentum", vector(s->momentum));
    json_object_set_new(o, "angular_momentum", vector(s->angular_momentum));
    json_object_set_new(o, "emitted", count_and_mass(s->counts.emitted, s->counts.emitted_mass));
    json_object_set_new(o, "sunk", count_and_mass(s->counts.sunk, s->counts.sunk_mass));
    json_object_set_new(o, "left", count_and_mass(s->counts.left, s->counts.left_mass));
    if (s->counts.active.is_present) json_object_set_new(o, "grains", active_object(&s->counts.active));
    if (s->vehicle_count > 0) json_object_set_new(o, "vehicles", vehicles_object(s));
    if (s->rig.kind != NULL) json_object_set_new(o, "rig", rig_object(&s->rig, sim));
    if (simulation_scene(sim)->phase_count > 0) json_object_set_new(o, "phases", phases_array(sim));
    if (s->counts.sleep.is_present) json_object_set_new(o, "sleeping", sleep_object(&s->counts.sleep));
    json_object_set_new(o, "frames", json_integer(r->frame_count));
    json_object_set_new(o, "seconds", seconds_object(r));
    json_object_set_new(o, "resumes", json_integer(r->resume_count));
    json_object_set_new(o, "threads", json_integer(s->threads));
    json_object_set_new(o, "peak_memory", json_integer(s->peak_memory));
    json_object_set_new(o, "state_hash", json_string(hash));
    json_object_set_new(o, "versions", versions_object());
    return o;
}

scr_status summary_write(const char *path, const scr_run_summary *summary, const simulation *sim, scr_error *error)
{
    json_memory_watch();
    json_t *object = summary_object(summary, sim);
    if (object == NULL) return scr_fail_memory(error, sizeof *summary, path);
    char *text;
    scr_status status = json_write_text(object, &text, error);
    json_decref(object);
    if (status != SCR_OK) return status;
    status = file_replace(path, text, strlen(text), error);
    free(text);
    return status;
}

static void read_sentences(const json_t *array, scr_sentences *list)
{
    for (size_t k = 0; k < json_array_size(array) && list->count < SCR_SENTENCES_MAX; ++k) {
        const char *text = json_string_value(json_array_get(array, k));
        if (text == NULL) continue;
        snprintf(list->text[list->count], SCR_SENTENCE_LENGTH, "%s", text);
        make_printable(list->text[list->count++]);
    }
}

scr_status summary_read_brief(const char *path, summary_brief *brief, scr_error *error)
{
    *brief = (summary_brief){0};
    json_error_t where;
    json_memory_watch();
    json_t *o = json_load_file(path, 0, &where);
    if (json_memory_ran_out()) {
        json_decref(o);
        return scr_fail_memory(error, 0, path);
    }
    if (o == NULL) return scr_fail(error, SCR_IO, "%s:%d:%d: %s", path, where.line, where.column, where.text);
    const char *status = json_string_value(json_object_get(o, "status"));
    const char *reason = json_string_value(json_object_get(o, "reason"));
    snprintf(brief->status, sizeof brief->status, "%s", status != NULL ? status : "unknown");
    snprintf(brief->reason, sizeof brief->reason, "%s", reason != NULL ? reason : "");
    make_printable(brief->status);
    make_printable(brief->reason);
    read_sentences(json_object_get(o, "warnings"), &brief->sentences.warnings);
    read_sentences(json_object_get(o, "notes"), &brief->sentences.notes);
    json_decref(o);
    return SCR_OK;
}

bool summary_says_done(const char *directory)
{
    char path[PATH_LENGTH_MAX];
    summary_brief brief;
    return path_join(path, directory, RUN_FILE_NAMES[RUN_SUMMARY], NULL) == SCR_OK && path_exists(path) &&
           summary_read_brief(path, &brief, NULL) == SCR_OK &&
           strcmp(brief.status, scr_run_status_name(SCR_RUN_DONE)) == 0;
}
