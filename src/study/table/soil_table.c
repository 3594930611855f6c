// SPDX-License-Identifier: BSD-3-Clause
// Strength and sinkage of a soil from all runs of a sweep.
#include "study/table/soil_table.h"

#include <math.h>

#include "core/base/memory.h"
#include "core/maths/trig.h"
#include "io/export/csv_text.h"
#include "rig/rig_curve.h"
#include "rig/soil.h"
#include "study/runs/run_figures.h"

static const double RADIANS = 0.017453292519943295;
static const double SHALLOW = 0.1;  // of the deepest sinkage: above it a plate still finds its grains

enum { ROWS_MAX = 8 };
typedef struct soil_row {
    const char *name, *unit;
    double value;
} soil_row;

typedef struct soil_table {
    soil_row row[ROWS_MAX];
    int row_count;
    int test_count;
    // of each test; strength
    double normal[SOIL_TESTS_MAX], shear[SOIL_TESTS_MAX], peak_normal[SOIL_TESTS_MAX], peak_shear[SOIL_TESTS_MAX];
    // sinkage
    sinkage_curve plate[SOIL_TESTS_MAX];
    double sinkage[SOIL_TESTS_MAX][RIG_BINS], pressure[SOIL_TESTS_MAX][RIG_BINS];
} soil_table;

static void add_row(soil_table *soil, const char *name, const char *unit, double value)
{
    soil->row[soil->row_count++] = (soil_row){name, unit, value};
}

static void take_strength(soil_table *soil, const run_output *run)
{
    int k = soil->test_count;
    double angle = run_summary_number(run, "rig.peak_friction_angle"), sine, cosine;
    soil->normal[k] = run_summary_number(run, "rig.residual_normal_stress");
    soil->shear[k] = run_summary_number(run, "rig.residual_strength");
    soil->peak_shear[k] = run_summary_number(run, "rig.peak_strength");
    scr_sincos(isfinite(angle) ? RADIANS * angle : 0.0, &sine, &cosine);
    soil->peak_normal[k] = isfinite(angle) ? soil->peak_shear[k] * cosine / sine : NAN;
    if (isfinite(soil->normal[k]) && isfinite(soil->shear[k])) ++soil->test_count;
}

static double curve_number(const run_output *run, const char *column, size_t bin)
{
    const json_t *curve = json_object_get(json_object_get(run->summary, "rig"), "curve");
    const json_t *value = json_array_get(json_object_get(curve, column), bin);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void take_sinkage(soil_table *soil, const run_output *run)
{
    int test = soil->test_count, count = 0;
    double width = run_summary_number(run, "rig.width"), deepest = run_summary_number(run, "rig.final_sinkage");
    for (size_t bin = 0; bin < RIG_BINS; ++bin) {
        double z = curve_number(run, "sinkage", bin), p = curve_number(run, "pressure", bin);
        if (!(z > 0.0) || !(p > 0.0) || !(z >= SHALLOW * deepest)) continue;
        soil->sinkage[test][count] = z;
        soil->pressure[test][count++] = p;
    }
    soil->plate[test] = (sinkage_curve){width, soil->sinkage[test], soil->pressure[test], count};
    if (width > 0.0 && count > 1) ++soil->test_count;
}

static scr_status take_runs(const study_table *t, const study_directory *d, soil_table *soil, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t r = 0; r < t->run_count && status == SCR_OK && soil->test_count < SOIL_TESTS_MAX; ++r) {
        char path[PATH_LENGTH_MAX];
        run_output run = {0};
        if (t->runs[r].state != STUDY_DONE) continue;
        status = study_run_path(d, t->runs[r].number, "", path, error);
        if (status == SCR_OK) status = run_output_open(path, false, &run, error);
        if (status == SCR_OK && t->plan->soil == SOIL_MOHR_COULOMB) take_strength(soil, &run);
        if (status == SCR_OK && t->plan->soil == SOIL_BEKKER) take_sinkage(soil, &run);
        run_output_close(&run);
    }
    return status;
}

static void judge_strength(soil_table *soil)
{
    soil_strength residual = mohr_coulomb(soil->normal, soil->shear, soil->test_count),
                  peak = mohr_coulomb(soil->peak_normal, soil->peak_shear, soil->test_count);
    add_row(soil, "cohesion", "Pa", residual.cohesion);
    add_row(soil, "friction angle", "degrees", residual.friction_angle);
    add_row(soil, "r2", "", residual.r2);
    if (!isfinite(peak.cohesion)) return;
    add_row(soil, "peak cohesion", "Pa", peak.cohesion);
    add_row(soil, "peak friction angle", "degrees", peak.friction_angle);
    add_row(soil, "peak r2", "", peak.r2);
}

static void judge_sinkage(soil_table *soil)
{
    soil_sinkage found = bekker_of_plates(soil->plate, soil->test_count);
    add_row(soil, "n", "", found.n);
    add_row(soil, "k_c", "N/m^(n+1)", found.k_c);
    add_row(soil, "k_phi", "N/m^(n+2)", found.k_phi);
    add_row(soil, "r2", "", found.r2);
}

static void print_rows(FILE *out, const void *context)
{
    const soil_table *soil = context;
    fputs("figure,unit,value,tests\n", out);
    for (int k = 0; k < soil->row_count; ++k) {
        fprintf(out, "%s,%s,", soil->row[k].name, soil->row[k].unit);
        csv_print_number(out, soil->row[k].value);
        fprintf(out, ",%d\n", soil->test_count);
    }
}

scr_status soil_table_write(const study_table *t, const study_directory *d, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    soil_table *soil = NULL;
    if (t->plan->soil == SOIL_NONE) return SCR_OK;
    scr_status status = scr_make_zeros(&soil, 1, sizeof *soil, "the tests of a soil", error);
    if (status == SCR_OK) status = take_runs(t, d, soil, error);
    if (status == SCR_OK && soil->test_count == 0)
        status = scr_fail(error, SCR_BAD_INPUT,
                          "%s: \"soil\" needs runs of a rig: mohr_coulomb direct_shear or bevameter_ring, "
                          "bekker pressure_sinkage",
                          t->plan->path);
    if (status == SCR_OK && t->plan->soil == SOIL_MOHR_COULOMB) judge_strength(soil);
    if (status == SCR_OK && t->plan->soil == SOIL_BEKKER) judge_sinkage(soil);
    if (status == SCR_OK) status = study_file_path(d, "soil.csv", path, error);
    if (status == SCR_OK) status = csv_write(path, print_rows, soil, error);
    scr_free(soil);
    return status;
}
