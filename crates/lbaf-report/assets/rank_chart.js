// SPDX-License-Identifier: MIT OR Apache-2.0
// A quantity of all ranks before and after, with its mean and lower bounds.

/** Maximum number of ranks drawn as bars; more ranks are drawn as lines. */
const MOST_BARS = 40;

const showRankChart = (() => {
  let chart;

  return (seen) => {
    chart ??= new Chart("rank-chart");
    const { run, quantity, order, rank } = seen;
    const series = seriesOf(seen);
    const n = run.n_ranks;
    for (const each of series) arrange(each, order);
    const levels = levelsOf(seen);
    const bars = n <= MOST_BARS;
    const place = (each) => (order === "rank" ? rank : each.ranks.indexOf(rank));
    // The marks of the selected rank are on the points of lines, but above bars.
    const height = (at) => Math.max(...series.map((each) => each.values[at]));
    const marks = series.map(place).map((at, number) => [at, bars ? height(at) : series[number].values[at]]);
    const lines = series.map((each) => (bars ? barSeries(each.look, each.values) : lineSeries(n > 1000 && each.look.width > 2 ? { ...each.look, width: 1 } : each.look, each.values, { step: "middle" })));
    const name = order === "rank" ? "rank" : "ranks, largest first";
    const zoom = n > MOST_BARS;
    chart.show({
      walk: series.length === 0 ? 0 : n,
      option: {
        grid: grid(zoom), dataZoom: zooming(zoom),
        xAxis: placesAxis(name, Array.from({ length: n }, (_, at) => (order === "rank" ? String(at) : String(at + 1)))),
        yAxis: valuesAxis(titled(quantity), quantity.unit, { min: 0 }),
        series: [
          ...lines, ...levels.map((level) => levelSeries(level.look, level.value, n)),
          { type: "scatter", data: marks, symbol: "diamond", symbolSize: 11, symbolOffset: bars ? [0, -9] : [0, 0], itemStyle: { color: looks().chosen.colour }, silent: true, clip: false, z: 5 },
        ],
      },
      legend: [
        ...series.map((each) => ({ name: each.name, look: each.look, shape: bars ? "bar" : "line" })),
        ...levels.map((level) => ({ name: `${level.name}: ${measured(level.value, quantity.unit)}`, look: level.look })),
        ...(series.length === 0 ? [] : [{ name: `rank ${rank}, shown below`, look: looks().chosen, shape: "point" }]),
      ],
      label: describe(seen, series),
      caption: series.length === 0 ? "Values of individual ranks are not on this page for this phase; the remarks at the top explain why." : `${series.every((each) => each.all.every((value) => value === 0)) ? "All values are zero. " : ""}Click a rank to see its objects and neighbours below.${zoom ? " Drag the bar below the axis to zoom." : ""} With the keyboard: arrow keys move, Enter selects${zoom ? ", + and - zoom" : ""}.`,
      tip: (at) => tip(seen, series, at),
      pick: series.length === 0 ? undefined : (at, value) => pick(series, at, value),
      table: series.length === 0 ? undefined : () => numbersTable(seen, series),
    });
  };

  function seriesOf({ run, phase, other, otherPhase, quantity }) {
    const look = looks();
    const several = page.runs.length > 1;
    const found = overRanks(run, phase, quantity.key);
    // Without the values of this run, the chart would show its mean and lower bound next to values of only the other run.
    if (!found?.after.values) return [];
    const theirs = other && overRanks(other, otherPhase, quantity.key);
    const made = [
      { name: "before", side: found?.before, look: look.before },
      { name: several ? `after ${run.name}` : "after", side: found?.after, look: look.after },
      { name: `after ${other?.name}`, side: other?.n_ranks === run.n_ranks ? theirs?.after : undefined, look: look.other },
    ];
    return made.filter((each) => each.side?.values).map((each) => ({ ...each, all: numbers(each.side.values) }));
  }

  /** Sorts values into the displayed order; `ranks` holds their ranks. */
  function arrange(each, order) {
    each.ranks = Array.from(each.all, (_, rank) => rank);
    if (order === "sorted") each.ranks.sort((one, other) => each.all[other] - each.all[one]);
    each.values = each.ranks.map((rank) => each.all[rank]);
  }

  function levelsOf({ run, phase, quantity }) {
    const look = looks();
    const { after } = overRanks(run, phase, quantity.key);
    const levels = [{ name: "mean after", value: after.mean, look: look.mean }];
    const bound = { work: phase.bound.work, load: phase.bound.max_load }[quantity.key];
    if (bound !== undefined) levels.push({ name: boundName(phase, "lower bound of the maximum"), value: bound, look: look.bound });
    if (quantity.key === "work" && phase.restricted) levels.push({ name: `lower bound ${phase.restricted.condition}`, value: phase.restricted.work, look: look.restricted });
    return levels;
  }

  function describe({ run, phase, quantity }, series) {
    if (series.length === 0) return `Chart: ${quantity.name} of individual ranks in phase ${phase.number} is not on this page.`;
    const most = series.map((each) => `${each.name} at most ${measured(each.values.reduce((a, b) => Math.max(a, b), 0), quantity.unit)}`);
    return `Chart: ${quantity.name} of ${counted(run.n_ranks, "rank")} in phase ${phase.number}, ${most.join(", ")}.`;
  }

  function tip({ quantity, order }, series, at) {
    const value = (each) => measured(each.values[at], quantity.unit);
    if (order === "rank") return [`rank ${at}`, ...series.map((each) => `${each.name}: ${value(each)}`)];
    return [`place ${at + 1}`, ...series.map((each) => `${each.name}: ${value(each)} (rank ${each.ranks[at]})`)];
  }

  /** Selects a rank. In sorted order, it is the rank on the line nearest to `value`, or on the line of the result if there is no value, as for keys. */
  function pick(series, at, value) {
    if (at < 0 || !(at < series[0].values.length)) return;
    const distance = (each) => Math.abs(each.values[at] - value);
    const meant = value === undefined ? series[Math.min(1, series.length - 1)] : series.reduce((near, each) => (distance(each) < distance(near) ? each : near));
    state.set({ rank: meant.ranks[at] });
  }

  function numbersTable({ quantity }, series) {
    const { ranks } = series.at(-1);
    const rows = ranks.map((rank) => [
      jump(String(rank), `Show rank ${rank}`, () => state.set({ rank })), ...series.map((each) => inColumn(each.all[rank], quantity.unit)),
    ]);
    return table(`${titled(quantity)} of every rank`, ["rank", ...series.map((each) => each.name)], rows);
  }
})();
