// SPDX-License-Identifier: BSD-3-Clause
// scree plot: columns of probes.csv as curves.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/plot/plot_csv.h"
#include "app/plot/plot_panels.h"
#include "app/plot/probe_choice.h"
#include "app/plot/probe_list.h"
#include "core/file/safe_file.h"
#include "core/text/human.h"

typedef struct plot_options {
    const char *output, *x, *log, *size, *csv;
    plotted_rows rows;
    plot_settings settings;
    bool force;
    char path[PATH_LENGTH_MAX];  // of the picture; "" if none is asked for
} plot_options;

typedef struct plot_job {
    plotted_run *runs;
    int run_count;
    probe_choice choice;           // in the first run
    const probes_column **wanted;  // the one across, then those
} plot_job;

static parse_result parse(int argc, char **argv, plot_options *o, const char **arguments)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->output, "FILE", "the picture, .svg or .png; default: DIR/plot.svg"},
        {"x", 'x', OPTION_TEXT, &o->x, "COLUMN", "what is across; default: time"},
        {"from", 0, OPTION_ANY, &o->rows.from, "T", "rows from this time on, s"},
        {"to", 0, OPTION_ANY, &o->rows.to, "T", "rows up to this time, s"},
        {"filter", 'f', OPTION_NUMBER, &o->rows.filter, "S",
         "Gaussian filter of this standard deviation, s; raw data stay in pale"},
        {"log", 0, OPTION_TEXT, &o->log, "x|y|xy", "logarithmic axes"},
        {"size", 's', OPTION_TEXT, &o->size, "WxH", "pixels of a .png, points of an .svg; default: 800 points wide"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, FORCE_HELP},
        {"csv", 0, OPTION_TEXT, &o->csv, "FILE.csv", "the columns as numbers, filtered if there is a filter"},
    };
    const verb_usage usage = {
        .verb = "plot",
        .arguments = "DIR... [PROBE...]",
        .argument_count = 1,
        .takes_more = true,
        .about = "Draws what probes of the run in DIR measured. A PROBE is a probe's name (all its columns), a column\n"
                 "(floor.fz) or a pattern ('*.fz'); columns that share a unit share a panel. Several runs are laid "
                 "over one\n"
                 "another, a panel for each column. Without a PROBE: lists what there is. Works while a run goes on.",
        .example = "scree plot ball\n"
                   "scree plot ball floor.fz --filter 0.005 -o weight.svg",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, arguments);
}

static scr_status read_log(const char *text, plot_settings *settings, scr_error *error)
{
    if (text == NULL) return SCR_OK;
    bool known = strcmp(text, "x") == 0 || strcmp(text, "y") == 0 || strcmp(text, "xy") == 0;
    if (!known) return scr_fail(error, SCR_BAD_INPUT, "--log is x, y or xy, not \"%s\"", text);
    settings->x_is_log = strchr(text, 'x') != NULL;
    settings->y_is_log = strchr(text, 'y') != NULL;
    return SCR_OK;
}

static bool is_png(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && (path[length - 3] == 'p' || path[length - 3] == 'P');
}

static scr_status read_size(const char *text, const char *path, plot_settings *settings, scr_error *error)
{
    int width, height, end = 0;
    if (text == NULL) return SCR_OK;
    bool sound = sscanf(text, "%5dx%5d%n", &width, &height, &end) == 2 && text[end] == '\0' && width > 0 && height > 0;
    if (!sound) return scr_fail(error, SCR_BAD_INPUT, "--size is written as --size 1600x1000, not \"%s\"", text);
    double unit = is_png(path) ? PLOT_PIXELS_PER_POINT : 1.0;
    settings->width = width / unit;
    settings->height = height / unit;
    return SCR_OK;
}

// A picture is made unless only a table is asked for.
static scr_status choose_path(plot_options *o, const char *directory, scr_error *error)
{
    if (o->output == NULL && o->csv != NULL) return SCR_OK;
    if (o->output == NULL) return path_join(o->path, directory, "plot.svg", error);
    if (snprintf(o->path, sizeof o->path, "%s", o->output) >= (int)sizeof o->path)
        return scr_fail(error, SCR_BAD_INPUT, "the name %.80s... is too long for a file", o->output);
    return plot_check_name(o->output, error);
}

static scr_status check_outputs(const plot_options *o, const char *const *runs, int run_count, scr_error *error)
{
    const output_rule rule = {runs, run_count, o->force};
    scr_status status = o->path[0] != '\0' ? check_outputs_differ(o->path, o->csv, error) : SCR_OK;
    if (status == SCR_OK && o->path[0] != '\0') status = check_output_file(o->path, &rule, error);
    if (status == SCR_OK && o->csv != NULL) status = check_output_file(o->csv, &rule, error);
    return status;
}

// The words of the options, checked before any work is done.
static scr_status understand(plot_options *o, const char *directory, scr_error *error)
{
    if (o->rows.from > o->rows.to)
        return scr_fail(error, SCR_BAD_INPUT, "--from %g lies behind --to %g", o->rows.from, o->rows.to);
    scr_status status = choose_path(o, directory, error);
    if (status == SCR_OK) status = read_log(o->log, &o->settings, error);
    if (status == SCR_OK) status = read_size(o->size, o->path, &o->settings, error);
    o->settings.filter = o->rows.filter;
    return status;
}

