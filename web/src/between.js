// SPDX-License-Identifier: BSD-3-Clause
// A coordinate between two frames, at `share` of the way from a to b. Where space repeats itself the way leads to the
// nearest image of b and stays in the cell.
export function between(a, b, share, low = 0, length = 0) {
  if (!(length > 0)) return a + share * (b - a);
  const way = b - a - length * Math.round((b - a) / length);
  const x = a + share * way;
  return share > 0 ? x - length * Math.floor((x - low) / length) : x;
}
