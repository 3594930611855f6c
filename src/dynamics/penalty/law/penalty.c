// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/penalty/law/penalty.h"

void penalty_init(penalty *p, scr_instruction_set set)
{
    *p = (penalty){.law = KERNEL_FOR(set == SCR_BEST, pack_law_of)};
}

void penalty_free(penalty *p)
{
    void *arrays[] = {p->midpoint.x,  p->midpoint.y,  p->midpoint.z,  p->midpoint.qw, p->midpoint.qx, p->midpoint.qy,
                      p->midpoint.qz, p->midpoint.wx, p->midpoint.wy, p->midpoint.wz, p->force,       p->torque,
                      p->energy,      p->burst,       p->b_start,     p->b_contact};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
}
