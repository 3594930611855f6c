// What colours mean in the player: by material, speed, height or radius.
import { speedOf } from "./frames.js";
import { quantity } from "./format.js";
import { category, oklch, scaleAt } from "./palette.js";

const WALL = oklch(0.78, 0.012, 80);
const MOVED = oklch(0.62, 0.04, 245); // moved as told
const FASTEST = 0.995; // the share of grains whose speeds the scale holds

// Neighbours of one colour are told apart by a little light and dark.
function variety(id) {
  let x = Math.imul(id ^ (id >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return 0.88 + (0.24 * ((x ^ (x >>> 16)) >>> 0)) / 2 ** 32;
}

export class Colours {
  constructor(run, frames) {
    this.run = run;
    this.frames = frames;
    const { slots } = frames;
    this.radius = Float32Array.from({ length: slots.count }, (_, i) => Math.cbrt(slots.half[3 * i] * slots.half[3 * i + 1] * slots.half[3 * i + 2]));
    this.variety = Float32Array.from(slots.id, variety);
    this.ranges = { speed: this.speedRange(), height: this.heightRange(), radius: this.radiusRange() };
    this.codes = Float32Array.from({ length: 256 }, (_, code) => speedOf(code, run.player.speed_max));
    this.by = "material";
  }

  // Bodies move and have a size of their own: what colours tell about.
  isGrain(slot) {
    return this.frames.slots.kind[slot] === 0;
  }

  sample() {
    const { count } = this.frames;
    return [...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (count - 1))))].map((i) => this.frames.frame(i));
  }

  speedRange() {
    const tally = new Float64Array(256);
    let total = 0;
    for (const frame of this.sample()) {
      for (let slot = 0; slot < this.frames.slots.count; ++slot) {
        if (!frame.present[slot] || !this.isGrain(slot)) continue;
        ++tally[frame.speed[slot]];
        ++total;
      }
    }
    let below = 0;
    let code = 0;
    while (code < 255 && below + tally[code] < FASTEST * total) below += tally[code++];
    return { low: 0, high: speedOf(code, this.run.player.speed_max) || 1, unit: "m/s" };
  }

  heightRange() {
    const { low, high } = this.run.player;
    return { low: low[2], high: high[2] > low[2] ? high[2] : low[2] + 1, unit: "m" };
  }

  radiusRange() {
    let low = Infinity;
    let high = 0;
    this.radius.forEach((radius, slot) => {
      if (!this.isGrain(slot) || !(radius > 0)) return;
      low = Math.min(low, radius);
      high = Math.max(high, radius);
    });
    if (!(high > low)) return { low: 0, high: high || 1, unit: "m" };
    return { low, high, unit: "m" };
  }

  // Linear RGB of a slot; value: of what colours mean.
  of(slot, frame, z) {
    const { kind, material } = this.frames.slots;
    if (kind[slot] === 1) return WALL;
    if (kind[slot] === 2) return MOVED;
    const shade = this.variety[slot];
    let colour;
    if (this.by === "material") {
      colour = category(material[slot]);
    } else {
      const value = this.by === "speed" ? this.codes[frame.speed[slot]] : this.by === "height" ? z : this.radius[slot];
      const { low, high } = this.ranges[this.by];
      colour = scaleAt((value - low) / (high - low));
    }
    return this.by === "material" ? [colour[0] * shade, colour[1] * shade, colour[2] * shade] : colour;
  }

  // For the legend: { low, high } with units, or the names of materials that are there.
  legend() {
    if (this.by !== "material") {
      const { low, high, unit } = this.ranges[this.by];
      return { low: quantity(low, unit), high: quantity(high, unit) };
    }
    const used = new Set();
    this.frames.slots.material.forEach((material, slot) => this.isGrain(slot) && used.add(material));
    return { materials: [...used].sort((a, b) => a - b).map((index) => [index, this.run.materials[index] ?? `material ${index}`]) };
  }
}
