// SPDX-License-Identifier: BSD-3-Clause
// A fast checksum of many bytes: XXH64 of Yann Collet's xxHash, seed 0. It tells damage, not malice.
#ifndef CORE_TEXT_CHECKSUM_H
#define CORE_TEXT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_STRIPE = 32 };  // bytes

// Of bytes that come piece by piece.
typedef struct checksum {
    uint64_t lane[4];
    uint64_t total;                       // bytes so far
    unsigned char rest[CHECKSUM_STRIPE];  // total % CHECKSUM_STRIPE of them wait for a whole stripe
} checksum;

checksum checksum_begin(void);
void checksum_add(checksum *c, const void *data, size_t size);
uint64_t checksum_value(const checksum *c);

uint64_t checksum_of(const void *data, size_t size);

#endif
