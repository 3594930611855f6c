// SPDX-License-Identifier: BSD-3-Clause
// Test rigs and their columns.
#include "rig/rig_kinds.h"

#include <math.h>
#include <stddef.h>

static const double STANDING = 1e-3;  // m/s: below it there is no slip to speak of

const char *const RIG_NAMES[RIG_KIND_COUNT] = {
    [RIG_DIRECT_SHEAR] = "direct_shear",
    [RIG_PRESSURE_SINKAGE] = "pressure_sinkage",
    [RIG_SINGLE_WHEEL] = "single_wheel",
    [RIG_CONE] = "cone",
    [RIG_TRIAXIAL] = "triaxial",
    [RIG_BEVAMETER_RING] = "bevameter_ring",
    [RIG_REPOSE] = "repose",
};

static const rig_column COLUMNS[RIG_KIND_COUNT][RIG_COLUMNS_MAX + 1] = {
    [RIG_DIRECT_SHEAR] = {[SHEAR_DISPLACEMENT] = {"displacement", "m", false},
                          [SHEAR_STRESS] = {"shear_stress", "Pa", true},
                          [SHEAR_NORMAL] = {"normal_stress", "Pa", true},
                          [SHEAR_LID] = {"lid_stress", "Pa", true},
                          [SHEAR_DILATION] = {"dilation", "m", false}},
    [RIG_PRESSURE_SINKAGE] = {[PLATE_SINKAGE] = {"sinkage", "m", false},
                              [PLATE_PRESSURE] = {"pressure", "Pa", true},
                              [PLATE_FORCE] = {"force", "N", true}},
    [RIG_SINGLE_WHEEL] = {[WHEEL_DISTANCE] = {"distance", "m", false},
                          [WHEEL_SLIP] = {"slip", "", true},
                          [WHEEL_DRAWBAR] = {"drawbar", "N", true},
                          [WHEEL_TORQUE] = {"torque", "N m", true},
                          [WHEEL_SINKAGE] = {"sinkage", "m", false},
                          [WHEEL_LOAD] = {"load", "N", true},
                          [WHEEL_SPEED] = {"speed", "m/s", true},
                          [WHEEL_SPIN] = {"spin", "rad/s", true},
                          [WHEEL_POWER] = {"power", "W", true}},
    [RIG_CONE] = {[PLATE_SINKAGE] = {"depth", "m", false},
                  [PLATE_PRESSURE] = {"cone_index", "Pa", true},
                  [PLATE_FORCE] = {"force", "N", true}},
    [RIG_TRIAXIAL] = {[CELL_AXIAL_STRAIN] = {"axial_strain", "", false},
                      [CELL_VOLUMETRIC_STRAIN] = {"volumetric_strain", "", false},
                      [CELL_AXIAL] = {"axial_stress", "Pa", true},
                      [CELL_LATERAL] = {"lateral_stress", "Pa", true},
                      [CELL_LATERAL_X] = {"lateral_stress_x", "Pa", true},
                      [CELL_LATERAL_Y] = {"lateral_stress_y", "Pa", true}},
    [RIG_BEVAMETER_RING] = {[RING_DISPLACEMENT] = {"displacement", "m", false},
                            [RING_SHEAR] = {"shear_stress", "Pa", true},
                            [RING_NORMAL] = {"normal_stress", "Pa", true},
                            [RING_TORQUE] = {"torque", "N m", true},
                            [RING_SINKAGE] = {"sinkage", "m", false}},
    [RIG_REPOSE] = {[REPOSE_LIFT] = {"lift", "m", false},
                    [REPOSE_ANGLE] = {"angle", "degrees", false},
                    [REPOSE_HEIGHT] = {"height", "m", false},
                    [REPOSE_FOOT] = {"foot", "m", false}},
};

const rig_column *rig_columns(rig_kind kind) { return COLUMNS[kind]; }

int rig_column_count(rig_kind kind)
{
    int count = 0;
    while (COLUMNS[kind][count].name != NULL) ++count;
    return count;
}

int rig_load_column(rig_kind kind)
{
    switch (kind) {
    case RIG_DIRECT_SHEAR: return SHEAR_LID;
    case RIG_SINGLE_WHEEL: return WHEEL_LOAD;
    case RIG_TRIAXIAL: return CELL_LATERAL;
    case RIG_BEVAMETER_RING: return RING_NORMAL;
    case RIG_PRESSURE_SINKAGE:
    case RIG_CONE:
    case RIG_REPOSE:
    case RIG_KIND_COUNT: break;
    }
    return -1;
}

double slip_of(double rolling, double speed)
{
    double larger = fmax(fabs(rolling), fabs(speed));
    return larger < STANDING ? 0.0 : (fabs(rolling) - (rolling < 0.0 ? -speed : speed)) / larger;
}
