// SPDX-License-Identifier: MIT OR Apache-2.0
// Axes, lines and bars of charts.

/** A category axis, for example of ranks, phases or iterations. */
function placesAxis(name, places) {
  return {
    type: "category", data: places, name, nameLocation: "middle", nameGap: 28, nameTextStyle: { color: colour("ink") },
    axisLabel: { color: colour("ink"), hideOverlap: true }, axisLine: { lineStyle: { color: colour("faint") } },
    axisTick: { alignWithLabel: true },
  };
}

/** A value axis, which includes zero by default. */
function valuesAxis(name, unit, more = {}) {
  return {
    type: "value", name, nameLocation: "end", nameTextStyle: { color: colour("ink"), align: "left" },
    axisLabel: { color: colour("ink"), hideOverlap: true, formatter: (value) => (unit === "bytes" ? bytes(value) : significant(value, 5)) },
    splitLine: { lineStyle: { color: colour("rule"), width: 0.5 } }, ...more,
  };
}

/** A value axis from zero, or over the range of the values if all exceed half of the largest. */
function focusedAxis(name, values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (!(least > most / 2)) return valuesAxis(name, "count", { min: 0 });
  const digits = Math.min(Math.max(Math.ceil(Math.log10(most / Math.max(most - least, most * 1e-12))) + 2, 5), 15);
  const axisLabel = { color: colour("ink"), hideOverlap: true, formatter: (value) => significant(value, digits) };
  return valuesAxis(name, "count", { scale: true, axisLabel });
}

/** Position of the axes; `zoom` reserves space for the bar below. */
function grid(zoom) {
  return { left: 8, right: 20, top: 34, bottom: zoom ? 66 : 34, containLabel: true };
}

/** Zoom with the bar below the axis, or with Ctrl and the mouse wheel. `edges` are the chosen start and end in percent. */
function zooming(wanted, edges = {}) {
  if (!wanted) return undefined;
  return [
    { type: "slider", ...edges, filterMode: "none", height: 20, bottom: 6, showDataShadow: false, showDetail: false, brushSelect: false, borderColor: colour("rule"), fillerColor: "rgba(110,140,170,0.3)" },
    { type: "inside", ...edges, filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseMove: "shift" },
  ];
}

/** A line through values, one per place. */
function lineSeries(look, data, more = {}) {
  return {
    type: "line", data, symbol: look.symbol ?? "none", showSymbol: data.length <= 40 && look.symbol !== undefined, symbolSize: 7, sampling: "minmax",
    lineStyle: { color: look.colour, width: look.width, type: look.type }, itemStyle: { color: look.colour }, emphasis: { disabled: true }, ...more,
  };
}

/** Bars from zero, one per place. */
function barSeries(look, data, more = {}) {
  return {
    // The library would treat a typed array as a list of points.
    type: "bar", data: Array.from(data), barMaxWidth: 40, barGap: "10%",
    itemStyle: { color: look.fill, borderColor: look.colour, borderWidth: 1 }, emphasis: { disabled: true }, ...more,
  };
}

/** A horizontal line over the whole width. The range of the axis includes it. */
function levelSeries(look, value, n) {
  const line = { color: look.colour, width: look.width, type: look.type };
  return {
    type: "line", data: new Array(n).fill(value), symbol: "none", sampling: "minmax", silent: true, lineStyle: { opacity: 0 },
    // Without a precision, the library rounds to two decimals, which moves the line.
    markLine: { silent: true, symbol: "none", precision: 20, label: { show: false }, lineStyle: line, data: [{ yAxis: value }] },
  };
}
