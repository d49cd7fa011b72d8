// SPDX-License-Identifier: MIT OR Apache-2.0
// The current selection on the page of runs.

/** Values of the run to compare with: no run, and all other runs. */
const [NONE, ALL] = [-1, -2];

const state = (() => {
  const first = page.runs[0];
  const work = (phase) => overRanks(first, phase, "work").before.moments.max;
  // As on the console: the phase with the largest maximum work before balancing; of equal phases, the last.
  const longest = first?.phases.reduce((found, phase) => (work(phase) >= work(found) ? phase : found), first.phases[0]);
  const defaults = {
    a: 0, b: page.runs.length > 1 ? ALL : NONE, phase: longest?.number ?? 0, rank: 0, quantity: "work", order: "sorted",
    when: "after", scale: "linear", measure: "max_work", iteration: -1, theme: "auto",
  };

  /** Replaces invalid settings by valid ones. */
  function sensible(kept) {
    const runs = page.runs.length;
    if (!(kept.a >= 0 && kept.a < runs)) kept.a = 0;
    if (!(kept.b >= ALL && kept.b < runs)) kept.b = NONE;
    const run = page.runs[kept.a];
    if (!phaseOf(run, kept.phase)) kept.phase = run.phases[0].number;
    kept.rank = Math.min(Math.max(kept.rank, 0), run.n_ranks - 1);
    if (quantityAt(run, kept.quantity) < 0) kept.quantity = "load";
    for (const [key, values] of Object.entries({ order: ["sorted", "rank"], when: ["before", "after"], scale: ["linear", "log"], theme: ["auto", "light", "dark"] })) {
      if (!values.includes(kept[key])) [kept[key]] = values;
    }
    return kept;
  }

  return selection(defaults, sensible);
})();

/** The name of the run for headings, if there are several runs. */
function ofRun(run) {
  return page.runs.length > 1 ? `: ${run.name}` : "";
}

/** Maximum number of runs in a chart: the number of styles. */
const MOST_RUNS = 8;

/** The selected run and phase, and `others`: the other runs to compare, with their phases. */
function view() {
  const { chosen } = state;
  const run = page.runs[chosen.a];
  const compared = page.runs.filter((each, at) => each !== run && (chosen.b === ALL || at === chosen.b)).slice(0, MOST_RUNS - 1);
  return {
    ...chosen, run,
    others: compared.map((each) => ({ run: each, phase: phaseOf(each, chosen.phase) })),
    phase: phaseOf(run, chosen.phase),
    quantity: run.quantities[quantityAt(run, chosen.quantity)],
  };
}
