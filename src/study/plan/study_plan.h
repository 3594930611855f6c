// SPDX-License-Identifier: BSD-3-Clause
// A study file, read: which scene, what of it varies, over which seeds, what is collected, what a fit is to reproduce.
// docs/studies.md has every key.
//
// Texts belong to the file's tree or to the plan. Nothing of the scene has been looked at here but its name.
#ifndef STUDY_PLAN_STUDY_PLAN_H
#define STUDY_PLAN_STUDY_PLAN_H

#include <jansson.h>

#include "core/file/safe_file.h"
#include "io/json/json_override.h"
#include "study/design/unit_points.h"

enum {
    AXES_MAX = UNIT_AXES_MAX,
    FIGURES_MAX = 64,
    TARGETS_MAX = 32,
    SEEDS_MAX = 1000,
    POINTS_MAX = 100000,
    ORIGIN_LENGTH = 160,
};

// Where in the study file something was asked for: "study.json:7:5".
typedef struct study_origin {
    char text[ORIGIN_LENGTH];
} study_origin;

// A value of the scene that is not the same in all runs.
typedef struct study_axis {
    char *path;               // "materials.stone.friction"; owned by the plan
    const char *name, *unit;  // for tables and plots; unit "": none
    study_origin origin;
    json_t *values;   // a list, of whatever the scene takes there; NULL: a range
    double from, to;  // of the range
    bool is_log, is_whole;
    int64_t count;  // values of a grid
    double start;   // of a fit
} study_axis;

typedef enum figure_take { TAKE_LAST, TAKE_MEAN, TAKE_MIN, TAKE_MAX } figure_take;

// A number read off a finished run.
typedef struct study_figure {
    const char *name, *unit;
    study_origin origin;
    const char *summary;  // a path in summary.json, "energy.kinetic"; NULL: of a probe
    const char *probe;    // a column of probes.csv
    figure_take take;
    double from, to;  // s: of the rows that count
} study_figure;

// What a fit is to reproduce: a figure, or a curve.
typedef struct study_target {
    study_figure figure;
    double value;          // measured; of a figure
    char *curve;           // a CSV file as seen from here, owned by the plan; NULL: a figure
    const char *measured;  // its column; the name of the figure's probe by default
    const char *against;   // the column that both have across; "time"
    double error;          // standard deviation of a measured value, in its unit; 0: a share of it
    double weight;
} study_target;

typedef enum study_design { DESIGN_GRID, DESIGN_LIST, DESIGN_LATIN_HYPERCUBE, DESIGN_SOBOL } study_design;
typedef enum fit_method { FIT_BOBYQA, FIT_SBPLX } fit_method;

typedef struct study_fit {
    bool is_given;
    study_axis axis[AXES_MAX];
    int axis_count;
    study_target target[TARGETS_MAX];
    int target_count;
    fit_method method;
    int restarts;
    int64_t evaluations_max;  // from each start
    double tolerance, step;   // as shares of a parameter's range: when to stop; how far to go for derivatives
} study_fit;

// What all runs together say about a soil.
typedef enum study_soil { SOIL_NONE, SOIL_MOHR_COULOMB, SOIL_BEKKER } study_soil;

typedef struct study_plan {
    json_t *root;
    char *path;   // of the study file
    char *scene;  // path of the scene, as seen from here
    const char *title;
    scene_override *set;  // what is changed in all runs
    study_origin *set_origin;
    int set_count;
    int64_t *seeds;  // NULL: the scene's own
    int seed_count;  // at least 1: how many runs a point has
    study_design design;
    uint64_t design_seed;
    int64_t sample_count;  // points of a Latin hypercube or Sobol sequence
    study_axis axis[AXES_MAX];
    int axis_count;
    study_figure figure[FIGURES_MAX];
    int figure_count;
    study_soil soil;
    study_fit fit;
} study_plan;

// Free it also after a failure. Failures are sentences like `study.json:7:5: "friction" ...`.
scr_status study_plan_read(const char *path, study_plan *plan, scr_error *error);
// A text that is in memory; path: for messages, and for files that it names.
scr_status study_plan_read_text(const char *text, size_t length, const char *path, study_plan *plan, scr_error *error);
void study_plan_free(study_plan *plan);

// What a sweep and what a fit need must be there.
scr_status study_plan_expect_sweep(const study_plan *plan, scr_error *error);
scr_status study_plan_expect_fit(const study_plan *plan, scr_error *error);

// The value of a range at a place from 0 to 1.
double study_axis_value(const study_axis *axis, double place);

#endif
