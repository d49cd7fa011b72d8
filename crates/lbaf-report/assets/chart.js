// SPDX-License-Identifier: MIT OR Apache-2.0
// A chart with its legend, a description in words, its numbers as a table, downloads, and navigation by keys.

/** The font of the page. */
const pageFont = getComputedStyle(document.body).fontFamily;

class Chart {
  static all = [];

  /** Replaces all charts by images for printing, or removes the images. Large charts take several frames to draw, for which printing does not wait. */
  static toPaper(paper) {
    if (paper) lazy.all();
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
    this.id = id;
    this.figure = byId(id);
    this.canvas = element("div", { class: "canvas", role: "img", tabindex: "0" });
    this.legend = element("ul", { class: "legend", "aria-label": "Legend" });
    this.caption = element("figcaption");
    this.numbers = element("div");
    this.fold = element("details", { toggle: () => this.fillTable() }, element("summary", {}, "Show as table"), this.numbers);
    this.tools = element("div", { class: "tools" }, ...["SVG", "PNG"].map((kind) => downloadButton(kind, `Save as ${kind}: ${this.figure.dataset.title ?? id}`, () => saveChart(this, kind))));
    this.figure.append(this.legend, this.canvas, this.caption, this.tools, this.fold);
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    this.place = -1;
    new ResizeObserver(() => this.echarts?.resize()).observe(this.canvas);
  }

  /**
   * Shows a chart, given as its description or as a function that returns the description. A description has these members:
   *
   * - `option`: settings of the library, or a function that returns them when the chart comes near the window
   * - `walk`: number of places on the axis, which the arrow keys visit
   * - `legend`: entries `{ name, look, shape }`
   * - `label`, `caption`: the chart in words; how to use the chart
   * - `table()`: the numbers as a table, unless a table is next to the chart
   * - `tip(place)`: lines of the tooltip
   * - `pick(place, value)`: handles a click; in a chart of cells, `pick(column, row)`
   * - `height`: height in files in CSS pixels, unless it is the usual one
   * - `first`, `part(from, to)`, for thinned lines: position of place 0 on the axis; settings that show only these places
   * - `cells`, for a chart of cells: its cells, from `cellsOf`
   */
  show(made) {
    this.make = typeof made === "function" ? made : () => made;
    this.spec = this.make();
    const { legend, label, caption, table: numbersAsTable } = this.spec;
    this.legend.replaceChildren(...legend.map(legendEntry));
    this.caption.textContent = caption;
    this.canvas.setAttribute("aria-label", label);
    this.fold.hidden = !numbersAsTable;
    this.numbers.replaceChildren();
    this.fillTable();
    if (typeof this.spec.option === "function") lazy.draw(this.canvas, () => this.draw());
    else this.draw();
  }

  draw() {
    this.echarts ??= this.begin();
    this.echarts.setOption(this.optionOf(this.spec), { notMerge: true });
    // Tests read the number of drawings.
    this.canvas.dataset.drawn = String(Number(this.canvas.dataset.drawn ?? 0) + 1);
  }

  /** The settings of the library for a description. */
  optionOf({ option, cells }) {
    const ink = colour("ink");
    this.option = typeof option === "function" ? option() : option;
    return {
      animation: false,
      textStyle: { fontFamily: pageFont, color: ink },
      tooltip: {
        trigger: cells ? "none" : "axis", triggerOn: cells ? "none" : "mousemove|click", confine: true,
        backgroundColor: colour("raised"), borderColor: colour("rule"), textStyle: { color: ink },
        axisPointer: { lineStyle: { color: colour("faint") } },
        formatter: (found) => tipElement(this.spec.tip(this.placeOf(Array.isArray(found) ? found[0] : found))),
      },
      ...this.option,
    };
  }

  /** The place of a datum. Thinned lines have fewer points than places, so their points carry positions. */
  placeOf({ dataIndex, value }) {
    if (this.spec.first === undefined) return dataIndex;
    return this.pointed ?? Math.round(value[0]) - this.spec.first;
  }

