// SPDX-License-Identifier: BSD-3-Clause
// What this build is made of.
#ifndef APP_VERSION_H
#define APP_VERSION_H

#include <stdio.h>

void print_version(FILE *out);

#endif
