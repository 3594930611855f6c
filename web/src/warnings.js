// SPDX-License-Identifier: BSD-3-Clause
// What a reader should know before trusting the figures.
import { count, figure } from "./format.js";

// [severity, sentence] pairs; "bad" is about wrong results, "note" about things to know. What is wrong with the figures the
// run itself says; here is what only the page knows.
export function warningsOf(run) {
  const { summary, player } = run;
  const list = [];
  const say = (when, severity, sentence) => when && list.push([severity, sentence()]);

  say(summary.status === "failed", "bad", () => `The run failed at t = ${figure(summary.time, 4)} s: ${summary.reason ?? "no reason was noted"}`);
  say(summary.status === "interrupted", "note", () => `The run was interrupted at t = ${figure(summary.time, 4)} s of ${figure(summary.end_time, 4)} s; \`scree resume\` continues it.`);
  say(summary.status === "running", "note", () => "The run was still going on, or was killed, when this page was written: figures are those of its last checkpoint.");
  for (const sentence of summary.warnings ?? []) list.push(["bad", String(sentence)]);
  for (const sentence of summary.notes ?? []) list.push(["note", String(sentence)]);
  say(summary.resumes > 0, "note", () => `The run was resumed ${summary.resumes === 1 ? "once" : `${count(summary.resumes)} times`}; results are the same as without.`);
  say(player?.outliers > 0, "note", () => player.outliers === 1
    ? "In the player a body is missing for a while: it is too far away from the others to be shown."
    : `In the player up to ${count(player.outliers)} bodies are missing that are too far away from the others to be shown.`);
  say(player?.surfaces_left_out > 0, "note", () => `${count(player.surfaces_left_out)} surfaces are too large for the page's budget and missing in the player.`);
  return list;
}
