// SPDX-License-Identifier: BSD-3-Clause
// Grains at rest: they are on the page once, whatever the number of frames, and stay in the memory of the graphics. The
// program of the vertices knows from when until when each is there; which of them are drawn is chosen by cells.js
// whenever the eye moves. The layout is in src/view/report/report_frames.h.
import * as THREE from "three";

import { chooseDetail, sortIntoCells } from "./cells.js";
import { ROW, encodeColour, sphereMaterial, texture } from "./cloud.js";
import { binary } from "./data.js";

const PIXELS_A_SPHERE = 8; // of the picture: the more pixels, the more spheres may be drawn
const LEAST = 0.7; // pixels; the least radius of a sphere on the screen
const POINT_MOST = 12; // pixels; spheres that are larger are squares, which do not vanish at the picture's edge
const DEPTH = 6; // mean diameters; so far from a cut or from the eye one looks inside

function read(run) {
  const n = run.player.rests;
  const data = binary(`rests-${run.number}`).buffer;
  const grid = new Float32Array(data, 0, 6);
  const place = new Uint16Array(data, 24 + 8 * n, 3 * n);
  const position = new Float32Array(3 * n);
  for (let i = 0; i < 3 * n; ++i) position[i] = grid[i % 3] + place[i] * grid[3 + (i % 3)];
  return {
    id: new Uint32Array(data, 24, n),
    radius: new Float32Array(data, 24 + 4 * n, n),
    first: new Uint16Array(data, 24 + 14 * n, n),
    last: new Uint16Array(data, 24 + 16 * n, n),
    material: new Uint8Array(data, 24 + 18 * n, n),
    position,
  };
}

// Columns in another order.
function reordered(columns, order) {
  const taken = (column, width) => {
    const made = new column.constructor(column.length);
    for (let i = 0; i < order.length; ++i) for (let k = 0; k < width; ++k) made[width * i + k] = column[width * order[i] + k];
    return made;
  };
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, taken(column, name === "position" ? 3 : 1)]));
}

function drawable(Kind, material) {
  const made = new Kind(new THREE.BufferGeometry(), material);
  made.frustumCulled = false;
  return made;
}

// Which vertices a drawable draws from now on.
function setIndex({ geometry }, index) {
  if (!geometry.index || geometry.index.array.length < index.length) {
    geometry.dispose();
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(2 * index.length), 1).setUsage(THREE.DynamicDrawUsage));
  }
  geometry.index.array.set(index);
  geometry.index.clearUpdateRanges();
  geometry.index.addUpdateRange(0, index.length);
  geometry.index.needsUpdate = true;
  geometry.setDrawRange(0, index.length);
}

export class Rests {
  // light: uniforms.
  constructor(run, light) {
    this.count = run.player.rests;
    this.object = new THREE.Group();
    if (this.count === 0) return;
    const columns = read(run);
    const end = run.player.times.length - 1;
    const { order, cells } = sortIntoCells(columns.position, columns.radius, (i) => columns.first[i] === 0 && columns.last[i] === end);
    Object.assign(this, reordered(columns, order));
    this.cells = cells;
    this.tints = new Uint8Array(4 * ROW * Math.ceil(this.count / ROW));
    this.tintTexture = texture(this.tints, THREE.UnsignedByteType);
    this.uniforms = {
      ...light, balls: { value: this.balls() }, tints: { value: this.tintTexture }, spans: { value: this.spans() }, frame: { value: 0 },
      least: { value: 0 }, cut: { value: new THREE.Vector4(0, 0, 0, 1) }, pixels: { value: 1 },
    };
    this.points = drawable(THREE.Points, sphereMaterial({ RESTS: 1, POINTS: 1 }, this.uniforms));
    this.squares = drawable(THREE.Mesh, sphereMaterial({ RESTS: 1 }, this.uniforms));
    this.object.add(this.points, this.squares);
  }

  balls() {
    const made = new Float32Array(this.tints.length);
    for (let i = 0; i < this.count; ++i) {
      for (let k = 0; k < 3; ++k) made[4 * i + k] = this.position[3 * i + k];
      made[4 * i + 3] = this.radius[i];
    }
    return texture(made, THREE.FloatType);
  }

  spans() {
    const made = new Uint16Array(this.tints.length / 2);
    for (let i = 0; i < this.count; ++i) {
      made[2 * i] = this.first[i];
      made[2 * i + 1] = this.last[i];
    }
    const spans = new THREE.DataTexture(made, ROW, made.length / 2 / ROW, THREE.RGIntegerFormat, THREE.UnsignedShortType);
    spans.needsUpdate = true;
    return spans;
  }

