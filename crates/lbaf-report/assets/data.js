// SPDX-License-Identifier: MIT OR Apache-2.0
// The data of the page, and numbers of all ranks out of their compact form.

/** Statistics in the order in which the page has them. */
const MOMENTS = ["sum", "min", "mean", "max", "imbalance", "deviation", "skewness", "kurtosis"];

const page = JSON.parse(byId("data").textContent);
for (const side of page.runs.flatMap(({ phases }) => phases.flatMap(({ quantities }) => quantities.flatMap(Object.values)))) {
  side.moments = side.moments && Object.fromEntries(side.moments.map((value, at) => [MOMENTS[at], value]));
}

const arrays = { f32: Float32Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array };
const unpacked = new WeakMap();

/** The numbers of a column as an array; unpacked when they are first asked for. */
function numbers(column) {
  if (!unpacked.has(column)) unpacked.set(column, unpack(column));
  return unpacked.get(column);
}

function unpack(column) {
  if (column.type === "constant") return new Float64Array(column.n).fill(column.value);
  const letters = atob(column.data);
  const raw = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) raw[at] = letters.charCodeAt(at);
  return new arrays[column.type](raw.buffer);
}

/** The phase of a run by its number; undefined if it has none. */
function phaseOf(run, number) {
  return run.phases.find((phase) => phase.number === number);
}

/** The place of a quantity among those of a run, -1 if it has none of the name. */
function quantityAt(run, key) {
  return run.quantities.findIndex((quantity) => quantity.key === key);
}

/** A quantity over the ranks of a phase; undefined if there is none of the name. */
function overRanks(run, phase, key) {
  return phase?.quantities[quantityAt(run, key)];
}

/** Ranks that a rank communicates with, and the bytes in both directions. */
function neighboursOf(neighbours, rank) {
  const n = numbers(neighbours.n);
  let first = 0;
  for (let before = 0; before < rank; before += 1) first += n[before];
  const [others, before, after] = [neighbours.rank, neighbours.before, neighbours.after].map(numbers);
  return Array.from({ length: n[rank] }, (_, at) => ({ rank: others[first + at], before: before[first + at], after: after[first + at] }));
}

/** Objects that are on a rank before or after, the largest first. */
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

/** What a lower bound is called: one that holds for placements within the upper bounds says nothing of those beyond them. */
function boundName(phase, name) {
  const over = page.runs.map((run) => phaseOf(run, phase.number)?.over_bounds.after).filter((after) => after !== undefined);
  const someKeep = over.includes(0) && over.some((after) => after > 0);
  return phase.over_bounds.before > 0 || someKeep ? `${name} within the upper bounds` : name;
}

/** What no placement can beat that keeps what the strategy keeps, as a sentence; nothing where that is no more. */
function restriction(phase, name = "The strategy") {
  if (!phase?.restricted) return "";
  const { keeps, work, limit } = phase.restricted;
  return ` ${name} ${keeps}; no placement that does has less maximum work than ${significant(work)} (${limit}).`;
}

/** What a place on the way of a strategy is called. The last may be its way home, in which nobody gossips. */
function iterationName({ iterations }, place) {
  const gossips = (iteration) => iteration?.knowledge !== null && iteration?.knowledge !== undefined;
  if (place === 0) return "start";
  return place === iterations.length && gossips(iterations[0]) && !gossips(iterations.at(-1)) ? "way home" : `iteration ${place}`;
}
