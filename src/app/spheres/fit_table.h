// SPDX-License-Identifier: BSD-3-Clause
// Fitted sphere sets as a small table.
#ifndef APP_SPHERES_FIT_TABLE_H
#define APP_SPHERES_FIT_TABLE_H

#include <stdio.h>

#include "fitting/measure.h"

typedef struct fit_row {
    const char *method;
    double asked;  // f of the paper's method, else the error in m
    const sphere_set *set;
    fit_errors errors;
    double seconds;  // that the fit took, without the measurement
} fit_row;

void print_part(FILE *out, const char *path, const part *p);
void print_fits(FILE *out, const fit_row *rows, int count);
// What a file of the set says about itself, behind the mark of scree. text has room for size.
void note_fit(const char *path, const fit_row *row, char *text, size_t size);

#endif
