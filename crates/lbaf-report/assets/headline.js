// SPDX-License-Identifier: MIT OR Apache-2.0
// The main numbers of a run: in the selected phase, and over all phases.

function showHeadline({ run, phase }) {
  byId("headline").hidden = page.runs.length > 1;
  if (byId("headline").hidden) return;
  const { before, after } = overRanks(run, phase, "work");
  const several = run.phases.length > 1;
  fill(
    "headline",
    tile("Maximum work", change(before.moments.max, after.moments.max), [relative(before.moments.max, after.moments.max), several ? sums(run) : undefined]),
    tile("Work imbalance", change(before.moments.imbalance, after.moments.imbalance, 3), [`load imbalance ${loadImbalance(run, phase)}`]),
    tile("Above the lower bound", gaps(phase, before.moments.max, after.moments.max), [`${boundName(phase, "lower bound")} ${significant(phase.bound.work, 4)}`]),
    tile("Migrations", [exact(phase.migrations.count, String(phase.migrations.count))], [
      `of ${counted(phase.n_objects, "object")}${phase.migrations.count > 0 ? `: ${significant(phase.migrations.load, 3)} s of load${phase.migrations.bytes > 0 ? `, ${bytes(phase.migrations.bytes)}` : ""}` : ""}`,
      several ? `all phases: ${total(run, (each) => each.migrations.count)}` : undefined,
    ]),
    tile("Strategy time", strategyTime(phase), [several && phase.strategy_seconds !== null ? `all phases: ${significant(total(run, (each) => each.strategy_seconds ?? 0), 3)} s` : undefined]),
  );
}

/** A number with its name, and further lines below. */
function tile(name, numbers, lines) {
  return element("div", { class: "tile" }, element("dt", {}, name), element("dd", { class: "figure" }, ...numbers), ...lines.filter(Boolean).map((line) => element("dd", { class: "faint" }, line)));
}

/** A number before and after. */
function change(before, after, digits = 4) {
  return [exact(before, significant(before, digits)), " \u2192 ", exact(after, significant(after, digits))];
}

function relative(before, after) {
  if (!(before > 0) || before === after) return "unchanged";
  const share = after / before - 1;
  return `${percent(Math.abs(share))} ${share < 0 ? "less" : "more"}`;
}

function sums(run) {
  const most = (when) => significant(total(run, (phase) => overRanks(run, phase, "work")[when].moments.max), 4);
  return `sum over ${counted(run.phases.length, "phase")}: ${most("before")} \u2192 ${most("after")}`;
}

function total(run, of) {
  return run.phases.reduce((sum, phase) => sum + of(phase), 0);
}

function loadImbalance(run, phase) {
  const { before, after } = overRanks(run, phase, "load");
  return `${significant(before.moments.imbalance, 3)} \u2192 ${significant(after.moments.imbalance, 3)}`;
}

/** Gaps to the lower bound. Infeasible placements have none, because the bound need not hold for them. */
function gaps({ bound, over_bounds: over }, before, after) {
  const gap = (work, n) => (n > 0 || !(bound.work > 0) ? "\u2013" : exact(Math.max(0, work / bound.work - 1), percent(Math.max(0, work / bound.work - 1))));
  return [gap(before, over.before), " \u2192 ", gap(after, over.after)];
}

function strategyTime({ strategy, strategy_seconds: seconds }) {
  if (strategy === null) return ["no balancer"];
  return seconds === null ? ["unknown"] : [exact(seconds, `${significant(seconds, 3)} s`)];
}
