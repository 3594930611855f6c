// SPDX-License-Identifier: BSD-3-Clause
// The cell of a space that repeats itself in trajectory.h5: two attributes of the file.
#include "io/trajectory/trajectory_file.h"

static const char LOW[] = "period_low", LENGTH[] = "period_length";

herr_t write_period(trajectory *t, const periodic_cell *period)
{
    if (period == NULL || !period->any) return 0;
    herr_t result = hdf5_put_f64s(t->file, LOW, period->low, 3);
    return result < 0 ? result : hdf5_put_f64s(t->file, LENGTH, period->length, 3);
}

scr_status read_period(trajectory *t, scr_error *error)
{
    periodic_cell p = {0};
    t->period = p;
    if (H5Aexists(t->file, LENGTH) <= 0) return SCR_OK;
    bool is_good = hdf5_get_f64s(t->file, LOW, p.low, 3) && hdf5_get_f64s(t->file, LENGTH, p.length, 3);
    for (int axis = 0; axis < 3 && is_good; ++axis) {
        is_good = isfinite(p.low[axis]) && isfinite(p.length[axis]) && p.length[axis] >= 0.0;
        p.inverse[axis] = p.length[axis] > 0.0 ? 1.0 / p.length[axis] : 0.0;
        p.any = p.any || p.length[axis] > 0.0;
    }
    if (!is_good) return scr_fail(error, SCR_IO, "%s: damaged: its space cannot repeat itself so", t->path);
    t->period = p;
    return SCR_OK;
}
