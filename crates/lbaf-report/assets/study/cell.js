// SPDX-License-Identifier: MIT OR Apache-2.0
// One cell: settings, all values, and the configuration and command that run the cell alone.

function showOneCell({ cell }) {
  const its = rows.filter((row) => row.cell === cell);
  const [first] = its;
  if (!first) {
    fill("cell-facts", element("p", {}, "The page has no cells."));
    return;
  }
  byId("cell").value = cell;
  byId("cell").max = Math.max(...rows.map((row) => row.cell));
  const settings = page.axes.flatMap(({ name, choices, changes }, axis) => {
    const choice = first.choices[axis];
    return [element("dt", {}, name), element("dd", {}, choices[choice], " ", element("code", {}, changes[choice]))];
  });
  fill(
    "cell-facts",
    element("dl", {}, ...settings),
    first.same === null ? null : element("p", {}, "This cell is the same as cell ", jump(String(first.same), `Show cell ${first.same}`, () => state.set({ cell: first.same })), ". Both are computed only once."),
    first.error === null ? null : element("p", { class: "remark" }, element("strong", {}, "Failed: "), first.error),
    its.some(({ over }) => over) ? element("p", { class: "remark" }, "The result exceeds upper bounds of the work model.") : null,
  );
  const known = page.quantities.filter((quantity) => its.some((row) => valueOf(row, quantity) !== null));
  const heads = its.map(({ phase }) => (phase === null ? "value" : `phase ${phase}`));
  fill("cell-values", known.length === 0 ? null : table(`Values of cell ${cell}`, ["quantity", ...heads], known.map((quantity) => [
    quantity.name,
    ...its.map((row) => {
      const value = valueOf(row, quantity);
      return value === null ? "" : exact(value, shownValue(quantity, value, 6));
    }),
  ])));
  fill("cell-run", ...runOf(cell));
}

/** The configuration of a cell and the command that runs it. */
function runOf(cell) {
  const all = page.configurations;
  const parts = all?.of_cells[cell];
  if (!parts) {
    return [element("p", {}, all ? "The configuration of this cell is invalid." : "The configurations of cells are only in study.json.")];
  }
  const text = `${all.common}${parts.map((part) => all.parts[part]).join("")}`;
  const file = `cell_${cell}.yaml`;
  const path = all.directory ? `${all.directory.replace(/\/$/, "")}/${file}` : file;
  const quoted = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
  return [
    element("h3", {}, "As a run"),
    element("p", {}, `Save this configuration as ${path}; a relative path starts at the working directory of the study. Paths in the configuration are relative to the directory of this file.`),
    element("pre", { id: "configuration", tabindex: "0", "aria-label": `Configuration of cell ${cell}` }, text),
    element("button", { type: "button", id: "save", click: () => save(file, new Blob([text], { type: "application/yaml" })) }, `Save ${file}`),
    element("p", {}, "This command writes all outputs of the cell:"),
    element("pre", { id: "command", tabindex: "0", "aria-label": "Command" }, `lbaf ${page.command} ${quoted} --output-dir cell_${cell}`),
  ];
}
