// SPDX-License-Identifier: BSD-3-Clause
// What colours mean in the player: by material, speed, height or radius.
import { speedOf } from "./frames.js";
import { quantity } from "./format.js";
import { category, linear, oklch, scaleAt } from "./palette.js";

const WALL = oklch(0.78, 0.012, 80);
const KINEMATIC = oklch(0.62, 0.04, 245); // kinematic bodies

// Neighbours of one colour are distinguished by a little light and dark.
function variety(id) {
  let x = Math.imul(id ^ (id >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return 0.88 + (0.24 * ((x ^ (x >>> 16)) >>> 0)) / 2 ** 32;
}

// As the scene says it: null where it says nothing.
function appearanceOf({ colour, opacity }) {
  return { colour: typeof colour === "string" ? linear(colour) : null, opacity: typeof opacity === "number" ? opacity : null };
}

export class Colours {
  constructor(run, frames, rests) {
    Object.assign(this, { run, frames, rests });
    const { instances } = frames;
    this.radius = Float32Array.from({ length: instances.count }, (_, i) => Math.cbrt(instances.half[3 * i] * instances.half[3 * i + 1] * instances.half[3 * i + 2]));
    this.appearance = new Map(run.bodies.filter((body) => body.appearance).map(({ id, appearance }) => [id, appearanceOf(appearance)]));
    this.automatic = { speed: this.speedRange(), height: this.heightRange(), radius: this.radiusRange() };
    this.ranges = { ...this.automatic };
    this.startAs(run.scene.view ?? {});
    this.codes = Float32Array.from({ length: 256 }, (_, code) => speedOf(code, run.player.speed_max));
  }

  // What the scene's view says about colours, where the player has the same.
  startAs({ colour, range }) {
    this.by = colour === "speed" || colour === "radius" ? colour : "material";
    if (this.by !== "material" && range) this.setRange(this.by, ...range);
  }

  // What lies outside takes the colour of the nearer end. Ends in the wrong order are refused.
  setRange(by, low, high) {
    if (!(high > low) || !this.ranges[by]) return false;
    this.ranges[by] = { ...this.ranges[by], low, high };
    return true;
  }

  resetRange(by) {
    this.ranges[by] = this.automatic[by];
  }

  get isAutomatic() {
    return this.ranges[this.by] === this.automatic[this.by];
  }

  // Bodies move and have a size of their own: what colours tell about.
  isGrain(instance) {
    return this.frames.instances.kind[instance] === 0;
  }

  // The same scale for the whole film, so that none of its frames is saturated: found over all frames by the command.
  speedRange() {
    return { low: 0, high: this.run.player.speed_range || 1, unit: "m/s", note: "in every frame 99.5 % are slower" };
  }

  heightRange() {
    const { low, high } = this.run.player;
    return { low: low[2], high: high[2] > low[2] ? high[2] : low[2] + 1, unit: "m" };
  }

  radiusRange() {
    let low = Infinity;
    let high = 0;
    const include = (radius) => {
      if (!(radius > 0)) return;
      low = Math.min(low, radius);
      high = Math.max(high, radius);
    };
    this.radius.forEach((radius, instance) => this.isGrain(instance) && include(radius));
    this.rests.radius?.forEach(include);
    if (!(high > low)) return { low: 0, high: high || 1, unit: "m" };
    return { low, high, unit: "m" };
  }

  // The colour that the scene gives the body, whatever colours mean; null or undefined: none.
  ownColour(instance) {
    return this.appearance.get(this.frames.instances.id[instance])?.colour;
  }

  // Linear RGB of an instance; value: of what colours mean.
  of(instance, frame, z) {
    const { id, kind, material } = this.frames.instances;
    const own = this.ownColour(instance);
    if (own) return own;
    if (kind[instance] === 1) return WALL;
    if (kind[instance] === 2) return KINEMATIC;
    return this.ofGrain(material[instance], id[instance], this.codes[frame.speed[instance]], z, this.radius[instance]);
  }

  // The same of a grain; speed: m/s.
  ofGrain(material, id, speed, z, radius) {
    if (this.by === "material") {
      const shade = variety(id);
      const [r, g, b] = category(material);
      return [r * shade, g * shade, b * shade];
    }
    const value = this.by === "speed" ? speed : this.by === "height" ? z : radius;
    const { low, high } = this.ranges[this.by];
    return scaleAt((value - low) / (high - low));
  }

  // Share of light that a surface of the body stops; null: the scene does not say.
  opacityOf(instance) {
    return this.appearance.get(this.frames.instances.id[instance])?.opacity ?? null;
  }

  // For the legend: { low, high } with units, or the names of materials that some body is coloured by.
  legend() {
    if (this.by !== "material") {
      const { low, high, unit, note } = this.ranges[this.by];
      return { low: quantity(low, unit), high: quantity(high, unit), note: this.isAutomatic ? note : undefined };
    }
    const used = new Set();
    this.frames.instances.material.forEach((material, instance) => this.isGrain(instance) && !this.ownColour(instance) && used.add(material));
    this.rests.material?.forEach((material) => used.add(material));
    return { materials: [...used].sort((a, b) => a - b).map((index) => [index, this.run.materials[index] ?? `material ${index}`]) };
  }
}
