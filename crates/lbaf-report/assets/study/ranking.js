// SPDX-License-Identifier: MIT OR Apache-2.0
// Ranking of the competitors over all problems.

function showRanking({ problem }) {
  byId("ranking").hidden = page.competitors.length < 2;
  if (byId("ranking").hidden) return;
  const [objective] = page.quantities;
  const n = Math.max(0, ...page.competitors.map(({ problems }) => problems));
  const several = n > 1;
  const shown = problem === -1 && page.problems.length > 1 ? undefined : Math.max(problem, 0);
  const rows = ranked.map((at) => {
    const its = page.competitors[at];
    const group = shown === undefined ? undefined : groupOf(shown, at);
    const place = its.mean_place === null ? "not placed" : exact(its.mean_place, significant(its.mean_place, 4));
    return [
      competitorCell(at),
      place,
      ...(several ? [exact(its.wins, String(its.wins))] : []),
      ...(shown === undefined ? [] : [group && group.n > 0 ? shownMedian(objective, medianOf(group, objective)) || "\u2013" : group ? "failed" : ""]),
      exact(its.worse_on, String(its.worse_on)),
      exact(its.n_failed, `${its.n_failed} of ${its.n_cells}`),
    ];
  });
  const heads = [
    "competitor", several ? "mean place" : "place", ...(several ? ["wins"] : []),
    ...(shown === undefined ? [] : [page.problems.length > 1 ? `${objective.name}, ${problemName(shown)}` : objective.name]),
    several ? "problems worse than start" : "worse than start", "failed cells",
  ];
  fill("ranking-table", table(`Places by ${objective.name} over ${counted(n, "problem")}`, heads, rows));
  fill("marks", ...markNotes().map((note) => element("p", { class: "faint" }, note)));
}
