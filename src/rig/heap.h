// SPDX-License-Identifier: BSD-3-Clause
// The cone that a heap of grains is most like. Of a cone of height H and foot R on the plane z = 0, with r the distance
// from its axis,
//     sum m z^2 / sum m z = 2/5 H        sum m z r / sum m z = 2/5 R
// so that the ratio of the two is its slope, whatever its density. All grains take part, not the few at the surface,
// and those that rolled away hardly count, lying low.
#ifndef RIG_HEAP_H
#define RIG_HEAP_H

typedef struct heap_moments {
    double z, zz, zr;  // kg m, kg m^2, kg m^2
} heap_moments;

typedef struct heap_cone {
    double height, foot;  // m; 0 of no heap
    double angle;         // degrees
} heap_cone;

static inline void heap_add(heap_moments *m, double mass, double z, double r)
{
    m->z += mass * z, m->zz += mass * z * z, m->zr += mass * z * r;
}

heap_cone heap_cone_of(const heap_moments *m);

#endif
