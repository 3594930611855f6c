// SPDX-License-Identifier: BSD-3-Clause
// The equations that a step factors (dynamics/kkt), kept as they were given: a world is stepped, and the linker sends
// its calls of kkt_factor past here (--wrap).
#ifndef BENCH_KKT_CAPTURE_H
#define BENCH_KKT_CAPTURE_H

#include "dynamics/kkt/kkt.h"

enum { CAPTURE_MAX = 64 };

typedef struct kkt_capture {
    kkt_equations equations[CAPTURE_MAX];  // own copies
    int count;
} kkt_capture;

// Keep those of one step; of more than CAPTURE_MAX the first.
scr_status kkt_capture_step(kkt_capture *c, scr_world *world, scr_error *error);
void kkt_capture_free(kkt_capture *c);

#endif
