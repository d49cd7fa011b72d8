// SPDX-License-Identifier: MIT OR Apache-2.0
// The data of the page of a simulation, and the current selection.

const page = JSON.parse(byId("data").textContent);

/** The scenario with a key; undefined if it was not simulated. */
function scenarioOf(key) {
  return page.scenarios.find((scenario) => scenario.key === key);
}

const state = (() => {
  const first = (scenarioOf("configured") ?? page.scenarios[0])?.key ?? "";
  const defaults = { hidden: "", reference: "elapsed", imbalance: "work", scenario: first, theme: "auto" };

  /** Replaces invalid settings by valid ones. */
  function sensible(kept) {
    if (!scenarioOf(kept.scenario)) kept.scenario = first;
    for (const [key, values] of Object.entries({ reference: ["elapsed", "saved"], imbalance: ["work", "load"], theme: ["auto", "light", "dark"] })) {
      if (!values.includes(kept[key])) [kept[key]] = values;
    }
    if (!scenarioOf("never")) kept.reference = "elapsed";
    return kept;
  }

  return selection(defaults, sensible);
})();

/** The selection with its scenarios. Scenarios keep their colours if others are hidden. */
function view() {
  const { chosen } = state;
  const hidden = chosen.hidden.split(",");
  return { ...chosen, shown: page.scenarios.filter(({ key }) => !hidden.includes(key)), scenario: scenarioOf(chosen.scenario) };
}

/** Style of a scenario in all charts. Colours do not depend on the simulated scenarios. */
function lookOf({ key }) {
  const number = ["configured", "never", "perfect", "recorded", "denoised"].indexOf(key);
  const dashes = { recorded: [2, 3], perfect: [8, 3], denoised: [8, 3, 2, 3] }[key] ?? "solid";
  return { ...seriesLook(number < 0 ? 5 : number), number: number < 0 ? 5 : number, type: dashes, width: key === "recorded" ? 3 : 2 };
}
