// SPDX-License-Identifier: BSD-3-Clause
// Which curves share a plot.
//
// Of one run, the columns of a probe that have the same unit: the three forces of a body, its three torques. Of several
// runs, one column of all runs that have it.

export function plotsOf(runs) {
  return runs.length === 1 ? plotsOfOne(runs[0]) : plotsOfMany(runs);
}

function split(name) {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? [name, name] : [name.slice(0, dot), name.slice(dot + 1)];
}

function plotsOfOne(run) {
  const plots = new Map();
  const [time, ...columns] = run.columns;
  for (const column of columns) {
    const [probe, quantity] = split(column.name);
    const key = `${probe}\n${column.unit}`;
    if (!plots.has(key)) plots.set(key, { title: probe, unit: column.unit, curves: [] });
    plots.get(key).curves.push({ name: quantity, column: column.name, time: time.value, value: column.value, colour: plots.get(key).curves.length });
  }
  for (const plot of plots.values()) plot.detail = plot.curves.map((curve) => curve.name).join(", ");
  return [...plots.values()];
}

function plotsOfMany(runs) {
  const plots = new Map();
  for (const run of runs) {
    const [time, ...columns] = run.columns;
    for (const column of columns) {
      const key = `${column.name}\n${column.unit}`;
      const [probe, quantity] = split(column.name);
      if (!plots.has(key)) plots.set(key, { title: probe, detail: quantity, unit: column.unit, curves: [] });
      plots.get(key).curves.push({ name: run.name, column: column.name, time: time.value, value: column.value, colour: run.number });
    }
  }
  return [...plots.values()];
}

// All columns of a run, as probes.csv has them.
export function csvOfRun(run) {
  const cell = (value) => (value === null ? "nan" : String(value));
  const head = run.columns.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name));
  const rows = [];
  for (let i = 0; i < run.probes.rows; ++i) rows.push(run.columns.map((column) => cell(column.value[i])).join(","));
  return `${[head.join(","), ...rows].join("\n")}\n`;
}

// The curves of a plot. Runs have times of their own, so each curve of a comparison brings its time along.
export function csvOfPlot(plot, compares) {
  const cell = (value) => (value === null || value === undefined ? "" : String(value));
  const unit = plot.unit ? ` [${plot.unit}]` : "";
  const quoted = (name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const columns = [];
  plot.curves.forEach((curve, i) => {
    const name = compares ? `${curve.name}: ${curve.column}` : curve.column;
    if (compares || i === 0) columns.push([quoted(compares ? `${curve.name}: time [s]` : "time [s]"), curve.time]);
    columns.push([quoted(name + unit), curve.value]);
    if (curve.smooth) columns.push([quoted(`${name} filtered${unit}`), curve.smooth]);
  });
  const rows = [columns.map(([name]) => name).join(",")];
  const length = Math.max(...columns.map(([, value]) => value.length));
  for (let i = 0; i < length; ++i) rows.push(columns.map(([, value]) => cell(value[i])).join(","));
  return `${rows.join("\n")}\n`;
}
