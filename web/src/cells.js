// SPDX-License-Identifier: BSD-3-Clause
// Level of detail of very many spheres that stay where they are.
//
// They are sorted into cells of space, in each of which they lie in random order: the first n of a cell are a fair sample
// of it, so that fewer of them, drawn larger, cover as much of the picture. How many of a cell are drawn follows from
// how large they are on the screen. Spheres that others hide on all sides are last in their cell.

const IN_A_CELL = 1000; // spheres, about
const VOXEL = 2.5; // mean diameters
const FULL = 0.2; // share of a voxel that spheres fill, from which on one does not see through it
const VOXELS_MOST = 4_000_000;
const GROWTH = 1.05; // of the least size of a sphere on the screen, until few enough are drawn

// A small generator of random numbers (Numerical Recipes): the same order on every computer.
function shuffled(count) {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  let state = 1;
  for (let i = count - 1; i > 0; --i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    const other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
  return order;
}

function extentOf(position) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < position.length; i += 3) {
    for (let k = 0; k < 3; ++k) {
      const x = position[i + k];
      if (x < low[k]) low[k] = x;
      if (x > high[k]) high[k] = x;
    }
  }
  return { low, high };
}

// A lattice of cubes with this side over a box.
function lattice({ low, high }, side) {
  const count = [0, 1, 2].map((k) => Math.floor((high[k] - low[k]) / side) + 1);
  const along = (x, k) => Math.min(Math.floor((x - low[k]) / side), count[k] - 1);
  return {
    count,
    total: count[0] * count[1] * count[2],
    index: (position, i) => (along(position[3 * i], 0) * count[1] + along(position[3 * i + 1], 1)) * count[2] + along(position[3 * i + 2], 2),
  };
}

// The voxels that are full, and all of whose neighbours are.
function hiddenVoxels({ count, total }, full) {
  let hidden = full;
  for (const [axis, step] of [[0, count[1] * count[2]], [1, count[2]], [2, 1]]) {
    const before = hidden;
    hidden = new Uint8Array(total);
    for (let v = 0; v < total; ++v) {
      const at = Math.floor(v / step) % count[axis];
      if (before[v] && at > 0 && at < count[axis] - 1 && before[v - step] && before[v + step]) hidden[v] = 1;
    }
  }
  return hidden;
}

// 1 for each sphere that those which always stay hide on all sides.
function hiddenSpheres(position, radius, stays, extent) {
  const n = radius.length;
  const diameter = (2 * radius.reduce((sum, r) => sum + r, 0)) / n;
  const volume = [0, 1, 2].reduce((product, k) => product * (extent.high[k] - extent.low[k] + diameter), 1);
  const side = Math.max(VOXEL * diameter, Math.cbrt(volume / VOXELS_MOST));
  const voxels = lattice(extent, side);
  const filled = new Float32Array(voxels.total);
  for (let i = 0; i < n; ++i) if (stays(i)) filled[voxels.index(position, i)] += ((4 / 3) * Math.PI * radius[i] ** 3) / side ** 3;
  const hidden = hiddenVoxels(voxels, Uint8Array.from(filled, (share) => share >= FULL));
  return Uint8Array.from({ length: n }, (_, i) => hidden[voxels.index(position, i)]);
}

// position: 3 numbers a sphere; stays(i): is it there all the time? { order, cells }: the spheres of cell c are
// order[start] to order[end - 1]; from `seen` on they are hidden by others.
export function sortIntoCells(position, radius, stays) {
  const n = radius.length;
  const extent = extentOf(position);
  const size = [0, 1, 2].map((k) => extent.high[k] - extent.low[k]);
  const least = 1e-6 * Math.max(...size, 1e-30);
  const volume = size.reduce((product, length) => product * Math.max(length, least), 1);
  const grid = lattice(extent, Math.max(Math.cbrt((volume * IN_A_CELL) / n), Math.max(...size) / 512, least));
  const hidden = hiddenSpheres(position, radius, stays, extent);
  const keys = new Uint32Array(n);
  const start = new Uint32Array(2 * grid.total + 1);
  for (let i = 0; i < n; ++i) {
    keys[i] = 2 * grid.index(position, i) + hidden[i];
    ++start[keys[i] + 1];
  }
  for (let k = 0; k < 2 * grid.total; ++k) start[k + 1] += start[k];
  const order = new Uint32Array(n);
  const next = start.slice(0, -1);
  for (const i of shuffled(n)) order[next[keys[i]]++] = i;
  const cells = [];
  for (let c = 0; c < grid.total; ++c) {
    const [first, seen, end] = [start[2 * c], start[2 * c + 1], start[2 * c + 2]];
    if (end > first) cells.push({ start: first, seen, end, ...boxOf(position, radius, order.subarray(first, end)) });
  }
  return { order, cells };
}

// The box around some spheres, and the largest and the mean radius.
function boxOf(position, radius, spheres) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let [largest, sum] = [0, 0];
  for (const i of spheres) {
    for (let k = 0; k < 3; ++k) {
      low[k] = Math.min(low[k], position[3 * i + k] - radius[i]);
      high[k] = Math.max(high[k], position[3 * i + k] + radius[i]);
    }
    largest = Math.max(largest, radius[i]);
    sum += radius[i];
  }
  return { low, high, largest, mean: sum / spheres.length };
}

// How many spheres of each cell to draw, the first ones. cells: { count, pixels }, spheres that may be drawn and their
// mean radius on the screen; least: pixels below which a sphere is not drawn smaller. { least, take }: what is drawn is
// at most `most` spheres, of at least `least` pixels.
export function chooseDetail(cells, least, most) {
  const share = (pixels) => Math.min(1, (pixels / least) ** 2);
  const total = () => cells.reduce((sum, { count, pixels }) => sum + Math.ceil(count * share(pixels)), 0);
  while (total() > Math.max(most, cells.length)) least *= GROWTH;
  return { least, take: cells.map(({ count, pixels }) => Math.ceil(count * share(pixels))) };
}
