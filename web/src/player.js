// SPDX-License-Identifier: BSD-3-Clause
// The player: the picture, and what one can do with it.
import { choice, control, element, named, section } from "./dom.js";
import { count, quantity } from "./format.js";
import { category, css, scale } from "./palette.js";
import { Resolution } from "./resolution.js";
import { Stage, makeControls, makeRenderer } from "./stage.js";
import { onTheme } from "./theme.js";

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const SECONDS_FOR_ALL = 10; // how long a run plays unless the reader chooses
const COLOURS = ["material", "speed", "height", "radius"];
const ORBIT = 0.12; // rad a key
const keysHelp = "Space plays, ← → step, Home and End jump, W A S D rotate the view, + − zoom, C changes colours, R resets the view. Click a body to follow it, Esc lets go.";

export function playerSection(runs, page) {
  const shown = runs.filter((run) => run.player);
  if (shown.length === 0) {
    const why = "There are no frames to play: the scene asks for none (output.frame_interval).";
    return { root: section("Player", element("p", { class: "empty" }, why)), start() {} };
  }
  return new Player(shown, runs.length > 1, page);
}

class Player {
  constructor(runs, compares, page) {
    Object.assign(this, { runs, compares, page, at: 0, timeChanged() {}, playing: false, rounds: 0, drawn: 0, stages: new Map(), cutAxis: -1, cutShare: 0.5, cutFlipped: false });
    this.canvas = element("canvas", { tabindex: 0, role: "img", "aria-label": `Three-dimensional player. ${keysHelp}` });
    this.caption = element("p", { class: "hint thinning" });
    this.legend = element("div", { class: "colour-legend", "aria-live": "polite" });
    this.clock = element("output", { class: "clock" });
    this.makeControls();
    this.root = section(
      "Player",
      element("div", { class: "player" }, element("div", { class: "screen" }, this.canvas, this.legend, this.clock), this.transport(), this.options()),
      this.caption,
      element("p", { class: "hint screen-only" }, keysHelp),
    );
  }

  // ---- controls ----------------------------------------------------------------------------------------------------

  makeControls() {
    this.playButton = element("button", { class: "play", onclick: () => this.toggle() });
    this.scrubber = element("input", { type: "range", class: "scrub", min: 0, step: 1, value: 0, "aria-label": "Frame", oninput: () => this.jump(this.scrubber.valueAsNumber) });
    this.speedHolder = element("span", {});
    this.followHolder = element("span", {});
    this.colourSelect = choice(COLOURS.map((name) => [name, name]), "material", (by) => this.colourBy(by));
    this.wallSelect = choice([["glass", "glass"], ["solid", "solid"], ["hidden", "hidden"]], "glass", (how) => {
      this.stage.wallsAre = how;
      this.refresh();
    });
    this.cutSelect = choice([["-1", "none"], ["0", "x"], ["1", "y"], ["2", "z"]], "-1", (axis) => {
      this.cutAxis = Number(axis);
      this.cutFlipped = this.cutAxis >= 0 && this.stage.isSeenFromBelow(this.cutAxis); // what is in front goes
      this.applyCut();
    });
    this.cutSlider = element("input", { type: "range", min: 0, max: 1000, value: 500, disabled: true, "aria-label": "Position of the cut", oninput: () => {
      this.cutShare = this.cutSlider.valueAsNumber / 1000;
      this.applyCut();
    } });
    this.cutFlip = element("button", { disabled: true, title: "Show the other side of the cut", onclick: () => {
      this.cutFlipped = !this.cutFlipped;
      this.applyCut();
    } }, "flip");
    this.cutReading = element("output", { class: "reading" });
    this.rangeEnds = ["Lower end of the colours", "Upper end of the colours"].map((name) => element("input", { type: "number", step: "any", "aria-label": name, onchange: () => this.setRange() }));
    this.rangeUnit = element("span", {});
    this.rangeReset = element("button", { title: "The range that was found over all frames", onclick: () => this.resetRange() }, "auto");
    this.rangeControl = element("span", { class: "control range" }, element("span", {}, "Range"), this.rangeEnds[0], "to", this.rangeEnds[1], this.rangeUnit, this.rangeReset);
  }

