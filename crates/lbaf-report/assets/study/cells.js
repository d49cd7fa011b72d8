// SPDX-License-Identifier: MIT OR Apache-2.0
// Table of all cells, with search and sorting, optionally limited to the cells of a result or a field.

function showCells({ search, only, quantity }) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => isIn(row, only) && words.every((word) => textOf(row).includes(word)));
  const reported = page.quantities.slice(0, page.n_reported);
  const quantities = [...reported, ...(reported.includes(quantity) ? [] : [quantity])].filter((each) => (page.cells.values[quantityAt(each.key)] ?? []).length > 0);
  const hasErrors = found.some(({ error }) => error !== null);
  // Columns: heading, text of a cell in files, content on the page.
  const columns = [
    { head: "cell", text: (row) => String(row.cell), cell: (row) => jump(String(row.cell), `Show cell ${row.cell}`, () => showCell(row.cell)) },
    ...page.axes.map(({ name, choices }, axis) => ({ head: name, kind: choices.every(isNumber) ? undefined : "name", text: (row) => choices[row.choices[axis]] })),
    ...(page.cells.phase.length > 0 ? [{ head: "phase", text: (row) => String(row.phase ?? "") }] : []),
    { head: "balanced by", kind: "name", text: (row) => row.strategy },
    ...quantities.map((each) => ({
      head: each.name, text: (row) => String(valueOf(row, each) ?? ""),
      cell: (row) => {
        const value = valueOf(row, each);
        return value === null ? "" : exact(value, shownValue(each, value, 6));
      },
    })),
    { head: "state", kind: hasErrors ? "words" : "name", text: stateOf },
  ];
  const cellOf = ({ kind, text, cell }, row) => (kind === undefined ? (cell ?? text)(row) : { kind, cell: (cell ?? text)(row) });
  const limited = only.map(([axis, choice]) => `${dimensions[axis].name} = ${dimensions[axis].labels[choice]}`);
  byId("cells-facts").textContent = `${counted(found.length, "row")} of ${rows.length}${limited.length > 0 ? `, only ${limited.join(", ")}` : ""}. A cell has a row for each of its phases.`;
  byId("all-cells").hidden = limited.length === 0 && search === "";
  fill("cells-table", longTable("Cells", columns.map(({ head, kind }) => (kind === undefined ? head : { kind, cell: head })), {
    n: found.length,
    row: (at) => columns.map((column) => cellOf(column, found[at])),
    text: (at, column) => columns[column].text(found[at]),
    key: (at, column) => sortKey(columns[column].text(found[at])),
  }, { sorts: true, name: "cells" }));
}

/** True if a row has all choices of a filter. A failed cell has no phase and matches every phase. */
function isIn(row, only) {
  return only.every(([axis, choice]) => [choice, null].includes(dimensions[axis].of(row)));
}

function stateOf(row) {
  if (row.error !== null) return row.error;
  return [row.over ? "over bounds" : "", row.same === null ? "" : `same as cell ${row.same}`].filter(Boolean).join(", ");
}

/** The text in which a search looks for a row, in lower case. */
const textOf = (() => {
  const texts = new Map();
  return (row) => {
    if (!texts.has(row.at)) {
      const choices = page.axes.flatMap(({ name, choices: labels }, axis) => [labels[row.choices[axis]], `${name}=${labels[row.choices[axis]]}`]);
      const phase = row.phase === null ? [] : [`phase ${row.phase}`, `phase=${row.phase}`];
      texts.set(row.at, [`cell ${row.cell}`, ...choices, ...phase, row.strategy, stateOf(row)].join("\n").toLowerCase());
    }
    return texts.get(row.at);
  };
})();
