// SPDX-License-Identifier: MIT OR Apache-2.0
// Draws all sections of the page of a simulation, and redraws sections after a change of the selection.

const sections = [
  { show: showNumbers, needs: [] },
  { show: showScenarioTable, needs: [] },
  { show: showElapsed, needs: ["hidden", "reference"] },
  { show: showParts, needs: ["hidden"] },
  { show: showTimes, needs: ["hidden"] },
  { show: showImbalance, needs: ["hidden", "imbalance"] },
  { show: showEvents, needs: ["scenario"] },
  { show: showLoadModels, needs: [] },
];

function startControls() {
  const { chosen } = state;
  byId("shown").append(...page.scenarios.map(({ key, name }) => element("label", {}, element("input", { type: "checkbox", name: "shown", value: key }), ` ${name}`)));
  byId("shown").addEventListener("change", () => {
    const boxes = [...byId("shown").querySelectorAll("input")];
    state.set({ hidden: boxes.filter((box) => !box.checked).map((box) => box.value).join(",") });
  });
  byId("reference").hidden = !scenarioOf("never");
  fillOptions("scenario", page.scenarios.map(({ key, name }) => [key, name]), chosen.scenario);
  for (const id of ["theme", "scenario", "reference", "imbalance"]) byId(id).addEventListener("change", (event) => state.set({ [id]: event.target.value }));
}

function draw(changed) {
  const { chosen } = state;
  const seen = view();
  for (const id of ["theme", "scenario"]) byId(id).value = chosen[id];
  for (const id of ["reference", "imbalance"]) byId(id).querySelector(`[value="${chosen[id]}"]`).checked = true;
  for (const box of byId("shown").querySelectorAll("input")) box.checked = seen.shown.some(({ key }) => key === box.value);
  for (const { show, needs } of sections) if (!changed || needs.some((key) => changed.has(key))) show(seen);
}

showResultHeading({ ...page, title: `Simulation ${page.title}`, sentences: page.sentences.length > 0 ? [page.sentences.join(" ")] : [], warnings: [] });
if (page.phases.length === 0) {
  for (const id of ["controls", "elapsed-chart", "reference"]) byId(id).hidden = true;
} else {
  startControls();
  showLoadModels();
  showContents();
  state.listen((changed) => {
    if (changed.has("theme")) theme.apply();
    draw(changed.has("theme") ? undefined : changed);
  });
  theme.listen(() => draw());
  draw();
}
document.documentElement.dataset.ready = "true";
