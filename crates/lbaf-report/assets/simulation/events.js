// SPDX-License-Identifier: MIT OR Apache-2.0
// Balancing steps and other migrations between the phases of a scenario.

const KINDS = { balancing: "balancing", recorded: "recorded migrations", evacuation: "evacuation of lost ranks" };

function showEvents({ scenario, order }) {
  const { events, name, n_balancings: n } = scenario;
  byId("events-facts").textContent = events.length === 0
    ? `${name}: no balancing and no migrations.`
    : `${name}: ${counted(n, "balancing")}, ${counted(scenario.n_migrations, "migration")}. A row names the phase after the step.`;
  const number = (key, title, text) => ({ key, name: title, of: (event) => event[key], cell: (event) => (event[key] === null ? "" : exact(event[key], text(event[key]))) });
  const imbalance = (at, title) => ({
    key: `imbalance_${at}`, name: title, of: (event) => event.predicted_imbalance?.[at] ?? null,
    cell: (event) => (event.predicted_imbalance === null ? "" : exact(event.predicted_imbalance[at], significant(event.predicted_imbalance[at]))),
  });
  const columns = [
    number("phase", "before phase", String),
    { key: "kind", name: "step", kind: "name", of: ({ kind }) => KINDS[kind], cell: ({ kind }) => KINDS[kind] },
    number("strategy_seconds", "strategy (s)", significant), number("migration_seconds", "migration (s)", significant),
    number("n_migrations", "migrations", String), number("migrated_bytes", "volume", bytes),
    imbalance(0, "predicted work imbalance before"), imbalance(1, "after"), number("predicted_time", "predicted time (s)", significant),
  ];
  if (events.length === 0) fill("events-table");
  else replaceSorted("events-table", sortedTable(`Steps of the scenario ${name}`, columns, events, order, (wanted) => state.set({ order: wanted })));
}
