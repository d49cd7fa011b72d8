// SPDX-License-Identifier: MIT OR Apache-2.0
// What fewer migrations come to, where the strategy has been there.

const showFrontChart = (() => {
  let chart;

  return ({ run, other, phase, otherPhase }) => {
    byId("front").hidden = page.runs.every((each) => each.phases.every(({ front }) => front.length === 0));
    if (byId("front").hidden) return;
    chart ??= new Chart("front-chart");
    const look = looks();
    const points = (its) => its.front.map((point) => [point.migrations, point.max_work]);
    const series = [{ name: run.name, data: points(phase), look: look.after }];
    if (otherPhase) series.push({ name: other.name, data: points(otherPhase), look: look.other });
    const most = Math.max(1, ...series.flatMap(({ data }) => data.map(([migrations]) => migrations)));
    const line = (each) => lineSeries(each.look, each.data, { step: "end" });
    chart.show({
      walk: phase.front.length,
      option: {
        grid: grid(false),
        xAxis: { ...placesAxis("migrations"), type: "value", data: undefined, min: 0, max: most, minInterval: 1 },
        yAxis: valuesAxis("maximum work", "count", { scale: true }),
        series: [...series.map(line), { ...lineSeries(look.bound, [[0, phase.bound.work], [most, phase.bound.work]]), silent: true }],
      },
      legend: [...series.map((each) => ({ name: each.name, look: each.look })), { name: `lower bound: ${significant(phase.bound.work)}`, look: look.bound }],
      label: `Chart: maximum work over the number of migrations in phase ${phase.number}, at ${counted(phase.front.length, "point")}.`,
      caption: `The axis does not begin at zero.${phase.front.length === 0 ? " The strategy knows no such placements of this phase." : ""}`,
      tip: (at) => (phase.front[at] ? [counted(phase.front[at].migrations, "migration"), `maximum work ${significant(phase.front[at].max_work)}`] : []),
      table: () => table("Fewer migrations", ["migrations", "maximum work"], phase.front.map((point) => [String(point.migrations), significant(point.max_work)])),
    });
  };
})();
