// SPDX-License-Identifier: MIT OR Apache-2.0
// Names and marks of competitors. A competitor has the same colour and shape in all charts.

/** The name of a competitor with its marks in tables, on all problems or on one. */
function markedName(at, group) {
  const its = page.competitors[at];
  const worse = group ? group.worse === true : its.worse_on > 0;
  const over = group ? group.over_kept : its.over_bounds;
  const [failed, all] = group ? [group.n_failed, group.n + group.n_failed] : [its.n_failed, its.n_cells];
  const some = failed > 0 && failed < all ? ` (${failed} of ${all} failed)` : failed > 0 ? " (failed)" : "";
  return `${its.name}${worse ? "*" : ""}${over ? " (over bounds)" : ""}${some}`;
}

/** Explanations of the marks that occur on the page. */
function markNotes() {
  const [objective] = page.quantities;
  const start = page.command === "simulate" ? "never balancing" : "the start";
  const worse = page.competitors.some(({ worse_on: n }) => n > 0);
  const over = page.groups.some((group) => group.over_kept);
  const excess = page.groups.some((group) => group.n_over > 0) ? "by excess over upper bounds of the work model, otherwise " : "";
  return [
    worse ? `* Worse than ${start} ${excess}by the median of ${objective.name}${page.problems.length > 1 ? " on at least one problem" : ""}.` : null,
    over ? "(over bounds): exceeds upper bounds of the work model that another competitor satisfies. Such results rank after all feasible ones and are left off fronts." : null,
    page.competitors.some(({ n_failed: n }) => n > 0) ? "A competitor fails on a problem if one of its repetitions fails." : null,
  ].filter(Boolean);
}

/** Shape and colour of a competitor in all charts. */
function lookOf(competitor) {
  return seriesLook(competitor);
}

/** The name of a competitor with its colour, for tables. */
function competitorCell(at, group) {
  return element("span", {}, swatch(at), markedName(at, group));
}

/** The choices common to all cells of a competitor, on a problem if one is given, as a filter: pairs of axis and choice. */
function filterOf(competitor, problem) {
  const all = rows.filter((row) => row.competitor === competitor);
  const onProblem = all.filter((row) => row.problem === problem);
  // Failed cells have no problem.
  const its = onProblem.length > 0 ? onProblem : all;
  return dimensions.flatMap((axis, at) => {
    const choices = new Set(its.map((row) => axis.of(row)));
    const [only] = choices;
    return choices.size === 1 && only !== null && axis.role !== "repetition" ? [`${at}:${only}`] : [];
  }).join(",");
}

/** Shows the cells of a competitor on a problem. */
function showCellsOf(competitor, problem) {
  state.set({ only: filterOf(competitor, problem), search: "" });
  goTo("cells-heading");
}
