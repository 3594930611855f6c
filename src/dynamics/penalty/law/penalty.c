#include "dynamics/penalty/law/penalty.h"

void penalty_init(penalty *p, scr_instruction_set set)
{
    *p = (penalty){.law = KERNEL_FOR(set == SCR_BEST, pack_law_of)};
}

void penalty_free(penalty *p)
{
    void *arrays[] = {p->half.x,  p->half.y,  p->half.z,  p->half.qw, p->half.qx, p->half.qy, p->half.qz, p->half.wx, p->half.wy,
                      p->half.wz, p->force,   p->torque,  p->energy,  p->burst,   p->b_start, p->b_contact};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
}
