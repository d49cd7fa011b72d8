// SPDX-License-Identifier: MIT OR Apache-2.0
// The data of the page, and decoding of packed numbers.

/** Statistics in the order of the page data. */
const MOMENTS = ["sum", "min", "mean", "max", "imbalance", "deviation", "skewness", "kurtosis"];

const page = JSON.parse(byId("data").textContent);
for (const side of page.runs.flatMap(({ phases }) => phases.flatMap(({ quantities }) => quantities.flatMap(Object.values)))) {
  side.moments = side.moments && Object.fromEntries(side.moments.map((value, at) => [MOMENTS[at], value]));
}

const arrays = { f32: Float32Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array };
const unpacked = new WeakMap();

/** The numbers of a column as an array, decoded on first use. */
function numbers(column) {
  if (!unpacked.has(column)) unpacked.set(column, unpack(column));
  return unpacked.get(column);
}

function unpack(column) {
  if (column.type === "constant") return new Float64Array(column.n).fill(column.value);
  if (Uint8Array.fromBase64) return new arrays[column.type](Uint8Array.fromBase64(column.data).buffer);
  const letters = atob(column.data);
  const raw = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) raw[at] = letters.charCodeAt(at);
  return new arrays[column.type](raw.buffer);
}

const sorted = new WeakMap();

/** The ranks in descending order of a column, sorted on first use. Equal values are in rank order. */
function largestFirst(column) {
  if (!sorted.has(column)) {
    const values = numbers(column);
    sorted.set(column, Uint32Array.from(values, (_, at) => at).sort((one, other) => values[other] - values[one] || one - other));
  }
  return sorted.get(column);
}

/** The largest number of a column; 0 if it is empty. */
function largestOf(column) {
  return numbers(column).reduce((found, value) => Math.max(found, value), 0);
}

/** The phase of a run by number; undefined if there is none. */
function phaseOf(run, number) {
  return run.phases.find((phase) => phase.number === number);
}

/** The index of a quantity of a run; -1 if there is none with this key. */
function quantityAt(run, key) {
  return run.quantities.findIndex((quantity) => quantity.key === key);
}

/** A quantity over the ranks of a phase; undefined if there is none with this key. */
function overRanks(run, phase, key) {
  return phase?.quantities[quantityAt(run, key)];
}

/** Neighbours of a rank, with the bytes in both directions. */
function neighboursOf(neighbours, rank) {
  const n = numbers(neighbours.n);
  let first = 0;
  for (let before = 0; before < rank; before += 1) first += n[before];
  const [others, before, after] = [neighbours.rank, neighbours.before, neighbours.after].map(numbers);
  return Array.from({ length: n[rank] }, (_, at) => ({ rank: others[first + at], before: before[first + at], after: after[first + at] }));
}

/** Objects on a rank before or after, in descending order of load. */
function objectsOf(objects, rank) {
  const [from, to, load, id, flags] = [objects.from, objects.to, objects.load, objects.id, objects.flags].map(numbers);
  const found = [];
  for (let at = 0; at < from.length; at += 1) {
    if (from[at] !== rank && to[at] !== rank) continue;
    const isSequence = (flags[at] & 2) !== 0;
    found.push({
      id: `${isSequence ? "seq_id " : ""}${id[at]}`, migratable: (flags[at] & 1) !== 0,
      load: load[at], from: from[at], to: to[at],
    });
  }
  return found.sort((one, other) => other.load - one.load);
}

/** The name of a lower bound, with a condition if the bound need not hold for infeasible placements. */
function boundName(phase, name) {
  const over = page.runs.map((run) => phaseOf(run, phase.number)?.over_bounds.after).filter((after) => after !== undefined);
  const someKeep = over.includes(0) && over.some((after) => after > 0);
  return phase.over_bounds.before > 0 || someKeep ? `${name} within the upper bounds` : name;
}

/** A sentence on the lower bound under the restriction of the strategy; empty unless it exceeds the bound for all placements. */
function restriction(phase, name = "The strategy") {
  if (!phase?.restricted) return "";
  const { keeps, work, limit } = phase.restricted;
  return ` ${name} ${keeps}; the maximum work of such placements is at least ${significant(work)} (${limit}).`;
}

/** The name of an iteration. The last iteration may be the migration reduction, which has no gossip. */
function iterationName({ iterations }, place) {
  const gossips = (iteration) => iteration?.knowledge !== null && iteration?.knowledge !== undefined;
  if (place === 0) return "start";
  return place === iterations.length && gossips(iterations[0]) && !gossips(iterations.at(-1)) ? "migration reduction" : `iteration ${place}`;
}
