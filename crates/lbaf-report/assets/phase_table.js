// SPDX-License-Identifier: MIT OR Apache-2.0
// Tables of the console: one phase before and after, and all phases.

function showPhaseTable({ run, phase }) {
  byId("phase-heading").textContent = `Phase ${phase.number} before and after${ofRun(run)}`;
  const { migrations, bound } = phase;
  const volume = migrations.bytes > 0 ? `, ${bytes(migrations.bytes)}` : "";
  const start = phase.carried_from === null ? "" : ` The phase starts from the result of phase ${phase.carried_from}.`;
  const how = phase.strategy === null ? "No balancer ran. " : phase.already_balanced ? "Already balanced: the work is even enough. " : "";
  byId("phase-facts").textContent =
    `${how}Migrations: ${migrations.count} of ${counted(phase.n_objects, "object")} (${phase.n_migratable} migratable), ` +
    `${significant(migrations.load)} s of load${volume}. ${boundName(phase, "Lower bound of the maximum work")}: ${significant(bound.work)} (${bound.limit}).${restriction(phase)}${start}`;
  const rows = run.quantities.flatMap((quantity, at) => {
    const { before, after } = phase.quantities[at];
    const says = quantity.key === "load" || before.moments?.max > 0 || after.moments?.max > 0;
    return before.moments && says ? [momentsRow(quantity, "before", before.moments), momentsRow(quantity, "after", after.moments)] : [];
  });
  fill(
    "phase-table",
    ...phase.statements.map((statement) => element("p", { class: "remark" }, statement)),
    table(`Quantities over the ${counted(run.n_ranks, "rank")} in phase ${phase.number}`, ["over ranks", "", "min", "mean", "max", "imbalance", "deviation", "skewness", "kurtosis"], rows),
    boundsTable(phase),
  );
}

/** Table of all known lower bounds, if there are several. */
function boundsTable({ number, bounds, bound }) {
  if (bounds.length < 2) return null;
  const rows = bounds.map(({ limit, work, holds_for: placements }) => ({
    chosen: work === bound.work,
    cells: [limit, exact(work, significant(work)), placements],
  }));
  return element("details", {}, element("summary", {}, "All lower bounds"), table(`Lower bounds of the maximum work in phase ${number}`, ["limiting factor", "work", "placements"], rows));
}

function momentsRow(quantity, when, moments) {
  const cell = (key) => exact(moments[key], inColumn(moments[key], quantity.unit));
  const shape = (key) => exact(moments[key], moments[key].toFixed(3).replace("-0.000", "0.000"));
  return [
    when === "before" ? titled(quantity) : element("span", { class: "unseen" }, titled(quantity)), when,
    cell("min"), cell("mean"), cell("max"), exact(moments.imbalance, significant(moments.imbalance)), cell("deviation"), shape("skewness"), shape("kurtosis"),
  ];
}

function showPhasesTable({ run, phase: chosen }) {
  const of = (phase, key) => overRanks(run, phase, key);
  const number = (value, digits) => exact(value, significant(value, digits));
  const rows = run.phases.map((phase) => ({
    chosen: phase === chosen,
    cells: [
      jump(String(phase.number), `Show phase ${phase.number}`, () => state.set({ phase: phase.number })),
      number(of(phase, "work").before.moments.max, 5), number(of(phase, "work").after.moments.max, 5), number(phase.bound.work, 5), { kind: "words", cell: phase.bound.limit },
      number(of(phase, "work").before.moments.imbalance), number(of(phase, "work").after.moments.imbalance),
      number(of(phase, "load").before.moments.imbalance), number(of(phase, "load").after.moments.imbalance),
      phase.already_balanced ? "already balanced" : phase.strategy === null ? "no balancer" : exact(phase.migrations.count, String(phase.migrations.count)),
    ],
  }));
  fill("phases-table", table("All phases", [
    "phase", "max work before", "after", "lower bound", { kind: "words", cell: "limiting factor" }, "work imbalance before", "after", "load imbalance before", "after", "migrations",
  ], rows, { sorts: true }));
}
