// SPDX-License-Identifier: MIT OR Apache-2.0
// Charts as files: SVG, or PNG in print resolution. Files have light colours, the width of a page of a paper, and the legend.

/** Text in files: text size and line height of the legend in CSS pixels, and font. Quotes in the font would end an SVG attribute. */
const EXPORTED = { text: 13, line: 20, font: "Arial, Helvetica, sans-serif" };

/** Saves a chart as a file. */
function saveChart(chart, kind) {
  const { option, width, height } = theme.onPaper(() => exported(chart));
  const name = fileName(`${chart.id} ${chart.spec.file ?? ""}`, kind.toLowerCase());
  const settings = { width, height, renderer: kind === "SVG" ? "svg" : "canvas", ssr: kind === "SVG" };
  const drawn = echarts.init(kind === "SVG" ? null : element("div"), null, settings);
  drawn.setOption(option);
  if (kind === "SVG") {
    save(name, new Blob([drawn.renderToSVGString()], { type: "image/svg+xml" }));
    drawn.dispose();
  } else {
    drawn.renderToCanvas({ pixelRatio: 3, backgroundColor: "#ffffff" }).toBlob((blob) => {
      drawn.dispose();
      save(name, blob);
    });
  }
}

/** The settings of the library for the file of a chart, and its size. */
function exported(chart) {
  const spec = chart.make();
  const option = chart.optionOf(spec);
  if (spec.part) {
    const part = spec.part(...chart.window());
    Object.assign(option, part, { xAxis: { ...option.xAxis, ...part.xAxis } });
  }
  const { elements, height: top } = exportedLegend(spec.legend);
  const { top: space = 34, bottom = 34, ...sides } = option.grid ?? {};
  // Files have no zoom bar, but keep its range.
  const dataZoom = option.dataZoom ? [{ type: "inside", ...chart.zoomed(), filterMode: "none" }] : undefined;
  const height = (spec.height ?? (spec.cells?.square ? PAPER_WIDTH : 360)) + top;
  return {
    width: PAPER_WIDTH, height,
    option: {
      ...option, dataZoom, textStyle: { fontFamily: EXPORTED.font, color: colour("ink") }, backgroundColor: "#ffffff", graphic: elements,
      grid: { ...sides, top: space + top, bottom: option.dataZoom ? 34 : bottom },
    },
  };
}

/** The legend as shapes, in as many lines as it needs. */
function exportedLegend(legend) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${EXPORTED.text}px ${EXPORTED.font}`;
  const elements = [];
  let [x, y] = [8, 8];
  for (const entry of legend) {
    const width = 40 + context.measureText(entry.name).width + 18;
    if (x > 8 && x + width > PAPER_WIDTH) [x, y] = [8, y + EXPORTED.line];
    elements.push(...sample(entry, x, y), { type: "text", x: x + 40, y: y + 1, silent: true, style: { text: entry.name, font: context.font, fill: colour("ink"), verticalAlign: "top" } });
    x += width;
  }
  return { elements, height: legend.length > 0 ? y + EXPORTED.line : 0 };
}

/** The sample of an entry of the legend at a position. */
function sample({ look, shape = "line" }, x, y) {
  const middle = y + 7;
  if (shape === "line") return [{ type: "line", silent: true, shape: { x1: x, x2: x + 32, y1: middle, y2: middle }, style: { stroke: look.colour, lineWidth: look.width, lineDash: Array.isArray(look.type) ? look.type : undefined } }];
  if (shape === "bar") return [{ type: "rect", silent: true, shape: { x: x + 1, y: y + 2, width: 30, height: 10 }, style: { fill: look.fill, stroke: look.colour } }];
  if (shape === "scale") {
    const width = 32 / look.colours.length;
    return look.colours.map((fill, at) => ({ type: "rect", silent: true, shape: { x: x + at * width, y: y + 1, width, height: 12 }, style: { fill } }));
  }
  return [{ type: "polygon", silent: true, shape: { points: [[x + 16, middle - 6], [x + 22, middle], [x + 16, middle + 6], [x + 10, middle]] }, style: { fill: look.colour } }];
}
