// SPDX-License-Identifier: MIT OR Apache-2.0
// Light and dark themes. By default, the theme is that of the system.

/** Width of charts on paper in CSS pixels: A4 and letter without margins. */
const PAPER_WIDTH = 680;

const theme = (() => {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const listeners = [];

  /** Applies the theme; paper is always light. */
  function apply(paper = false) {
    const { theme: wanted } = state.chosen;
    const dark = !paper && (wanted === "dark" || (wanted === "auto" && system.matches));
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.style.colorScheme = dark ? "dark" : "light";
  }

  function change(paper) {
    apply(paper);
    for (const listener of listeners) listener();
    Chart.toPaper(paper);
  }

  system.addEventListener("change", () => change(false));
  window.addEventListener("beforeprint", () => change(true));
  window.addEventListener("afterprint", () => change(false));
  apply();
  return { apply, listen: (listener) => listeners.push(listener) };
})();

/** A colour of the style sheet, for charts. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Styles of series. They also differ in width, dashes or symbols, not only in colour. */
function looks() {
  return {
    before: { colour: colour("before"), fill: colour("before-fill"), type: "solid", width: 3, symbol: "emptyCircle" },
    after: { colour: colour("after"), fill: colour("after"), type: "solid", width: 1.75, symbol: "rect" },
    other: { colour: colour("other"), fill: colour("other"), type: [8, 3], width: 1.75, symbol: "triangle" },
    mean: { colour: colour("faint"), type: [5, 5], width: 1.25 },
    bound: { colour: colour("bound"), type: [1.5, 3], width: 1.75 },
    restricted: { colour: colour("bound"), type: [1.5, 9], width: 1.75 },
    chosen: { colour: colour("ink"), symbol: "diamond" },
  };
}
