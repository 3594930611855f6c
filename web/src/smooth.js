// SPDX-License-Identifier: BSD-3-Clause
// A Gaussian filter over samples that need not be evenly spaced: each value becomes the mean of its neighbours, weighted
// by exp(-(dt / sigma)^2 / 2). Gaps (null) stay gaps and do not count; at the ends the weights of what is there are
// made to sum to one. Where samples are much denser than sigma, some are computed and the others lie on lines between.

const REACH = 4; // sigmas; the weight beyond is below 4e-4 of the largest

export function smoothed(time, value, sigma) {
  const n = time.length;
  if (!(sigma > 0) || n < 3) return value.slice();
  const spacing = (time[n - 1] - time[0]) / (n - 1);
  const step = Math.max(1, Math.floor(sigma / spacing / 10));
  const result = new Array(n).fill(null);
  let low = 0;
  let before = -1;
  for (let i = 0; i < n; i = i === n - 1 ? n : Math.min(i + step, n - 1)) {
    while (time[low] < time[i] - REACH * sigma) ++low;
    result[i] = meanAround(time, value, sigma, i, low);
    if (before >= 0) fillBetween(time, result, before, i);
    before = i;
  }
  for (let i = 0; i < n; ++i) if (value[i] === null) result[i] = null;
  return result;
}

function meanAround(time, value, sigma, i, low) {
  let sum = 0;
  let weights = 0;
  for (let k = low; k < time.length && time[k] <= time[i] + REACH * sigma; ++k) {
    if (value[k] === null) continue;
    const x = (time[k] - time[i]) / sigma;
    const weight = Math.exp(-0.5 * x * x);
    sum += weight * value[k];
    weights += weight;
  }
  return weights > 0 ? sum / weights : null;
}

function fillBetween(time, result, from, to) {
  if (result[from] === null || result[to] === null) return;
  for (let i = from + 1; i < to; ++i) {
    const share = (time[i] - time[from]) / (time[to] - time[from]);
    result[i] = result[from] + share * (result[to] - result[from]);
  }
}
