// What a fuzz target defines. libFuzzer calls it with inputs it invents, replay_main.c with the files of the corpus.
#ifndef SCREE_TESTS_FUZZ_H
#define SCREE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);  ///< always 0; a broken promise aborts

#endif