  // Which frame is shown, and in which colours: computed anew only when these mean something else.
  show(frame, colours) {
    if (this.count === 0) return;
    this.uniforms.frame.value = frame;
    const { by } = colours;
    const meaning = JSON.stringify([by, colours.ranges[by]]);
    if (meaning === this.meaning) return;
    this.meaning = meaning;
    for (let i = 0; i < this.count; ++i) {
      encodeColour(colours.ofGrain(this.material[i], this.id[i], 0, this.position[3 * i + 2], this.radius[i]), this.tints, 4 * i);
      this.tints[4 * i + 3] = 255;
    }
    this.tintTexture.needsUpdate = true;
  }

  set cut(plane) {
    if (this.count > 0) this.uniforms.cut.value.copy(plane);
  }

  // Before drawing a picture of so many pixels.
  prepare(camera, width, height) {
    if (this.count === 0) return;
    const view = [...camera.matrixWorldInverse.elements, ...camera.projectionMatrix.elements, ...this.uniforms.cut.value.toArray(), width, height];
    if (this.view?.every((number, k) => number === view[k])) return;
    this.view = view;
    this.uniforms.pixels.value = height;
    const cells = this.cellsInView(camera, height);
    const { least, take } = chooseDetail(cells, LEAST, (width * height) / PIXELS_A_SPHERE);
    this.uniforms.least.value = least;
    this.fillIndices(cells, take, least);
  }

  cellsInView(camera, height) {
    const frustum = new THREE.Frustum().setFromProjectionMatrix(new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const scale = 0.5 * height * camera.projectionMatrix.elements[5];
    const box = new THREE.Box3();
    const found = [];
    for (const cell of this.cells) {
      box.min.fromArray(cell.low);
      box.max.fromArray(cell.high);
      const beyond = this.beyondCut(cell);
      if (beyond > 0 || !frustum.intersectsBox(box)) continue;
      const distance = box.distanceToPoint(camera.position);
      const inside = Math.min(distance, -beyond) < DEPTH * 2 * cell.mean;
      const count = (inside ? cell.end : cell.seen) - cell.start;
      const pixels = (scale * cell.mean) / Math.max(distance, cell.mean);
      if (count > 0) found.push({ start: cell.start, count, pixels, largest: (pixels * cell.largest) / cell.mean });
    }
    return found;
  }

  // How far a cell is beyond the plane of the cut: above 0 all of it is, below 0 none, and 0 on the plane.
  beyondCut({ low, high }) {
    const { x, y, z, w } = this.uniforms.cut.value;
    if (x === 0 && y === 0 && z === 0) return -Infinity;
    const ends = [x, y, z].map((n, k) => (n > 0 ? [n * low[k], n * high[k]] : [n * high[k], n * low[k]]));
    const nearest = ends[0][0] + ends[1][0] + ends[2][0] - w;
    const furthest = ends[0][1] + ends[1][1] + ends[2][1] - w;
    return nearest > 0 ? nearest : Math.min(furthest, 0);
  }

  fillIndices(cells, take, least) {
    const isLarge = ({ largest }) => Math.max(largest, least) > POINT_MOST;
    const sum = (wanted) => cells.reduce((total, cell, c) => total + (isLarge(cell) === wanted ? take[c] : 0), 0);
    const points = new Uint32Array(sum(false));
    const squares = new Uint32Array(6 * sum(true));
    let [p, s] = [0, 0];
    cells.forEach((cell, c) => {
      const end = cell.start + take[c];
      if (isLarge(cell)) for (let i = cell.start; i < end; ++i) for (const corner of [0, 1, 2, 0, 2, 3]) squares[s++] = 4 * i + corner;
      else for (let i = cell.start; i < end; ++i) points[p++] = i;
    });
    setIndex(this.points, points);
    setIndex(this.squares, squares);
    this.drawn = take.reduce((total, number) => total + number, 0);
  }

  // The nearest grain that a ray meets, { distance, id }: what is nearer than `best`, or that.
  pick({ origin, direction }, frame, best) {
    const centre = new THREE.Vector3();
    for (let i = 0; i < this.count; ++i) {
      if (frame < this.first[i] || frame > this.last[i]) continue;
      centre.fromArray(this.position, 3 * i).sub(origin);
      const along = centre.dot(direction);
      if (along > 0 && along < best.distance && centre.lengthSq() - along * along < this.radius[i] ** 2) best = { distance: along, id: this.id[i] };
    }
    return best;
  }
}
