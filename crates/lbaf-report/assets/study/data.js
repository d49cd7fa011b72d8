// SPDX-License-Identifier: MIT OR Apache-2.0
// The data of the page of a study, and access to medians and cells.

const page = JSON.parse(byId("data").textContent);

const groups = new Map(page.groups.map((group) => [`${group.problem} ${group.competitor}`, group]));

/** Results of a competitor on a problem; undefined if it has no cell there. */
function groupOf(problem, competitor) {
  return groups.get(`${problem} ${competitor}`);
}

/** The position of a quantity; -1 if there is none with this key. */
function quantityAt(key) {
  return page.quantities.findIndex((quantity) => quantity.key === key);
}

/** Quantities with a median on some problem. */
const measuredQuantities = page.quantities.filter((_, at) => page.groups.some(({ medians }) => medianAt(medians, at) !== null));

function medianAt(medians, at) {
  const found = medians[at] ?? null;
  if (found === null) return null;
  const [value, low, high] = Array.isArray(found) ? found : [found, found, found];
  return { value, low, high, several: Array.isArray(found) };
}

/** The median of a quantity with the endpoints of its interval; null if unknown. */
function medianOf(group, quantity) {
  return group ? medianAt(group.medians, quantityAt(quantity.key)) : null;
}

/** Positions of competitors in the order of the ranking; those without a place come last. */
const ranked = page.competitors
  .map((competitor, at) => ({ at, place: competitor.mean_place ?? Infinity }))
  .sort((one, other) => one.place - other.place || one.at - other.at)
  .map(({ at }) => at);

/** Name of a problem; a single problem has none. */
function problemName(problem) {
  return page.problems[problem].name || "the problem";
}

/** The name of a quantity with its unit, for axes. */
function quantityTitle({ name, kind }) {
  const unit = { seconds: " (s)", share: " (%)" }[kind] ?? "";
  return name + unit;
}

/** The factor of the values of a quantity on axes. */
function scaleOf({ kind }) {
  return kind === "share" ? 100 : 1;
}

/** A value axis of a quantity: over the range of the values if all exceed a quarter of the largest, else from zero. */
function quantityAxis(quantity, values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const digits = Math.min(Math.max(Math.ceil(Math.log10(most / Math.max(most - least, most * 1e-12))) + 2, 4), 15);
  const formatter = quantity.kind === "bytes" ? bytes : (value) => significant(value, digits);
  return valuesAxis(quantityTitle(quantity), "count", { ...(least > most / 4 ? { scale: true } : { min: 0 }), axisLabel: { color: colour("ink"), hideOverlap: true, formatter } });
}

/** A value of a quantity as text, with its unit. */
function shownValue({ kind }, value, digits = 4) {
  if (value === null || value === undefined) return "";
  if (kind === "bytes") return bytes(value);
  if (kind === "share") return percent(value);
  return kind === "seconds" ? `${significant(value, digits)} s` : significant(value, kind === "count" ? 10 : digits);
}

/** A median with its interval as text. */
function shownMedian(quantity, median) {
  if (median === null) return "";
  const [value, low, high] = [median.value, median.low, median.high].map((number) => shownValue(quantity, number));
  return low === high ? value : `${value} [${low}, ${high}]`;
}

/** The rows of the table of cells, with named members. */
const rows = page.cells.cell.map((cell, at) => ({
  at, cell,
  choices: page.axes.map((_, axis) => page.cells.choices[axis][at]),
  phase: page.cells.phase[at] ?? null,
  problem: page.cells.problem[at], competitor: page.cells.competitor[at],
  strategy: page.cells.strategies[page.cells.strategy[at]] ?? "",
  error: page.cells.error[at] === null ? null : page.cells.errors[page.cells.error[at]],
  same: page.cells.same_as[at], over: page.cells.over[at],
}));

/** The value of a quantity of a row; null if it is unknown. */
function valueOf(row, quantity) {
  return page.cells.values[quantityAt(quantity.key)]?.[row.at] ?? null;
}

/** The median of numbers, as in the tables: for an even number, the mean of the middle two. */
function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
