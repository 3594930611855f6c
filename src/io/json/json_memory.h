// SPDX-License-Identifier: BSD-3-Clause
// Jansson does not always say that memory ran out: a letter for which there was no room is missing from its string, a
// member from its object, a digit from its number. Whoever reads or builds a tree therefore asks here.
#ifndef IO_JSON_JSON_MEMORY_H
#define IO_JSON_JSON_MEMORY_H

#include <stdbool.h>

void json_memory_watch(void);    // from now on
bool json_memory_ran_out(void);  // since then, Jansson asked for memory in vain

#endif
