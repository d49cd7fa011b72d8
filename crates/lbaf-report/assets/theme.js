// SPDX-License-Identifier: MIT OR Apache-2.0
// Light and dark themes, by default the theme of the system.

/** Width of charts on paper in CSS pixels: A4 and letter without margins. */
const PAPER_WIDTH = 680;

/** Colours of the current theme, stored because reading a style makes the browser recompute all changed styles. */
const colours = new Map();

const theme = (() => {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const listeners = [];

  /** Applies the theme; paper is always light. */
  function apply(paper = false) {
    const { theme: wanted } = state.chosen;
    const dark = !paper && (wanted === "dark" || (wanted === "auto" && system.matches));
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.style.colorScheme = dark ? "dark" : "light";
    colours.clear();
  }

  function change(paper) {
    apply(paper);
    for (const listener of listeners) listener();
    Chart.toPaper(paper);
  }

  /** Does work with the colours of paper, for example to save a file. */
  function onPaper(work) {
    apply(true);
    try {
      return work();
    } finally {
      apply();
    }
  }

  system.addEventListener("change", () => change(false));
  window.addEventListener("beforeprint", () => change(true));
  window.addEventListener("afterprint", () => change(false));
  apply();
  return { apply, onPaper, listen: (listener) => listeners.push(listener) };
})();

/** A colour of the style sheet, for charts. */
function colour(name) {
  if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return colours.get(name);
}

/** Styles of series. They also differ in width, dashes or symbols, not only in colour. */
function looks() {
  return {
    before: { colour: colour("before"), fill: colour("before-fill"), type: "solid", width: 3, symbol: "emptyCircle" },
    after: { colour: colour("run-0"), fill: colour("run-0"), type: "solid", width: 1.75, symbol: "rect" },
    other: { colour: colour("run-1"), fill: colour("run-1"), type: [8, 3], width: 1.75, symbol: "triangle" },
    mean: { colour: colour("faint"), type: [5, 5], width: 1.25 },
    bound: { colour: colour("bound"), type: [1.5, 3], width: 1.75 },
    restricted: { colour: colour("bound"), type: [1.5, 9], width: 1.75 },
    chosen: { colour: colour("ink"), symbol: "diamond" },
  };
}

/** Dashes and symbols of runs, repeated for further runs. */
const RUN_DASHES = ["solid", [8, 3], [12, 3, 3, 3], [4, 2], [14, 5], [6, 2, 1, 2], [2, 2], [10, 2, 2, 2, 2, 2]];
const RUN_SYMBOLS = ["rect", "triangle", "circle", "diamond", "roundRect", "pin", "arrow", "emptyRect"];

/** The style of the result of a run, the same in all charts. */
function runLook(run) {
  const at = page.runs.indexOf(run) % RUN_DASHES.length;
  return { colour: colour(`run-${at}`), fill: colour(`run-${at}`), type: RUN_DASHES[at], width: 1.75, symbol: RUN_SYMBOLS[at] };
}
