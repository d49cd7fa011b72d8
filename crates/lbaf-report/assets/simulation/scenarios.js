// SPDX-License-Identifier: MIT OR Apache-2.0
// Headline numbers and the table of scenarios.

function seconds(value, digits = 6) {
  return `${significant(value, digits)} s`;
}

function showNumbers() {
  const [never, configured] = ["never", "configured"].map(scenarioOf);
  if (!never || !configured) return;
  const saved = never.total - configured.total;
  const entry = (number, text) => element("div", { class: "tile" }, element("dt", {}, text), element("dd", { class: "figure" }, number));
  const after = configured.break_even_after;
  fill(
    "headline",
    entry(exact(configured.total, seconds(configured.total, 4)), "time as configured"),
    entry(exact(never.total, seconds(never.total, 4)), "never balanced"),
    entry(exact(saved, seconds(Math.abs(saved), 4)), saved >= 0 ? `saved (${percent(never.total > 0 ? saved / never.total : 0)})` : `lost (${percent(never.total > 0 ? -saved / never.total : 0)})`),
    entry(after === null ? "none" : element("span", {}, exact(after, String(after)), ` of ${counted(page.n_phases, "phase")}`), "break-even after"),
    entry(exact(configured.n_balancings, String(configured.n_balancings)), configured.n_balancings === 1 ? "balancing" : "balancings"),
    entry(exact(configured.n_migrations, String(configured.n_migrations)), configured.n_migrations === 1 ? "migration" : "migrations"),
  );
}

function showScenarioTable() {
  const ratio = (value) => (value === null ? "" : exact(value, value.toFixed(3)));
  const rows = page.scenarios.map((scenario) => [
    element("span", {}, swatch(lookOf(scenario).number), scenario.name),
    ...["total", "phase_seconds", "strategy_seconds", "migration_seconds"].map((key) => exact(scenario[key], significant(scenario[key]))),
    exact(scenario.n_balancings, String(scenario.n_balancings)),
    exact(scenario.n_migrations, String(scenario.n_migrations)),
    exact(scenario.migrated_bytes, bytes(scenario.migrated_bytes)),
    ratio(scenario.speedup),
    scenario.efficiency === null ? "" : exact(scenario.efficiency, percent(scenario.efficiency)),
    ...(someOver() ? [exact(scenario.n_phases_over_bounds, String(scenario.n_phases_over_bounds))] : []),
  ]);
  fill("scenario-table", table("Times in seconds", [
    "scenario", "total", "phases", "strategy", "migration", "balancings", "migrations", "volume", "speed-up", "efficiency", ...(someOver() ? ["phases over bounds"] : []),
  ], rows));
}

/** True if a rank exceeds an upper bound of the work model in some scenario. */
function someOver() {
  return page.scenarios.some(({ n_phases_over_bounds: n }) => n > 0);
}
