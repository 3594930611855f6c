// SPDX-License-Identifier: BSD-3-Clause
// The life of a world's mechanisms.
#include "dynamics/joints/mechanism.h"

void mechanisms_init(mechanisms *m)
{
    *m = (mechanisms){0};
    joints_init(&m->joints);
    springs_init(&m->springs);
    couplings_init(&m->couplings);
}

void mechanisms_free(mechanisms *m)
{
    joints_free(&m->joints);
    springs_free(&m->springs);
    couplings_free(&m->couplings);
    for (int64_t k = 0; k < m->kkt_count; ++k) kkt_destroy(m->kkt[k]);
    scr_free(m->kkt);
    scr_free(m->kkt_work);
    scr_free(m->mechanism);
    scr_free(m->mechanism_of);
    scr_free(m->number_of);
    scr_free(m->touched);
    scr_arena_free(&m->memory);
}
