// SPDX-License-Identifier: BSD-3-Clause
// One plot: curves over time with values under the pointer, zoom, logarithmic axes and filtered curves over the raw ones.
import uPlot from "uplot";

import { element, save } from "./dom.js";
import { figure } from "./format.js";
import { curve as curveColour } from "./palette.js";
import { csvOfPlot } from "./series.js";
import { smoothed } from "./smooth.js";
import { isDark, onTheme, token } from "./theme.js";

const HEIGHT = 230; // pixels
const NEARBY = 64; // rows in which a value under the pointer is searched
const LINEAR = 1;
const LOGARITHMIC = 3;

export class Plot {
  // settings is shared by all plots: { sigma, logX, logY }. zoomed(range) is called when the user chooses a range of time,
  // seek(time) when a moment.
  constructor(plot, settings, compares, zoomed, seek) {
    Object.assign(this, { plot, settings, compares, zoomed, seek, chart: null, range: null, quiet: false, now: null });
    this.timeCursor = element("div", { class: "time-cursor" }); // the moment that the player shows
    this.values = plot.curves.map(() => element("output", {}));
    this.container = element("div", { class: "chart" });
    this.note = element("p", { class: "note", hidden: true });
    const unit = plot.unit ? element("span", { class: "unit" }, plot.unit) : null;
    this.root = element(
      "figure",
      { class: "plot", tabindex: 0, "aria-label": `${plot.title}, ${plot.detail}${plot.unit ? `, in ${plot.unit}` : ""}. Arrow keys read values, Enter moves the player there, + and - zoom, 0 shows all.` },
      element(
        "figcaption",
        {},
        element("h3", {}, plot.title, compares ? element("span", { class: "detail" }, plot.detail) : null, unit),
        element("button", { class: "quiet", title: "Download the numbers of this plot", onclick: () => this.saveCsv() }, "CSV"),
      ),
      this.legend(),
      this.container,
      this.note,
    );
    this.root.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(this.container);
    // Plots below the fold are drawn when they come near.
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      this.seen = true;
      this.draw();
    }, { rootMargin: "400px" }).observe(this.root);
    onTheme(() => this.draw());
  }

  legend() {
    this.swatches = this.plot.curves.map(() => element("i", { class: "swatch" }));
    return element(
      "div",
      { class: "legend" },
      this.plot.curves.map((curve, i) => element("span", { class: "key" }, this.swatches[i], element("span", { class: "name" }, curve.name), this.values[i])),
    );
  }

  // What is drawn: a table of times and, for each curve, the raw values and the filtered ones.
  table() {
    const { sigma, logX, logY } = this.settings;
    let hidden = 0;
    const positive = (v) => {
      if (v === null || v > 0) return v;
      ++hidden;
      return null;
    };
    const tables = this.plot.curves.map((curve) => {
      curve.smooth = sigma > 0 ? smoothed(curve.time, curve.value, sigma) : null;
      const from = logX ? curve.time.findIndex((t) => t > 0) : 0;
      const clean = (values) => (logY ? values.slice(from).map(positive) : values.slice(from));
      const raw = clean(curve.value);
      return [curve.time.slice(from), raw, curve.smooth ? clean(curve.smooth) : raw.map(() => null)];
    });
    this.note.hidden = hidden === 0;
    this.note.textContent = `${hidden} values that are not positive cannot be shown on a logarithmic axis.`;
    if (!this.compares) return [tables[0][0], ...tables.flatMap((table) => table.slice(1))];
    return uPlot.join(tables);
  }

  draw() {
    if (!this.seen) return;
    this.chart?.destroy();
    const colours = this.plot.curves.map((curve) => curveColour(curve.colour, isDark()));
    colours.forEach((colour, i) => (this.swatches[i].style.background = colour));
    const filtered = this.settings.sigma > 0;
    const series = [{}];
    for (const colour of colours) {
      series.push({ stroke: colour, width: filtered ? 1 : 1.5, alpha: filtered ? 0.3 : 1, spanGaps: this.compares, points: { show: false } });
      series.push({ stroke: colour, width: 2, show: filtered, spanGaps: this.compares, points: { show: false } });
    }
    const axis = {
      stroke: token("--muted"), font: `12px ${token("--sans")}`, grid: { stroke: token("--grid"), width: 1 },
      ticks: { stroke: token("--grid"), width: 1, size: 4 }, gap: 4,
    };
    const short = (_, splits) => splits.map((v) => (v === null ? "" : figure(v, 4)));
    this.chart = new uPlot(
      {
        width: Math.max(this.container.clientWidth, 120), height: HEIGHT, series,
        scales: { x: { time: false, distr: this.settings.logX ? LOGARITHMIC : LINEAR }, y: { distr: this.settings.logY ? LOGARITHMIC : LINEAR } },
        axes: [{ ...axis, size: 34, values: short }, { ...axis, size: 62, values: short }],
        legend: { show: false },
        cursor: { sync: { key: "scree" }, drag: { x: true, y: false, dist: 4 }, points: { size: 6 } },
        hooks: { setCursor: [() => this.showValues()], draw: [() => this.moveTimeCursor()], setScale: [(_, key) => key === "x" && this.scaleChanged()] },
      },
      this.table(),
      this.container,
    );
    this.chart.over.append(this.timeCursor);
    this.watchClicks(this.chart.over);
    this.zoom(this.range);
    this.showValues();
  }

  // All that is on paper must be drawn, seen or not.
  drawAll() {
    this.seen = true;
    this.draw();
  }

  // A click that is not the end of a drag: the player goes there.
  watchClicks(over) {
    let from = null;
    over.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    over.addEventListener("click", (event) => {
      if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 3) return;
      this.seek(this.chart.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    });
  }

  setTime(time) {
    this.now = time;
    if (!this.chart) return;
    this.moveTimeCursor();
    this.showValues();
  }

  moveTimeCursor() {
    const { min, max } = this.chart.scales.x;
    this.timeCursor.hidden = this.now === null || !(this.now >= min && this.now <= max);
    if (!this.timeCursor.hidden) this.timeCursor.style.left = `${this.chart.valToPos(this.now, "x")}px`;
  }

  // The row under the pointer, else that of the player, else the last one.
  rowShown() {
    const { data, cursor } = this.chart;
    if (cursor.idx != null) return cursor.idx;
    const [times] = data;
    if (this.now === null || !(this.now > times[0])) return null;
    return this.chart.valToIdx(this.now);
  }

  resize() {
    const width = this.container.clientWidth;
    if (this.chart && width > 0 && width !== this.chart.width) this.chart.setSize({ width, height: HEIGHT });
  }

  showValues() {
    if (!this.chart) return;
    const { data } = this.chart;
    const row = this.rowShown();
    this.plot.curves.forEach((_, i) => {
      const values = data[(this.settings.sigma > 0 ? 2 : 1) + 2 * i];
      // Runs that are compared are not sampled at the same times, and do not end together.
      const least = row === null ? 0 : Math.max(row - NEARBY, 0);
      let at = row ?? values.length - 1;
      while (values[at] == null && at > least) --at;
      this.values[i].textContent = figure(values[at] ?? NaN, 4);
    });
    this.root.dataset.time = row === null ? "time in s" : `t = ${figure(data[0][row], 4)} s`;
  }

  scaleChanged() {
    if (this.quiet || !this.chart || !this.seen) return;
    const { min, max } = this.chart.scales.x;
    const times = this.chart.data[0];
    const all = min <= times[0] && max >= times[times.length - 1];
    this.zoomed(all ? null : { min, max }, this);
  }

  zoom(range) {
    this.range = range;
    if (!this.chart) return;
    const times = this.chart.data[0];
    this.quiet = true;
    this.chart.setScale("x", range ?? { min: times[0], max: times[times.length - 1] });
    // uPlot works out its scales a moment later.
    queueMicrotask(() => (this.quiet = false));
  }

  key(event) {
    if (!this.chart || event.target !== this.root || event.ctrlKey || event.metaKey || event.altKey) return;
    const { data, scales, cursor } = this.chart;
    const times = data[0];
    const { min, max } = scales.x;
    const middle = cursor.idx == null ? (min + max) / 2 : times[cursor.idx];
    const zoomBy = (factor) => this.zoomed({ min: Math.max(times[0], middle - (middle - min) * factor), max: Math.min(times.at(-1), middle + (max - middle) * factor) }, null);
    const move = (by) => {
      const first = times.findIndex((t) => t >= min);
      const at = Math.min(Math.max((cursor.idx ?? (by > 0 ? first - 1 : times.length)) + by, 0), times.length - 1);
      const visible = this.chart.data.slice(1).map((values) => values[at]).find((v) => v != null);
      this.chart.setCursor({ left: this.chart.valToPos(times[at], "x"), top: this.chart.valToPos(visible ?? 0, "y") });
    };
    const page = event.shiftKey ? 10 : 1;
    const actions = {
      ArrowLeft: () => move(-page), ArrowRight: () => move(page), "+": () => zoomBy(0.5), "=": () => zoomBy(0.5),
      "-": () => zoomBy(2), 0: () => this.zoomed(null, null), Enter: () => cursor.idx != null && this.seek(times[cursor.idx]),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  saveCsv() {
    const name = `${this.plot.title}${this.compares ? `-${this.plot.detail}` : ""}`.replace(/[^\w-]+/g, "_");
    save(`${name}.csv`, csvOfPlot(this.plot, this.compares));
  }
}
