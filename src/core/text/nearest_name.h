// SPDX-License-Identifier: BSD-3-Clause
// The nearest valid name to a misspelt one, for messages: "unknown key "frction"; did you mean "friction"?"
#ifndef CORE_TEXT_NEAREST_NAME_H
#define CORE_TEXT_NEAREST_NAME_H

// A search: begin with nearest_to(word), offer every valid name, then read `best`.
typedef struct nearest_name {
    const char *word;
    const char *best;  // the first of the nearest names; NULL while none is near enough to be what was meant
    int distance;      // typing errors between word and best; while best is NULL, one more than would be accepted
} nearest_name;

nearest_name nearest_to(const char *word);
void nearest_offer(nearest_name *search, const char *name);  // name must outlive the search

// How many typing errors lie between two words: characters added, left out, replaced or swapped with their neighbour.
// Case does not count. Words longer than EDIT_WORD_MAX are compared by their beginnings.
enum { EDIT_WORD_MAX = 63 };
int edit_distance(const char *a, const char *b);

#endif
