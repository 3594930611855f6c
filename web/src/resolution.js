// SPDX-License-Identifier: BSD-3-Clause
// How many pixels to draw: as many as keep motion smooth, and more than the screen has, which smooths edges, when the
// picture stands still.

const SLOW = 42; // ms between pictures above which fewer pixels are drawn ...
const FAST = 22; // ... and below which more are
const SAMPLE = 8; // pictures to judge by
const LEAST = 0.5; // pixels a CSS pixel
const STILL = 2;
const PAUSE = 400; // ms between pictures that have nothing to do with how fast they are drawn
const PATIENCE = 200; // ms without change until the picture stands still

export class Resolution {
  // apply(ratio): draw that many pixels for a CSS pixel from now on; draw(): draw again.
  constructor(apply, draw) {
    Object.assign(this, { apply, draw, moving: Math.min(devicePixelRatio, 1), ratio: 0, times: [], timer: 0 });
  }

  set(ratio) {
    if (ratio === this.ratio) return;
    this.ratio = ratio;
    this.apply(ratio);
  }

  // A picture of something that moves is about to be drawn; now: ms.
  move(now) {
    clearTimeout(this.timer);
    if (now - this.times.at(-1) > PAUSE) this.times = [];
    this.times.push(now);
    if (this.times.length > SAMPLE) this.adapt();
    this.set(this.moving);
  }

  adapt() {
    const interval = (this.times.at(-1) - this.times[0]) / SAMPLE;
    this.times = this.times.slice(-1);
    if (interval > SLOW) this.moving = Math.max(LEAST, this.moving * 0.8);
    else if (interval < FAST) this.moving = Math.min(Math.max(devicePixelRatio, 1), this.moving * 1.15);
  }

  // A single picture was drawn, perhaps one of many: if nothing follows, draw it well.
  rest() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.set(Math.max(devicePixelRatio, STILL));
      this.draw();
    }, PATIENCE);
  }
}
