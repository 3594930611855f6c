// A set of small integers as bits.
#ifndef CORE_BITSET_H
#define CORE_BITSET_H

#include "core/memory.h"

typedef struct scr_bitset {
    uint64_t *word;
    int64_t word_capacity, bit_count;
} scr_bitset;

scr_status scr_bitset_resize(scr_bitset *set, int64_t bit_count, scr_error *error);  // and clear
void scr_bitset_free(scr_bitset *set);
int64_t scr_bitset_size(const scr_bitset *set);  // how many bits are set
static inline bool scr_bitset_test(const scr_bitset *set, int64_t i) { return (set->word[i >> 6] >> (i & 63)) & 1u; }
static inline void scr_bitset_set(scr_bitset *set, int64_t i) { set->word[i >> 6] |= (uint64_t)1 << (i & 63); }
static inline void scr_bitset_clear(scr_bitset *set, int64_t i) { set->word[i >> 6] &= ~((uint64_t)1 << (i & 63)); }

#endif
