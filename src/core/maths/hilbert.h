// SPDX-License-Identifier: BSD-3-Clause
// The Hilbert curve: an order of the cells of a cube in which neighbours along the curve are neighbours in space.
#ifndef CORE_MATHS_HILBERT_H
#define CORE_MATHS_HILBERT_H

#include <stdint.h>

enum { HILBERT_BITS = 16 };  // a coordinate

// Distance along the curve of a cell with HILBERT_BITS bits a coordinate (Skilling's transformation of the axes, after
// which the bits only need to be interleaved). The coordinates are used up.
uint64_t hilbert_index(uint32_t axis[3]);

#endif
