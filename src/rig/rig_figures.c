// SPDX-License-Identifier: BSD-3-Clause
// What is read off the curve of a rig.
//
//   direct shear   strength: shear stress; peak: of the bin where shear over normal stress is largest; residual: mean
//                  of the last quarter. Friction angle of this load: atan(shear / normal), as if there were no cohesion
//   plate          Bekker for this plate: p = k z^n, a straight line through log p over log z
//   cone           mean of the cone index, and the slope of its line over depth
//   triaxial cell  mobilised friction: sin(phi) = (s1 - s3) / (s1 + s3) of axial and mean lateral stress; peak: the bin
//                  where it is largest; critical: of the means of the last quarter. With d = d(volumetric strain) /
//                  d(axial strain), compression positive: dilation sin(psi) = -d / (2 - d), about the peak; Poisson's
//                  ratio (1 - d) / 2 and Young's modulus d(s1) / d(axial strain), of the first tenth
//   ring           Janosi and Hanamoto: shear stress = strength (1 - exp(-j / K))
//   repose         the cone that the heap is most like, when it is at rest (heap.h)
//   wheel          means; power number P = M w / (W v), efficiency (drawbar v) / (M w)
#include "rig/rig_figures.h"

#include <math.h>

#include "core/maths/trig.h"
#include "rig/janosi.h"

static const double DEGREES = 57.29577951308232;
static const double STANDING = 1e-6;  // m/s, rad/s
enum { PEAK_BINS = 3 };               // to either side of the peak: over these a sample dilates
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
    bool is_stress = def->kind == RIG_TRIAXIAL;
    add(list, is_stress ? "lateral_stress" : "load", is_stress ? "Pa" : "N", mean);
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

static void add_plate(figure_list *list, const rig_def *def, const rig_curve *c)
{
    double x[RIG_BINS], y[RIG_BINS];
    int filled = curve_filled(c);
    double deepest = filled > 0 ? curve_bin(c, filled - 1, PLATE_SINKAGE) : NAN;
    rig_line bekker = line_through(x, y, collect(c, SHALLOW * deepest, true, x, y));
    add(list, "width", "m", def->radius);
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

static double mobilised(double axial, double lateral) { return (axial - lateral) / (axial + lateral); }

static double degrees_of_sine(double sine) { return DEGREES * scr_atan2(sine, sqrt(fmax(0.0, 1.0 - sine * sine))); }

// The slope of one column over another, of bins first to last - 1.
static double slope_between(const rig_curve *c, int across, int up, int first, int last)
{
    double x[RIG_BINS], y[RIG_BINS];
    int count = 0;
    for (int k = first < 0 ? 0 : first; k < last && k < curve_filled(c); ++k, ++count)
        x[count] = curve_bin(c, k, across), y[count] = curve_bin(c, k, up);
    return line_through(x, y, count).slope;
}

static void add_cell(figure_list *list, const rig_curve *c)
{
    int filled = curve_filled(c), peak = -1, elastic = RIG_BINS / 10;
    double sine = -INFINITY;
    for (int k = 0; k < filled; ++k) {
        double now = mobilised(curve_bin(c, k, CELL_AXIAL), curve_bin(c, k, CELL_LATERAL));
        if (now > sine) sine = now, peak = k;
    }
    bool any = peak >= 0;
    double at_peak =
               slope_between(c, CELL_AXIAL_STRAIN, CELL_VOLUMETRIC_STRAIN, peak - PEAK_BINS, peak + PEAK_BINS + 1),
           at_first = slope_between(c, CELL_AXIAL_STRAIN, CELL_VOLUMETRIC_STRAIN, 0, elastic);
    rig_mean axial = curve_mean(c, CELL_AXIAL, filled - filled / 4),
             lateral = curve_mean(c, CELL_LATERAL, filled - filled / 4);
    add(list, "peak_friction_angle", "degrees", any ? degrees_of_sine(sine) : NAN);
    add(list, "peak_strain", "", any ? curve_bin(c, peak, CELL_AXIAL_STRAIN) : NAN);
    add(list, "peak_deviator", "Pa", any ? curve_bin(c, peak, CELL_AXIAL) - curve_bin(c, peak, CELL_LATERAL) : NAN);
    add(list, "dilation_angle", "degrees", degrees_of_sine(-at_peak / (2.0 - at_peak)));
    add_mean(list, "critical_axial_stress", "Pa", axial);
    add(list, "critical_friction_angle", "degrees", degrees_of_sine(mobilised(axial.value, lateral.value)));
    add(list, "volumetric_strain", "", any ? curve_bin(c, filled - 1, CELL_VOLUMETRIC_STRAIN) : NAN);
    add(list, "young", "Pa", slope_between(c, CELL_AXIAL_STRAIN, CELL_AXIAL, 0, elastic));
    add(list, "poisson", "", 0.5 * (1.0 - at_first));
}

static void add_ring(figure_list *list, const rig_curve *c)
{
    double j[RIG_BINS], shear[RIG_BINS];
    int filled = curve_filled(c);
    for (int k = 0; k < filled; ++k) j[k] = curve_bin(c, k, RING_DISPLACEMENT), shear[k] = curve_bin(c, k, RING_SHEAR);
    janosi_curve janosi = janosi_through(j, shear, filled);
    rig_mean residual = curve_mean(c, RING_SHEAR, filled - filled / 4),
             normal = curve_mean(c, RING_NORMAL, filled - filled / 4);
    add(list, "janosi_strength", "Pa", janosi.strength);
    add(list, "janosi_k", "m", janosi.modulus);
    add(list, "janosi_r2", "", janosi.r2);
    add(list, "friction_angle", "degrees", angle_of(janosi.strength, curve_mean(c, RING_NORMAL, 0).value));
    add_mean(list, "residual_strength", "Pa", residual);
    add_mean(list, "residual_normal_stress", "Pa", normal);
    add(list, "residual_friction_angle", "degrees", angle_of(residual.value, normal.value));
    add_mean(list, "torque", "N m", curve_mean(c, RING_TORQUE, 0));
    add(list, "final_sinkage", "m", filled > 0 ? curve_bin(c, filled - 1, RING_SINKAGE) : NAN);
}

static void add_repose(figure_list *list, const rig_curve *c)
{
    add_mean(list, "angle", "degrees", curve_mean(c, REPOSE_ANGLE, 0));
    add_mean(list, "height", "m", curve_mean(c, REPOSE_HEIGHT, 0));
    add_mean(list, "foot", "m", curve_mean(c, REPOSE_FOOT, 0));
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
    case RIG_PRESSURE_SINKAGE: add_plate(&list, def, curve); break;
    case RIG_SINGLE_WHEEL: add_wheel(&list, def, curve); break;
    case RIG_CONE: add_cone(&list, curve); break;
    case RIG_TRIAXIAL: add_cell(&list, curve); break;
    case RIG_BEVAMETER_RING: add_ring(&list, curve); break;
    case RIG_REPOSE: add_repose(&list, curve); break;
    case RIG_KIND_COUNT: break;
    }
    add_hold(&list, def, hold);
    return list.count;
}
