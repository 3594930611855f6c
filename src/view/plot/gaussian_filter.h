// SPDX-License-Identifier: BSD-3-Clause
// A Gaussian filter over samples at any times.
//
//   result_i = sum_j w_ij y_j / sum_j w_ij      w_ij = d_j exp(-(t_j - t_i)^2 / (2 sigma^2)),  |t_j - t_i| <= 4 sigma
//
// d_j is the time that sample j stands for, up to half way to its neighbours: dense samples count less each. At the
// ends the weights of what is there sum to one. In the inside, where the whole window is there, the mean is moved along
// the window's own slope to t_i, so that straight lines pass unchanged whatever the times are; with even sampling that
// changes nothing.
//
// Laws: constants pass unchanged to the bit; a sine of frequency w comes out exp(-(sigma w)^2 / 2) as high.
#ifndef VIEW_PLOT_GAUSSIAN_FILTER_H
#define VIEW_PLOT_GAUSSIAN_FILTER_H

#include <stdint.h>

// time: s, never going back. What is not finite does not count and stays. sigma > 0: s. result is no other array.
void gaussian_filter(const double *time, const double *value, int64_t count, double sigma, double *result);

#endif
