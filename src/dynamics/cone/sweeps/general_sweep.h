// SPDX-License-Identifier: BSD-3-Clause
// Sweeps over contacts off the centre line. sweep.h has the letters.
#ifndef DYNAMICS_CONE_SWEEPS_GENERAL_SWEEP_H
#define DYNAMICS_CONE_SWEEPS_GENERAL_SWEEP_H

#include "dynamics/cone/sweeps/sweep.h"

struct general_sweeps {
    void (*push)(const general_bundle *bundle, int64_t count, wide_record *record);
    void (*sweep)(general_bundle *bundle, int64_t count, wide_record *record, const sweep_mode *mode, sweep_sums *sums);
    double (*gap)(const general_bundle *bundle, int64_t count, const wide_record *record, const gap_mode *mode);
};

KERNELS_TO_AVX512(extern const general_sweeps, general_sweeps);

#endif
