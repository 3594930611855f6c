// SPDX-License-Identifier: BSD-3-Clause
// Which test rigs there are, and what is measured in each. Signs and frames: docs/rigs.md.
#ifndef RIG_RIG_KINDS_H
#define RIG_RIG_KINDS_H

#include <stdbool.h>

typedef enum rig_kind {
    RIG_DIRECT_SHEAR,
    RIG_PRESSURE_SINKAGE,
    RIG_SINGLE_WHEEL,
    RIG_CONE,
    RIG_TRIAXIAL,
    RIG_BEVAMETER_RING,
    RIG_REPOSE,
    RIG_KIND_COUNT
} rig_kind;
extern const char *const RIG_NAMES[RIG_KIND_COUNT];  // as scenes call them

// Columns of each rig. The first is what its curves are drawn against.
enum { SHEAR_DISPLACEMENT, SHEAR_STRESS, SHEAR_NORMAL, SHEAR_LID, SHEAR_DILATION };
enum { PLATE_SINKAGE, PLATE_PRESSURE, PLATE_FORCE };
enum {
    WHEEL_DISTANCE,
    WHEEL_SLIP,
    WHEEL_DRAWBAR,
    WHEEL_TORQUE,
    WHEEL_SINKAGE,
    WHEEL_LOAD,
    WHEEL_SPEED,
    WHEEL_SPIN,
    WHEEL_POWER
};
enum { CELL_AXIAL_STRAIN, CELL_VOLUMETRIC_STRAIN, CELL_AXIAL, CELL_LATERAL, CELL_LATERAL_X, CELL_LATERAL_Y };
enum { RING_DISPLACEMENT, RING_SHEAR, RING_NORMAL, RING_TORQUE, RING_SINKAGE };
enum { REPOSE_LIFT, REPOSE_ANGLE, REPOSE_HEIGHT, REPOSE_FOOT };
enum { RIG_COLUMNS_MAX = 9 };

typedef struct rig_column {
    const char *name, *unit;
    bool is_mean;  // over the steps since the last row; else as it is at the row
} rig_column;
const rig_column *rig_columns(rig_kind kind);
int rig_column_count(rig_kind kind);

// A rig as its figures need it.
typedef struct rig_def {
    rig_kind kind;
    double duration;  // s: of the measurement
    double load;      // N that is to be held, of a cell Pa; 0: none
    double area;      // m^2: of the sheared plane, the plate, the ring or the cone's base
    double radius;    // m: of a wheel; of a ring that at which all of its shear stress would have the same torque;
                      // of a plate its smaller side
} rig_def;
int rig_load_column(rig_kind kind);  // which is to be the load over the area, or the load itself; -1: none

// Driving, 1 - v / (w R); braking, (w R) / v - 1: from -1 to 1, and 0 for what stands. rolling = w R, speed = v, m/s.
double slip_of(double rolling, double speed);

#endif
