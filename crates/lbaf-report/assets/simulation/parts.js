// SPDX-License-Identifier: MIT OR Apache-2.0
// Stacked bars of the total time of each scenario: phases, strategies, migrations.

const PARTS = [["phase_seconds", "phases"], ["strategy_seconds", "strategy"], ["migration_seconds", "migration"]];

const showParts = (() => {
  let chart;

  return ({ shown }) => {
    chart ??= new Chart("parts-chart");
    const height = 6 + 3 * shown.length;
    chart.canvas.style.height = `${height}rem`;
    chart.show(() => ({ ...described(shown), height: 16 * height }));
  };

  function described(shown) {
    const parts = PARTS.filter(([key], at) => at === 0 || shown.some((scenario) => scenario[key] > 0));
    const looks = [{ colour: colour("faint"), fill: colour("rule") }, { colour: colour("run-4"), fill: colour("run-4") }, { colour: colour("run-7"), fill: colour("run-7") }];
    const bound = Math.min(...page.scenarios.map((scenario) => scenario.bound));
    const look = { colour: colour("bound"), type: [1.5, 3], width: 1.75 };
    const upright = namesAxis(shown.map(({ name }) => name));
    const line = { colour: look.colour, width: look.width, type: look.type };
    return {
      walk: shown.length,
      option: {
        grid: { left: upright.left, right: 24, top: 8, bottom: 44 },
        xAxis: { ...valuesAxis("time (s)", "count", { min: 0 }), nameLocation: "middle", nameGap: 26, nameTextStyle: { color: colour("ink") } },
        yAxis: upright.axis,
        series: parts.map(([key], at) => ({
          ...barSeries(looks[at], shown.map((scenario) => (scenario[key] > 0 ? scenario[key] : null))), stack: "time",
          ...(at === 0 && shown.length > 0 ? { markLine: { silent: true, symbol: "none", precision: 20, label: { show: false }, lineStyle: { color: line.colour, width: line.width, type: line.type }, data: [{ xAxis: bound }] } } : {}),
        })),
      },
      legend: [...parts.map(([, name], at) => ({ name, look: looks[at], shape: "bar" })), { name: `lower bound: ${seconds(bound, 4)}`, look }],
      label: `Chart: parts of the time of ${counted(shown.length, "scenario")}: ${shown.map((scenario) => `${scenario.name} ${seconds(scenario.total, 4)}`).join(", ")}.`,
      caption: "The lower bound is the sum of the lower bounds on the time of each phase.",
      tip: (at) => [shown[at].name, `total: ${seconds(shown[at].total)}`, ...parts.map(([key, name]) => `${name}: ${seconds(shown[at][key])}`)],
    };
  }
})();
