// SPDX-License-Identifier: MIT OR Apache-2.0
// A quantity of all ranks before and after, with its mean and lower bounds.

/** Maximum number of bars. Larger charts have lines. */
const MOST_BARS = 80;

const showRankChart = (() => {
  let chart;

  return (seen) => {
    chart ??= new Chart("rank-chart");
    chart.show(() => describe(seen));
  };

  function describe(seen) {
    const { run, quantity, order, rank } = seen;
    const series = seriesOf(seen);
    const n = run.n_ranks;
    for (const each of series) arrange(each, order);
    const levels = levelsOf(seen);
    const bars = n * series.length <= MOST_BARS;
    const name = order === "rank" ? "rank" : "ranks, largest first";
    const zoom = n > 40;
    const shared = { walk: series.length === 0 ? 0 : n, file: `${quantity.name} phase ${seen.phase.number}` };
    return {
      ...shared, ...(bars ? {} : { first: firstOf(order), part: (from, to) => part(seen, series, from, to) }),
      option: () => ({
        grid: grid(zoom), dataZoom: zooming(zoom, chart.zoomed()), yAxis: valuesAxis(titled(quantity), quantity.unit, { min: 0 }),
        ...(bars
          ? { xAxis: numberedAxis(name, Array.from({ length: n }, (_, at) => at + firstOf(order))), series: [...series.map((each) => barSeries(each.look, each.values)), ...levels.map((level) => levelSeries(level.look, level.value, n)), markSeries(barMarks(series, order, rank), [0, -9])] }
          : { xAxis: lineAxis(name, firstOf(order), n - 1 + firstOf(order)), series: [...part(seen, series, ...chart.window()).series, ...levels.map((level) => levelOverLines(level, firstOf(order), n))] }),
      }),
      legend: [
        ...series.map((each) => ({ name: each.name, look: each.look, shape: bars ? "bar" : "line" })),
        ...levels.map((level) => ({ name: `${level.name}: ${measured(level.value, quantity.unit)}`, look: level.look })),
        ...(series.length === 0 ? [] : [{ name: `rank ${rank}, shown below`, look: looks().chosen, shape: "point" }]),
      ],
      label: inWords(seen, series),
      caption: series.length === 0 ? "Values of individual ranks are not on this page for this phase; the remarks at the top explain why." : `${series.every((each) => each.all.every((value) => value === 0)) ? "All values are zero. " : ""}${missing(seen, series)}Click a rank to see its objects and neighbours below.${zoom ? " Drag the bar below the axis to zoom." : ""} With the keyboard: arrow keys move, Enter selects${zoom ? ", + and - zoom" : ""}.`,
      tip: (at) => tip(seen, series, at),
      pick: series.length === 0 ? undefined : (at, value) => pick(series, at, value),
      table: series.length === 0 ? undefined : () => numbersTable(seen, series),
    };
  }

  /** The number of the first place: 0 for ranks, 1 for places in descending order. */
  function firstOf(order) {
    return order === "rank" ? 0 : 1;
  }

  function seriesOf({ run, phase, others, quantity }) {
    const look = looks();
    const several = page.runs.length > 1;
    const found = overRanks(run, phase, quantity.key);
    // Without values of this run, nothing is drawn: its mean and lower bound do not belong to values of other runs.
    if (!found?.after.values) return [];
    const made = [
      { name: several ? `before ${run.name}` : "before", side: found.before, look: look.before },
      { name: several ? `after ${run.name}` : "after", side: found.after, look: runLook(run) },
      ...others.map((other) => ({ name: `after ${other.run.name}`, side: other.run.n_ranks === run.n_ranks ? overRanks(other.run, other.phase, quantity.key)?.after : undefined, look: runLook(other.run) })),
    ];
    return made.filter((each) => each.side?.values).map((each) => ({ ...each, all: numbers(each.side.values) }));
  }

  /** A sentence on runs that the chart cannot show. */
  function missing({ others }, series) {
    const without = others.map(({ run }) => run.name).filter((name) => !series.some((each) => each.name === `after ${name}`));
    return without.length > 0 ? `Not in this chart, because of another number of ranks or missing values of this quantity: ${without.join(", ")}. ` : "";
  }

  /** Sorts values into the displayed order; `ranks` holds their ranks. */
  function arrange(each, order) {
    each.ranks = order === "rank" ? Uint32Array.from(each.all, (_, rank) => rank) : largestFirst(each.side.values);
    each.values = order === "rank" ? each.all : Array.from(each.ranks, (rank) => each.all[rank]);
  }

  /** Marks of the selected rank above its bars. */
  function barMarks(series, order, rank) {
    const height = (at) => Math.max(...series.map((each) => each.values[at]));
    return series.map((each) => (order === "rank" ? rank : each.ranks.indexOf(rank))).map((at) => [at, height(at)]);
  }

  function markSeries(data, symbolOffset = [0, 0]) {
    return { type: "scatter", data, symbol: "diamond", symbolSize: 11, symbolOffset, itemStyle: { color: looks().chosen.colour }, silent: true, clip: false, z: 5 };
  }

  /** Lines and marks of the places from `from` to `to` (exclusive). Long lines have only the extreme values of groups of places. */
  function part({ order, rank, run }, series, from, to) {
    const first = firstOf(order);
    const lines = series.map((each) => {
      const thin = to - from > 1000 && each.look.width > 2 ? { ...each.look, width: 1.25 } : each.look;
      return lineSeries(thin, thinned(each.values, from, to).map((at) => [at + first, each.values[at]]), { step: to - from <= 400 ? "middle" : undefined, symbol: "none", sampling: undefined });
    });
    const marks = series.map((each) => [order === "rank" ? rank : each.ranks.indexOf(rank), each.values]).filter(([at]) => at >= from && at < to);
    return {
      series: [...lines, markSeries(marks.map(([at, values]) => [at + first, values[at]]))],
      xAxis: ticked(roundTicks(Math.max(from, 0) + first, Math.min(to, run.n_ranks) - 1 + first)),
    };
  }

  function levelOverLines(level, first, n) {
    return { ...levelSeries(level.look, level.value, 0), data: [[first, level.value], [first + n - 1, level.value]] };
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

  function inWords({ run, phase, quantity }, series) {
    if (series.length === 0) return `Chart: ${quantity.name} of individual ranks in phase ${phase.number} is not on this page.`;
    const most = series.map((each) => `${each.name} at most ${measured(largestOf(each.side.values), quantity.unit)}`);
    return `Chart: ${quantity.name} of ${counted(run.n_ranks, "rank")} in phase ${phase.number}, ${most.join(", ")}.`;
  }

  function tip({ quantity, order }, series, at) {
    const value = (each) => measured(each.values[at], quantity.unit);
    if (order === "rank") return [`rank ${at}`, ...series.map((each) => `${each.name}: ${value(each)}`)];
    return [`place ${at + 1}`, ...series.map((each) => `${each.name}: ${value(each)} (rank ${each.ranks[at]})`)];
  }

  /** Selects a rank: in sorted order, the rank on the line nearest to `value` or, without a `value`, the rank on the line of the result. */
  function pick(series, at, value) {
    if (at < 0 || !(at < series[0].values.length)) return;
    const distance = (each) => Math.abs(each.values[at] - value);
    const meant = value === undefined ? series[Math.min(1, series.length - 1)] : series.reduce((near, each) => (distance(each) < distance(near) ? each : near));
    state.set({ rank: meant.ranks[at] });
  }

  function numbersTable({ quantity, run }, series) {
    const { ranks } = series.at(-1);
    const value = (at, column) => (column === 0 ? ranks[at] : series[column - 1].all[ranks[at]]);
    return longTable(`${titled(quantity)} of every rank`, ["rank", ...series.map((each) => each.name)], {
      n: run.n_ranks,
      row: (at) => [jump(String(ranks[at]), `Show rank ${ranks[at]}`, () => state.set({ rank: ranks[at] })), ...series.map((each) => amount(each.all[ranks[at]], quantity.unit))],
      text: (at, column) => String(single(value(at, column))),
      key: value,
    }, { sorts: true, searched: [0], name: "rank chart" });
  }
})();

/** Maximum number of groups of places, about the width of a chart in pixels. A line has up to two points per group. */
const MOST_GROUPS = 800;

/** The places from `from` to `to` (exclusive) that a line needs: all, or the ends and the extreme values of every group. */
function thinned(values, from, to) {
  const n = to - from;
  if (n <= 2 * MOST_GROUPS) return Array.from({ length: n }, (_, at) => from + at);
  const places = [from];
  for (let group = 0; group < MOST_GROUPS; group += 1) {
    const [begin, end] = [from + Math.floor((group * n) / MOST_GROUPS), from + Math.floor(((group + 1) * n) / MOST_GROUPS)];
    let [least, most] = [begin, begin];
    for (let at = begin + 1; at < end; at += 1) {
      if (values[at] < values[least]) least = at;
      if (values[at] > values[most]) most = at;
    }
    for (const at of [Math.min(least, most), Math.max(least, most)]) if (at > places.at(-1)) places.push(at);
  }
  if (places.at(-1) < to - 1) places.push(to - 1);
  return places;
}
