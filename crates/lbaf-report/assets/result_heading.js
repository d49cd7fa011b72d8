// SPDX-License-Identifier: MIT OR Apache-2.0
// Heading of a page of results: sentences, warnings, notes and settings.

/** Number of remarks shown outside the fold. */
const MOST_REMARKS = 3;

/** Fills the heading. `warnings` and `notes` are sentences. */
function showResultHeading({ title, sentences, warnings, notes, left_out: leftOut, facts }) {
  byId("title").textContent = title;
  fill("sentences", ...sentences.map((sentence) => element("p", {}, sentence)));
  const remarks = (texts, kind, word) => texts.map((text) => element("p", { class: kind }, element("strong", {}, `${word}: `), text));
  const all = [...remarks(warnings, "remark", "Warning"), ...remarks(notes, "note", "Note"), ...remarks(leftOut, "note", "Not on this page")];
  const more = all.splice(MOST_REMARKS);
  fill("remarks", ...all, more.length > 0 ? element("details", {}, element("summary", {}, `${counted(more.length, "more remark")}`), ...more) : null);
  fill("facts", ...facts.flatMap(({ label, value, settings }) => {
    const list = settings.map(([name, setting]) => element("li", {}, `${name}: ${setting}`));
    return [element("dt", {}, label), element("dd", {}, value, list.length > 0 ? element("ul", {}, ...list) : null)];
  }));
  byId("made-by").textContent = `This page was made by lbaf report ${page.lbaf}. Charts by Apache ECharts (Apache License 2.0).`;
  byId("skip").addEventListener("click", () => byId("main").focus());
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
}

/** Number of series with different colours. */
const N_COLOURS = 8;
const SHAPES = ["circle", "rect", "triangle", "diamond", "path://M0,0L10,0L5,9Z", "path://M2,0L5,3L8,0L10,2L7,5L10,8L8,10L5,7L2,10L0,8L3,5L0,2Z"];

/** Style of a series by number, the same in all charts. Colour and shape together distinguish 24 series. */
function seriesLook(number) {
  const shade = colour(`run-${number % N_COLOURS}`);
  const dashes = ["solid", [8, 3], [2, 3]][Math.floor(number / N_COLOURS) % 3];
  return { colour: shade, fill: shade, type: dashes, width: 2, symbol: SHAPES[number % SHAPES.length] };
}

/** The sample of a series in a table: a square of its colour. */
function swatch(number) {
  const svg = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const sample = svg("svg", { viewBox: "0 0 16 12", class: "swatch", "aria-hidden": "true" });
  sample.append(svg("rect", { x: 1, y: 1, width: 14, height: 10, fill: `var(--run-${number % N_COLOURS})` }));
  return sample;
}

/** The width of the longest of several axis labels in pixels, at most `most`. */
function widthOf(texts, most) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return Math.min(most, Math.ceil(Math.max(0, ...texts.map((text) => context.measureText(text).width * 1.08))));
}

/** A vertical axis of names with the first name at the top, and the space it needs at the left. */
function namesAxis(names, more = {}) {
  const width = widthOf(names, Math.max(110, Math.min(220, window.innerWidth / 3)));
  const axis = {
    type: "category", inverse: true, data: names, axisLine: { lineStyle: { color: colour("faint") } }, axisTick: { show: false },
    axisLabel: { color: colour("ink"), interval: 0, width, overflow: "truncate", ...more },
  };
  return { axis, left: width + 14 };
}

/** Shows a section and moves the focus to its heading. */
function goTo(id) {
  byId(id).tabIndex = -1;
  byId(id).scrollIntoView();
  byId(id).focus({ preventScroll: true });
}
