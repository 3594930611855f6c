// What a reader should know before trusting the figures.
import { count, figure, percent, quantity } from "./format.js";

const OVERLAP_HIGH = 0.05; // of the smaller radius

// [severity, sentence] pairs; "bad" is about wrong results, "note" about things to know.
export function warningsOf(run) {
  const { summary, scene, player } = run;
  const list = [];
  const say = (when, severity, sentence) => when && list.push([severity, sentence()]);
  const tolerance = scene.solver?.tolerance;
  const { iterations } = summary;

  say(summary.status === "failed", "bad", () => `The run failed at t = ${figure(summary.time, 4)} s: ${summary.reason ?? "no reason was noted"}`);
  say(summary.status === "interrupted", "note", () => `The run was interrupted at t = ${figure(summary.time, 4)} s of ${figure(summary.end_time, 4)} s; \`scree resume\` continues it.`);
  say(summary.status === "running", "note", () => "The run was still going on, or was killed, when this page was written: figures are those of its last checkpoint.");
  say(summary.time_step_over_advised > 1, "bad", () => `The time step is ${figure(summary.time_step_over_advised, 2)} times the longest that the penalty law advises (${quantity(summary.advised_time_step, "s", 2)}): forces and energy may be wrong.`);
  say(tolerance > 0 && summary.estimated_error > tolerance, "bad", () => `In the last step the solver did not reach its tolerance: the forces' error is estimated at ${percent(summary.estimated_error)}, and ${percent(tolerance)} was asked for.`);
  say(tolerance > 0 && iterations && iterations.max >= scene.solver.max_iterations, "note", () => `Some steps took all ${count(scene.solver.max_iterations)} iterations that the solver may take: not every step reached its tolerance.`);
  say(summary.overlap?.max > OVERLAP_HIGH, "note", () => `Bodies overlap by up to ${percent(summary.overlap.max)} of the smaller radius.`);
  say(summary.left?.count > 0, "note", () => `${count(summary.left.count)} bodies left the domain.`);
  say(summary.resumes > 0, "note", () => `The run was resumed ${summary.resumes === 1 ? "once" : `${count(summary.resumes)} times`}; results are the same as without.`);
  say(player?.strays > 0, "note", () => `In the player up to ${count(player.strays)} bodies are missing that are too far away from the others to be shown.`);
  say(player?.surfaces_left_out > 0, "note", () => `${count(player.surfaces_left_out)} surfaces are too large for the page's budget and missing in the player.`);
  return list;
}
