// SPDX-License-Identifier: MIT OR Apache-2.0
// The current selection on the page of a study.

/** Maximum number of rows for which the page initially shows the medians of all problems. */
const MOST_OPENED = 24;

/** Axes of the heat map and of filters: those with several choices, and the phase if it varies. */
const dimensions = (() => {
  const phases = [...new Set(rows.map(({ phase }) => phase).filter((phase) => phase !== null))].sort((one, other) => one - other);
  const found = page.axes.map(({ name, role, choices }, at) => ({ key: name, name, role, labels: choices, of: (row) => row.choices[at] }));
  const place = new Map(phases.map((phase, at) => [phase, at]));
  found.push({ key: "phase", name: "phase", role: "problem", labels: phases.map(String), of: (row) => place.get(row.phase) ?? null });
  return found.filter(({ labels }) => labels.length > 1);
})();

const state = (() => {
  const [objective] = page.quantities;
  const costs = measuredQuantities.filter(({ key, better }) => better === "less" && key !== objective.key);
  const cost = costs.find(({ key }) => key === "migrations") ?? costs[0];
  const ofRole = (...roles) => roles.flatMap((role) => dimensions.filter((axis) => axis.role === role)).map(({ key }) => key);
  const [down = "", across = ""] = ofRole("competitor", "problem", "repetition");
  const defaults = {
    problem: page.groups.length <= MOST_OPENED && page.problems.length > 1 ? -1 : 0, quantity: objective?.key ?? "", scale: "linear", cost: cost?.key ?? "", quality: objective?.key ?? "",
    across, down, only: "", search: "", cell: rows[0]?.cell ?? 0, theme: "auto",
  };

  /** Replaces invalid settings by valid ones. */
  function sensible(kept) {
    if (!(kept.problem >= -1 && kept.problem < page.problems.length)) kept.problem = defaults.problem;
    if (kept.problem === -1 && page.problems.length < 2) kept.problem = 0;
    for (const key of ["quantity", "cost", "quality"]) if (!measuredQuantities.some((quantity) => quantity.key === kept[key])) kept[key] = defaults[key];
    for (const key of ["across", "down"]) if (!dimensions.some((axis) => axis.key === kept[key]) && kept[key] !== "") kept[key] = defaults[key];
    if (kept.across === kept.down) kept.across = "";
    if (!rows.some(({ cell }) => cell === kept.cell)) kept.cell = defaults.cell;
    for (const [key, values] of Object.entries({ scale: ["linear", "log"], theme: ["auto", "light", "dark"] })) if (!values.includes(kept[key])) [kept[key]] = values;
    return kept;
  }

  return selection(defaults, sensible);
})();

/** The selection with its quantities, problems and axes. */
function view() {
  const { chosen } = state;
  const named = (key) => page.quantities[quantityAt(key)];
  return {
    ...chosen,
    quantity: named(chosen.quantity), cost: named(chosen.cost), quality: named(chosen.quality),
    problems: chosen.problem === -1 ? page.problems.map((_, at) => at) : [chosen.problem],
    across: dimensions.find(({ key }) => key === chosen.across), down: dimensions.find(({ key }) => key === chosen.down),
    only: chosen.only.split(",").filter(Boolean).map((part) => part.split(":").map(Number)).filter(([axis, choice]) => dimensions[axis]?.labels[choice] !== undefined),
  };
}
