// SPDX-License-Identifier: BSD-3-Clause
// The frames of a run, unpacked one at a time. The layout is in src/view/report/report_frames.h.
import { binary } from "./data.js";

const SPHERE = 0;
const KEPT_FRAMES = 48; // unpacked at a time ...
const KEPT_BYTES = 256e6; // ... in so many bytes, but at least four
const INSTANCE_BYTES = 30; // of an instance in a frame

export class Frames {
  constructor(run) {
    this.number = run.number;
    this.about = run.player;
    this.times = this.about.times;
    this.cache = new Map();
    this.readInstances();
    this.markSpheres(run.bodies);
  }

  readInstances() {
    const data = binary(`instances-${this.number}`).buffer;
    const n = this.about.sets.reduce((sum, set) => sum + set.count, 0);
    this.instances = {
      count: n,
      id: new Uint32Array(data, 0, n),
      half: new Float32Array(data, 4 * n, 3 * n),
      surface: new Int32Array(data, 16 * n, n),
      material: new Uint8Array(data, 20 * n, n),
      kind: new Uint8Array(data, 21 * n, n),
    };
    let start = 0;
    this.sets = this.about.sets.map((set) => {
      const located = { ...set, start };
      start += set.count;
      return located;
    });
  }

  // Frames do not say of spheres whether they are fixed; the scene does of those it lists.
  markSpheres(bodies) {
    const kinds = { dynamic: 0, fixed: 1, kinematic: 2 };
    const set = this.sets.find(({ shape, kept }) => shape === SPHERE && kept);
    for (let instance = set.start; instance < set.start + set.count; ++instance) {
      this.instances.kind[instance] = kinds[bodies[this.instances.id[instance] - 1]?.kind] ?? 0;
    }
  }

  surface(index) {
    const { vertices, triangles, shown } = this.about.surfaces[index];
    if (!shown) return null;
    const data = binary(`surface-${this.number}-${index}`).buffer;
    return { vertex: new Float32Array(data, 0, 3 * vertices), triangle: new Uint32Array(data, 12 * vertices, 3 * triangles) };
  }

  get count() {
    return this.times.length;
  }

  // { time, present, position, rotation, speed }, the last four by instance.
  frame(index) {
    let frame = this.cache.get(index);
    if (!frame) {
      const most = Math.min(KEPT_FRAMES, Math.max(4, Math.floor(KEPT_BYTES / (INSTANCE_BYTES * this.instances.count + 1))));
      if (this.cache.size >= most) this.cache.delete(this.cache.keys().next().value);
      frame = this.unpack(binary(`frame-${this.number}-${index}`).buffer);
      this.cache.set(index, frame);
    }
    return frame;
  }

  unpack(data) {
    const n = this.instances.count;
    const frame = {
      time: new Float64Array(data, 0, 1)[0],
      present: new Uint8Array(n),
      position: new Float32Array(3 * n),
      rotation: new Float32Array(4 * n),
      speed: new Uint8Array(n),
    };
    const grid = new Float32Array(data, 8, 6);
    let at = 32;
    for (const set of this.sets) at = unpackSet(data, at, set, grid, frame);
    return frame;
  }
}

function unpackSet(data, at, set, grid, frame) {
  const presence = new Uint8Array(data, at, (set.count + 7) >> 3);
  at += ((presence.length + 3) >> 2) << 2;
  const instances = [];
  for (let i = 0; i < set.count; ++i) if ((presence[i >> 3] >> (i & 7)) & 1) instances.push(set.start + i);
  for (const instance of instances) frame.present[instance] = 1;
  at = set.kept ? unpackExact(data, at, instances, frame.position) : unpackGrid(data, at, instances, grid, frame.position);
  if (set.shape !== SPHERE) at = unpackRotations(data, at, instances, frame.rotation);
  const speed = new Uint8Array(data, at, instances.length);
  instances.forEach((instance, i) => (frame.speed[instance] = speed[i]));
  at += instances.length;
  return ((at + 3) >> 2) << 2;
}

function unpackExact(data, at, instances, position) {
  const from = new Float32Array(data, at, 3 * instances.length);
  instances.forEach((instance, i) => position.set(from.subarray(3 * i, 3 * i + 3), 3 * instance));
  return at + from.byteLength;
}

function unpackGrid(data, at, instances, grid, position) {
  const from = new Uint16Array(data, at, 3 * instances.length);
  for (let i = 0; i < instances.length; ++i) {
    for (let k = 0; k < 3; ++k) position[3 * instances[i] + k] = grid[k] + from[3 * i + k] * grid[3 + k];
  }
  return at + from.byteLength;
}

function unpackRotations(data, at, instances, rotation) {
  const from = new Uint16Array(data, at, 3 * instances.length);
  for (let i = 0; i < instances.length; ++i) {
    const largest = (from[3 * i] >> 15) | ((from[3 * i + 1] >> 15) << 1);
    let rest = 1;
    for (let k = 0, w = 0; k < 4; ++k) {
      if (k === largest) continue;
      const value = (((from[3 * i + w++] & 0x7fff) / 0x7fff) * 2 - 1) * Math.SQRT1_2;
      rotation[4 * instances[i] + k] = value;
      rest -= value * value;
    }
    rotation[4 * instances[i] + largest] = Math.sqrt(Math.max(rest, 0));
  }
  return at + from.byteLength;
}

// m/s of a speed's code.
export function speedOf(code, speedMax) {
  return code === 0 ? 0 : speedMax * 10 ** ((4 * (code - 255)) / 254);
}
