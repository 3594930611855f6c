// SPDX-License-Identifier: BSD-3-Clause
// The figures of a run as a table for people. Physical sanity has its own lines: whoever looks at a run should see at
// once whether its energy, overlaps and friction are believable.
#include "app/run/summary_table.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <sys/stat.h>

#include "core/text/human.h"

static void begin_row(FILE *out, const char *name) { fprintf(out, "  %-13s ", name); }

static void print_progress(FILE *out, const scr_run_summary *s)
{
    const scr_run_record *r = &s->record;
    begin_row(out, "run");
    fprintf(out, "%s at t = %g s: %s of %s", scr_run_status_name(s->status), r->time,
            human_things(r->step, "step", "steps").text, human_duration(s->time_step).text);
    if (s->status != SCR_RUN_DONE) fprintf(out, "; the end is t = %g s", r->end_time);
    fputc('\n', out);
    begin_row(out, "wall clock");
    fprintf(out, "%s", human_duration(r->wall_seconds).text);
    if (r->step > 0) fprintf(out, ", %s a step", human_duration(r->stage_seconds[7] / (double)r->step).text);
    fprintf(out, ", %s", human_things(s->threads, "thread", "threads").text);
    if (r->resume_count > 0)
        fprintf(out, ", resumed %s", r->resume_count == 1 ? "once" : human_count(r->resume_count).text);
    if (r->resume_count > 1) fprintf(out, " times");
    fputc('\n', out);
}

static void print_flow(FILE *out, const char *what, int64_t count, double mass)
{
    if (count > 0) fprintf(out, ", %s %s (%s kg)", human_count(count).text, what, human_figure(mass).text);
}

static void print_grains(FILE *out, const scr_active_counts *a)
{
    begin_row(out, "grains");
    fprintf(out, "%s live, %s fixed, %s parked, %s in all; fixing them took %s J\n", human_count(a->live).text,
            human_count(a->fixed).text, human_count(a->parked).text, human_count(a->live + a->fixed + a->parked).text,
            human_figure(a->frozen_energy).text);
}

static void print_sleeping(FILE *out, const scr_sleep_counts *s)
{
    begin_row(out, "sleeping");
    fprintf(out, "%s asleep, %s awake; ", human_things(s->asleep, "grain", "grains").text, human_count(s->awake).text);
    fprintf(out, "cells woke %s times; falling asleep took %s J\n", human_count(s->woken_cells).text,
            human_figure(s->frozen_energy).text);
}

static void print_bodies(FILE *out, const scr_run_summary *s)
{
    const scr_run_record *r = &s->record;
    begin_row(out, "bodies");
    fprintf(out, "%s", human_count(s->body_count).text);
    print_flow(out, "emitted", s->counts.emitted, s->counts.emitted_mass);
    print_flow(out, "removed by sinks", s->counts.sunk, s->counts.sunk_mass);
    print_flow(out, "left the domain", s->counts.left, s->counts.left_mass);
    fputc('\n', out);
    if (s->counts.active.is_present) print_grains(out, &s->counts.active);
    if (s->counts.sleep.is_present) print_sleeping(out, &s->counts.sleep);
    begin_row(out, "contacts");
    fprintf(out, "%s, of which %s a force; %s law\n", human_count(r->contact_count).text,
            human_things(r->touching_count, "carries", "carry").text, scr_contact_law_name(s->law));
}

static void print_broken(FILE *out, const scr_scene *scene)
{
    for (int i = 0; i < scr_scene_joint_count(scene); ++i) {
        double time = scr_scene_joint_broken_at(scene, i);
        if (time == 0.0) continue;
        begin_row(out, "");
        fprintf(out, "%s broke at t = %g s\n", scr_scene_joint_label(scene, i).text, time);
    }
}

static void print_joints(FILE *out, const scr_run_summary *s, const scr_scene *scene)
{
    const scr_run_record *r = &s->record;
    begin_row(out, "joints");
    fprintf(out, "%s; gaps %s now, %s at worst; tilts %s rad now, %s rad at worst\n", human_count(s->joint_count).text,
            human_length(r->joint_gap).text, human_length(r->joint_gap_max).text, human_figure(r->joint_tilt).text,
            human_figure(r->joint_tilt_max).text);
    print_broken(out, scene);
}

static void print_solution(FILE *out, const scr_run_summary *s)
{
    const scr_run_record *r = &s->record;
    begin_row(out, "iterations");
    fprintf(out, "%s a step, %s at most, %s in the last\n",
            human_figure(r->step > 0 ? (double)r->iteration_sum / (double)r->step : 0.0).text,
            human_count(r->iteration_max).text, human_count(r->iterations).text);
    begin_row(out, "accuracy");
    fprintf(out, "force error %s, %s at worst; residual %s m/s, cone violation %s\n", human_figure(r->force_error).text,
            human_figure(r->force_error_max).text, human_figure(r->residual).text,
            human_figure(r->cone_violation).text);
}

static void print_step_length(FILE *out, const scr_run_summary *s)
{
    double advised = s->record.advised_step;
    if (advised == 0.0) return;
    begin_row(out, "advised step");
    fprintf(out, "%s; steps of %s are %s times that\n", human_duration(advised).text, human_duration(s->time_step).text,
            human_figure(s->time_step / advised).text);
}

