// SPDX-License-Identifier: MIT OR Apache-2.0
// Formatting of numbers, as on the console.

/** A number with `digits` significant digits and no trailing zeros; very large and small numbers have an exponent. */
function significant(number, digits = 6) {
  if (number === null || number === undefined) return "";
  if (number === 0) return "0";
  const [mantissa, exponent] = number.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  if (power >= -5 && power < 10) return trimmed(number.toFixed(Math.max(0, digits - 1 - power)));
  return `${trimmed(mantissa)}e${power}`;
}

function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Bytes with a decimal prefix and three significant digits. */
function bytes(number) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
  let scaled = number;
  let unit = 0;
  while (Math.abs(scaled) >= 999.5 && unit + 1 < units.length) {
    scaled /= 1000;
    unit += 1;
  }
  return `${significant(scaled, 3)} ${units[unit]}`;
}

/** A fraction as a percentage: with two significant digits below 10 %, and without decimals from 10 %. */
function percent(share) {
  const percentage = share * 100;
  if (percentage === 0) return "0%";
  if (Math.abs(percentage) < 1e-4) return "less than 0.0001%";
  return Math.abs(percentage) >= 10 ? `${percentage.toFixed(0)}%` : `${significant(percentage, 2)}%`;
}

/** A number without the digits beyond single precision. */
function single(number) {
  return Number.isInteger(number) ? number : Number(number.toPrecision(7));
}

/** "1 rank", "2 ranks". */
function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A load, volume or count with its unit. `digits` is the number of significant digits, except for volumes. */
function measured(number, unit, digits = 6) {
  if (unit === "bytes") return bytes(number);
  const text = significant(number, digits);
  return unit === "seconds" ? `${text} s` : text;
}

/** A load, volume or count in a column. Loads have no unit, because the heading names it. */
function inColumn(number, unit) {
  return unit === "bytes" ? bytes(number) : significant(number);
}

/** The name of a quantity for headings and axes, with the unit of seconds. */
function titled(quantity) {
  return quantity.unit === "seconds" ? `${quantity.name} (s)` : quantity.name;
}
