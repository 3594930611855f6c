// SPDX-License-Identifier: BSD-3-Clause
// Figures, settings, timing and convergence: one column a run, cards where there is only one.
import { element, save, section } from "./dom.js";
import { bytes, count, duration, figure, isNumber, percent, quantity } from "./format.js";
import { warningsOf } from "./warnings.js";

// ---- headline ------------------------------------------------------------------------------------------------------

// [what, value, more]
function headlineOf({ summary }) {
  const s = summary;
  const perStep = s.seconds?.per_step;
  return [
    ["Simulated", quantity(s.time, "s", 4), s.time < s.end_time ? `of ${quantity(s.end_time, "s", 4)}` : `${count(s.steps)} steps of ${quantity(s.time_step, "s")}`],
    ["Bodies", count(s.bodies), s.emitted?.count ? `${count(s.emitted.count)} emitted` : "at the end"],
    ["Contacts", count(s.contacts), `${count(s.touching)} carry a force`],
    ["Wall clock", duration(s.seconds?.wall), `${quantity(perStep, "s")} a step`],
    s.iterations
      ? ["Iterations", figure(s.iterations.mean), `a step; at most ${count(s.iterations.max)}`]
      : ["Step over advised", figure(s.time_step_over_advised), "penalty law"],
    ["Penetration", quantity(s.penetration?.max, "m", 2), "the deepest of all steps"],
    ["Largest speed", quantity(s.max_speed, "m/s"), "in the last step"],
    ["Memory", bytes(s.peak_memory), `${count(s.threads)} ${s.threads === 1 ? "thread" : "threads"}`],
  ];
}

export function headline(runs) {
  const figures = runs.map(headlineOf);
  if (runs.length === 1) {
    return element("dl", { class: "figures" }, figures[0].map(([what, value, more]) => element("div", {}, element("dt", {}, what), element("dd", {}, value), element("dd", { class: "more" }, more))));
  }
  const rows = figures[0].map((_, i) => [figures.find((f) => f[i])[i][0], figures.map((f) => f[i][1])]);
  rows.unshift(["Status", runs.map((run) => run.summary.status)], ["Law", runs.map((run) => run.summary.law)]);
  return section("Figures", table(runs, rows));
}

// ---- tables --------------------------------------------------------------------------------------------------------

// rows: [label, [text for each run]]. Results always differ; where settings do, the row is marked.
function table(runs, rows, marks = false) {
  const head = runs.length > 1 ? element("thead", {}, element("tr", {}, element("td"), runs.map((run) => element("th", { scope: "col" }, run.name)))) : null;
  const body = rows.map(([label, values]) => {
    const differ = marks && new Set(values).size > 1;
    return element("tr", { class: differ ? "differs" : null }, element("th", { scope: "row" }, label), values.map((value) => element("td", {}, value)));
  });
  return element("div", { class: "scroll" }, element("table", { class: runs.length > 1 ? "wide" : "" }, head, element("tbody", {}, body)));
}

// ---- warnings ------------------------------------------------------------------------------------------------------

export function warnings(runs) {
  const list = runs.flatMap((run) => warningsOf(run).map(([severity, sentence]) => element("li", { class: severity }, runs.length > 1 ? element("strong", {}, `${run.name}: `) : null, sentence)));
  if (list.length === 0) return element("p", { class: "fine" }, runs.length > 1 ? "All runs ended as planned; nothing to warn of." : "The run ended as planned; nothing to warn of.");
  return element("ul", { class: "warnings", "aria-label": "Warnings" }, list);
}

// ---- timing --------------------------------------------------------------------------------------------------------

const stages = [
  ["sort", "spatial sort"], ["forces", "forces"], ["pairs", "broad phase"], ["contacts", "narrow phase"], ["prepare", "prepare the solver"],
  ["solve", "solve"], ["integrate", "integrate"], ["output", "frames and probes"], ["checkpoints", "checkpoints"],
];

export function timing(runs) {
  const longest = Math.max(...runs.map((run) => Math.max(...stages.map(([key]) => run.summary.seconds?.[key] ?? 0))));
  const bars = (run) => {
    const seconds = run.summary.seconds ?? {};
    const rows = stages.filter(([key]) => isNumber(seconds[key])).map(([key, name]) => {
      const share = seconds[key] / seconds.wall;
      const bar = element("i", { class: "fill" });
      bar.style.width = `${(100 * seconds[key]) / (longest || 1)}%`;
      return element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "track" }, bar), element("td", {}, duration(seconds[key])), element("td", { class: "faint" }, percent(share)));
    });
    return [
      runs.length > 1 ? element("h3", {}, run.name) : null,
      element("table", { class: "bars" }, element("tbody", {}, rows)),
      element("p", { class: "hint" }, `${duration(seconds.wall)} in all, ${count(run.summary.steps)} steps of ${quantity(seconds.per_step, "s")} each.`),
    ];
  };
  return section("Timing", runs.map(bars));
}

// ---- convergence ---------------------------------------------------------------------------------------------------

