// SPDX-License-Identifier: MIT OR Apache-2.0
// Tables with a download. Large tables scroll independently; long tables show only the first rows until a button is pressed.

/** Number of rows that a table shows at first. */
const MOST_ROWS = 100;

/** Order and search of tables by caption or name, which a redrawn table keeps. */
const arrangements = new Map();

/**
 * A table. `columns` are headings. Each row is a list of cells, which are texts or elements, or `{ cells, chosen }`; the first cell is the
 * heading of the row. A cell can be `{ kind, cell }`, with a kind defined in the style sheet.
 *
 * With `sorts`, buttons in the headings sort the rows; `first` is the column of the initial order, which is descending. `searched` lists the
 * columns of the search. `name` identifies a redrawn table. The file of the table has exact numbers.
 */
function table(caption, columns, rows, options = {}) {
  const cells = (at) => rows[at].cells ?? rows[at];
  return longTable(caption, columns, {
    n: rows.length,
    row: (at) => rows[at],
    text: (at, column) => cellText(cells(at)[column]),
    key: (at, column) => sortKey(cellText(cells(at)[column])),
  }, options);
}

/**
 * A table whose `n` rows are created when shown. `row(at)` returns a row as for [`table`], `text(at, column)` the text of a cell in files, and
 * `key(at, column)` its value for sorting.
 */
function longTable(caption, columns, { n, row, text, key }, { sorts, searched, name = caption, first = -1 } = {}) {
  const arrangement = arrangements.get(name) ?? { column: first, up: false, query: "" };
  arrangements.set(name, arrangement);
  const body = element("tbody");
  const more = element("button", { type: "button", click: () => show(Infinity) });
  const found = element("output", { class: "faint" });
  const heads = columns.map((column, at) => heading(column, at));
  let order;

  function heading(column, at) {
    const label = column.cell ?? column;
    const head = element("th", { scope: "col", class: column.kind });
    // A button needs text.
    const sortable = sorts && label !== "";
    head.append(sortable ? element("button", { type: "button", class: "sort", click: () => sort(at) }, label) : label);
    return head;
  }

  function sort(column) {
    // Large values are of interest, so numbers are sorted in descending order first.
    const isNumeric = order.length > 0 && typeof key(order[0], column) !== "string";
    arrangement.up = arrangement.column === column ? !arrangement.up : !isNumeric || column === 0;
    arrangement.column = column;
    arrange();
  }

  function arrange() {
    const { column, up, query } = arrangement;
    order = Array.from({ length: n }, (_, at) => at);
    const wanted = query.trim().toLowerCase();
    if (searched && wanted !== "") order = order.filter((at) => searched.some((each) => text(at, each).toLowerCase().includes(wanted)));
    if (sorts && column >= 0) {
      const keys = new Array(n);
      for (const at of order) keys[at] = key(at, column);
      const sign = up ? 1 : -1;
      order.sort((one, other) => sign * inOrder(keys[one], keys[other]) || one - other);
    }
    heads.forEach((head, at) => (sorts && head.firstElementChild ? head.setAttribute("aria-sort", at !== column ? "none" : up ? "ascending" : "descending") : undefined));
    found.textContent = searched && wanted !== "" ? `${order.length} of ${counted(n, "row")}` : "";
    show(MOST_ROWS);
  }

  function show(most) {
    body.replaceChildren(...order.slice(0, most).map((at) => tableRow(row(at))));
    more.hidden = order.length <= most;
    more.textContent = `Show all ${order.length} rows`;
  }

  function saveFile() {
    const headings = columns.map((column) => String(column.csv ?? column.cell ?? column));
    save(fileName(caption, "csv"), csv([headings, ...order.map((at) => columns.map((_, column) => text(at, column)))]));
  }

  const headingsOf = (list) => list.map((at) => columns[at].csv ?? columns[at].cell ?? columns[at]).join(", ");
  const search = searched && n > 1 ? element("label", {}, "Search ", element("input", {
    type: "search", value: arrangement.query, title: `Searches in: ${headingsOf(searched)}`,
    input: (event) => {
      arrangement.query = event.target.value;
      arrange();
    },
  })) : undefined;
  arrange();
  const made = element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...heads)), body);
  const scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
  const tools = element("div", { class: "tools" }, search, search ? found : undefined, downloadButton("CSV", `Save as CSV: ${caption}`, saveFile));
  return element("div", { class: "table" }, ...(search ? [tools, scroll, more] : [scroll, more, tools]));
}

function tableRow(row) {
  const cells = row.cells ?? row;
  const [first, ...rest] = cells;
  return element(
    "tr", { class: row.chosen ? "chosen" : undefined },
    element("th", { scope: "row" }, first?.kind === undefined ? first : first.cell),
    ...rest.map((cell) => (cell?.kind === undefined ? element("td", {}, cell ?? "") : element("td", { class: cell.kind }, cell.cell))),
  );
}

/** The text of a cell in files: its exact number if it has one. */
function cellText(cell) {
  const shown = cell?.kind === undefined ? cell : cell.cell;
  if (shown === undefined || shown === null) return "";
  if (typeof shown === "string") return shown;
  return (shown.matches("data") ? shown.value : shown.textContent).trim();
}

/** The value of a text for sorting: a number if the text is one. */
function sortKey(text) {
  return isNumber(text) ? Number(text) : text;
}

/** Compares numbers by value and texts by letters; numbers come first. */
function inOrder(one, other) {
  const [a, b] = [typeof one === "string", typeof other === "string"];
  if (a !== b) return a ? 1 : -1;
  if (a) return one.localeCompare(other, "en", { numeric: true });
  return one < other ? -1 : one > other ? 1 : 0;
}
