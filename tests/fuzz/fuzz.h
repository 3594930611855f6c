// SPDX-License-Identifier: BSD-3-Clause
// What a fuzz target defines, and what targets share. libFuzzer calls a target with inputs it invents, replay_main.c
// with the files of the corpus.
#ifndef SCREE_TESTS_FUZZ_H
#define SCREE_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);  ///< always 0; a broken promise aborts

static inline void promise(bool kept)
{
    if (!kept) abort();
}

// The input as a text that ends with a NUL; free() it. It is exactly as long as needed, so that the address sanitizer
// sees a read beyond it.
static inline char *text_of(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    promise(text != NULL);
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
