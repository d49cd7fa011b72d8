// SPDX-License-Identifier: MIT OR Apache-2.0
// A chart with its legend, a description in words, its numbers as a table, and navigation by keys.

class Chart {
  static all = [];

  /**
   * Replaces every chart by an image for printing, or removes the image. Images are needed because large charts are drawn over several frames,
   * for which printing does not wait, and because paper has a higher resolution.
   */
  static toPaper(paper) {
    for (const { echarts: drawn, canvas } of Chart.all) {
      canvas.querySelector(".print")?.remove();
      drawn?.resize({ width: paper ? PAPER_WIDTH : "auto" });
      if (!paper || !drawn) continue;
      const print = drawn.renderToCanvas({ pixelRatio: Math.max(3, 1 + window.devicePixelRatio), backgroundColor: colour("ground") });
      print.className = "print";
      print.removeAttribute("style");
      canvas.append(print);
    }
  }

  constructor(id) {
    Chart.all.push(this);
    this.figure = byId(id);
    this.canvas = element("div", { class: "canvas", role: "img", tabindex: "0" });
    this.legend = element("ul", { class: "legend", "aria-label": "Legend" });
    this.caption = element("figcaption");
    this.numbers = element("div");
    this.fold = element("details", { toggle: () => this.fillTable() }, element("summary", {}, "Show as table"), this.numbers);
    this.figure.append(this.legend, this.canvas, this.caption, this.fold);
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    this.place = -1;
    new ResizeObserver(() => this.echarts?.resize()).observe(this.canvas);
  }

  /**
   * Shows the chart that `option` describes to the library. Its axis has `walk` places, which the arrow keys visit. `legend` has entries
   * `{ name, look, shape }`, `label` describes the chart in words, and `caption` explains how to use it. `table()` returns the numbers as a
   * table, if there is no table next to the chart. `tip(place)` returns the lines of the tooltip for a place on the axis, and
   * `pick(place, value)` handles a click.
   */
  show({ option, walk, legend, label, caption, table: numbersAsTable, tip, pick }) {
    this.echarts ??= this.begin();
    Object.assign(this, { tip, pick, makeTable: numbersAsTable, option, walk });
    this.legend.replaceChildren(...legend.map(legendEntry));
    this.caption.textContent = caption;
    this.canvas.setAttribute("aria-label", label);
    const ink = colour("ink");
    this.echarts.setOption({
      animation: false,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: ink },
      tooltip: {
        trigger: "axis", confine: true, backgroundColor: colour("raised"), borderColor: colour("rule"), textStyle: { color: ink },
        axisPointer: { lineStyle: { color: colour("faint") } },
        formatter: (found) => tipElement(this.tip((Array.isArray(found) ? found[0] : found).dataIndex)),
      },
      ...option,
    }, { notMerge: true });
    this.fold.hidden = !numbersAsTable;
    this.numbers.replaceChildren();
    this.fillTable();
  }

  begin() {
    const made = echarts.init(this.canvas, null, { renderer: "canvas" });
    made.getZr().on("click", ({ offsetX, offsetY }) => {
      if (!this.pick || !made.containPixel({ gridIndex: 0 }, [offsetX, offsetY])) return;
      const [place, value] = made.convertFromPixel({ gridIndex: 0 }, [offsetX, offsetY]);
      this.pick(Math.round(place), value);
    });
    return made;
  }

  fillTable() {
    if (this.makeTable && this.fold.open && this.numbers.childElementCount === 0) this.numbers.append(this.makeTable());
  }

  /** Arrow keys move along the axis, + and - zoom, 0 shows all, Enter acts like a click. */
  onKey(event) {
    const n = this.walk;
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -Math.ceil(n / 20), PageDown: Math.ceil(n / 20), Home: -n, End: n };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (n > 0 && event.key in steps) {
      this.place = Math.min(Math.max(this.place + steps[event.key], 0), n - 1);
      this.echarts.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: this.place });
      byId("spoken").textContent = this.tip(this.place).join(", ");
    } else if (event.key === "Enter" && this.pick && this.place >= 0 && this.place < n) {
      this.pick(this.place, undefined);
    } else if (["+", "=", "-", "0"].includes(event.key) && this.option.dataZoom) {
      this.zoom({ "+": 0.5, "=": 0.5, "-": 2, 0: Infinity }[event.key]);
    } else {
      return;
    }
    event.preventDefault();
  }

  zoom(factor) {
    const { start, end } = this.echarts.getOption().dataZoom[0];
    const middle = this.place >= 0 && factor < 1 ? ((this.place + 0.5) / this.walk) * 100 : (start + end) / 2;
    const half = Math.min(((end - start) / 2) * factor, 50);
    const first = Math.min(Math.max(middle - half, 0), 100 - 2 * half);
    this.echarts.dispatchAction({ type: "dataZoom", start: first, end: first + 2 * half });
  }
}

/** Content of the tooltip at the pointer: one line per text. */
function tipElement(lines) {
  return element("div", { class: "tip" }, ...lines.map((line) => element("p", {}, line)));
}

/** An entry of a legend, in the style of the chart. */
function legendEntry({ name, look, shape = "line" }) {
  const svg = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const sample = svg("svg", { viewBox: "0 0 32 12", "aria-hidden": "true" });
  if (shape === "line") {
    const dashes = Array.isArray(look.type) ? look.type.join(" ") : "none";
    sample.append(svg("line", { x1: 0, x2: 32, y1: 6, y2: 6, stroke: look.colour, "stroke-width": look.width, "stroke-dasharray": dashes }));
  } else if (shape === "bar") {
    sample.append(svg("rect", { x: 1, y: 1, width: 30, height: 10, fill: look.fill, stroke: look.colour }));
  } else {
    sample.append(svg("path", { d: "M16 0 L22 6 L16 12 L10 6 Z", fill: look.colour }));
  }
  return element("li", {}, sample, name);
}

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

/**
 * A value axis that starts at zero. If all values exceed half of the largest value, their differences would be hard to see; the axis then
 * has `scale` set and covers about the range of the values, and its labels have enough digits to be distinct.
 */
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

/** Zoom with the bar below the axis, or with Ctrl and the mouse wheel. */
function zooming(wanted) {
  if (!wanted) return undefined;
  return [
    { type: "slider", height: 20, bottom: 6, showDataShadow: false, showDetail: false, brushSelect: false, borderColor: colour("rule"), fillerColor: "rgba(110,140,170,0.3)" },
    { type: "inside", zoomOnMouseWheel: "ctrl", moveOnMouseMove: "shift" },
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
    type: "bar", data, barMaxWidth: 40, barGap: "10%",
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
