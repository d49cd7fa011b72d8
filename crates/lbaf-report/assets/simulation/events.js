// SPDX-License-Identifier: MIT OR Apache-2.0
// Balancing steps and other migrations between the phases of a scenario.

const KINDS = { balancing: "balancing", recorded: "recorded migrations", evacuation: "evacuation of lost ranks" };

function showEvents({ scenario }) {
  const { events, name, n_balancings: n } = scenario;
  byId("events-facts").textContent = events.length === 0
    ? `${name}: no balancing and no migrations.`
    : `${name}: ${counted(n, "balancing")}, ${counted(scenario.n_migrations, "migration")}. A row names the phase after the step.`;
  const number = (value, text) => (value === null || value === undefined ? "" : exact(value, text(value)));
  const heads = ["before phase", { kind: "name", cell: "step" }, "strategy (s)", "migration (s)", "migrations", "volume", "predicted work imbalance before", "after", "predicted time (s)"];
  const rows = events.map((event) => [
    number(event.phase, String), { kind: "name", cell: KINDS[event.kind] }, number(event.strategy_seconds, significant), number(event.migration_seconds, significant),
    number(event.n_migrations, String), number(event.migrated_bytes, bytes),
    ...[0, 1].map((at) => number(event.predicted_imbalance?.[at], significant)), number(event.predicted_time, significant),
  ]);
  fill("events-table", rows.length === 0 ? null : table(`Steps of the scenario ${name}`, heads, rows, { sorts: true, name: "steps" }));
}
