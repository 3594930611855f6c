// SPDX-License-Identifier: BSD-3-Clause
// Edit distance in its "optimal string alignment" form: with d(i, j) the distance of the first i letters of a from the
// first j of b,
//   d(i, j) = min(d(i-1, j) + 1,  d(i, j-1) + 1,  d(i-1, j-1) + [a_i != b_j],
//                 d(i-2, j-2) + 1 if a_i b_j are b_(j-1) a_(i-1))
// Three rows of the table are enough.
#include "core/text/nearest_name.h"

#include <stddef.h>
#include <string.h>

static int min_int(int a, int b) { return a < b ? a : b; }

// Not tolower(): that depends on the locale.
static int lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c; }

static int limited_length(const char *word) { return (int)strnlen(word, EDIT_WORD_MAX); }

int edit_distance(const char *a, const char *b)
{
    int a_length = limited_length(a), b_length = limited_length(b);
    int rows[3][EDIT_WORD_MAX + 1];
    for (int j = 0; j <= b_length; ++j) rows[0][j] = j;
    for (int i = 1; i <= a_length; ++i) {
        int *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= b_length; ++j) {
            int x = lower(a[i - 1]), y = lower(b[j - 1]);
            int best = min_int(above[j], row[j - 1]) + 1;
            best = min_int(best, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                best = min_int(best, two_above[j - 2] + 1);
            row[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

nearest_name nearest_to(const char *word)
{
    // One error in a short word, one more for every three letters: beyond that it is another word.
    return (nearest_name){.word = word, .best = NULL, .distance = 2 + limited_length(word) / 3};
}

void nearest_offer(nearest_name *search, const char *name)
{
    int distance = edit_distance(search->word, name);
    if (distance >= search->distance || distance >= limited_length(name)) return;
    search->best = name;
    search->distance = distance;
}
