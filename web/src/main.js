// SPDX-License-Identifier: BSD-3-Clause
// The report: reads what the command wrote into the page and builds it, the picture first.
import { readRuns } from "./data.js";
import { element } from "./dom.js";
import { mobility } from "./mobility.js";
import { convergence, headline, settings, timing, warnings } from "./panels.js";
import { playerSection } from "./player.js";
import { plotsSection } from "./plots.js";
import { preparePrinting } from "./print.js";
import { toggleTheme } from "./theme.js";

function header(runs) {
  const compares = runs.length > 1;
  const title = compares ? `${runs.length} runs compared` : runs[0].title;
  document.title = `${title} – scree`;
  const { description } = runs[0].scene;
  return element(
    "header",
    {},
    element("div", { class: "top" }, element("span", { class: "mark" }, "scree", element("span", {}, compares ? "comparison" : "report")), element("button", { class: "quiet", onclick: toggleTheme, "aria-label": "Switch between light and dark" }, "Light / dark")),
    element("h1", {}, title),
    compares ? element("p", { class: "lead" }, runs.map((run) => run.name).join(" · ")) : description ? element("p", { class: "lead" }, description) : null,
    compares ? null : element("p", { class: "facts" }, [`status: ${runs[0].summary.status}`, `${runs[0].summary.law} contacts`, runs[0].directory].join(" · ")),
  );
}

function footer(page) {
  return element("footer", {}, `Made by scree ${page.version}. Drawn with three.js and uPlot. This file needs no network.`);
}

// A file of the run directory may have been edited, or come from another version: what cannot be shown says so, and the
// rest of the page stands.
function attempt(make, runs) {
  try {
    return make(runs);
  } catch (error) {
    return element("p", { class: "empty" }, `Something here could not be shown: ${error.message}`);
  }
}

function build() {
  const { page, runs } = readRuns();
  const player = playerSection(runs, page);
  const plots = plotsSection(runs, (time) => player.seek?.(time));
  player.timeChanged = (time) => plots.plots.forEach((plot) => plot.setTime(time));
  const parts = [
    attempt(header, runs),
    attempt(warnings, runs),
    attempt(headline, runs),
    attempt(mobility, runs),
    player.root,
    plots.root,
    element("div", { class: "columns" }, attempt(timing, runs), attempt(convergence, runs)),
    attempt(settings, runs),
    footer(page),
  ];
  document.getElementById("report").replaceChildren(...parts.filter((part) => part !== null));
  player.start();
  preparePrinting(player, plots.plots);
  // For the curious, and for tests: everything that is on the page, from the browser's console.
  window.scree = { page, runs, player, plots: plots.plots };
}

build();
