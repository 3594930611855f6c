// SPDX-License-Identifier: BSD-3-Clause
#include "rig/heap.h"

#include "core/maths/trig.h"

static const double DEGREES = 57.29577951308232;

heap_cone heap_cone_of(const heap_moments *m)
{
    if (!(m->z > 0.0)) return (heap_cone){0};
    return (heap_cone){2.5 * m->zz / m->z, 2.5 * m->zr / m->z, DEGREES * scr_atan2(m->zz, m->zr)};
}
