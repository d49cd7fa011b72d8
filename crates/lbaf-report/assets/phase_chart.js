// SPDX-License-Identifier: MIT OR Apache-2.0
// Load imbalance in all phases, before and after, with its lower bound.

const showPhaseChart = (() => {
  let chart;

  return (seen) => {
    chart ??= new Chart("phase-chart");
    chart.show(() => describe(seen));
  };

  function describe({ run, others, phase: chosen, scale }) {
    const look = looks();
    const several = page.runs.length > 1;
    const n = run.phases.length;
    const imbalance = (of, phase, when) => overRanks(of, phase, "load")?.[when].moments.imbalance ?? null;
    const series = [
      { name: several ? `before ${run.name}` : "before", values: run.phases.map((phase) => imbalance(run, phase, "before")), look: look.before },
      { name: several ? `after ${run.name}` : "after", values: run.phases.map((phase) => imbalance(run, phase, "after")), look: runLook(run) },
      ...others.map((other) => ({ name: `after ${other.run.name}`, values: run.phases.map(({ number }) => imbalance(other.run, phaseOf(other.run, number), "after")), look: runLook(other.run) })),
    ];
    const bounded = run.phases.find((phase) => phase.over_bounds.before > 0) ?? chosen;
    series.push({ name: boundName(bounded, "lower bound"), values: run.phases.map((phase) => phase.bound.load_imbalance), look: look.bound, symbol: { symbol: "circle", symbolSize: 4, showSymbol: n <= 40 } });
    // A logarithmic axis cannot show zero, and rounding errors of zero would stretch the axis.
    const isLog = scale === "log";
    const drawn = (value) => (isLog && !(value > 1e-9) ? null : value);
    const places = run.phases.map((phase) => phase.number);
    const most = (values) => values.reduce((found, value) => Math.max(found, value), 0);
    return {
      walk: n,
      option: () => ({
        grid: grid(n > 40), dataZoom: zooming(n > 40, chart.zoomed()),
        xAxis: { ...numberedAxis("phase", places), boundaryGap: n < 3 },
        yAxis: valuesAxis("load imbalance", "count", isLog ? { type: "log" } : { min: 0 }),
        series: [
          ...series.map((each) => lineSeries(each.look, each.values.map(drawn), each.symbol)),
          { type: "line", data: [], markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: colour("faint"), type: "solid", width: 1 }, data: [{ xAxis: run.phases.indexOf(chosen) }] } },
        ],
      }),
      legend: series.map(({ name, look: each }) => ({ name, look: each })),
      label: `Chart: load imbalance in ${counted(n, "phase")}; before at most ${significant(most(series[0].values))}, after at most ${significant(most(series[1].values))}.`,
      caption: `Imbalance is the maximum over ranks divided by the mean, minus 1.${isLog ? " Values up to 1e-9 are not shown." : ""} Click a phase to show it. With the keyboard: arrow keys move, Enter selects.`,
      tip: (at) => [`phase ${places[at]}`, ...series.map((each) => `${each.name}: ${significant(each.values[at]) || "unknown"}`)],
      pick: (at) => run.phases[at] && state.set({ phase: run.phases[at].number }),
      table: () => table("Load imbalance", ["phase", ...series.map(({ name }) => name)], places.map((place, at) => [String(place), ...series.map((each) => known(each.values[at]))]), { sorts: true }),
    };
  }
})();
