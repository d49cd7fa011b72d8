// SPDX-License-Identifier: MIT OR Apache-2.0
// All runs of the page side by side, in the phase that is shown and over all that they have in common.

/** What is compared; `alike` is what runs must have in common to be better or worse than each other in it. Runs that are no match
 * for others have none of what is `ofMatches`: bounds of those that keep upper bounds say nothing of them. */
const COMPARED = [
  { name: "maximum work after", alike: ["data", "model"], of: (run, phase) => overRanks(run, phase, "work").after.moments.max, print: significant, sums: true },
  { name: "above the lower bound", alike: ["model"], of: (run, phase) => (phase.bound.work > 0 ? Math.max(0, overRanks(run, phase, "work").after.moments.max / phase.bound.work - 1) : null), print: percent, ofMatches: true },
  { name: "imbalance of work after", alike: ["model"], of: (run, phase) => overRanks(run, phase, "work").after.moments.imbalance, print: significant },
  { name: "imbalance of load after", alike: [], of: (run, phase) => overRanks(run, phase, "load").after.moments.imbalance, print: significant },
  { name: "migrations", alike: ["data"], of: (run, phase) => phase.migrations.count, print: String, sums: true },
  { name: "load that migrates (s)", alike: ["data"], of: (run, phase) => phase.migrations.load, print: significant, sums: true },
  { name: "bytes that migrate", alike: ["data"], of: (run, phase) => phase.migrations.bytes, print: bytes, sums: true },
  { name: "sent off-rank after", alike: ["data"], of: (run, phase) => overRanks(run, phase, "sent")?.after.moments.sum ?? 0, print: bytes, sums: true },
  { name: "largest memory after", alike: ["data"], of: (run, phase) => overRanks(run, phase, "memory")?.after.moments.max ?? 0, print: bytes },
  { name: "ranks over bounds after", alike: ["model"], of: (run, phase) => phase.over_bounds.after, print: String, sums: true },
];

function showComparison({ phase }) {
  byId("comparison").hidden = page.runs.length < 2;
  if (byId("comparison").hidden) return;
  const common = page.runs[0].phases.map(({ number }) => number).filter((number) => page.runs.every((run) => phaseOf(run, number)));
  const here = contest([phase.number]);
  const all = contest(common);
  const ofPhase = COMPARED.map((row) => comparisonRow(row, here, (run) => {
    const its = phaseOf(run, phase.number);
    return its ? row.of(run, its) : null;
  })).filter(says);
  const sum = (row) => (run) => common.reduce((found, number) => found + row.of(run, phaseOf(run, number)), 0);
  const ofAll = COMPARED.filter((row) => row.sums).map((row) => comparisonRow(row, all, sum(row))).filter(says);
  const names = page.runs.map((run) => run.name);
  fill(
    "comparison-table",
    element("p", {}, ["The best of each line is bold and ticked.", ...reservations(here, common.length > 1 ? all : here)].join(" ")),
    restrictions(phase.number),
    table(`Phase ${phase.number}`, [`in phase ${phase.number}`, ...names], ofPhase),
    common.length > 1 ? table(`The ${common.length} phases that all runs have`, ["sum over phases", ...names], ofAll) : null,
  );
}

/** Bounds that runs have for what their strategies keep, beside the one that all are measured from. */
function restrictions(number) {
  const said = page.runs.map((run) => restriction(phaseOf(run, number), run.name).trim()).filter(Boolean);
  return said.length > 0 ? element("p", {}, said.join(" ")) : null;
}

/** What runs have in common in phases, and which of them are no match for the others, as they exceed bounds that others keep. */
function contest(phases) {
  const modelOf = (run) => JSON.stringify(run.facts.find(({ label }) => label === "Work model"));
  const there = page.runs.map((run) => phases.map((number) => phaseOf(run, number)).filter(Boolean));
  const least = Math.min(...there.map((found) => found.length));
  const tasks = there.map((found, at) => JSON.stringify([page.runs[at].n_ranks, found.map((its) => [its.number, its.n_objects, its.n_migratable, its.n_edges])]));
  const over = there.map((found) => found.some((its) => its.over_bounds.after > 0));
  const model = new Set(page.runs.map(modelOf)).size === 1;
  return {
    data: least === phases.length && new Set(tasks).size === 1 && sameLoads(phases),
    model,
    // Where models differ, not all runs had these bounds to keep.
    out: over.map((exceeds, at) => exceeds && over.some((other, its) => !other && modelOf(page.runs[its]) === modelOf(page.runs[at]))),
  };
}

/** Whether the objects of phases add up to the same load in all runs, as they do in every placement but for rounding. */
function sameLoads(phases) {
  return phases.every((number) => {
    const sums = page.runs.map((run) => overRanks(run, phaseOf(run, number), "load")?.before.moments.sum).filter((sum) => sum !== undefined);
    const [least, most] = [Math.min(...sums), Math.max(...sums)];
    return most - least <= 1e-9 * most;
  });
}

/** Why some lines and runs have no best. */
function reservations(...contests) {
  const [data, model] = ["data", "model"].map((alike) => contests.every((each) => each[alike]));
  const out = page.runs.filter((_, at) => contests.some((each) => each.out[at])).map(({ name }) => name);
  return [
    data ? null : "The runs are not of the same data or phases, so that only ratios have a best.",
    model ? null : "Work models differ, and with them works and their bounds.",
    out.length > 0 ? `${out.join(", ")}: exceeds upper bounds of the work model, and is no match for runs that keep them.` : null,
  ].filter(Boolean);
}

/** Less is better in every line. What prints the same is equally good; where all do, none is best. */
function comparisonRow({ name, print, alike, ofMatches }, { out, ...common }, value) {
  const values = page.runs.map((run, at) => (ofMatches && out[at] ? undefined : value(run)));
  const printed = values.map((each) => (each === undefined ? "\u2013" : each === null ? "not there" : print(each)));
  const known = values.filter((each, at) => each !== null && !out[at]);
  const best = known.length > 0 && alike.every((what) => common[what]) ? print(Math.min(...known)) : undefined;
  const differ = printed.some((text) => text !== best);
  return [name, ...values.map((each, at) => ({ kind: differ && !out[at] && printed[at] === best ? "best" : "", cell: each === null || each === undefined ? printed[at] : exact(each, printed[at]) }))];
}

/** Whether a line says anything: data without memory have none to compare. */
function says(row) {
  return row.slice(1).some(({ cell }) => cell.value !== "0");
}
