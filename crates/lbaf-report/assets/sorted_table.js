// SPDX-License-Identifier: MIT OR Apache-2.0
// Tables whose rows are sorted by a column, with a button in each heading.

/** Number of rows of a sorted table; a search narrows larger tables. */
const MOST_SORTED = 1000;

/**
 * A table whose rows are sorted by the column `sort`, in descending order if the name of the column follows a `-`. Each column has a `key`, a
 * `name`, `of(row)` for the value by which rows are sorted, and `cell(row)` for the content of a cell. `choose(sort)` handles a press on a heading.
 */
function sortedTable(caption, columns, rows, sort, choose) {
  const down = sort.startsWith("-");
  const by = columns.find(({ key }) => key === sort.slice(down ? 1 : 0));
  const ordered = by ? [...rows].sort((one, other) => comparedCells(by.of(one), by.of(other), down)) : rows;
  const head = ({ key, name, kind }) => {
    const next = sort === key ? `-${key}` : key;
    return { kind, cell: element("button", { type: "button", class: "link", "data-sort": key, click: () => choose(next) }, name) };
  };
  const cells = (row) => columns.map((column) => (column.kind === undefined ? column.cell(row) : { kind: column.kind, cell: column.cell(row) }));
  const more = ordered.length > MOST_SORTED ? `: the first ${MOST_SORTED} of ${ordered.length} rows` : "";
  const made = table(caption + more, columns.map(head), ordered.slice(0, MOST_SORTED).map((row) => ({ cells: cells(row), chosen: row.chosen })));
  const heads = made.querySelectorAll("thead th");
  if (by) heads[columns.indexOf(by)].setAttribute("aria-sort", down ? "descending" : "ascending");
  return made;
}

/** Replaces a sorted table; the heading that had the focus keeps it. */
function replaceSorted(id, made) {
  const held = document.activeElement?.closest(`#${id} [data-sort]`)?.dataset.sort;
  fill(id, made);
  if (held !== undefined) byId(id).querySelector(`[data-sort="${CSS.escape(held)}"]`)?.focus();
}

/** The order of two values. Missing values come last in both directions. */
function comparedCells(one, other, down) {
  const [lacks, lackss] = [one, other].map((value) => value === null || value === undefined || value === "");
  if (lacks || lackss) return Number(lacks) - Number(lackss);
  const order = typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other), "en", { numeric: true });
  return down ? -order : order;
}
