// SPDX-License-Identifier: BSD-3-Clause
// Joints between the records that sweeps in single precision work on (sweep.h).
//
// A record holds a velocity v and a scaled spin s, the spin w being root^T s with the root of system_body_root. Its
// angular momentum is then T s with T = I root^T, and back from w it is s = s_factor T^T w: an impulse's moment makes
// the spin s_factor root times it, and the moment that makes w is I w.
#ifndef DYNAMICS_CONE_SWEEPS_JOINED_RECORDS_H
#define DYNAMICS_CONE_SWEEPS_JOINED_RECORDS_H

#include "dynamics/cone/sweeps/problem.h"

scr_status join_records(problem *p, const contact_system *system, scr_error *error);
// A mechanism's bodies move on as its joints allow; from no impulses of joints if `begins`.
void step_joined_records(problem *p, int64_t mechanism, bool begins);

#endif
