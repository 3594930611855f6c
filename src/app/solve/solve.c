// SPDX-License-Identifier: BSD-3-Clause
// scree solve: solvers tried on a saved contact problem, as a table, a list of histories and a plot.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/solve/solver_names.h"
#include "app/solve/trial_table.h"
#include "app/source/problem_report.h"
#include "core/base/threads.h"
#include "core/text/human.h"
#include "dynamics/world/world_state.h"
#include "io/problem/problem_file.h"
#include "laboratory/laboratory.h"
#include "view/plot/plot.h"

enum { REFERENCE_ITERATIONS = 10000, ITERATIONS = 1000 };

typedef struct solve_options {
    const char *file, *solvers, *friction_word, *precision_word, *csv, *plot;
    double tolerance, iterations, reference;
    int threads;
    bool cold, keep, force;
    // Read from them
    scr_solver_kind solver[SOLVER_KINDS];
    int solver_count;
    scr_friction_law friction;
    scr_precision precision;
} solve_options;

static parse_result parse(int argc, char **argv, solve_options *o)
{
    const option options[] = {
        {"solver", 's', OPTION_TEXT, &o->solvers, "NAME,...",
         "ags, gs, apgd, jacobi, bb, newton, auto, or all; default ags"},
        {"iterations", 'n', OPTION_NUMBER, &o->iterations, "N", "at most so many for each; default 1000"},
        {"tol", 't', OPTION_NUMBER, &o->tolerance, "T",
         "stop where the stated error of the forces on bodies, relative to them, is T; default: never"},
        {"cold", 0, OPTION_FLAG, &o->cold, NULL, "begin from nothing instead of the last step's impulses"},
        {"friction", 0, OPTION_TEXT, &o->friction_word, "convex|coulomb",
         "default convex; coulomb with auto, newton, ags and gs"},
        {"precision", 0, OPTION_TEXT, &o->precision_word, "usual|double", "of ags and gs; default usual: single"},
        {"reference", 0, OPTION_NUMBER, &o->reference, "N", "iterations for the answer to compare with; default 10000"},
        {"keep", 0, OPTION_FLAG, &o->keep, NULL, "write that answer into FILE: later solves need not find it again"},
        {"csv", 0, OPTION_TEXT, &o->csv, "FILE.csv", "every solver's history"},
        {"plot", 0, OPTION_TEXT, &o->plot, "FILE.svg", "the same as a picture; .png as well"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, FORCE_HELP},
        {"threads", 'j', OPTION_COUNT, &o->threads, "N",
         "threads to use; default: all cores, fewer for a small problem. Results do not depend on it"},
    };
    const verb_usage usage = {
        .verb = "solve",
        .arguments = "FILE",
        .argument_count = 1,
        .about =
            "Solves the contact problem in FILE (`scree problem` writes such files; FCLIB's global problems of rigid\n"
            "bodies are read as well) and shows how fast each solver comes near the answer. Errors are those of the\n"
            "bodies' velocities, relative to what the contacts do to them: the error of the forces on bodies.",
        .example = "scree solve ball.h5 --solver ags,apgd,newton --plot residuals.svg",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->file);
}

static scr_status choose(const char *name, const char *word, const char *const *names, int count, int *chosen,
                         scr_error *error)
{
    if (word == NULL) return SCR_OK;
    for (int k = 0; k < count; ++k) {
        if (strcmp(word, names[k]) == 0) {
            *chosen = k;
            return SCR_OK;
        }
    }
    return scr_fail(error, SCR_BAD_INPUT, "--%s is %s or %s, not \"%s\"", name, names[0], names[1], word);
}

static scr_status whole_number(const char *name, double value, scr_error *error)
{
    if (value == floor(value) && value >= 1.0 && value <= INT_MAX) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "--%s needs a whole number from 1 to %d, not %g", name, INT_MAX, value);
}

static scr_status check_friction(const solve_options *o, scr_error *error)
{
    for (int k = 0; k < o->solver_count; ++k) {
        if (!solver_knows(o->solver[k], o->friction))
            return scr_fail(error, SCR_BAD_INPUT,
                            "%s solves the convex problem only; --friction coulomb needs auto, newton, ags or gs",
                            SOLVER_NAMES[o->solver[k]]);
    }
    return SCR_OK;
}

static scr_status check_outputs(const solve_options *o, scr_error *error)
{
    const output_rule rule = {&o->file, 1, o->force};
    scr_status status = check_outputs_differ(o->csv, o->plot, error);
    if (status == SCR_OK && o->csv != NULL) status = check_output_file(o->csv, &rule, error);
    if (status == SCR_OK && o->plot != NULL) status = check_output_file(o->plot, &rule, error);
    return status;
}

// The words of the options, checked before any work is done.
static scr_status understand(solve_options *o, scr_error *error)
{
    static const char *const frictions[] = {[SCR_FRICTION_CONVEX] = "convex", [SCR_FRICTION_COULOMB] = "coulomb"};
    static const char *const precisions[] = {[SCR_PRECISION_USUAL] = "usual", [SCR_PRECISION_DOUBLE] = "double"};
    int friction = SCR_FRICTION_CONVEX, precision = SCR_PRECISION_USUAL;
    scr_status status = solver_list_parse(o->solvers, o->solver, &o->solver_count, error);
    if (status == SCR_OK) status = choose("friction", o->friction_word, frictions, 2, &friction, error);
    if (status == SCR_OK) status = choose("precision", o->precision_word, precisions, 2, &precision, error);
    if (status == SCR_OK) status = whole_number("iterations", o->iterations, error);
    if (status == SCR_OK) status = whole_number("reference", o->reference, error);
    if (status == SCR_OK && o->plot != NULL) status = plot_check_name(o->plot, error);
    if (status == SCR_OK) status = check_outputs(o, error);
    o->precision = (scr_precision)precision;
    o->friction = (scr_friction_law)friction;
    return status == SCR_OK ? check_friction(o, error) : status;
}

