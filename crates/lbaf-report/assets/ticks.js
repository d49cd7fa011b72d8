// SPDX-License-Identifier: MIT OR Apache-2.0
// Round ticks on axes of numbered places: ranks, phases, iterations.

/** Smallest step (1, 2 or 5 times a power of ten) that divides a range into at most `most` parts. */
function roundStep(range, most = 8) {
  const power = 10 ** Math.max(Math.floor(Math.log10(range / most)), 0);
  return [1, 2, 5, 10].map((each) => each * power).find((step) => range / step <= most) ?? 1;
}

/** All multiples of a round step from `first` to `last`. */
function roundTicks(first, last, most = 8) {
  const step = roundStep(last - first, most);
  const ticks = [];
  for (let at = Math.ceil(first / step) * step; at <= last; at += step) ticks.push(at);
  return ticks;
}

/** Positions with labels in a list of ascending numbers: the round numbers, or evenly spaced ones if round numbers are too few. */
function labelled(list, most = 8) {
  const step = roundStep(list.at(-1) - list[0], most);
  const places = list.map((_, at) => at);
  const round = places.filter((at) => list[at] % step === 0);
  return new Set(list.length <= most ? places : round.length > 1 ? round : places.filter((at) => at % roundStep(list.length, most) === 0));
}

/** Settings of an axis of numbers with ticks at the given values only. `format` names a tick. */
function ticked(ticks, format = String) {
  return { axisTick: { customValues: ticks }, axisLabel: { color: colour("ink"), hideOverlap: true, customValues: ticks, formatter: format } };
}

/** An axis of places on which lines are drawn: `first` to `last`, with round ticks. */
function lineAxis(name, first, last) {
  return { ...placesAxis(name), type: "value", data: undefined, min: first, max: last, splitLine: { show: false }, ...ticked(roundTicks(first, last)) };
}

/** A category axis of ascending numbers, with labels at round numbers. `nameOf` gives the text of a position. */
function numberedAxis(name, list, nameOf = (at) => String(list[at])) {
  const shown = labelled(list);
  const axis = placesAxis(name, list.map((_, at) => nameOf(at)));
  const interval = (at) => shown.has(at);
  return { ...axis, axisLabel: { ...axis.axisLabel, interval }, axisTick: { ...axis.axisTick, interval } };
}