  transport() {
    const step = (label, by, text) => element("button", { "aria-label": label, title: label, onclick: () => this.step(by) }, text);
    return element("div", { class: "bar transport" }, this.playButton, step("One frame back", -1, "‹"), step("One frame on", 1, "›"), this.scrubber, control("Speed", this.speedHolder));
  }

  options() {
    const runChoice = this.runs.length > 1 ? control("Run", choice(this.runs.map((run) => [String(run.number), run.name]), String(this.runs[0].number), (number) => this.open(this.runs.find((run) => run.number === Number(number))))) : null;
    return element(
      "div",
      { class: "bar" },
      runChoice,
      control("Colour by", this.colourSelect),
      this.rangeControl,
      control("Walls", this.wallSelect),
      element("span", { class: "control" }, control("Cut", this.cutSelect), this.cutSlider, this.cutReading, this.cutFlip),
      control("Follow", this.followHolder),
      element("button", { onclick: () => this.resetView() }, "Reset view"),
    );
  }

  start() {
    const { camera, controls } = makeControls(this.canvas);
    Object.assign(this, { camera, controls });
    try {
      this.renderer = makeRenderer(this.canvas);
    } catch {
      this.root.replaceChildren(element("h2", {}, "Player"), element("p", { class: "empty" }, "This browser has no WebGL, which the player needs; everything else on the page works."));
      return;
    }
    this.resolution = new Resolution((ratio) => this.renderer.setPixelRatio(ratio), () => this.draw());
    controls.addEventListener("change", () => this.redraw());
    controls.addEventListener("start", () => this.stage.releaseCamera());
    this.canvas.addEventListener("focus", () => (controls.enableZoom = true));
    this.canvas.addEventListener("blur", () => (controls.enableZoom = false));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.watchClicks();
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    onTheme(() => this.refresh());
    this.open(this.runs[0]);
  }

  open(run) {
    this.stop();
    const before = this.stage;
    if (!this.stages.has(run)) this.stages.set(run, new Stage(run, this.controls, this.camera));
    this.stage = this.stages.get(run);
    if (before) this.stage.colours.by = before.colours.by;
    this.colourSelect.value = this.stage.colours.by;
    this.stage.wallsAre = before?.walls ?? "glass";
    this.scrubber.max = this.stage.frames.count - 1;
    const { times } = this.stage.frames;
    const length = times.at(-1) - times[0];
    this.speed = SPEEDS.reduce((best, speed) => (Math.abs(Math.log((speed * SECONDS_FOR_ALL) / length)) < Math.abs(Math.log((best * SECONDS_FOR_ALL) / length)) ? speed : best), 1);
    this.speedHolder.replaceChildren(named("Speed", choice(SPEEDS.map((speed) => [String(speed), `${speed} ×`]), String(this.speed), (speed) => (this.speed = Number(speed)))));
    this.fillFollow(run);
    this.describe(run);
    this.resize();
    this.stage.at = 0;
    this.stage.resetCamera();
    this.applyCut();
    this.jump(0);
  }

  fillFollow(run) {
    const present = new Set(this.stage.frames.instances.id);
    const bodies = run.bodies.filter(({ id, kind }) => kind !== "fixed" && present.has(id)).slice(0, 200);
    const choices = [["", "nothing"], ...bodies.map(({ id, name }) => [String(id), name || `body ${id}`])];
    this.followSelect = named("Follow", choice(choices, "", (id) => this.follow(id === "" ? null : Number(id))));
    this.followHolder.replaceChildren(this.followSelect);
    this.stage.follows = null;
  }

  // What is not on the page, and why.
  describe(run) {
    const { grains, grains_total: all, frames, frames_total: allFrames, frame_stride: stride } = run.player;
    const sentences = [];
    const ratio = Math.round(all / Math.max(grains, 1));
    if (grains < all) sentences.push(`${count(grains)} of ${count(all)} grains are shown, ${ratio > 1 ? `about 1 in ${count(ratio)}, ` : ""}chosen at random`);
    else if (all > 0) sentences.push(`All ${count(all)} grains are shown`);
    sentences.push(frames < allFrames ? `${count(frames)} of ${count(allFrames)} frames, 1 in ${count(stride)}` : `all ${count(allFrames)} frames`);
    const thinned = grains < all || frames < allFrames;
    const why = thinned ? ` The page was thinned to a budget of ${quantity(this.page.budget, "B")} (scree report --budget).` : "";
    const sentence = sentences.join("; ");
    this.caption.textContent = `${sentence[0].toUpperCase()}${sentence.slice(1)}. Positions of grains are rounded to 1/65,535 of the heap's size; between frames motion is interpolated.${why}`;
  }

