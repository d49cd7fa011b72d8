// SPDX-License-Identifier: MIT OR Apache-2.0
// Pareto fronts of cost and quality by problem. Competitors with failed cells are left off fronts, and also infeasible results
// if another competitor is feasible.

/** Maximum number of problems with a chart, of names in a chart, and ratio of costs above which the axis is logarithmic. */
const MOST_FRONTS = 6;
const MOST_NAMED = 12;
const MOST_SPREAD = 50;

const showFronts = (() => {
  const charts = [];

  return ({ problems, cost, quality }) => {
    const shown = cost ? problems.slice(0, MOST_FRONTS) : [];
    byId("front-facts").textContent = cost
      ? `A line joins the results on the front: no other result is better in one of ${cost.name} and ${quality.name} and at least as good in the other. Hollow symbols are results off the front.${shown.length < problems.length ? ` The charts show the first ${shown.length} of ${problems.length} problems; select another one above.` : ""}`
      : "There is no front, because no quantity other than the objective is better if smaller.";
    // The number of charts determines their width, so all are created before the first is drawn.
    shown.forEach((_, at) => chartOf(at));
    charts.forEach(({ chart }, at) => (chart.figure.parentElement.hidden = at >= shown.length));
    shown.forEach((problem, at) => draw(charts[at], problem, cost, quality));
  };

  function chartOf(at) {
    if (charts[at]) return;
    const heading = element("h3");
    byId("front-charts").append(element("div", {}, heading, element("figure", { id: `front-chart-${at}`, "data-title": `front ${at + 1}` })));
    const made = { heading, chart: new Chart(`front-chart-${at}`), names: [] };
    // Names are placed after the chart has been resized and drawn.
    const drawn = made.chart.draw.bind(made.chart);
    made.chart.draw = () => {
      drawn();
      placeNames(made);
    };
    new ResizeObserver(() => made.chart.echarts && placeNames(made)).observe(made.chart.canvas);
    charts[at] = made;
  }

  function draw(made, problem, cost, quality) {
    made.heading.textContent = page.problems.length > 1 ? problemName(problem) : `${quality.name} over ${cost.name}`;
    made.chart.show(() => described(made, problem, cost, quality));
  }

  function described(made, problem, cost, quality) {
    const points = ranked.map((competitor) => ({ competitor, group: groupOf(problem, competitor) })).filter(({ group }) => group).map(({ competitor, group }) => ({
      competitor, group, x: medianOf(group, cost)?.value ?? null, y: medianOf(group, quality)?.value ?? null,
    })).filter(({ x, y }) => x !== null && y !== null);
    const front = frontOf(points, cost, quality);
    const [byX, byY] = [cost, quality].map(scaleOf);
    const across = points.map(({ x }) => x * byX);
    const isLog = Math.min(...across) > 0 && Math.max(...across) > MOST_SPREAD * Math.min(...across);
    const upright = quantityAxis(quality, points.map(({ y }) => y * byY));
    const named = points.length <= MOST_NAMED;
    const off = points.filter(({ group }) => group.over_kept || group.n_failed > 0);
    made.names = points.map((point) => ({ name: page.competitors[point.competitor].name, at: [point.x * byX, point.y * byY], shown: named || front.includes(point) }));
    return {
      walk: points.length,
      option: {
        grid: { ...grid(false), right: 40, bottom: 40 },
        tooltip: {
          trigger: "item", confine: true, backgroundColor: colour("raised"), borderColor: colour("rule"), textStyle: { color: colour("ink") },
          formatter: ({ seriesIndex, dataIndex }) => (seriesIndex === 0 ? tipElement(tipOf(points[dataIndex], cost, quality)) : ""),
        },
        xAxis: { ...valuesAxis(quantityTitle(cost), cost.kind, isLog ? { type: "log" } : { min: 0 }), nameLocation: "middle", nameGap: 28, nameTextStyle: { color: colour("ink") }, splitLine: { show: false } },
        yAxis: upright,
        series: [
          {
            type: "scatter", symbolSize: 12, emphasis: { disabled: true }, z: 3, labelLayout: { hideOverlap: true },
            data: points.map((point) => {
              const look = lookOf(point.competitor);
              const style = front.includes(point) ? { color: look.colour } : { color: colour("ground"), borderColor: look.colour, borderWidth: 2 };
              return { value: [point.x * byX, point.y * byY], symbol: look.symbol, itemStyle: { ...style, opacity: 1 }, label: { show: named || front.includes(point), position: "right", color: colour("ink"), formatter: () => page.competitors[point.competitor].name } };
            }),
          },
          { type: "line", silent: true, symbol: "none", step: quality.better === "more" ? "start" : "end", lineStyle: { color: colour("faint"), width: 1.5, type: [5, 4] }, data: front.map(({ x, y }) => [x * byX, y * byY]) },
        ],
      },
      legend: named ? [] : front.slice(0, MOST_NAMED).map(({ competitor }) => ({ name: page.competitors[competitor].name, look: lookOf(competitor), shape: "point" })),
      label: `Chart: ${quality.name} over ${cost.name} of ${counted(points.length, "competitor")}; on the front: ${front.map(({ competitor }) => page.competitors[competitor].name).join(", ") || "none"}.`,
      caption: [isLog ? "The horizontal axis is logarithmic." : "", upright.scale ? "The vertical axis does not begin at zero." : "", off.length > 0 ? `Left off the front because of upper bounds or failed cells: ${off.map(({ competitor }) => page.competitors[competitor].name).join(", ")}.` : ""].filter(Boolean).join(" "),
      tip: (at) => tipOf(points[at], cost, quality),
      pick: (at, value) => value === undefined && showCellsOf(points[at].competitor, problem),
      table: () => table(`Medians and front${page.problems.length > 1 ? `: ${problemName(problem)}` : ""}`, ["competitor", cost.name, quality.name, "on the front"], points.map((point) => [
        competitorCell(point.competitor, point.group), exact(point.x, shownValue(cost, point.x)), exact(point.y, shownValue(quality, point.y)), front.includes(point) ? "yes" : "no",
      ])),
    };
  }

  /** Writes names beside points where they cover neither a point nor a name; other names are only in tooltips. */
  function placeNames({ chart: { echarts: drawn, canvas }, names: points }) {
    const pixels = points.map(({ at }) => drawn.convertToPixel({ gridIndex: 0 }, at));
    const taken = pixels.map(([x, y]) => [x - 8, y - 8, x + 8, y + 8]);
    const meets = (one) => taken.some((other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]);
    const labels = points.map(({ name, shown }, at) => {
      const [[x, y], width] = [pixels[at], widthOf([name], 400)];
      const boxes = { right: [x + 9, y - 7, x + 9 + width, y + 7], left: [x - 9 - width, y - 7, x - 9, y + 7], top: [x - width / 2, y - 24, x + width / 2, y - 9], bottom: [x - width / 2, y + 9, x + width / 2, y + 24] };
      const free = Object.entries(boxes).find(([, box]) => box[0] > 0 && box[2] < canvas.clientWidth && !meets(box));
      if (!shown || !free) return { show: false };
      taken.push(free[1]);
      return { show: true, position: free[0], distance: 8, color: colour("ink"), textBorderColor: colour("ground"), textBorderWidth: 2, formatter: () => name };
    });
    const [{ data }] = drawn.getOption().series;
    drawn.setOption({ series: [{ data: data.map((point, at) => ({ ...point, label: labels[at] })) }] });
  }

  /** Pareto front in order of cost: points that no other point beats. */
  function frontOf(points, cost, quality) {
    const costs = (point) => [[cost, point.x], [quality, point.y]].map(([{ better }, value]) => (better === "more" ? -value : value));
    const allowed = points.filter(({ group }) => !group.over_kept && group.n_failed === 0);
    const beats = ([a, b], [c, d]) => a <= c && b <= d && (a < c || b < d);
    return allowed.filter((point) => !allowed.some((other) => beats(costs(other), costs(point)))).sort((one, other) => costs(one)[0] - costs(other)[0] || costs(one)[1] - costs(other)[1]);
  }

  function tipOf({ competitor, group, x, y }, cost, quality) {
    return [markedName(competitor, group), `${cost.name}: ${shownMedian(cost, medianOf(group, cost))}`, `${quality.name}: ${shownMedian(quality, medianOf(group, quality))}`];
  }
})();
