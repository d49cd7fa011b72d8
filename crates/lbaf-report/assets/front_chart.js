// SPDX-License-Identifier: MIT OR Apache-2.0
// Pareto front of maximum work and migrations, if the strategy reports one.

const showFrontChart = (() => {
  let chart;

  return ({ run, other, phase, otherPhase }) => {
    const look = looks();
    const points = (its) => its.front.map((point) => [point.migrations, point.max_work]);
    const all = [{ name: run.name, data: points(phase), look: look.after }];
    if (otherPhase) all.push({ name: other.name, data: points(otherPhase), look: look.other });
    const series = all.filter(({ data }) => data.length > 0);
    byId("front").hidden = series.length === 0;
    if (series.length === 0) return;
    chart ??= new Chart("front-chart");
    const [first] = series;
    const without = all.filter(({ data }) => data.length === 0).map(({ name }) => ` The page has no placements of ${name} with fewer migrations in this phase.`);
    const upright = focusedAxis("maximum work", [...series.flatMap(({ data }) => data.map(([, work]) => work)), phase.bound.work]);
    const line = (each) => lineSeries(each.look, each.data, { step: "end" });
    chart.show({
      walk: first.data.length,
      option: {
        grid: grid(false),
        xAxis: { ...placesAxis("migrations"), type: "value", data: undefined, min: 0, minInterval: 1, splitLine: { show: false }, axisLabel: { color: colour("ink"), hideOverlap: true, formatter: String } },
        yAxis: upright,
        series: [...series.map(line), { ...levelSeries(look.bound, phase.bound.work, 0), data: [[0, phase.bound.work]] }],
      },
      legend: [...series.map((each) => ({ name: each.name, look: each.look })), { name: `${boundName(phase, "lower bound")}: ${significant(phase.bound.work)}`, look: look.bound }],
      label: `Chart: maximum work over the number of migrations in phase ${phase.number}, at ${counted(first.data.length, "point")}.`,
      caption: `${upright.scale ? "The vertical axis does not begin at zero." : ""}${without.join("")}`.trim(),
      tip: (at) => [`${first.name}: ${counted(first.data[at][0], "migration")}`, `maximum work ${significant(first.data[at][1])}`],
      table: () => element("div", {}, ...series.map(({ name, data }) => table(`Fewer migrations: ${name}`, ["migrations", "maximum work"], data.map(([migrations, work]) => [String(migrations), significant(work)])))),
    });
  };
})();
