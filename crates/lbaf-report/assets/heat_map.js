// SPDX-License-Identifier: MIT OR Apache-2.0
// Heat map of a quantity by rank and phase. In large runs, a cell shows the maximum of a group.

const showHeatMap = (() => {
  const MOST_COLUMNS = 400;
  const MOST_ROWS = 120;
  let chart;

  return (seen) => {
    chart ??= new Chart("heat-map");
    chart.show(() => describe(seen));
  };

  function describe({ run, quantity, when, phase: chosen }) {
    const phases = run.phases.filter((phase) => overRanks(run, phase, quantity.key)?.[when].values);
    const of = (phase, side = when) => numbers(overRanks(run, phase, quantity.key)[side].values);
    const ranks = groups(run.n_ranks, MOST_COLUMNS);
    const rows = groups(phases.length, MOST_ROWS);
    // The colour scale is the same before and after. Its maximum comes from the statistics, if there are any.
    const sides = phases.flatMap((phase) => Object.values(overRanks(run, phase, quantity.key)).filter((side) => side.values));
    const most = sides.reduce((found, side) => Math.max(found, side.moments?.max ?? largestOf(side.values)), 0);
    const name = ([first, end], what) => (end - first === 1 ? `${what(first)}` : `${what(first)}-${what(end - 1)}`);
    const rankName = (x) => name(ranks[x], (rank) => rank);
    const phaseName = (y) => name(rows[y], (at) => phases[at].number);
    const grouped = ranks.length < run.n_ranks || rows.length < phases.length;
    const cells = cellsOf(ranks.length, rows.length, { width: ranks[0][1], height: rows[0]?.[1] ?? 1 });
    const value = (x, y) => largest(rows[y], ranks[x], phases, of);
    return {
      walk: ranks.length * rows.length, cells, file: `${quantity.name} ${when}`,
      option: () => ({
        grid: { ...grid(false), top: 30, right: 24 },
        xAxis: rankAxis("rank", ranks.length * cells.width),
        yAxis: phaseAxis(phases, rows.length * cells.height),
        series: phases.length === 0 ? [] : [cellSeries(cells, (x, y) => shadeOf(0, most, false)(value(x, y)))],
      }),
      legend: [scaleEntry(0, most, quantity.unit, false)],
      label: `Heat map: ${quantity.name} of ${counted(run.n_ranks, "rank")} in ${counted(phases.length, "phase")} ${when}, at most ${measured(most, quantity.unit)}. Phase ${chosen.number} is selected.`,
      caption: `${titled(quantity)} ${when}; the colour scale is the same before and after.${phases.length < run.phases.length ? ` The page has values of ranks for ${phases.length} of ${counted(run.phases.length, "phase")}.` : ""}${grouped ? " Each cell is the maximum of several ranks or phases; its tooltip names them." : ""} Click a cell to show its phase and rank. With the keyboard: arrow keys move, Enter selects.`,
      tip: (place) => {
        const [x, y] = [place % ranks.length, Math.floor(place / ranks.length)];
        return [`phase ${phaseName(y)}, rank ${rankName(x)}`, `${quantity.name}: ${measured(value(x, y), quantity.unit)}`];
      },
      pick: (x, y) => {
        const [row, column] = [rows[y], ranks[x]];
        if (!row || !column) return;
        const phase = phases[row[0]];
        const values = of(phase);
        let rank = column[0];
        for (let each = column[0]; each < column[1]; each += 1) if (values[each] > values[rank]) rank = each;
        state.set({ phase: phase.number, rank });
      },
      table: phases.length === 0 ? undefined : () => table(`${titled(quantity)} ${when}`, ["phase", ...ranks.map((_, x) => `rank ${rankName(x)}`)], rows.map((row, y) => [phaseName(y), ...ranks.map((column, x) => amount(value(x, y), quantity.unit))])),
    };
  }

  /** Splits n items into at most `most` groups of about equal size, each given as first index and end (exclusive). */
  function groups(n, most) {
    const size = Math.ceil(n / most);
    return Array.from({ length: Math.ceil(n / size) || 0 }, (_, at) => [at * size, Math.min((at + 1) * size, n)]);
  }

  function largest(row, column, phases, of) {
    let found = 0;
    for (let at = row[0]; at < row[1]; at += 1) {
      const values = of(phases[at]);
      for (let rank = column[0]; rank < column[1]; rank += 1) found = Math.max(found, values[rank]);
    }
    return found;
  }

  /** Axis of phases from top to bottom, with labels at round numbers. */
  function phaseAxis(phases, n) {
    const shown = phases.length > 0 ? labelled(phases.map(({ number }) => number)) : new Set();
    const axis = valuesAxis("phase", "count", { min: 0, max: Math.max(n, 1), inverse: true, nameLocation: "start", splitLine: { show: false }, axisLine: { show: true, lineStyle: { color: colour("faint") } } });
    return { ...axis, ...ticked([...shown].map((at) => at + 0.5), (value) => String(phases[value - 0.5]?.number ?? "")) };
  }
})();

/** An axis of ranks for cells: rank r extends from r to r + 1, with its label in the middle. */
function rankAxis(name, n, more = {}) {
  const axis = placesAxis(name);
  return { ...axis, type: "value", data: undefined, min: 0, max: n, axisLine: { ...axis.axisLine, onZero: false }, splitLine: { show: false }, ...ticked(roundTicks(0, n - 1).map((rank) => rank + 0.5), (value) => String(value - 0.5)), ...more };
}
