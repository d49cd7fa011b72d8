// SPDX-License-Identifier: MIT OR Apache-2.0
// Progress of the strategy, iteration by iteration.

const MEASURES = {
  max_work: { name: "maximum work", start: (run, phase) => overRanks(run, phase, "work").before.moments.max },
  load_imbalance: { name: "load imbalance", start: (run, phase) => overRanks(run, phase, "load").before.moments.imbalance },
  largest_excess: { name: "largest excess over bounds", start: () => null },
  transfers: { name: "transfers", start: () => null, counts: true },
  rejections: { name: "rejected transfers", start: () => null, counts: true },
  messages: { name: "messages", start: () => null, counts: true },
  knowledge: { name: "fraction of known ranks", start: () => null },
};

const showIterationChart = (() => {
  let chart;
  byId("iteration").addEventListener("input", (event) => state.set({ iteration: Number(event.target.value) }));

  return (seen) => {
    byId("iterations").hidden = page.runs.every((each) => each.phases.every(({ n_iterations: n }) => n === 0));
    if (byId("iterations").hidden) return;
    chart ??= new Chart("iteration-chart");
    const { run, phase, others } = seen;
    const all = [{ run, phase }, ...others].filter((each) => each.phase);
    const said = Object.keys(MEASURES).filter((key) => key === "max_work" || all.some((each) => each.phase.iterations.some((iteration) => iteration[key])));
    const key = said.includes(seen.measure) ? seen.measure : "max_work";
    fillOptions("measure", said.map((each) => [each, MEASURES[each].name]), key);
    const at = seen.iteration < 0 ? phase.best_iteration : Math.min(seen.iteration, phase.iterations.length);
    showSlider(run, phase, at, said);
    chart.show(() => describe(phase, all, key, at));
  };

  function describe(phase, all, key, at) {
    const values = (of, its) => [MEASURES[key].start(of, its), ...its.iterations.map((iteration) => iteration[key])];
    const look = looks();
    const { counts, name } = MEASURES[key];
    // A run without iterations has a single value, its result.
    const end = (each) => ({ max_work: overRanks(each.run, each.phase, "work"), load_imbalance: overRanks(each.run, each.phase, "load") })[key]?.after.moments;
    const without = all.filter((each) => each.phase.n_iterations === 0 && end(each));
    const series = all.filter((each) => each.phase.iterations.length > 0 || !without.includes(each)).map((each) => ({ name: page.runs.length > 1 ? each.run.name : "after the iteration", values: values(each.run, each.phase), look: runLook(each.run) }));
    const n = Math.max(...series.map((each) => each.values.length), 1);
    const levels = without.map((each) => ({ name: `${each.run.name}, without iterations`, value: key === "max_work" ? end(each).max : end(each).imbalance, look: { ...runLook(each.run), width: 1.25 } }));
    const bound = key === "max_work" ? phase.bound.work : key === "load_imbalance" ? phase.bound.load_imbalance : undefined;
    if (bound !== undefined) levels.push({ name: boundName(phase, "lower bound"), value: bound, look: look.bound });
    const present = [...series.flatMap((each) => each.values.filter((value) => value !== null)), ...levels.map(({ value }) => value)];
    const upright = counts ? valuesAxis(name, "count", { min: 0 }) : focusedAxis(name, present);
    const longer = all.reduce((found, each) => (each.phase.iterations.length > found.iterations.length ? each.phase : found), phase);
    const nameOf = (place) => iterationName(longer, place);
    const short = (place) => nameOf(place).replace("iteration ", "");
    const marker = { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: look.chosen.colour, type: "solid", width: 1 }, data: [{ xAxis: at }] };
    return {
      walk: series.length === 0 ? 0 : n, file: `${name} phase ${phase.number}`,
      option: () => ({
        grid: grid(n > 60), dataZoom: zooming(n > 60, chart.zoomed()),
        xAxis: numberedAxis("iteration", Array.from({ length: n }, (_, place) => place), short),
        yAxis: upright,
        series: [
          ...series.map((each, number) => (counts ? barSeries(each.look, each.values, { markLine: number === 0 ? marker : undefined }) : lineSeries(each.look, each.values, { markLine: number === 0 ? marker : undefined }))),
          ...levels.map((level) => levelSeries(level.look, level.value, n)),
        ],
      }),
      legend: [...series.map((each) => ({ name: each.name, look: each.look, shape: counts ? "bar" : "line" })), ...levels.map((level) => ({ name: `${level.name}: ${significant(level.value)}`, look: level.look }))],
      label: `Chart: ${name} in ${counted(phase.iterations.length, "iteration")} of phase ${phase.number}; the result is ${phase.best_iteration === 0 ? "the start" : iterationName(phase, phase.best_iteration)}.`,
      caption: `${upright.scale ? "The axis does not begin at zero. " : ""}The vertical line marks the iteration of the slider; all other charts show the result. Click an iteration to move the slider.`,
      tip: (place) => [nameOf(place), ...series.map((each) => `${each.name}: ${significant(each.values[place]) || "unknown"}`)],
      pick: (place) => place >= 0 && place < n && state.set({ iteration: place }),
      table: () => table(name, ["iteration", ...series.map((each) => each.name)], Array.from({ length: n }, (_, place) => [short(place), ...series.map((each) => known(each.values[place]))])),
    };
  }

  /** Capitalizes the first letter of a sentence. */
  function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  function showSlider(run, phase, at, said) {
    byId("iteration").max = phase.iterations.length;
    byId("iteration").value = at;
    byId("iteration").disabled = phase.iterations.length === 0;
    byId("iteration").setAttribute("aria-valuetext", iterationName(phase, at));
    byId("iteration-shown").textContent = iterationName(phase, at).replace("iteration ", "");
    const found = phase.iterations[at - 1];
    const result = at === phase.best_iteration ? " This is the result." : "";
    const facts = found && said.filter((key) => found[key] !== null).map((key) => `${MEASURES[key].name} ${significant(found[key])}`);
    byId("iteration-facts").textContent = phase.n_iterations === 0 ? "The strategy has no iterations in this phase." : phase.iterations.length === 0 ? `The ${counted(phase.n_iterations, "iteration")} of this phase are not on this page; the remarks at the top explain why.` : found ? `${capital(iterationName(phase, at))}: ${facts.join(", ")}.${result}` : `The start, before the first iteration: maximum work ${significant(MEASURES.max_work.start(run, phase))}.${result}`;
  }
})();
