// SPDX-License-Identifier: BSD-3-Clause
#include "core/maths/hilbert.h"

uint64_t hilbert_index(uint32_t axis[3])
{
    for (uint32_t q = 1u << (HILBERT_BITS - 1); q > 1; q >>= 1) {
        uint32_t low = q - 1;
        for (int i = 0; i < 3; ++i) {
            if (axis[i] & q) {
                axis[0] ^= low;
            } else {
                uint32_t t = (axis[0] ^ axis[i]) & low;
                axis[0] ^= t;
                axis[i] ^= t;
            }
        }
    }
    axis[1] ^= axis[0];
    axis[2] ^= axis[1];
    uint32_t t = 0;
    for (uint32_t q = 1u << (HILBERT_BITS - 1); q > 1; q >>= 1)
        if (axis[2] & q) t ^= q - 1;
    uint64_t index = 0;
    for (int bit = HILBERT_BITS - 1; bit >= 0; --bit)
        for (int i = 0; i < 3; ++i) index = (index << 1) | (((axis[i] ^ t) >> bit) & 1u);
    return index;
}
