// SPDX-License-Identifier: BSD-3-Clause
// Every iterative solver on every problem of bench/problems.h: passes and seconds to 3 % and 1 % velocity error, as
// tables in Markdown. Errors are against answers of Newton's method.
//
//   bench_solver_table [--threads N] [--files DIR] [NAME...] > docs/solver_table.md
// Problems are kept, with their reference answers, in DIR (default out/problems), and made where they are not there
// yet. NAME (such as plate32-rigid) chooses some of them; without one those are left out that Newton's method takes
// longer for than all others together.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file/safe_file.h"
#include "io/problem/problem_file.h"
#include "laboratory/laboratory.h"
#include "problems.h"

enum { SOLVERS = SCR_SOLVER_BB + 1, ROWS_MAX = 64, REFERENCE_ITERATIONS = 10000 };  // the iterative solvers come first
static const int BUDGETS[] = {250, 1000, 4000};  // iterations: more only for those who need them
enum { BUDGET_COUNT = sizeof BUDGETS / sizeof BUDGETS[0] };

typedef struct reached {
    int iterations;
    int64_t passes;
    double seconds;
} reached;  // 0 iterations: not within the last budget

typedef struct table_row {
    char name[48];
    int64_t contacts;
    bool cold;
    reached three[SOLVERS], one[SOLVERS];
    double error[SOLVERS];  // where it ended
} table_row;

typedef struct job {
    const char *directory;
    int threads;
    settled_bed bed;  // of the last problem that had to be made
    table_row row[ROWS_MAX];
    int row_count;
} job;

static reached reached_at(const trial *t, double share)
{
    const trial_point *p = trial_reaches(t, share);
    return p == NULL ? (reached){0} : (reached){p->iterations, p->passes, 0.0};
}

// A solve of exactly so many iterations.
static scr_status time_to(laboratory *lab, const trial_setting *setting, reached *where, scr_error *error)
{
    trial_setting short_of = *setting;
    solve_result result;
    if (where->iterations == 0) return SCR_OK;
    short_of.solver.max_iterations = where->iterations;
    return laboratory_time(lab, &short_of, &where->seconds, &result, error);
}

// Whether a larger budget is worth while: not for those that are known to be slow and still far away.
static bool is_hopeless(int solver, double error)
{
    return solver != SCR_SOLVER_AGS && solver != SCR_SOLVER_APGD && error > 0.3;
}

static scr_status try_solver(laboratory *lab, int solver, table_row *row, scr_error *error)
{
    trial t = {0};
    trial_setting setting = {.solver = {.kind = (scr_solver_kind)solver}, .cold = row->cold};
    reached *three = &row->three[solver], *one = &row->one[solver];
    scr_status status = SCR_OK;
    for (int k = 0; status == SCR_OK && k < BUDGET_COUNT; ++k) {
        setting.solver.max_iterations = BUDGETS[k];
        status = laboratory_watch(lab, &setting, &t, error);
        if (status != SCR_OK) break;
        *three = reached_at(&t, 0.03);
        *one = reached_at(&t, 0.01);
        row->error[solver] = t.point[t.count - 1].velocity_error;
        // A history in which the last crossing is in the first half is not likely to come back.
        if (one->iterations > 0 && one->iterations <= BUDGETS[k] / 2) break;
        if (k > 0 && is_hopeless(solver, row->error[solver])) break;
    }
    if (status == SCR_OK) status = time_to(lab, &setting, three, error);
    if (status == SCR_OK) status = time_to(lab, &setting, one, error);
    fprintf(stderr, "  %-6s %-4s 3 %%: %5" PRId64 " passes %8.4f s  1 %%: %5" PRId64 " passes %8.4f s  end %.1e\n",
            SOLVER_NAMES[solver], row->cold ? "cold" : "warm", three->passes, three->seconds, one->passes, one->seconds,
            row->error[solver]);
    trial_free(&t);
    return status;
}

