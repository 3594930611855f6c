// SPDX-License-Identifier: BSD-3-Clause
// What is read off the curve of a rig.
//
//   direct shear   strength: shear stress; peak: of the bin where shear over normal stress is largest; residual: mean
//                  of the last quarter. Friction angle of this load: atan(shear / normal), as if there were no cohesion
//   plate          Bekker for this plate: p = k z^n, a straight line through log p over log z
//   cone           mean of the cone index, and the slope of its line over depth
//   wheel          means; power number P = M w / (W v), efficiency (drawbar v) / (M w)
#include "rig/rig_figures.h"

#include <math.h>

#include "core/maths/trig.h"

static const double DEGREES = 57.29577951308232;
static const double STANDING = 1e-6;  // m/s, rad/s
static const double SHALLOW = 0.1;    // of the deepest sinkage: above it a plate still finds its grains

typedef struct figure_list {
    scr_rig_figure *figure;
    int count;
} figure_list;

static void add(figure_list *list, const char *name, const char *unit, double value)
{
    list->figure[list->count++] = (scr_rig_figure){name, unit, value, NAN};
}

static void add_mean(figure_list *list, const char *name, const char *unit, rig_mean mean)
{
    list->figure[list->count++] = (scr_rig_figure){name, unit, mean.value, mean.error};
}

static double angle_of(double shear, double normal) { return DEGREES * scr_atan2(shear, normal); }

static void add_hold(figure_list *list, const rig_def *def, const rig_hold *hold)
{
    if (!(def->load > 0.0)) return;
    double n = hold->steps, mean = hold->sum / n;
    add(list, "load", "N", mean);
    add(list, "load_error", "", mean / def->load - 1.0);
    add(list, "load_scatter", "", sqrt(fmax(0.0, hold->squares / n - mean * mean)) / def->load);
}

static void add_shear(figure_list *list, const rig_curve *c)
{
    int filled = curve_filled(c), peak = -1;
    double dilation = 0.0, ratio = -INFINITY;
    for (int k = 0; k < filled; ++k) {
        double now = curve_bin(c, k, SHEAR_STRESS) / curve_bin(c, k, SHEAR_NORMAL);
        if (now > ratio) ratio = now, peak = k;
        dilation = curve_bin(c, k, SHEAR_DILATION);
    }
    rig_mean residual = curve_mean(c, SHEAR_STRESS, filled - filled / 4),
             normal = curve_mean(c, SHEAR_NORMAL, filled - filled / 4);
    add(list, "peak_strength", "Pa", peak < 0 ? NAN : curve_bin(c, peak, SHEAR_STRESS));
    add(list, "peak_displacement", "m", peak < 0 ? NAN : curve_bin(c, peak, SHEAR_DISPLACEMENT));
    add(list, "peak_friction_angle", "degrees", peak < 0 ? NAN : DEGREES * scr_atan2(ratio, 1.0));
    add_mean(list, "residual_strength", "Pa", residual);
    add_mean(list, "residual_normal_stress", "Pa", normal);
    add(list, "residual_friction_angle", "degrees", angle_of(residual.value, normal.value));
    add(list, "dilation", "m", filled > 0 ? dilation : NAN);
}

// Bins from some depth on, in which something pressed: as logarithms, or as they are.
static int collect(const rig_curve *c, double from, bool logarithms, double x[RIG_BINS], double y[RIG_BINS])
{
    int count = 0;
    for (int k = 0; k < curve_filled(c); ++k) {
        double z = curve_bin(c, k, PLATE_SINKAGE), p = curve_bin(c, k, PLATE_PRESSURE);
        if (!(z > 0.0) || z < from || (logarithms && !(p > 0.0))) continue;
        x[count] = logarithms ? log(z) : z;
        y[count++] = logarithms ? log(p) : p;
    }
    return count;
}

static void add_plate(figure_list *list, const rig_curve *c)
{
    double x[RIG_BINS], y[RIG_BINS];
    int filled = curve_filled(c);
    double deepest = filled > 0 ? curve_bin(c, filled - 1, PLATE_SINKAGE) : NAN;
    rig_line bekker = line_through(x, y, collect(c, SHALLOW * deepest, true, x, y));
    add(list, "bekker_n", "", bekker.slope);
    add(list, "bekker_k", "N/m^(n+2)", exp(bekker.offset));
    add(list, "bekker_r2", "", bekker.r2);
    rig_line line = line_through(x, y, collect(c, 0.0, false, x, y));
    add(list, "slope", "Pa/m", line.slope);
    add(list, "final_sinkage", "m", deepest);
    add(list, "final_pressure", "Pa", filled > 0 ? curve_bin(c, filled - 1, PLATE_PRESSURE) : NAN);
}

static void add_cone(figure_list *list, const rig_curve *c)
{
    double x[RIG_BINS], y[RIG_BINS];
    int filled = curve_filled(c);
    rig_line line = line_through(x, y, collect(c, 0.0, false, x, y));
    add_mean(list, "cone_index", "Pa", curve_mean(c, PLATE_PRESSURE, 0));
    add(list, "gradient", "Pa/m", line.slope);
    add(list, "final_depth", "m", filled > 0 ? curve_bin(c, filled - 1, PLATE_SINKAGE) : NAN);
}

static void add_wheel(figure_list *list, const rig_def *def, const rig_curve *c)
{
    rig_mean spin = curve_mean(c, WHEEL_SPIN, 0), speed = curve_mean(c, WHEEL_SPEED, 0),
             pull = curve_mean(c, WHEEL_DRAWBAR, 0), torque = curve_mean(c, WHEEL_TORQUE, 0),
             power = curve_mean(c, WHEEL_POWER, 0);
    // of the means: that of a slip that jumps about 0 would be another number
    add(list, "slip", "", slip_of(spin.value * def->radius, speed.value));
    add_mean(list, "drawbar", "N", pull);
    add_mean(list, "torque", "N m", torque);
    add_mean(list, "sinkage", "m", curve_mean(c, WHEEL_SINKAGE, 0));
    add_mean(list, "speed", "m/s", speed);
    add_mean(list, "spin", "rad/s", spin);
    add_mean(list, "power", "W", power);
    add(list, "drawbar_over_load", "", pull.value / def->load);
    double useful = pull.value * speed.value, moved = def->load * speed.value;
    // A wheel that spins on the spot, or is locked, has none of them.
    bool moves = fabs(speed.value) > STANDING, works = fabs(power.value) > STANDING * fabs(torque.value);
    add(list, "power_number", "", moves ? power.value / moved : NAN);
    add(list, "efficiency", "", works ? useful / power.value : NAN);
}

int rig_figures(const rig_def *def, const rig_curve *curve, const rig_hold *hold,
                scr_rig_figure figure[SCR_RIG_FIGURES_MAX])
{
    figure_list list = {figure, 0};
    switch (def->kind) {
    case RIG_DIRECT_SHEAR: add_shear(&list, curve); break;
    case RIG_PRESSURE_SINKAGE: add_plate(&list, curve); break;
    case RIG_SINGLE_WHEEL: add_wheel(&list, def, curve); break;
    case RIG_CONE: add_cone(&list, curve); break;
    case RIG_KIND_COUNT: break;
    }
    add_hold(&list, def, hold);
    return list.count;
}
