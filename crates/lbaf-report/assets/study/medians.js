// SPDX-License-Identifier: MIT OR Apache-2.0
// Medians of a quantity with their intervals, by competitor and problem: a chart, and a table of all reported quantities.

/** Maximum number of rows in the chart of medians. */
const MOST_MEDIANS = 80;

const showMedianChart = (() => {
  let chart;

  return ({ problems, quantity, scale }) => {
    chart ??= new Chart("median-chart");
    const places = placesOf(problems, quantity);
    const shown = places.slice(0, MOST_MEDIANS);
    const height = Math.max(8, 4.2 + 1.5 * shown.length);
    chart.canvas.style.height = `${height}rem`;
    chart.show(() => ({ ...described(places, shown, { problems, quantity, scale }), height: 16 * height }));
  };

  function described(places, shown, { problems, quantity, scale }) {
    const known = shown.filter(({ median: found }) => found);
    const scaled = scaleOf(quantity);
    const ends = known.flatMap(({ median: found }) => [found.low, found.high]);
    const isLog = scale === "log" && ends.every((value) => value > 0);
    const axis = isLog ? valuesAxis(quantityTitle(quantity), quantity.kind, { type: "log" }) : quantityAxis(quantity, ends.map((value) => value * scaled));
    const several = problems.length > 1;
    const name = ({ problem, competitor, heading }) => (heading ? problemName(problem) : markedName(competitor, groupOf(problem, competitor)));
    const best = bestOf(known, quantity);
    const upright = namesAxis(shown.map(name), {
      rich: { heading: { fontWeight: "bold", color: colour("ink") } },
      formatter: (text, at) => (shown[at]?.heading ? `{heading|${text.replace(/[{}|]/g, " ")}}` : text),
    });
    return {
      walk: shown.length,
      option: {
        grid: { left: upright.left, right: 24, top: 8, bottom: 44 },
        xAxis: { ...axis, nameLocation: "middle", nameGap: 26, nameTextStyle: { color: colour("ink") } },
        yAxis: upright.axis,
        series: [
          {
            type: "scatter", symbolSize: 11, emphasis: { disabled: true }, z: 3,
            data: shown.map(({ competitor, median: found }, at) => {
              if (!found) return { value: [NaN, at] };
              const look = lookOf(competitor);
              return { value: [found.value * scaled, at], symbol: look.symbol, itemStyle: { color: look.colour, opacity: 1 } };
            }),
          },
          { type: "custom", silent: true, z: 2, encode: { x: [0, 1], y: 2 }, data: shown.map(({ median: found }, at) => (found?.several ? [found.low * scaled, found.high * scaled, at] : [NaN, NaN, at])), renderItem: (_, api) => whisker(api, shown) },
        ],
      },
      legend: [],
      label: `Chart: medians of ${quantity.name} of ${counted(known.length, "result")}${best ? `, best ${best}` : ""}.`,
      caption: [
        known.some(({ median: found }) => found.several) ? `Lines are intervals with ${percent(page.confidence)} confidence, or less for few repetitions.` : "",
        isLog ? "" : axis.scale ? "The axis does not begin at zero." : "",
        scale === "log" && !isLog ? "The axis is not logarithmic, because some values are not positive." : "",
        shown.length < places.length ? `The chart shows the first ${shown.length} of ${places.length} rows; select a problem to see the others.` : "",
        "Click a row to see its cells.",
      ].filter(Boolean).join(" "),
      tip: (at) => tipOf(shown[at], quantity, several),
      pick: (x, y) => {
        const place = shown[y === undefined ? x : Math.round(y)];
        if (place && !place.heading) showCellsOf(place.competitor, place.problem);
      },
      table: () => table(`Medians of ${quantity.name}`, [...(several ? ["problem"] : []), "competitor", "results", "median", "low", "high", "confidence"], shown.filter(({ heading }) => !heading).map((place) => [...(several ? [problemName(place.problem)] : []), ...medianCells(place, quantity)])),
    };
  }

  /** Rows of the chart. With several problems, a row with the name precedes the rows of each problem. */
  function placesOf(problems, quantity) {
    return problems.flatMap((problem) => [
      ...(problems.length > 1 ? [{ problem, heading: true }] : []),
      ...ranked.filter((at) => groupOf(problem, at)).map((competitor) => ({ problem, competitor, median: medianOf(groupOf(problem, competitor), quantity) })),
    ]);
  }

  /** The line of an interval, with a stroke at both ends. */
  function whisker(api, places) {
    const place = api.value(2);
    const [low, high] = [0, 1].map((at) => api.coord([api.value(at), place]));
    if (!Number.isFinite(low[0]) || !Number.isFinite(high[0]) || places[place]?.competitor === undefined) return undefined;
    const style = { stroke: lookOf(places[place].competitor).colour, lineWidth: 2, fill: null };
    const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
    return { type: "group", children: [line(...low, ...high), ...[low, high].map(([x, y]) => line(x, y - 4, x, y + 4))] };
  }

  function bestOf(known, quantity) {
    if (known.length === 0 || quantity.better === null) return undefined;
    const cost = ({ median: found }) => (quantity.better === "more" ? -found.value : found.value);
    const best = known.reduce((found, each) => (cost(each) < cost(found) ? each : found));
    return `${page.competitors[best.competitor].name} with ${shownValue(quantity, best.median.value)}`;
  }

  function tipOf(place, quantity, several) {
    if (!place) return [];
    if (place.heading) return [problemName(place.problem)];
    const group = groupOf(place.problem, place.competitor);
    return [
      `${markedName(place.competitor, group)}${several ? `, ${problemName(place.problem)}` : ""}`,
      place.median ? `${quantity.name}: ${shownMedian(quantity, place.median)}` : `${quantity.name}: no median`,
      counted(group.n, "result"),
    ];
  }

  function medianCells({ problem, competitor, median: found }, quantity) {
    const group = groupOf(problem, competitor);
    const number = (value) => (value === null || value === undefined ? "" : exact(value, shownValue(quantity, value, 6)));
    return [
      competitorCell(competitor, group), String(group.n), number(found?.value),
      found?.several ? number(found.low) : "", found?.several ? number(found.high) : "",
      group.confidence === null ? "" : percent(group.confidence),
    ];
  }
})();