static scr_status make_problem(job *j, const problem_recipe *recipe, bool rigid, const char *path, saved_system *s,
                               scr_error *error)
{
    laboratory lab = {0};
    solve_result result;
    scr_status status = SCR_OK;
    if (!bed_suits(&j->bed, recipe)) {
        bed_free(&j->bed);
        status = bed_settle(&j->bed, recipe, j->threads, error);
    }
    if (status == SCR_OK) status = problem_make(&j->bed, recipe, rigid, j->threads, s, error);
    if (status == SCR_OK) status = laboratory_open(&lab, s, j->threads, error);
    if (status == SCR_OK)
        status = laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, REFERENCE_ITERATIONS, s->answer, &result, error);
    laboratory_close(&lab);
    if (status != SCR_OK) return status;
    fprintf(stderr, "  reference: %d iterations of newton, force error %.1e, residual %.1e m/s\n", result.iterations,
            result.force_error, result.accuracy.residual);
    s->has_answer = 1;
    saved_system_set_title(s, recipe->name);
    status = directory_create(j->directory, error);
    return status == SCR_OK ? problem_file_write(path, s, error) : status;
}

static scr_status compare_on(job *j, const problem_recipe *recipe, bool rigid, const char *name, scr_error *error)
{
    char path[PATH_LENGTH_MAX], file[64];
    saved_system system;
    laboratory lab = {0};
    saved_system_init(&system);
    snprintf(file, sizeof file, "%s.h5", name);
    scr_status status = path_join(path, j->directory, file, error);
    fprintf(stderr, "%s\n", name);
    if (status == SCR_OK)
        status = path_exists(path) ? problem_file_read(path, &system, error)
                                   : make_problem(j, recipe, rigid, path, &system, error);
    if (status == SCR_OK) status = laboratory_open(&lab, &system, j->threads, error);
    if (status == SCR_OK) laboratory_set_reference(&lab, system.answer);
    for (int cold = 1; status == SCR_OK && cold >= 0; --cold) {
        table_row *row = &j->row[j->row_count++];
        *row = (table_row){.contacts = system.contacts.count, .cold = cold};
        snprintf(row->name, sizeof row->name, "%s", name);
        for (int solver = 0; status == SCR_OK && solver < SOLVERS; ++solver)
            status = try_solver(&lab, solver, row, error);
    }
    laboratory_close(&lab);
    saved_system_free(&system);
    return status;
}

// ---- the tables ----------------------------------------------------------------------------------------------------

static void print_count(int64_t n)
{
    if (n > 0) printf("%" PRId64, n);
    else printf("-");
}

static void print_seconds(double s)
{
    if (s > 0.0) printf("%.3g", s);
    else printf("-");
}

static void print_head(const char *last)
{
    printf("| problem | contacts | start |");
    for (int s = 0; s < SOLVERS; ++s) printf(" %s |", SOLVER_NAMES[s]);
    printf(" %s |\n|---|---|---|", last);
    for (int s = 0; s <= SOLVERS; ++s) printf("---|");
    printf("\n");
}

static void print_ratio(double of, double to)
{
    if (of > 0.0 && to > 0.0) printf(" %.1f", of / to);
    else if (to > 0.0) printf(" more");
    else printf(" -");
}

static void print_page_head(void)
{
    printf("# Solvers on settled beds\n\n"
           "Written by `make solver-table`. A: 4000 spheres in a box 16 diameters wide; B, C: the same under a plate "
           "of a quarter\n"
           "of its mass, and of 25 times its mass; deepL: a box 8 diameters wide and L deep; plateL: the same under 25 "
           "times its\n"
           "mass. As the step begins, gravity turns by 5 degrees (A, B, deepL) or the plate is kicked down at 2 cm/s "
           "(C, plateL).\n"
           "Compliant contacts have eps = 1e-3 and no dampers. [The solvers](solvers.md) says what is measured, "
           "`bench/problems.h` "
           "has the rest.\n"
           "The solvers are those that iterate; errors are against the answer of `newton`, which large beds and plates "
           "with\n"
           "rigid contacts keep busy for hours: of those two small beds are here.\n"
           "`-`: not reached within %d iterations (%d by gs, jacobi and bb if they are then still far); in brackets "
           "the error there.\n\n",
           BUDGETS[BUDGET_COUNT - 1], BUDGETS[1]);
}

