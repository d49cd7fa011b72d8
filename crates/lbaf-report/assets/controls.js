// SPDX-License-Identifier: MIT OR Apache-2.0
// Controls for runs, phase, rank, quantity and colours. Controls of runs or phases are hidden if there is only one.

const controls = (() => {
  let timer;

  function start() {
    const runs = page.runs.map((run, at) => [String(at), run.name]);
    fillOptions("a", runs, String(state.chosen.a));
    fillOptions("b", [[String(NONE), "none"], [String(ALL), "all"], ...runs], String(state.chosen.b));
    byId("a-control").hidden = runs.length < 2;
    byId("b-control").hidden = runs.length < 2;
    byId("controls").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["a", "b"]) byId(id).addEventListener("change", (event) => state.set({ [id]: Number(event.target.value) }));
    for (const id of ["quantity", "theme", "measure"]) byId(id).addEventListener("change", (event) => state.set({ [id]: event.target.value }));
    for (const name of ["order", "when", "scale"]) byId(name).addEventListener("change", (event) => state.set({ [name]: event.target.value }));
    byId("phase").addEventListener("input", (event) => {
      stop();
      state.set({ phase: view().run.phases[Number(event.target.value)].number });
    });
    byId("rank").addEventListener("change", (event) => {
      const wanted = Number(event.target.value);
      if (Number.isInteger(wanted) && event.target.value !== "") state.set({ rank: wanted });
      event.target.value = state.chosen.rank;
    });
    byId("play").addEventListener("click", () => (timer === undefined ? play() : stop()));
    byId("skip").addEventListener("click", () => byId("main").focus());
  }

  /** Updates the controls to the current selection. */
  function show() {
    const { run, phase, chosen = state.chosen } = view();
    for (const id of ["a", "b"]) byId(id).value = String(chosen[id]);
    byId("phase-control").hidden = run.phases.length < 2;
    byId("phase").max = run.phases.length - 1;
    byId("phase").value = run.phases.indexOf(phase);
    byId("phase").setAttribute("aria-valuetext", `phase ${phase.number}`);
    byId("phase-shown").textContent = phase.number;
    byId("rank").max = run.n_ranks - 1;
    byId("rank").value = chosen.rank;
    fillOptions("quantity", run.quantities.map((quantity) => [quantity.key, quantity.name]), chosen.quantity);
    byId("theme").value = chosen.theme;
    for (const name of ["order", "when", "scale"]) byId(name).querySelector(`[value="${chosen[name]}"]`).checked = true;
  }

  function play() {
    const { run, phase } = view();
    const step = () => {
      const next = view().run.phases[view().run.phases.indexOf(view().phase) + 1];
      if (next) state.set({ phase: next.number });
      if (!next || next === view().run.phases.at(-1)) stop();
    };
    if (phase === run.phases.at(-1)) state.set({ phase: run.phases[0].number });
    timer = setInterval(step, 800);
    say(true);
  }

  function stop() {
    clearInterval(timer);
    timer = undefined;
    say(false);
  }

  function say(playing) {
    byId("play").textContent = playing ? "Pause" : "Play";
    byId("play").setAttribute("aria-pressed", String(playing));
  }

  return { start, show };
})();
