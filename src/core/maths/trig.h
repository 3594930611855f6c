// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions with the same bits on every processor.
//
// The C library picks variants of these by processor (with or without fused multiply-add), so its last bit is not
// portable. These use only +, -, *, / and sqrt in a fixed order. Accurate to about one unit in the last place for
// |x| < 1e5 (scr_sincos) and over the whole range (the others).
#ifndef CORE_MATHS_TRIG_H
#define CORE_MATHS_TRIG_H

void scr_sincos(double x, double *sine, double *cosine);
double scr_exp(double x);
double scr_log(double x);
double scr_pow(double x, double y);  // x >= 0, or y a whole number
double scr_cbrt(double x);
double scr_atan2(double y, double x);  // as the C standard says, also at zeros and infinities

#endif
