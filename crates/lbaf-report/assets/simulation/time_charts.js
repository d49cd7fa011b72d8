// SPDX-License-Identifier: MIT OR Apache-2.0
// Charts over the phases: elapsed time, time of each phase, and imbalance.

/** A function that draws a chart with a line for each scenario, and a line for the lower bound if `bound` has values. */
function phaseChart(id) {
  let chart;

  return (of) => {
    chart ??= new Chart(id);
    chart.show(() => described(of(), chart.zoomed()));
  };
}

/** The description of a chart over the phases. `edges` are the ends of the zoom bar. */
function described({ name, unit, series, bound, caption }, edges) {
  const places = page.phases.map(String);
  const n = places.length;
  const all = [...series, ...(bound ? [bound] : [])];
  const values = all.flatMap((each) => each.values);
  const isZero = !values.some((value) => value < 0);
  return {
    walk: n,
    option: {
      grid: { ...grid(n > 40), bottom: n > 40 ? 76 : 40 }, dataZoom: zooming(n > 40, edges),
      xAxis: { ...numberedAxis("phase", page.phases), boundaryGap: n < 3 },
      yAxis: valuesAxis(unit ? `${name} (${unit})` : name, "count", isZero ? { min: 0 } : {}),
      series: all.map(({ look, values: data, marks }) => ({ ...lineSeries({ ...look, symbol: undefined }, data), z: look.type === "solid" ? 2 : 3, ...(marks ? markSeries(marks, data, look) : {}) })),
    },
    legend: [...all.map(({ name: each, look }) => ({ name: each, look })), ...(series.some(({ marks }) => marks) ? [{ name: "balanced before the phase", look: { colour: colour("ink") }, shape: "point" }] : [])],
    label: `Chart: ${name} over ${counted(n, "phase")}; in the last one ${series.map((each) => `${each.name} ${significant(each.values.at(-1), 4)}`).join(", ")}.`,
    caption,
    tip: (at) => [`phase ${places[at]}`, ...all.map((each) => `${each.name}: ${measured(each.values[at], unit === "s" ? "seconds" : "count", 5)}`)],
    table: () => table(unit ? `${name} (${unit})` : name, ["phase", ...all.map((each) => each.name)], places.map((place, at) => [place, ...all.map((each) => exact(each.values[at], significant(each.values[at])))])),
  };
}

/** Marks where the run was balanced. */
function markSeries(marks, data, look) {
  return { markPoint: { silent: true, symbol: "diamond", symbolSize: 9, label: { show: false }, itemStyle: { color: look.colour, borderColor: colour("ground"), borderWidth: 1 }, data: marks.map((at) => ({ coord: [at, data[at]] })) } };
}

/** The phases before which a scenario was balanced, as places of the charts. */
function balancedAt(scenario) {
  const places = new Map(page.phases.map((phase, at) => [phase, at]));
  return scenario.events.filter(({ kind }) => kind === "balancing").map(({ phase }) => places.get(phase)).filter((at) => at !== undefined);
}

const lower = () => ({ colour: colour("bound"), type: [1.5, 3], width: 1.75 });
const [drawElapsed, drawTimes, drawImbalance] = ["elapsed-chart", "time-chart", "imbalance-chart"].map(phaseChart);

function showElapsed({ shown, reference }) {
  const never = scenarioOf("never");
  const isSaved = reference === "saved";
  const series = () => shown.filter(({ key }) => !isSaved || key !== "never").map((scenario) => ({
    name: scenario.name, look: lookOf(scenario),
    values: isSaved ? scenario.elapsed.map((value, at) => never.elapsed[at] - value) : scenario.elapsed,
    marks: scenario.key === "configured" ? balancedAt(scenario) : undefined,
  }));
  drawElapsed(() => ({
    name: isSaved ? "saved time" : "elapsed time", unit: "s", series: series(),
    caption: isSaved ? "Time of the run that is never balanced, minus that of the scenario, at the end of each phase. Below zero, balancing has cost more than it saved." : "Time from the beginning of the run to the end of each phase, with the costs of balancing before it.",
  }));
}

function showTimes({ shown }) {
  drawTimes(() => ({
    name: "time of the phase", unit: "s", bound: { name: "lower bound", look: lower(), values: page.bounds },
    series: shown.map((scenario) => ({ name: scenario.name, look: lookOf(scenario), values: scenario.time, marks: scenario.key === "configured" ? balancedAt(scenario) : undefined })),
    caption: "The times do not include the costs of balancing.",
  }));
}

function showImbalance({ shown, imbalance }) {
  drawImbalance(() => ({
    name: `${imbalance} imbalance`, unit: "",
    series: shown.map((scenario) => ({ name: scenario.name, look: lookOf(scenario), values: scenario[`${imbalance}_imbalance`], marks: scenario.key === "configured" ? balancedAt(scenario) : undefined })),
    caption: "Imbalance is the maximum over ranks divided by the mean, minus 1.",
  }));
}
