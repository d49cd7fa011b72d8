// SPDX-License-Identifier: MIT OR Apache-2.0
// Tables that scroll independently if they are too large. Tables of many rows show only the first rows until a button is pressed.

/** Number of rows that a table shows at first; a button shows the others. */
const MOST_ROWS = 100;

/**
 * A table. `columns` are headings. Each row is a list of cells, which are texts or elements, or `{ cells, chosen }`; the first cell is the
 * heading of the row. A cell can be `{ kind, cell }`, with a kind defined in the style sheet.
 */
function table(caption, columns, rows) {
  const body = element("tbody");
  const add = (some) => body.append(...some.map(tableRow));
  add(rows.slice(0, MOST_ROWS));
  const made = element(
    "table", {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...columns.map((column) => element("th", { scope: "col", class: column.kind }, column.cell ?? column)))),
    body,
  );
  const scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
  if (rows.length <= MOST_ROWS) return scroll;
  const more = element("button", {
    type: "button",
    click: () => {
      add(rows.slice(MOST_ROWS));
      more.remove();
    },
  }, `Show all ${rows.length} rows`);
  return element("div", {}, scroll, more);
}

function tableRow(row) {
  const cells = row.cells ?? row;
  const [first, ...rest] = cells;
  return element(
    "tr", { class: row.chosen ? "chosen" : undefined },
    element("th", { scope: "row" }, first),
    ...rest.map((cell) => (cell?.kind === undefined ? element("td", {}, cell ?? "") : element("td", { class: cell.kind }, cell.cell))),
  );
}
