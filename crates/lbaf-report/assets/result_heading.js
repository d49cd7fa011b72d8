// SPDX-License-Identifier: MIT OR Apache-2.0
// Heading of a page of results: sentences, warnings, notes and settings.

/** Fills the heading. `warnings` and `notes` are sentences. */
function showResultHeading({ title, sentences, warnings, notes, left_out: leftOut, facts }) {
  byId("title").textContent = title;
  fill("sentences", ...sentences.map((sentence) => element("p", {}, sentence)));
  const remarks = (texts, kind, word) => texts.map((text) => element("p", { class: kind }, element("strong", {}, `${word}: `), text));
  fill("remarks", ...remarks(warnings, "remark", "Warning"), ...remarks(notes, "note", "Note"), ...remarks(leftOut, "note", "Not on this page"));
  fill("facts", ...facts.flatMap(({ label, value, settings }) => {
    const list = settings.map(([name, setting]) => element("li", {}, `${name}: ${setting}`));
    return [element("dt", {}, label), element("dd", {}, value, list.length > 0 ? element("ul", {}, ...list) : null)];
  }));
  byId("made-by").textContent = `Made by lbaf ${page.lbaf} report. Charts by Apache ECharts (Apache License 2.0).`;
  byId("skip").addEventListener("click", () => byId("main").focus());
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  for (const link of document.querySelectorAll("[data-to]")) {
    link.addEventListener("click", () => {
      byId(link.dataset.to).scrollIntoView();
      byId(link.dataset.to).focus({ preventScroll: true });
    });
  }
}

/** Number of series with different colours. */
const N_COLOURS = 8;
const SHAPES = ["circle", "rect", "triangle", "diamond", "pin", "roundRect"];

/** Style of a series by its number: the same in all charts of a page. Colour and shape together differ for 24 series. */
function seriesLook(number) {
  const shade = colour(`series-${number % N_COLOURS}`);
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
  sample.append(svg("rect", { x: 1, y: 1, width: 14, height: 10, fill: `var(--series-${number % N_COLOURS})` }));
  return sample;
}
