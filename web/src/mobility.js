// SPDX-License-Identifier: BSD-3-Clause
// The mobility table: what vehicles did from the time on at which they were measured.
import { element, section } from "./dom.js";
import { percent, quantity } from "./format.js";

// [label, its text]: of a vehicle, and of a track
const ofVehicle = [
  ["Measured over", (v) => quantity(v.duration, "s")],
  ["Distance", (v) => quantity(v.distance, "m")],
  ["Speed", (v) => quantity(v.speed, "m/s")],
  ["Thrust", (v) => quantity(v.thrust, "N")],
  ["Drawbar pull", (v) => quantity(v.drawbar, "N")],
  ["Motion resistance", (v) => quantity(v.resistance, "N")],
  ["Energy a metre", (v) => quantity(v.energy_per_metre, "J/m")],
];
const ofTrack = [
  ["Slip", (t) => percent(t.slip)],
  ["Sinkage", (t) => quantity(t.sinkage, "m")],
  ["Sprocket torque", (t) => quantity(t.torque, "N m")],
  ["Sprocket power", (t) => quantity(t.power, "W")],
  ["Tension, mean of pins", (t) => quantity(t.tension, "N")],
  ["Largest pin force", (t) => quantity(t.pin_force, "N")],
  ["Force on road wheels", (t) => quantity(t.wheel_force, "N")],
];

// The vehicles of a run, each with its tracks.
function vehiclesOf(run, compares) {
  return Object.entries(run.summary.vehicles ?? {}).map(([name, figures]) => ({
    title: compares ? `${run.name}: ${name}` : name,
    figures,
    tracks: Object.entries(figures.tracks ?? {}),
  }));
}

const row = (label, cells) => element("tr", {}, element("th", { scope: "row" }, label), cells);

// null if no run has measured a vehicle.
export function mobility(runs) {
  const vehicles = runs.flatMap((run) => vehiclesOf(run, runs.length > 1)).filter(({ figures, tracks }) => figures.duration > 0 && tracks.length > 0);
  if (vehicles.length === 0) return null;
  const names = vehicles.map(({ title, tracks }) => element("th", { scope: "col", colspan: tracks.length }, title));
  const sides = vehicles.flatMap(({ tracks }) => tracks.map(([side]) => element("th", { scope: "col" }, `${side} track`)));
  const whole = ofVehicle.map(([label, of]) => row(label, vehicles.map(({ figures, tracks }) => element("td", { colspan: tracks.length }, of(figures)))));
  const parts = ofTrack.map(([label, of]) => row(label, vehicles.flatMap(({ tracks }) => tracks.map(([, track]) => element("td", {}, of(track))))));
  const head = element("thead", {}, element("tr", {}, element("td"), names));
  const body = element("tbody", {}, whole, element("tr", {}, element("td"), sides), parts);
  return section(
    "Mobility",
    element("div", { class: "scroll" }, element("table", { class: "wide mobility" }, head, body)),
    element("p", { class: "hint" }, "Means over the time measured. Thrust is the torque of the sprockets over the radius at which tracks roll; motion resistance is what drawbar pull and acceleration leave of it."),
  );
}
