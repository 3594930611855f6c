// SPDX-License-Identifier: BSD-3-Clause
// What the command wrote into the page. src/view/report/report.h and report_frames.h say what there is.

export function decode(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

const text = (id) => document.getElementById(id)?.textContent ?? "";
export const binary = (id) => decode(text(id));
export const json = (id) => JSON.parse(text(id));

// One array of numbers for each column; what is no number is null, as plots want it.
function readColumns(number, about) {
  const values = new Float64Array(binary(`probes-${number}`).buffer);
  return about.columns.map(({ name, unit }, c) => {
    const value = Array.from(values.subarray(c * about.rows, (c + 1) * about.rows), (v) => (Number.isFinite(v) ? v : null));
    return { name, unit, value };
  });
}

export function readRuns() {
  const page = json("page");
  const runs = [];
  for (let number = 0; number < page.runs; ++number) {
    const run = json(`run-${number}`);
    run.number = number;
    run.columns = readColumns(number, run.probes);
    run.title = run.summary.title || "A run without a title";
    runs.push(run);
  }
  nameRuns(runs);
  return { page, runs };
}

// In comparisons: the last component of the directory's name, more of it where that is not enough.
function nameRuns(runs) {
  const components = runs.map((run) => run.directory.split("/").filter((component) => component !== "" && component !== "."));
  for (let depth = 1; depth <= 8; ++depth) {
    runs.forEach((run, i) => (run.name = components[i].slice(-depth).join("/") || run.directory));
    if (new Set(runs.map((run) => run.name)).size === runs.length) return;
  }
  runs.forEach((run, i) => (run.name += ` (${i + 1})`));
}
