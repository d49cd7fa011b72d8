// SPDX-License-Identifier: MIT OR Apache-2.0
// Cells without results, and infeasible results.

function showFailures() {
  const cellLink = (cell) => jump(String(cell), `Show cell ${cell}`, () => showCell(cell));
  const failed = page.failures.map(({ error, n, cells }) => [
    exact(n, String(n)),
    { kind: "name", cell: element("span", {}, ...cells.flatMap((cell, at) => [at > 0 ? ", " : "", cellLink(cell)]), n > cells.length ? ", .." : "") },
    { kind: "words", cell: error.split("\n")[0] },
  ]);
  const over = page.groups.filter(({ n_over: n }) => n > 0).map((group) => [
    competitorCell(group.competitor, group), { kind: "name", cell: page.problems.length > 1 ? problemName(group.problem) : "all" }, exact(group.n_over, `${group.n_over} of ${group.n}`),
    { kind: "name", cell: group.over_kept ? "ranks after feasible ones" : "no competitor is feasible" },
  ]);
  const none = failed.length === 0 && over.length === 0;
  fill(
    "failures",
    none ? element("p", {}, "No cell failed, and all results are within the upper bounds of the work model.") : null,
    failed.length > 0 ? element("p", {}, "A competitor fails on a problem if at least one of its repetitions fails; a problem on which a placed competitor failed does not count in the ranking.") : null,
    failed.length > 0 ? table("Failed cells", ["cells", { kind: "name", cell: "numbers" }, { kind: "words", cell: "error" }], failed) : null,
    over.length > 0 ? element("p", {}, "Competitors that exceed upper bounds of the work model rank after all feasible ones and are left off fronts. On a problem without a feasible competitor, places and fronts do not depend on the excess.") : null,
    over.length > 0 ? table("Results that exceed upper bounds of the work model", ["competitor", { kind: "name", cell: "problem" }, "results over bounds", { kind: "name", cell: "effect" }], over) : null,
  );
}

/** Shows a cell with its settings and its configuration. */
function showCell(cell) {
  state.set({ cell });
  goTo("cell-heading");
}