  // ---- time --------------------------------------------------------------------------------------------------------

  toggle() {
    if (this.playing) this.stop();
    else this.play();
  }

  play() {
    if (this.stage.frames.count < 2) return;
    if (this.at >= this.stage.frames.count - 1) this.at = 0;
    this.playing = true;
    this.label();
    const round = ++this.rounds; // a loop of an earlier round ends
    let before = null;
    const tick = (now) => {
      if (!this.playing || round !== this.rounds) return;
      this.advance(((now - (before ?? now)) / 1000) * this.speed);
      before = now;
      this.resolution.move(now);
      this.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  stop() {
    this.playing = false;
    this.label();
    this.resolution.rest();
  }

  label() {
    this.playButton.textContent = this.playing ? "Pause" : "Play";
    this.playButton.setAttribute("aria-pressed", String(this.playing));
  }

  // Frames need not be evenly spaced: the last one is where the run stopped. The end begins again.
  advance(seconds) {
    const { times } = this.stage.frames;
    let time = this.time() + seconds;
    if (time >= times.at(-1)) time = this.at >= times.length - 1 ? times[0] : times.at(-1);
    let index = Math.floor(this.at);
    if (times[index] > time) index = 0;
    while (index + 1 < times.length && times[index + 1] <= time) ++index;
    const length = index + 1 < times.length ? times[index + 1] - times[index] : 1;
    this.at = index + (index + 1 < times.length ? (time - times[index]) / length : 0);
    this.refresh(false);
  }

  time() {
    const { times } = this.stage.frames;
    const index = Math.floor(this.at);
    return index + 1 < times.length ? times[index] + (this.at - index) * (times[index + 1] - times[index]) : times[index];
  }

  jump(frame) {
    this.stop();
    this.at = Math.min(Math.max(frame, 0), this.stage.frames.count - 1);
    this.refresh();
  }

  // The moment of a plot, between frames as well.
  seek(time) {
    const { times } = this.stage.frames;
    const next = times.findIndex((t) => t > time);
    if (next < 0) this.jump(times.length - 1);
    else if (next === 0) this.jump(0);
    else this.jump(next - 1 + (time - times[next - 1]) / (times[next] - times[next - 1]));
  }

  step(by) {
    this.jump(by > 0 ? Math.floor(this.at) + by : Math.ceil(this.at) + by);
  }

  // ---- drawing -----------------------------------------------------------------------------------------------------

  // Something about the picture changed.
  refresh(draw = true) {
    this.stage.paint();
    this.stage.show(this.at);
    this.stage.shownFrame = Math.floor(this.at);
    this.scrubber.value = Math.round(this.at);
    this.clock.textContent = `t = ${this.time().toFixed(this.decimals())} s`;
    this.scrubber.setAttribute("aria-valuetext", this.clock.textContent);
    this.timeChanged(this.time());
    if (draw) {
      this.showLegend();
      this.redraw();
    }
  }

  decimals() {
    const { times } = this.stage.frames;
    const length = times.at(-1) - times[0];
    return length > 0 ? Math.min(Math.max(Math.ceil(2 - Math.log10(length)), 0), 9) : 3;
  }

  redraw() {
    if (this.playing || this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      this.resolution.move(now);
      this.draw();
      this.resolution.rest();
    });
  }

  draw() {
    if (!this.stage) return;
    this.stage.draw(this.renderer);
    ++this.drawn;
  }

  // Paper gets a copy: what WebGL drew is gone when the browser prints.
  keepStill() {
    if (!this.stage) return;
    this.refresh(false);
    this.draw();
    this.still ??= element("img", { class: "still", alt: "", decoding: "sync" });
    this.still.src = this.canvas.toDataURL();
    this.canvas.after(this.still);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!this.renderer || !(width > 0 && height > 0)) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.stage) this.redraw();
  }

  showLegend() {
    const { by } = this.stage.colours;
    const { low, high, note, materials } = this.stage.colours.legend();
    this.showRange();
    if (materials) {
      this.legend.replaceChildren(...materials.map(([index, name]) => {
        const swatch = element("i", { class: "swatch round" });
        swatch.style.background = css(category(index));
        return element("span", { class: "key" }, swatch, name);
      }));
      return;
    }
    const bar = element("i", { class: "ramp" });
    bar.style.background = `linear-gradient(to right, ${[0, 51, 102, 153, 204, 255].map((i) => css(scale[i])).join(", ")})`;
    this.legend.replaceChildren(element("span", { class: "key" }, by), element("span", {}, low), bar, element("span", {}, high), note ? element("span", { class: "faint" }, note) : "");
  }

  showRange() {
    const { colours } = this.stage;
    const range = colours.ranges[colours.by];
    this.rangeControl.hidden = !range;
    if (!range) return;
    this.rangeEnds[0].value = String(Number(range.low.toPrecision(6)));
    this.rangeEnds[1].value = String(Number(range.high.toPrecision(6)));
    this.rangeUnit.textContent = range.unit;
    this.rangeReset.disabled = colours.isAutomatic;
  }

  // ---- what the reader asks for ------------------------------------------------------------------------------------

  setRange() {
    const [low, high] = this.rangeEnds.map((end) => end.valueAsNumber);
    const wrong = !this.stage.colours.setRange(this.stage.colours.by, low, high);
    for (const end of this.rangeEnds) end.setCustomValidity(wrong ? "The upper end must be above the lower one." : "");
    if (wrong) this.rangeEnds[1].reportValidity();
    else this.refresh();
  }

  resetRange() {
    this.stage.colours.resetRange(this.stage.colours.by);
    for (const end of this.rangeEnds) end.setCustomValidity("");
    this.refresh();
  }

  colourBy(by) {
    this.stage.colours.by = by;
    this.colourSelect.value = by;
    this.refresh();
  }

  applyCut() {
    const at = this.stage.cut(this.cutAxis, this.cutShare, this.cutFlipped);
    this.cutSlider.disabled = this.cutFlip.disabled = this.cutAxis < 0;
    this.cutReading.textContent = at === null ? "" : `${"xyz"[this.cutAxis]} = ${quantity(at, "m")}`;
    this.refresh();
  }

  follow(id) {
    this.stage.follows = id;
    if (id !== null) this.stage.releaseCamera();
    const known = id === null ? "" : String(id);
    if (![...this.followSelect.options].some((option) => option.value === known)) this.followSelect.append(element("option", { value: known }, `body ${known}`));
    this.followSelect.value = known;
    this.refresh();
  }

  resetView() {
    this.follow(null);
    this.stage.resetCamera();
    this.redraw();
  }

  orbit(azimuth, polar) {
    this.stage.releaseCamera();
    const offset = this.camera.position.clone().sub(this.controls.target);
    const radius = offset.length();
    const angle = Math.atan2(offset.y, offset.x) + azimuth;
    const height = Math.min(Math.max(Math.asin(offset.z / radius) + polar, -1.5), 1.5);
    offset.set(Math.cos(angle) * Math.cos(height), Math.sin(angle) * Math.cos(height), Math.sin(height)).multiplyScalar(radius);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.redraw();
  }

  zoom(factor) {
    this.stage.releaseCamera();
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.redraw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = () => this.colourBy(COLOURS[(COLOURS.indexOf(this.stage.colours.by) + 1) % COLOURS.length]);
    const actions = {
      " ": () => this.toggle(), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.jump(0),
      End: () => this.jump(this.stage.frames.count - 1), a: () => this.orbit(-ORBIT, 0), d: () => this.orbit(ORBIT, 0),
      w: () => this.orbit(0, ORBIT), s: () => this.orbit(0, -ORBIT), "+": () => this.zoom(0.85), "=": () => this.zoom(0.85),
      "-": () => this.zoom(1 / 0.85), c: next, r: () => this.resetView(), Escape: () => this.follow(null),
    };
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // A click that is not the end of a drag.
  watchClicks() {
    let from = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.focus({ preventScroll: true });
      from = [event.clientX, event.clientY];
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) return;
      const box = this.canvas.getBoundingClientRect();
      const id = this.stage.pick((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
      if (id !== null) this.follow(id);
    });
  }
}