static void print_passes(const job *j)
{
    printf("Passes over all contacts to 3 %% / 1 %% velocity error; in the last column iterations of apgd over those "
           "of ags.\n\n");
    print_head("apgd / ags");
    for (int i = 0; i < j->row_count; ++i) {
        const table_row *row = &j->row[i];
        printf("| %s | %" PRId64 " | %s |", row->name, row->contacts, row->cold ? "cold" : "warm");
        for (int s = 0; s < SOLVERS; ++s) {
            printf(" ");
            print_count(row->three[s].passes);
            printf(" / ");
            print_count(row->one[s].passes);
            if (row->one[s].iterations == 0) printf(" (%.2g %%)", 100.0 * row->error[s]);
            printf(" |");
        }
        print_ratio(row->three[SCR_SOLVER_APGD].iterations, row->three[SCR_SOLVER_AGS].iterations);
        printf(" /");
        print_ratio(row->one[SCR_SOLVER_APGD].iterations, row->one[SCR_SOLVER_AGS].iterations);
        printf(" |\n");
    }
}

static void print_times(const job *j)
{
    printf("\nSeconds to 3 %% / 1 %% velocity error on %d thread%s; in the last column those of apgd over those of "
           "ags.\n\n",
           j->threads, j->threads == 1 ? "" : "s");
    print_head("apgd / ags");
    for (int i = 0; i < j->row_count; ++i) {
        const table_row *row = &j->row[i];
        printf("| %s | %" PRId64 " | %s |", row->name, row->contacts, row->cold ? "cold" : "warm");
        for (int s = 0; s < SOLVERS; ++s) {
            printf(" ");
            print_seconds(row->three[s].seconds);
            printf(" / ");
            print_seconds(row->one[s].seconds);
            printf(" |");
        }
        print_ratio(row->three[SCR_SOLVER_APGD].seconds, row->three[SCR_SOLVER_AGS].seconds);
        printf(" /");
        print_ratio(row->one[SCR_SOLVER_APGD].seconds, row->one[SCR_SOLVER_AGS].seconds);
        printf(" |\n");
    }
}

// Rigid contacts in large beds and under plates leave Newton's method next to nothing to stand on: a quarter of an hour
// was too short for A.
enum { RIGID_SPHERES_MAX = 2000 };
static bool has_quick_answer(const problem_recipe *recipe, bool rigid)
{
    return !rigid || (recipe->plate_masses == 0.0 && recipe->spheres <= RIGID_SPHERES_MAX);
}

static bool is_wanted(int argc, char **argv, const problem_recipe *recipe, bool rigid, const char *name)
{
    bool any = false;
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--threads") == 0 || strcmp(argv[k], "--files") == 0) {
            ++k;
            continue;
        }
        if (strstr(name, argv[k]) == name) return true;
        any = true;
    }
    return !any && has_quick_answer(recipe, rigid);
}

int main(int argc, char **argv)
{
    static job j = {.directory = "out/problems", .threads = 1};
    for (int k = 1; k + 1 < argc; ++k) {
        if (strcmp(argv[k], "--threads") == 0) j.threads = atoi(argv[k + 1]) > 0 ? atoi(argv[k + 1]) : 1;
        if (strcmp(argv[k], "--files") == 0) j.directory = argv[k + 1];
    }
    scr_error error = {0};
    scr_status status = SCR_OK;
    for (int k = 0; status == SCR_OK && k < 2 * PROBLEM_RECIPE_COUNT; ++k) {
        char name[48];
        const problem_recipe *recipe = &PROBLEM_RECIPES[k / 2];
        snprintf(name, sizeof name, "%s-%s", recipe->name, k % 2 == 0 ? "compliant" : "rigid");
        if (is_wanted(argc, argv, recipe, k % 2 != 0, name)) status = compare_on(&j, recipe, k % 2 != 0, name, &error);
    }
    if (status == SCR_OK) {
        print_page_head();
        print_passes(&j);
        print_times(&j);
    } else {
        fprintf(stderr, "bench: %s\n", error.message);
    }
    bed_free(&j.bed);
    return status == SCR_OK ? 0 : 1;
}
