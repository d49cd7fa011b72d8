// SPDX-License-Identifier: MIT OR Apache-2.0
// Load imbalance in all phases, before and after, with its lower bound.

const showPhaseChart = (() => {
  let chart;

  return ({ run, other, phase: chosen, scale }) => {
    chart ??= new Chart("phase-chart");
    const look = looks();
    const several = page.runs.length > 1;
    const n = run.phases.length;
    const imbalance = (of, phase, when) => overRanks(of, phase, "load")?.[when].moments.imbalance ?? null;
    const series = [
      { name: "before", values: run.phases.map((phase) => imbalance(run, phase, "before")), look: look.before },
      { name: several ? `after ${run.name}` : "after", values: run.phases.map((phase) => imbalance(run, phase, "after")), look: look.after },
    ];
    if (other) series.push({ name: `after ${other.name}`, values: run.phases.map(({ number }) => imbalance(other, phaseOf(other, number), "after")), look: look.other });
    const bounded = run.phases.find((phase) => phase.over_bounds.before > 0) ?? chosen;
    series.push({ name: boundName(bounded, "lower bound"), values: run.phases.map((phase) => phase.bound.load_imbalance), look: look.bound, symbol: { symbol: "circle", symbolSize: 4, showSymbol: n <= 40 } });
    // A logarithmic axis cannot show zero, and values that differ from zero only by rounding would stretch it.
    const isLog = scale === "log";
    const drawn = (value) => (isLog && !(value > 1e-9) ? null : value);
    const places = run.phases.map((phase) => String(phase.number));
    const most = Math.max(...series[0].values);
    chart.show({
      walk: n,
      option: {
        grid: grid(n > 40), dataZoom: zooming(n > 40),
        xAxis: { ...placesAxis("phase", places), boundaryGap: n < 3 },
        yAxis: valuesAxis("load imbalance", "count", isLog ? { type: "log" } : { min: 0 }),
        series: [
          ...series.map((each) => lineSeries(each.look, each.values.map(drawn), each.symbol)),
          { type: "line", data: [], markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: colour("faint"), type: "solid", width: 1 }, data: [{ xAxis: run.phases.indexOf(chosen) }] } },
        ],
      },
      legend: series.map(({ name, look: each }) => ({ name, look: each })),
      label: `Chart: load imbalance in ${counted(n, "phase")}; before at most ${significant(most)}, after at most ${significant(Math.max(...series[1].values))}.`,
      caption: `Imbalance is the maximum over ranks divided by the mean, minus 1.${isLog ? " Values up to 1e-9 are not shown." : ""} Click a phase to show it above. With the keyboard: arrow keys move, Enter selects.`,
      tip: (at) => [`phase ${places[at]}`, ...series.map((each) => `${each.name}: ${significant(each.values[at])}`)],
      pick: (at) => run.phases[at] && state.set({ phase: run.phases[at].number }),
      table: () => table("Load imbalance", ["phase", ...series.map(({ name }) => name)], places.map((place, at) => [place, ...series.map((each) => significant(each.values[at]))])),
    });
  };
})();