static void print_physics(FILE *out, const scr_run_summary *s)
{
    const scr_run_record *r = &s->record;
    const scr_energy *e = &s->energy;
    begin_row(out, "penetration");
    fprintf(out, "%s now, %s at worst; overlaps %s %% of a radius in the mean, %s %% at most\n",
            human_length(r->penetration).text, human_length(r->penetration_max).text,
            human_figure(100.0 * r->overlap_mean).text, human_figure(100.0 * r->overlap_max).text);
    begin_row(out, "speed");
    fprintf(out, "%s m/s at most\n", human_figure(r->max_speed).text);
    begin_row(out, "energy");
    fprintf(out, "kinetic %s J, potential %s J, elastic %s J; total %s J, at the start %s J\n",
            human_figure(e->kinetic).text, human_figure(e->potential).text, human_figure(e->elastic).text,
            human_figure(e->kinetic + e->potential + e->elastic).text,
            human_figure(r->start_energy[0] + r->start_energy[1] + r->start_energy[2]).text);
    begin_row(out, "momentum");
    fprintf(out, "(%s, %s, %s) kg m/s\n", human_figure(s->momentum.x).text, human_figure(s->momentum.y).text,
            human_figure(s->momentum.z).text);
}

// The mobility table.
static void print_vehicle(FILE *out, const scr_mobility *m)
{
    begin_row(out, "vehicle");
    fprintf(out, "%s over the last %s: %s m/s forward, %s m; thrust %s N, drawbar %s N, resistance %s N; %s J/m\n",
            m->name, human_duration(m->duration).text, human_figure(m->speed).text, human_figure(m->distance).text,
            human_figure(m->thrust).text, human_figure(m->drawbar).text, human_figure(m->resistance).text,
            human_figure(m->energy_per_metre).text);
    for (int t = 0; t < m->track_count; ++t) {
        begin_row(out, "");
        fprintf(out,
                "%s track: slip %.2f %%, sinkage %s, torque %s N m, power %s W, tension %s N, largest pin force %s N, "
                "road wheels %s N\n",
                m->track[t], 100.0 * m->slip[t], human_length(m->sinkage[t]).text, human_figure(m->torque[t]).text,
                human_figure(m->power[t]).text, human_figure(m->tension[t]).text, human_figure(m->pin_force[t]).text,
                human_figure(m->wheel_force[t]).text);
    }
}

static void print_rig(FILE *out, const scr_rig_report *rig)
{
    for (int k = 0; k < rig->figure_count; ++k) {
        const scr_rig_figure *f = &rig->figure[k];
        if (!isfinite(f->value)) continue;
        begin_row(out, k == 0 ? "rig" : "");
        fprintf(out, "%s %s", f->name, human_figure(f->value).text);
        if (isfinite(f->error)) fprintf(out, " +- %s", human_figure(f->error).text);
        fprintf(out, "%s%s\n", f->unit[0] != '\0' ? " " : "", f->unit);
    }
}

static void print_costs(FILE *out, const scr_run_summary *s)
{
    static const char *const names[7] = {"sort", "forces", "pairs", "contacts", "prepare", "solve", "integrate"};
    const scr_run_record *r = &s->record;
    double all = r->stage_seconds[7];
    begin_row(out, "step");
    for (int k = 0; k < 7; ++k) {
        fprintf(out, "%s%s %.0f%%", k > 0 ? ", " : "", names[k], all > 0.0 ? 100.0 * r->stage_seconds[k] / all : 0.0);
    }
    fputc('\n', out);
    begin_row(out, "output");
    fprintf(out, "%s for probes and frames, %s for checkpoints\n", human_duration(r->output_seconds).text,
            human_duration(r->checkpoint_seconds).text);
    begin_row(out, "memory");
    fprintf(out, "%s at most\n", human_bytes(s->peak_memory).text);
    begin_row(out, "state hash");
    fprintf(out, "%016" PRIx64 "\n", s->state_hash);
}

static void print_sentences(FILE *out, const char *name, const scr_sentences *list)
{
    for (int k = 0; k < list->count; ++k) {
        begin_row(out, name);
        fprintf(out, "%s\n", list->text[k]);
    }
}

void print_summary(FILE *out, const scr_run_summary *summary, const scr_scene *scene)
{
    print_progress(out, summary);
    print_bodies(out, summary);
    if (scr_scene_joint_count(scene) > 0) print_joints(out, summary, scene);
    if (summary->law == SCR_PENALTY) print_step_length(out, summary);
    else print_solution(out, summary);
    print_physics(out, summary);
    for (int k = 0; k < summary->vehicle_count; ++k)
        if (summary->vehicle[k].duration > 0.0) print_vehicle(out, &summary->vehicle[k]);
    print_rig(out, &summary->rig);
    print_costs(out, summary);
    print_sentences(out, "warning", &summary->warnings);
    print_sentences(out, "note", &summary->notes);
}

static void print_file(FILE *out, const char *directory, const char *name, const char *what)
{
    char path[PATH_MAX];
    struct stat info;
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path || stat(path, &info) != 0) return;
    fprintf(out, "    %-16s %8s   %s\n", name, human_bytes((int64_t)info.st_size).text, what);
}

void print_written(FILE *out, const char *directory, const scr_run_summary *summary)
{
    human_text frames = human_things(summary->record.frame_count, "frame", "frames");
    fprintf(out, "  %s/\n", directory);
    print_file(out, directory, "scene.json", "the scene as run");
    print_file(out, directory, "summary.json", "these figures");
    print_file(out, directory, "probes.csv", "the probes");
    print_file(out, directory, "trajectory.h5", frames.text);
    print_file(out, directory, "trajectory.xdmf", "the same for ParaView");
    print_file(out, directory, "checkpoint.h5", "the state, for scree resume");
}
