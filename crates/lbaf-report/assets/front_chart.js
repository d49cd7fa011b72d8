// SPDX-License-Identifier: MIT OR Apache-2.0
// Pareto front of maximum work and migrations, if the strategy reports one.

const showFrontChart = (() => {
  let chart;

  return (seen) => {
    const { run, others, phase } = seen;
    byId("front").hidden = [{ phase }, ...others].every((each) => !each.phase || each.phase.front.length === 0);
    if (byId("front").hidden) return;
    chart ??= new Chart("front-chart");
    chart.show(() => describe(run, others, phase));
  };

  function describe(run, others, phase) {
    const look = looks();
    const points = (its) => its.front.map((point) => [point.migrations, point.max_work]);
    const all = [{ run, phase }, ...others].filter((each) => each.phase).map((each) => ({ name: each.run.name, data: points(each.phase), look: runLook(each.run) }));
    const series = all.filter(({ data }) => data.length > 0);
    const [first] = series;
    const without = all.filter(({ data }) => data.length === 0).map(({ name }) => ` The page has no placements of ${name} with fewer migrations in this phase.`);
    const upright = focusedAxis("maximum work", [...series.flatMap(({ data }) => data.map(([, work]) => work)), phase.bound.work]);
    const line = (each) => lineSeries(each.look, each.data, { step: "end" });
    return {
      walk: first.data.length, file: `phase ${phase.number}`,
      option: () => ({
        grid: grid(false),
        xAxis: { ...placesAxis("migrations"), type: "value", data: undefined, min: 0, minInterval: 1, splitLine: { show: false }, axisLabel: { color: colour("ink"), hideOverlap: true, formatter: String } },
        yAxis: upright,
        series: [...series.map(line), { ...levelSeries(look.bound, phase.bound.work, 0), data: [[0, phase.bound.work]] }],
      }),
      legend: [...series.map((each) => ({ name: each.name, look: each.look })), { name: `${boundName(phase, "lower bound")}: ${significant(phase.bound.work)}`, look: look.bound }],
      label: `Chart: maximum work over the number of migrations in phase ${phase.number}, at ${counted(first.data.length, "point")}.`,
      caption: `${upright.scale ? "The vertical axis does not begin at zero." : ""}${without.join("")}`.trim(),
      tip: (at) => [`${first.name}: ${counted(first.data[at][0], "migration")}`, `maximum work ${significant(first.data[at][1])}`],
      table: () => element("div", {}, ...series.map(({ name, data }) => table(`Fewer migrations: ${name}`, ["migrations", "maximum work"], data.map(([migrations, work]) => [String(migrations), known(work)])))),
    };
  }
})();