static bool holds_probes(const char *directory)
{
    char path[PATH_LENGTH_MAX];
    return path_join(path, directory, "probes.csv", NULL) == SCR_OK && path_exists(path);
}

// The first argument is a run; so are those that follow it as long as they hold probes.
static int count_runs(const char *const *arguments, int count)
{
    int runs = 1;
    while (runs < count && holds_probes(arguments[runs])) ++runs;
    return runs;
}

static scr_status read_runs(plot_job *job, const char *const *directories, scr_error *error)
{
    scr_status status = scr_make_zeros(&job->runs, job->run_count, sizeof *job->runs, "runs", error);
    for (int i = 0; status == SCR_OK && i < job->run_count; ++i)
        status = plotted_run_read(&job->runs[i], directories[i], error);
    if (status == SCR_OK) plotted_runs_label(job->runs, job->run_count);
    return status;
}

// Names become columns of the first run; all runs must have them.
static scr_status choose_columns(plot_job *job, const char *const *names, int name_count, const plot_options *o,
                                 scr_error *error)
{
    const plotted_run *lead = &job->runs[0];
    int64_t across = 0;
    scr_status status = SCR_OK;
    if (o->x != NULL) status = probe_column_find(&lead->table, lead->directory, o->x, &across, error);
    for (int k = 0; status == SCR_OK && k < name_count; ++k)
        status = probe_choice_add(&job->choice, &lead->table, lead->directory, names[k], error);
    int64_t count = job->choice.count + 1;
    if (status == SCR_OK) status = scr_make_zeros(&job->wanted, count, sizeof *job->wanted, "chosen probes", error);
    for (int64_t k = 0; status == SCR_OK && k < count; ++k)
        job->wanted[k] = &lead->table.column[k == 0 ? across : job->choice.column[k - 1]];
    for (int i = 0; status == SCR_OK && i < job->run_count; ++i)
        status = plotted_run_select(&job->runs[i], job->wanted, count, &o->rows, error);
    return status;
}

static void print_result(const char *path, const plot_job *job, int panel_count)
{
    const plotted_run *lead = &job->runs[0];
    printf("%s: ", path);
    if (panel_count > 0) printf("%s, ", human_things(panel_count, "panel", "panels").text);
    printf("%s", human_things(lead->column_count - 1, "column", "columns").text);
    if (job->run_count > 1) printf(" of %d runs\n", job->run_count);
    else
        printf(", %s, t = %g to %g s\n", human_things(lead->row_count, "row", "rows").text, lead->time[0],
               lead->time[lead->row_count - 1]);
}

static scr_status write_files(const plot_job *job, const plot_options *o, scr_error *error)
{
    int panels = 0;
    scr_status status = SCR_OK;
    if (o->path[0] != '\0') status = plot_runs(o->path, job->runs, job->run_count, &o->settings, &panels, error);
    if (status == SCR_OK && o->path[0] != '\0') print_result(o->path, job, panels);
    if (status != SCR_OK || o->csv == NULL) return status;
    status = plot_csv_write(o->csv, job->runs, job->run_count, error);
    if (status == SCR_OK) print_result(o->csv, job, 0);
    return status;
}

static void print_lists(const plot_job *job)
{
    for (int i = 0; i < job->run_count; ++i) {
        if (i > 0) printf("\n");
        print_probe_list(job->runs[i].directory, &job->runs[i].table);
    }
}

static int plot(const plot_options *o, const char *const *arguments, int argument_count)
{
    scr_error error = {0};
    plot_job job = {.run_count = count_runs(arguments, argument_count)};
    int name_count = argument_count - job.run_count, code = EXIT_DONE;
    scr_status status = read_runs(&job, arguments, &error);
    if (status == SCR_OK && name_count > 0) status = check_outputs(o, arguments, job.run_count, &error);
    if (status == SCR_OK && name_count > 0)
        status = choose_columns(&job, arguments + job.run_count, name_count, o, &error);
    if (status != SCR_OK) code = complain(&error);
    else if (name_count == 0) print_lists(&job);
    else if (write_files(&job, o, &error) != SCR_OK) code = complain_at_work(&error);
    for (int i = 0; job.runs != NULL && i < job.run_count; ++i) plotted_run_free(&job.runs[i]);
    probe_choice_free(&job.choice);
    scr_free(job.wanted);
    scr_free(job.runs);
    return code;
}

int app_plot(int argc, char **argv)
{
    plot_options o = {.rows = {-INFINITY, INFINITY, 0.0}};
    const char **arguments = NULL;
    scr_error error = {0};
    scr_status status = scr_make_zeros(&arguments, argc, sizeof *arguments, "arguments", &error);
    if (status != SCR_OK) return complain(&error);
    parse_result parsed = parse(argc, argv, &o, arguments);
    int code = exit_code_of(parsed), count = 0;
    while (count < argc && arguments[count] != NULL) ++count;
    if (parsed == PARSE_OK)
        code = understand(&o, arguments[0], &error) == SCR_OK ? plot(&o, arguments, count) : complain(&error);
    scr_free(arguments);
    return code;
}