/** The table of the medians of the reported quantities and the selected quantity. */
function showMedianTable({ problems, quantity }) {
  const several = problems.length > 1;
  const reported = page.quantities.slice(0, page.n_reported);
  const quantities = [...reported, ...(reported.includes(quantity) ? [] : [quantity])];
  const all = problems.flatMap((problem) => ranked.filter((at) => groupOf(problem, at)).map((competitor) => ({ problem, competitor, group: groupOf(problem, competitor) })));
  const medianCell = ({ group }, each) => {
    const found = medianOf(group, each);
    if (found === null) return group.n === 0 && each === page.quantities[0] ? "failed" : "";
    return exact(found.value, shownMedian(each, found));
  };
  const link = ({ competitor, problem, group }) => element("button", { type: "button", class: "link", click: () => showCellsOf(competitor, problem) }, swatch(competitor), markedName(competitor, group));
  const heads = [...(several ? ["problem"] : []), several ? { kind: "name", cell: "competitor" } : "competitor", "results", ...quantities.map(({ name }) => name)];
  const cells = (row) => [
    ...(several ? [problemName(row.problem)] : []), several ? { kind: "name", cell: link(row) } : link(row),
    exact(row.group.n, String(row.group.n)), ...quantities.map((each) => medianCell(row, each)),
  ];
  const where = several ? "all problems" : page.problems.length > 1 ? problemName(problems[0]) : "all competitors";
  fill("median-table", table(`Medians with intervals: ${where}`, heads, all.map(cells), { sorts: true, name: "medians" }));
}
