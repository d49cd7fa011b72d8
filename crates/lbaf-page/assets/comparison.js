// SPDX-License-Identifier: MIT OR Apache-2.0
// All runs of the page side by side, in the phase that is shown and over all that they have in common.

const COMPARED = [
  { name: "maximum work after", of: (run, phase) => overRanks(run, phase, "work").after.moments.max, print: significant, sums: true },
  { name: "above the lower bound", of: (run, phase) => (phase.bound.work > 0 ? Math.max(0, overRanks(run, phase, "work").after.moments.max / phase.bound.work - 1) : null), print: percent },
  { name: "imbalance of work after", of: (run, phase) => overRanks(run, phase, "work").after.moments.imbalance, print: significant },
  { name: "imbalance of load after", of: (run, phase) => overRanks(run, phase, "load").after.moments.imbalance, print: significant },
  { name: "migrations", of: (run, phase) => phase.migrations.count, print: String, sums: true },
  { name: "load that migrates (s)", of: (run, phase) => phase.migrations.load, print: significant, sums: true },
  { name: "bytes that migrate", of: (run, phase) => phase.migrations.bytes, print: bytes, sums: true },
  { name: "sent off-rank after", of: (run, phase) => overRanks(run, phase, "sent")?.after.moments.sum ?? 0, print: bytes, sums: true },
  { name: "largest memory after", of: (run, phase) => overRanks(run, phase, "memory")?.after.moments.max ?? 0, print: bytes },
];

function showComparison({ phase }) {
  byId("comparison").hidden = page.runs.length < 2;
  if (byId("comparison").hidden) return;
  const ofPhase = COMPARED.map((row) => comparisonRow(row, (run) => {
    const its = phaseOf(run, phase.number);
    return its ? row.of(run, its) : null;
  })).filter(says);
  const common = page.runs[0].phases.map(({ number }) => number).filter((number) => page.runs.every((run) => phaseOf(run, number)));
  const sum = (row) => (run) => common.reduce((found, number) => found + row.of(run, phaseOf(run, number)), 0);
  const ofAll = COMPARED.filter((row) => row.sums).map((row) => comparisonRow(row, sum(row))).filter(says);
  const names = page.runs.map((run) => run.name);
  fill(
    "comparison-table",
    element("p", {}, "The best of each line is bold and ticked."),
    table(`Phase ${phase.number}`, [`in phase ${phase.number}`, ...names], ofPhase),
    common.length > 1 ? table(`The ${common.length} phases that all runs have`, ["sum over phases", ...names], ofAll) : null,
  );
}

/** Less is better in every line. What prints the same is equally good; where all do, none is best. */
function comparisonRow({ name, print }, value) {
  const values = page.runs.map(value);
  const printed = values.map((each) => (each === null ? "not there" : print(each)));
  const known = values.filter((each) => each !== null);
  const best = known.length > 0 ? print(Math.min(...known)) : "";
  const differ = printed.some((text) => text !== best);
  return [name, ...values.map((each, at) => ({ kind: differ && printed[at] === best ? "best" : "", cell: each === null ? printed[at] : exact(each, printed[at]) }))];
}

/** Whether a line says anything: data without memory have none to compare. */
function says(row) {
  return row.slice(1).some(({ cell }) => cell.value !== "0");
}
