// SPDX-License-Identifier: MIT OR Apache-2.0
// Heat map of a quantity of every rank in every phase. If there are too many ranks or phases for the screen, a cell is the maximum of a group of them.

const showHeatMap = (() => {
  const MOST_COLUMNS = 400;
  const MOST_ROWS = 120;
  let chart;

  return ({ run, quantity, when, phase: chosen }) => {
    chart ??= new Chart("heat-map");
    const phases = run.phases.filter((phase) => overRanks(run, phase, quantity.key)?.[when].values);
    const of = (phase) => numbers(overRanks(run, phase, quantity.key)[when].values);
    const ranks = groups(run.n_ranks, MOST_COLUMNS);
    const rows = groups(phases.length, MOST_ROWS);
    const cells = rows.flatMap((row, y) => ranks.map((column, x) => [x, y, largest(row, column, phases, of)]));
    // The colour scale is the same before and after, so both are comparable.
    const sides = phases.flatMap((phase) => Object.values(overRanks(run, phase, quantity.key)).filter((side) => side.values));
    const most = sides.reduce((found, side) => numbers(side.values).reduce((a, b) => Math.max(a, b), found), 0);
    const colours = ["#fde725", "#5ec962", "#21918c", "#3b528b", "#440154"];
    if (document.documentElement.dataset.theme === "dark") colours.reverse();
    const name = ([first, end], what) => (end - first === 1 ? `${what(first)}` : `${what(first)}-${what(end - 1)}`);
    const rankName = (x) => name(ranks[x], (rank) => rank);
    const phaseName = (y) => name(rows[y], (at) => phases[at].number);
    const grouped = ranks.length < run.n_ranks || rows.length < phases.length;
    chart.show({
      walk: 0,
      option: {
        grid: { ...grid(false), bottom: 84, top: 30, right: 32 },
        tooltip: {
          trigger: "item", confine: true, backgroundColor: colour("raised"), borderColor: colour("rule"), textStyle: { color: colour("ink") },
          formatter: ({ data: [x, y, value] }) => tipElement([`phase ${phaseName(y)}, rank ${rankName(x)}`, `${quantity.name}: ${measured(value, quantity.unit)}`]),
        },
        xAxis: { ...placesAxis("rank", ranks.map(([first]) => String(first))), splitArea: { show: false } },
        yAxis: { type: "category", data: rows.map((_, y) => phaseName(y)), name: "phase", nameTextStyle: { color: colour("ink"), align: "left" }, axisLabel: { color: colour("ink"), hideOverlap: true }, axisLine: { lineStyle: { color: colour("faint") } }, inverse: true, nameLocation: "start" },
        visualMap: {
          min: 0, max: most > 0 ? most : 1, calculable: false, hoverLink: false, orient: "horizontal", left: "center", bottom: 0, itemWidth: 12, itemHeight: 160, text: [measured(most, quantity.unit, 4), "0"],
          textStyle: { color: colour("ink") }, inRange: { color: colours },
        },
        series: [{ type: "heatmap", data: cells, progressive: 0, emphasis: { disabled: true } }],
      },
      legend: [],
      label: `Heat map: ${quantity.name} of ${counted(run.n_ranks, "rank")} in ${counted(phases.length, "phase")} ${when}, at most ${measured(most, quantity.unit)}. Phase ${chosen.number} is shown above.`,
      caption: `${titled(quantity)} ${when}; the colour scale is the same before and after.${phases.length < run.phases.length ? ` The page has values of ranks for ${phases.length} of ${counted(run.phases.length, "phase")}.` : ""}${grouped ? " Each cell is the maximum of several ranks or phases; its tooltip names them." : ""} Click a cell to show its phase and rank.`,
      pick: (x, y) => {
        const [row, column] = [rows[Math.round(y)], ranks[x]];
        if (!row || !column) return;
        const phase = phases[row[0]];
        const values = of(phase);
        let rank = column[0];
        for (let each = column[0]; each < column[1]; each += 1) if (values[each] > values[rank]) rank = each;
        state.set({ phase: phase.number, rank });
      },
      table: () => table(`${titled(quantity)} ${when}`, ["phase", ...ranks.map((_, x) => `rank ${rankName(x)}`)], rows.map((row, y) => [phaseName(y), ...ranks.map((column) => inColumn(largest(row, column, phases, of), quantity.unit))])),
    });
  };

  /** Splits n items into at most `most` groups of about equal size, each given as first index and end (exclusive). */
  function groups(n, most) {
    const size = Math.ceil(n / most);
    return Array.from({ length: Math.ceil(n / size) }, (_, at) => [at * size, Math.min((at + 1) * size, n)]);
  }

  function largest(row, column, phases, of) {
    let found = 0;
    for (let at = row[0]; at < row[1]; at += 1) {
      const values = of(phases[at]);
      for (let rank = column[0]; rank < column[1]; rank += 1) found = Math.max(found, values[rank]);
    }
    return found;
  }
})();