// The answer that others are measured by: the file's own if it has one, else the best that can be found.
static scr_status take_reference(laboratory *lab, saved_system *s, const solve_options *o, scr_error *error)
{
    scr_status status = SCR_OK;
    if (s->has_answer && o->friction == SCR_FRICTION_CONVEX) {
        printf("  reference   as kept in the file\n");
    } else {
        solve_result result;
        status = laboratory_find_reference(lab, o->friction, (int)o->reference, s->answer, &result, error);
        if (status != SCR_OK) return status;
        printf("  reference   %s, %s: force error %.1e, residual %.1e m/s\n",
               o->friction == SCR_FRICTION_CONVEX ? "newton" : "ags",
               human_things(result.iterations, "iteration", "iterations").text, result.force_error,
               result.accuracy.residual);
        s->has_answer = 1;
        if (o->keep) status = problem_file_write(o->file, s, error);
    }
    laboratory_set_reference(lab, s->answer);
    return status;
}

// An answer goes into a file of our own, and only that of the problem as it stands there.
static scr_status check_keep(const solve_options *o, const saved_system *s, scr_error *error)
{
    if (o->keep && o->friction != SCR_FRICTION_CONVEX)
        return scr_fail(error, SCR_BAD_INPUT,
                        "--keep writes the answer of the convex problem, not of --friction coulomb");
    if (o->keep && s->time_step == 0.0)
        return scr_fail(error, SCR_BAD_INPUT, "--keep writes into files of scree; %s is of FCLIB alone", o->file);
    return SCR_OK;
}

static void describe(const solve_options *o, const saved_system *s)
{
    print_problem(o->file, s);
    printf("  start       %s, %s friction\n", o->cold ? "cold" : "warm",
           o->friction == SCR_FRICTION_CONVEX ? "convex" : "Coulomb");
}

static scr_status try_solvers(const solve_options *o, laboratory *lab, trial *trials, scr_error *error)
{
    scr_status status = SCR_OK;
    print_trial_head();
    for (int k = 0; status == SCR_OK && k < o->solver_count; ++k) {
        const trial_setting setting = {
            .solver = {.kind = o->solver[k],
                       .max_iterations = (int)o->iterations,
                       .tolerance = o->tolerance,
                       .precision = o->precision},
            .friction = o->friction,
            .cold = o->cold,
        };
        status = laboratory_try(lab, &setting, &trials[k], error);
        if (status == SCR_OK) print_trial(SOLVER_NAMES[o->solver[k]], &trials[k]);
        fflush(stdout);
    }
    return status;
}

static scr_status write_files(const solve_options *o, const char *title, const trial *trials, scr_error *error)
{
    scr_status status = SCR_OK;
    if (o->csv != NULL) status = write_trials_csv(o->csv, o->solver, trials, o->solver_count, error);
    if (status == SCR_OK && o->plot != NULL)
        status = write_trials_plot(o->plot, title, o->solver, trials, o->solver_count, error);
    return status;
}

// As a world's step would take.
static int threads_for(const solve_options *o, const saved_system *s)
{
    if (o->threads > 0) return o->threads;
    return threads_for_bodies(s->bodies.count, scr_core_count());
}

static int solve_file(const solve_options *o)
{
    scr_error error = {0};
    saved_system system;
    laboratory lab = {0};
    trial trials[SOLVER_KINDS] = {0};
    saved_system_init(&system);
    int code = EXIT_DONE;
    scr_status status = problem_file_read(o->file, &system, &error);
    if (status == SCR_OK && system.contacts.count == 0)
        status = scr_fail(&error, SCR_BAD_INPUT, "%s: there are no contacts to solve", o->file);
    if (status == SCR_OK) status = check_keep(o, &system, &error);
    if (status == SCR_OK) status = laboratory_open(&lab, &system, threads_for(o, &system), &error);
    if (status != SCR_OK) {
        code = complain(&error);
    } else {
        describe(o, &system);
        status = take_reference(&lab, &system, o, &error);
        if (status == SCR_OK) status = try_solvers(o, &lab, trials, &error);
        if (status == SCR_OK) status = write_files(o, system.title[0] != '\0' ? system.title : o->file, trials, &error);
        if (status != SCR_OK) code = complain_at_work(&error);
    }
    for (int k = 0; k < SOLVER_KINDS; ++k) trial_free(&trials[k]);
    laboratory_close(&lab);
    saved_system_free(&system);
    return code;
}

int app_solve(int argc, char **argv)
{
    solve_options o = {.iterations = ITERATIONS, .reference = REFERENCE_ITERATIONS};
    parse_result parsed = parse(argc, argv, &o);
    if (parsed != PARSE_OK) return exit_code_of(parsed);
    scr_error error = {0};
    if (understand(&o, &error) != SCR_OK) return complain(&error);
    return solve_file(&o);
}
