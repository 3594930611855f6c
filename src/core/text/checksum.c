// SPDX-License-Identifier: BSD-3-Clause
// XXH64: four lanes of eight bytes, so that their multiplications overlap; words are little-endian on every machine.
#include "core/text/checksum.h"

#include <string.h>

static const uint64_t PRIME_1 = 0x9e3779b185ebca87u, PRIME_2 = 0xc2b2ae3d27d4eb4fu, PRIME_3 = 0x165667b19e3779f9u,
                      PRIME_4 = 0x85ebca77c2b2ae63u, PRIME_5 = 0x27d4eb2f165667c5u;

static inline uint64_t rotate_left(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static inline uint64_t word_at(const unsigned char *data, int bytes)
{
    uint64_t word = 0;
    memcpy(&word, data, (size_t)bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline uint64_t round_of(uint64_t lane, uint64_t word)
{
    return rotate_left(lane + word * PRIME_2, 31) * PRIME_1;
}
static inline uint64_t merge(uint64_t h, uint64_t lane) { return (h ^ round_of(0, lane)) * PRIME_1 + PRIME_4; }

checksum checksum_begin(void) { return (checksum){.lane = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1}}; }

static const unsigned char *add_stripes(checksum *c, const unsigned char *data, size_t count)
{
    uint64_t a = c->lane[0], b = c->lane[1], d = c->lane[2], e = c->lane[3];
    for (; count > 0; --count, data += CHECKSUM_STRIPE) {
        a = round_of(a, word_at(data, 8));
        b = round_of(b, word_at(data + 8, 8));
        d = round_of(d, word_at(data + 16, 8));
        e = round_of(e, word_at(data + 24, 8));
    }
    c->lane[0] = a, c->lane[1] = b, c->lane[2] = d, c->lane[3] = e;
    return data;
}

void checksum_add(checksum *c, const void *data, size_t size)
{
    const unsigned char *at = data, *end = at + size;
    size_t waiting = c->total % CHECKSUM_STRIPE;
    c->total += size;
    if (waiting > 0) {
        size_t taken = size < CHECKSUM_STRIPE - waiting ? size : CHECKSUM_STRIPE - waiting;
        if (taken > 0) memcpy(c->rest + waiting, at, taken);
        at += taken;
        if (waiting + taken < CHECKSUM_STRIPE) return;
        add_stripes(c, c->rest, 1);
    }
    at = add_stripes(c, at, (size_t)(end - at) / CHECKSUM_STRIPE);
    if (at < end) memcpy(c->rest, at, (size_t)(end - at));
}

uint64_t checksum_value(const checksum *c)
{
    const uint64_t *lane = c->lane;
    uint64_t h = PRIME_5;
    if (c->total >= CHECKSUM_STRIPE) {
        h = rotate_left(lane[0], 1) + rotate_left(lane[1], 7) + rotate_left(lane[2], 12) + rotate_left(lane[3], 18);
        for (int k = 0; k < 4; ++k) h = merge(h, lane[k]);
    }
    h += c->total;
    const unsigned char *at = c->rest, *end = at + c->total % CHECKSUM_STRIPE;
    for (; at + 8 <= end; at += 8) h = rotate_left(h ^ round_of(0, word_at(at, 8)), 27) * PRIME_1 + PRIME_4;
    for (; at + 4 <= end; at += 4) h = rotate_left(h ^ word_at(at, 4) * PRIME_1, 23) * PRIME_2 + PRIME_3;
    for (; at < end; ++at) h = rotate_left(h ^ *at * PRIME_5, 11) * PRIME_1;
    h = (h ^ h >> 33) * PRIME_2;
    h = (h ^ h >> 29) * PRIME_3;
    return h ^ h >> 32;
}

uint64_t checksum_of(const void *data, size_t size)
{
    checksum c = checksum_begin();
    checksum_add(&c, data, size);
    return checksum_value(&c);
}
