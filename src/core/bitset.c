// A set of small integers as bits.
#include "core/bitset.h"

#include <string.h>

static int64_t word_count_of(int64_t bit_count) { return bit_count / 64 + (bit_count % 64 != 0); }

scr_status scr_bitset_resize(scr_bitset *set, int64_t bit_count, scr_error *error)
{
    int64_t word_count = word_count_of(bit_count);
    scr_status status = scr_grow(&set->word, &set->word_capacity, word_count, sizeof *set->word, "a bit set", error);
    if (status != SCR_OK) return status;
    if (word_count > 0) memset(set->word, 0, (size_t)word_count * sizeof *set->word);
    set->bit_count = bit_count;
    return SCR_OK;
}

void scr_bitset_free(scr_bitset *set)
{
    scr_free(set->word);
    *set = (scr_bitset){0};
}

int64_t scr_bitset_size(const scr_bitset *set)
{
    int64_t size = 0, word_count = word_count_of(set->bit_count);
    for (int64_t w = 0; w < word_count; ++w) size += __builtin_popcountll(set->word[w]);
    return size;
}
