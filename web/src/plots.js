// SPDX-License-Identifier: BSD-3-Clause
// All plots, and the bar above them that they share.
import { check, control, element, save, section } from "./dom.js";
import { count, quantity } from "./format.js";
import { Plot } from "./plot.js";
import { csvOfRun, plotsOf } from "./series.js";

const SLIDER_END = 100;

// seek(time): what a click in a plot does.
export function plotsSection(runs, seek) {
  const compares = runs.length > 1;
  const settings = { sigma: 0, logX: false, logY: false };
  const plots = plotsOf(runs).map((plot) => new Plot(plot, settings, compares, zoomAll, seek));
  if (plots.length === 0) return { root: section("Probes", element("p", { class: "empty" }, "The scene has no probes.")), plots };

  function zoomAll(range, except) {
    reset.disabled = range === null;
    for (const plot of plots) if (plot !== except) plot.zoom(range);
    if (except) except.range = range;
  }
  const redraw = () => plots.forEach((plot) => plot.draw());
  const reset = element("button", { disabled: true, onclick: () => zoomAll(null, null) }, "Show all");
  const root = section(
    "Probes",
    element(
      "div",
      { class: "bar" },
      filterControl(runs, settings, redraw),
      check("log time", (on) => ((settings.logX = on), redraw())),
      check("log values", (on) => ((settings.logY = on), redraw())),
      reset,
      runs.map((run) => element("button", { onclick: () => save(compares ? `${run.name.replaceAll("/", "_")}-probes.csv` : "probes.csv", csvOfRun(run)) }, compares ? `CSV of ${run.name}` : "All as CSV")),
    ),
    element("p", { class: "hint screen-only" }, "Click in a plot to move the player to that moment; drag across it to zoom all of them in time; double-click to show everything."),
    thinningOf(runs),
    element("div", { class: "plots" }, plots.map((plot) => plot.root)),
  );
  return { root, plots };
}

// The filter's width grows with the square of the slider's position, up to a twentieth of the run.
function filterControl(runs, settings, redraw) {
  const duration = Math.max(...runs.map((run) => (run.columns[0]?.value.at(-1) ?? 0) - (run.columns[0]?.value[0] ?? 0)));
  const shown = element("output", { class: "reading" }, "off");
  let waiting = 0;
  const slider = element("input", {
    type: "range", min: 0, max: SLIDER_END, value: 0, "aria-label": "Gaussian filter",
    oninput: () => {
      settings.sigma = (duration / 20) * (slider.valueAsNumber / SLIDER_END) ** 2;
      shown.textContent = settings.sigma > 0 ? `σ = ${quantity(settings.sigma, "s", 2)}` : "off";
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(redraw);
    },
  });
  return control("Gaussian filter", slider, shown);
}

function thinningOf(runs) {
  return runs
    .filter((run) => run.probes.row_stride > 1)
    .map((run) => element("p", { class: "hint" }, `${runs.length > 1 ? `${run.name}: ` : ""}${count(run.probes.rows)} of ${count(run.probes.rows_total)} rows are shown, 1 in ${count(run.probes.row_stride)}, to keep the page small; probes.csv in the run directory has them all.`));
}
