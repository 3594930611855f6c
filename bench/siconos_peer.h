// SPDX-License-Identifier: BSD-3-Clause
// Siconos' solvers on a packing: a matrix of 3 x 3 blocks in its contacts' own axes, solved in a process of its own
// under a limit of processor time.
#ifndef BENCH_SICONOS_PEER_H
#define BENCH_SICONOS_PEER_H

#include "packing.h"

typedef struct peer_result {
    bool ended;      // within the limit
    double seconds;  // processor time of the solve alone
    int iterations;
    double residual;  // by packing_residual
} peer_result;

enum { PEER_COUNT = 2 };
extern const char *const PEER_NAMES[PEER_COUNT];

peer_result peer_solve(const packing *p, int peer, double tolerance, int limit_seconds, int repeats);

#endif