  begin() {
    const made = echarts.init(this.canvas, null, { renderer: "canvas" });
    const at = ({ offsetX, offsetY }) => (made.containPixel({ gridIndex: 0 }, [offsetX, offsetY]) ? made.convertFromPixel({ gridIndex: 0 }, [offsetX, offsetY]) : undefined);
    made.getZr().on("click", (event) => {
      const [x, y] = at(event) ?? [];
      if (x === undefined || !this.spec.pick) return;
      const { cells, first = 0 } = this.spec;
      if (cells) this.spec.pick(...cells.at(x, y));
      else this.spec.pick(Math.round(x) - first, y);
    });
    made.getZr().on("mousemove", (event) => {
      const { cells } = this.spec;
      if (!cells) return;
      const [x, y] = at(event) ?? [];
      const [column, row] = x === undefined ? [] : cells.at(x, y);
      if (column === undefined) made.dispatchAction({ type: "hideTip" });
      else this.tipAt(column + row * cells.columns, [event.offsetX, event.offsetY]);
    });
    made.getZr().on("globalout", () => this.spec.cells && made.dispatchAction({ type: "hideTip" }));
    made.on("datazoom", () => this.spec.part && made.setOption(this.spec.part(...this.window())));
    return made;
  }

  /** Start and end of the zoom bar in percent, which a redrawn chart keeps. */
  zoomed() {
    const { start = 0, end = 100 } = this.echarts?.getOption()?.dataZoom?.[0] ?? {};
    return { start, end };
  }

  /** The places of thinned lines that the zoom bar selects. */
  window() {
    const { walk: n } = this.spec;
    const { start, end } = this.zoomed();
    return [Math.floor((start / 100) * n), Math.ceil((end / 100) * n)];
  }

  fillTable() {
    const { table: numbersAsTable } = this.spec ?? {};
    if (numbersAsTable && this.fold.open && this.numbers.childElementCount === 0) this.numbers.append(numbersAsTable());
  }

  /** Shows the tooltip of a place, at the given pixel if the library does not know the place. */
  tipAt(place, pixel) {
    const said = this.spec.tip(place);
    if (pixel) this.echarts.dispatchAction({ type: "showTip", x: pixel[0], y: pixel[1], tooltip: { formatter: () => tipElement(said) } });
    else this.echarts.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: place });
    return said;
  }

  /** Arrow keys move along the axis or over cells, + and - zoom, 0 shows all, Enter acts like a click. */
  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.spec) return;
    lazy.now(this.canvas);
    const { walk: n, cells, pick } = this.spec;
    const column = cells?.columns ?? n;
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -Math.ceil(column / 20), PageDown: Math.ceil(column / 20), Home: -n, End: n };
    if (cells) Object.assign(steps, { ArrowUp: -column, ArrowDown: column });
    if (n > 0 && event.key in steps) {
      this.place = Math.min(Math.max(this.place + steps[event.key], 0), n - 1);
      byId("spoken").textContent = this.point(this.place).join(", ");
    } else if (event.key === "Enter" && pick && this.place >= 0 && this.place < n) {
      if (cells) pick(this.place % column, Math.floor(this.place / column));
      else pick(this.place, undefined);
    } else if (["+", "=", "-", "0"].includes(event.key) && this.option.dataZoom) {
      this.zoom({ "+": 0.5, "=": 0.5, "-": 2, 0: Infinity }[event.key]);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Shows the tooltip of the place that a key has selected, and returns its lines. */
  point(place) {
    const { cells, first, walk: n } = this.spec;
    const middle = (at) => this.echarts.convertToPixel({ gridIndex: 0 }, at);
    if (cells) return this.tipAt(place, middle(cells.middle(place % cells.columns, Math.floor(place / cells.columns))));
    if (first === undefined) return this.tipAt(place);
    this.pointed = place;
    const [from, to] = this.window();
    const [x] = middle([first + Math.min(Math.max(place, from), Math.min(to, n) - 1), 0]);
    this.echarts.dispatchAction({ type: "showTip", x, y: this.canvas.clientHeight / 2 });
    this.pointed = undefined;
    return this.spec.tip(place);
  }

  zoom(factor) {
    const { start, end } = this.zoomed();
    const middle = this.place >= 0 && factor < 1 ? ((this.place + 0.5) / this.spec.walk) * 100 : (start + end) / 2;
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
  } else if (shape === "scale") {
    const width = 32 / look.colours.length;
    sample.append(...look.colours.map((fill, at) => svg("rect", { x: at * width, y: 0, width: width + 0.5, height: 12, fill })));
  } else {
    sample.append(svg("path", { d: "M16 0 L22 6 L16 12 L10 6 Z", fill: look.colour }));
  }
  return element("li", {}, sample, name);
}