function convergenceRows({ summary: s, scene }) {
  const drift = isNumber(s.energy?.total) && s.energy.total_at_start !== 0 ? (s.energy.total - s.energy.total_at_start) / Math.abs(s.energy.total_at_start) : NaN;
  return [
    ["Iterations in the last step", s.iterations ? count(s.iterations.last) : "–"],
    ["Iterations, mean and most", s.iterations ? `${figure(s.iterations.mean)}, ${count(s.iterations.max)} of ${count(scene.solver?.max_iterations)}` : "–"],
    ["Tolerance", figure(scene.solver?.tolerance, 2)],
    ["Force error, last and worst", s.force_error ? `${figure(s.force_error.last, 2)}, ${figure(s.force_error.max, 2)}` : "–"],
    ["Steps that did not reach it", isNumber(s.unsolved_steps) ? `${count(s.unsolved_steps)} of ${count(s.steps)}` : "–"],
    ["Change in the last iteration", figure(s.change, 2)],
    ["Residual", quantity(s.residual, "m/s", 2)],
    ["Cone violation", figure(s.cone_violation, 2)],
    ["Penetration, last and deepest", `${quantity(s.penetration?.last, "m", 2)}, ${quantity(s.penetration?.max, "m", 2)}`],
    ["Overlap, mean and largest", `${percent(s.overlap?.mean)}, ${percent(s.overlap?.max)}`],
    ["Energy at the start and the end", `${quantity(s.energy?.total_at_start, "J")}, ${quantity(s.energy?.total, "J")}`],
    ["Change of energy", isNumber(drift) ? percent(drift) : "–"],
  ];
}

export function convergence(runs) {
  const all = runs.map(convergenceRows);
  const rows = all[0].map(([label], i) => [label, all.map((list) => list[i][1])]).filter(([, values]) => values.some((value) => value !== "–"));
  return section("Convergence", table(runs, rows), element("p", { class: "hint" }, "The force error is that of the contact forces on bodies, relative to them. Residual and change are those of the last step."));
}

// ---- settings ------------------------------------------------------------------------------------------------------

const plain = (value) => (Array.isArray(value) ? value.map(plain).join(", ") : isNumber(value) ? figure(value, 6) : value === null || value === undefined ? "–" : String(value));

function settingRows({ summary: s, scene, directory, player }) {
  const { solver = {}, contact = {}, output = {} } = scene;
  const penalty = contact.law === "penalty";
  const listed = (list, one, many) => (list?.length ? `${count(lengthOf(list))} ${lengthOf(list) === 1 ? one : many}` : null);
  return [
    ["Directory", directory],
    ["Time step", quantity(scene.time?.step, "s")],
    ["End", quantity(scene.time?.end, "s", 4)],
    ["Gravity", `${plain(scene.gravity)} m/s²`],
    ["Contact law", `${plain(contact.law)}${penalty ? `, ${plain(contact.normal)}` : `${contact.compliance == null ? "" : `, compliance ${plain(contact.compliance)}`}, friction ${plain(contact.friction)}`}`],
    ["Solver", penalty ? "none" : `${plain(solver.method)}, tolerance ${plain(solver.tolerance)}, at most ${plain(solver.max_iterations)} iterations`],
    ["Seed", plain(scene.seed)],
    ["Scene", [listed(scene.bodies, "body", "bodies"), listed(scene.fills, "fill", "fills"), listed(scene.tables, "table", "tables"), listed(scene.emitters, "emitter", "emitters"), listed(scene.sinks, "sink", "sinks"), listed(scene.probes, "probe", "probes")].filter(Boolean).join(", ") || "empty"],
    ["Frames", player ? `${count(player.frames_total)}, every ${quantity(output.frame_interval, "s")}` : "none"],
    ["Probes", output.probe_interval ? `every ${quantity(output.probe_interval, "s")}` : "every step"],
    ["State hash", s.state_hash],
    ["Made by", `scree ${plain(s.versions?.scree)}, ${plain(s.versions?.build)}, ${plain(s.versions?.compiler)}, ${plain(s.versions?.target)}`],
  ];
}

// Long lists end in "... and N more".
function lengthOf(list) {
  const more = /^\.\.\. and (\d+) more$/.exec(list.at(-1));
  return more ? list.length - 1 + Number(more[1]) : list.length;
}

function materialsTable(run, compares) {
  const keys = [["density", "kg/m³"], ["friction", ""], ["restitution", ""], ["young", "Pa"], ["rolling_friction", ""], ["cohesion", ""]];
  const used = keys.filter(([key]) => run.materials.some((name) => run.scene.materials[name]?.[key]));
  const head = element("tr", {}, element("td"), used.map(([key, unit]) => element("th", { scope: "col" }, key.replaceAll("_", " "), unit ? element("span", { class: "unit" }, unit) : null)));
  const rows = run.materials.map((name) => element("tr", {}, element("th", { scope: "row" }, name), used.map(([key]) => element("td", {}, plain(run.scene.materials[name]?.[key])))));
  if (used.length === 0 || rows.length === 0) return null;
  return [element("h3", {}, compares ? `Materials of ${run.name}` : "Materials"), element("div", { class: "scroll" }, element("table", { class: "wide" }, element("thead", {}, head), element("tbody", {}, rows)))];
}

function sceneText(run, compares) {
  const text = `${JSON.stringify(run.scene, null, 2)}\n`;
  return element("details", {}, element("summary", {}, compares ? `The scene of ${run.name}, as run` : "The scene as run, every default filled in"), element("pre", { tabindex: 0 }, text), element("button", { onclick: () => save("scene.json", text, "application/json") }, "Save as scene.json"));
}

export function settings(runs) {
  const all = runs.map(settingRows);
  const rows = all[0].map(([label], i) => [label, all.map((list) => list[i][1])]);
  const compares = runs.length > 1;
  return section("Settings", table(runs, rows, true), runs.map((run) => materialsTable(run, compares)), runs.map((run) => sceneText(run, compares)));
}
