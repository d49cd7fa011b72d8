// SPDX-License-Identifier: MIT OR Apache-2.0
// Controls of the page of a study.

const controls = (() => {
  let timer;

  function start() {
    byId("problem-control").hidden = page.problems.length < 2;
    fillOptions("problem", [["-1", "all problems"], ...page.problems.map(({ name }, at) => [String(at), name])], String(state.chosen.problem));
    const options = measuredQuantities.map(({ key, name }) => [key, name]);
    fillOptions("quantity", options, state.chosen.quantity);
    fillOptions("quality", measuredQuantities.filter(({ better }) => better !== null).map(({ key, name }) => [key, name]), state.chosen.quality);
    fillOptions("cost", measuredQuantities.filter(({ better }) => better === "less").map(({ key, name }) => [key, name]), state.chosen.cost);
    const axes = [["", "no axis"], ...dimensions.map(({ key, name }) => [key, name])];
    for (const id of ["across", "down"]) fillOptions(id, axes, state.chosen[id]);
    byId("problem").addEventListener("change", (event) => state.set({ problem: Number(event.target.value) }));
    for (const id of ["quantity", "theme", "cost", "quality", "across", "down"]) byId(id).addEventListener("change", (event) => state.set({ [id]: event.target.value }));
    byId("scale").addEventListener("change", (event) => state.set({ scale: event.target.value }));
    byId("search").addEventListener("input", (event) => {
      clearTimeout(timer);
      timer = setTimeout(() => state.set({ search: event.target.value }), 120);
    });
    byId("all-cells").addEventListener("click", () => {
      state.set({ only: "", search: "" });
      byId("search").focus();
    });
    byId("cell").addEventListener("change", (event) => {
      const wanted = Number(event.target.value);
      if (Number.isInteger(wanted) && event.target.value !== "") state.set({ cell: wanted });
      event.target.value = state.chosen.cell;
    });
  }

  /** Updates the controls to the current selection. */
  function show() {
    const { chosen } = state;
    for (const id of ["problem", "quantity", "theme", "cost", "quality", "across", "down", "cell"]) byId(id).value = String(chosen[id]);
    if (document.activeElement !== byId("search") || chosen.search === "") byId("search").value = chosen.search;
    byId("scale").querySelector(`[value="${chosen.scale}"]`).checked = true;
  }

  return { start, show };
})();
