// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people like to read them. Each returns its text by value, so that several fit in one printf.
#ifndef CORE_TEXT_HUMAN_H
#define CORE_TEXT_HUMAN_H

#include <stdint.h>

typedef struct human_text {
    char text[80];
} human_text;

human_text human_count(int64_t n);                                      // 1,234,567
human_text human_things(int64_t n, const char *one, const char *many);  // 1 box, 2,000 boxes
human_text human_bytes(int64_t bytes);                                  // 12 B, 3.4 GB
human_text human_duration(double s);    // 0 s, 420 ms, 12 s, 3 min 05 s, 2 h 07 min, 3 days 4 h
human_text human_clock(double s);       // the same in short: 0:42, 3:05, 2:07:00
human_text human_time_left(double s);   // as a duration from 1 s on, "under 1 s" before
human_text human_length(double m);      // 12 um, 420 um, 3.1 m, 2 km; "< 1 pm" for what rounding leaves of 0
human_text human_figure(double value);  // 341, 0.0125, 1.2e-07; whole from 1,000 on; "-" if it is no number

#endif
