// SPDX-License-Identifier: MIT OR Apache-2.0
// Comparison of all runs of the page, in the selected phase and over all common phases.

/** A number with four digits, so that the table fits beside the chart. */
const four = (number) => significant(number, 4);

/** A name that may be broken before its capital letters. */
function breakable(name) {
  return element("span", {}, ...name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((part) => [part, element("wbr")]));
}

/**
 * Rows of the comparison. `alike` lists the properties that runs must share for a best value. Rows with `never` have no best value: they are
 * not results, or differ between repetitions. Rows with `ofMatches` have a dash for runs that do not compete, because lower bounds need not
 * hold for infeasible placements.
 */
const COMPARED = [
  { name: "maximum work before", alike: ["never"], of: (run, phase) => overRanks(run, phase, "work").before.moments.max, print: four, sums: true },
  { name: "maximum work after", alike: ["data", "model"], of: (run, phase) => overRanks(run, phase, "work").after.moments.max, print: four, sums: true },
  { name: "above the lower bound", alike: ["model"], of: (run, phase) => (phase.bound.work > 0 ? Math.max(0, overRanks(run, phase, "work").after.moments.max / phase.bound.work - 1) : null), print: percent, ofMatches: true },
  { name: "work imbalance before", alike: ["never"], of: (run, phase) => overRanks(run, phase, "work").before.moments.imbalance, print: four },
  { name: "work imbalance after", alike: ["model"], of: (run, phase) => overRanks(run, phase, "work").after.moments.imbalance, print: four },
  { name: "load imbalance after", alike: [], of: (run, phase) => overRanks(run, phase, "load").after.moments.imbalance, print: four },
  { name: "migrations", alike: ["data"], of: (run, phase) => phase.migrations.count, print: String, sums: true },
  { name: "migrated load (s)", alike: ["data"], of: (run, phase) => phase.migrations.load, print: four, sums: true },
  { name: "migrated volume", alike: ["data"], of: (run, phase) => phase.migrations.bytes, print: bytes, sums: true },
  { name: "sent off-rank after", alike: ["data"], of: (run, phase) => overRanks(run, phase, "sent")?.after.moments.sum ?? 0, print: bytes, sums: true },
  { name: "maximum memory after", alike: ["data"], of: (run, phase) => overRanks(run, phase, "memory")?.after.moments.max ?? 0, print: bytes },
  { name: "ranks over bounds after", alike: ["model"], of: (run, phase) => phase.over_bounds.after, print: String, sums: true },
  { name: "strategy time (s)", alike: ["never"], of: (run, phase) => phase.strategy_seconds, print: (seconds) => significant(seconds, 3), sums: true },
];

function showComparison({ phase }) {
  const several = page.runs.length > 1;
  byId("comparison-table").hidden = !several;
  byId("result").classList.toggle("several", several);
  const common = page.runs[0].phases.map(({ number }) => number).filter((number) => page.runs.every((run) => phaseOf(run, number)));
  byId("comparison").hidden = !several || common.length < 2;
  if (!several) return;
  const here = contest([phase.number]);
  const all = contest(common);
  const ofPhase = COMPARED.map((row) => comparisonRow(row, here, (run) => {
    const its = phaseOf(run, phase.number);
    return its ? row.of(run, its) : null;
  })).filter(says);
  const sum = (row) => (run) => common.reduce((found, number) => {
    const value = row.of(run, phaseOf(run, number));
    return found === null || value === null ? null : found + value;
  }, 0);
  const ofAll = COMPARED.filter((row) => row.sums).map((row) => comparisonRow(row, all, sum(row))).filter(says);
  const names = () => page.runs.map(({ name }) => ({ cell: breakable(name), csv: name }));
  fill(
    "comparison-table",
    element("p", {}, ["The best value of each row is bold and ticked.", ...reservations(here, common.length > 1 ? all : here)].join(" ")),
    restrictions(phase.number),
    table(`Phase ${phase.number}`, [`in phase ${phase.number}`, ...names()], ofPhase),
  );
  fill("comparison-sums", table(`The ${common.length} phases that all runs have`, ["sum over phases", ...names()], ofAll));
}

/** Sentences on the bounds of runs under the restrictions of their strategies. */
function restrictions(number) {
  const said = page.runs.map((run) => restriction(phaseOf(run, number), run.name).trim()).filter(Boolean);
  return said.length > 0 ? element("p", {}, said.join(" ")) : null;
}

/** Common properties of runs in phases; `out` marks infeasible runs, which do not compete with feasible ones. */
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
    // Only feasible runs with the same model count, because another model may have other upper bounds.
    out: over.map((exceeds, at) => exceeds && over.some((other, its) => !other && modelOf(page.runs[its]) === modelOf(page.runs[at]))),
  };
}

/** True if phases have the same total load in all runs, up to rounding. The total is the same in every placement. */
function sameLoads(phases) {
  return phases.every((number) => {
    const sums = page.runs.map((run) => overRanks(run, phaseOf(run, number), "load")?.before.moments.sum).filter((sum) => sum !== undefined);
    const [least, most] = [Math.min(...sums), Math.max(...sums)];
    return most - least <= 1e-9 * most;
  });
}

/** Sentences that explain rows and runs without a best value. */
function reservations(...contests) {
  const [data, model] = ["data", "model"].map((alike) => contests.every((each) => each[alike]));
  const out = page.runs.filter((_, at) => contests.some((each) => each.out[at])).map(({ name }) => name);
  return [
    data ? null : "The runs have different data or phases, so only ratios are comparable.",
    model ? null : "Work models differ, so work and its bounds are not comparable.",
    out.length > 0 ? `${out.join(", ")}: exceeds upper bounds of the work model and does not compete with runs that satisfy them.` : null,
  ].filter(Boolean);
}

/** A row of the table, in which less is better. Equally printed values are equally good; if all are equal, none is best. */
function comparisonRow({ name, print, alike, ofMatches }, { out, ...common }, value) {
  const values = page.runs.map((run, at) => (ofMatches && out[at] ? undefined : value(run)));
  const printed = values.map((each) => (each === undefined ? "\u2013" : each === null ? "missing" : print(each)));
  const known = values.filter((each, at) => each !== null && !out[at]);
  const best = known.length > 0 && alike.every((what) => common[what]) ? print(Math.min(...known)) : undefined;
  const differ = printed.some((text) => text !== best);
  return [name, ...values.map((each, at) => ({ kind: differ && !out[at] && printed[at] === best ? "best" : "", cell: each === null || each === undefined ? printed[at] : exact(each, printed[at]) }))];
}

/** True unless each value of a row is zero or missing. */
function says(row) {
  return row.slice(1).some(({ cell }) => cell.value !== "0" && cell !== "missing");
}
