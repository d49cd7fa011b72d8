// SPDX-License-Identifier: MIT OR Apache-2.0
// Downloads: files that the page creates without a network.

/** Saves a file with this name. */
function save(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** A file name from words: letters and digits, joined by hyphens. */
function fileName(words, ending) {
  const plain = words.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${plain.slice(0, 80) || "lbaf"}.${ending}`;
}

/** A button that saves a file. */
function downloadButton(text, name, click) {
  return element("button", { type: "button", class: "small", "aria-label": name, title: name, click }, text);
}

/** A table as CSV, given as rows of texts. */
function csv(rows) {
  return new Blob([rows.map((row) => `${row.map(csvCell).join(",")}\n`).join("")], { type: "text/csv;charset=utf-8" });
}

/** A cell of a CSV file. A text that a spreadsheet may evaluate as a formula gets an apostrophe, as in the files of lbaf. */
function csvCell(text) {
  const shown = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  const isFormula = /^[\s']*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(shown) && !isNumber(shown);
  if (!isFormula && !/[",;]/.test(shown)) return shown;
  return `"${isFormula ? "'" : ""}${shown.replaceAll('"', '""')}"`;
}

/** True for decimal numbers. */
function isNumber(text) {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
}
