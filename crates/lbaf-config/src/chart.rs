// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of charts.

use crate::yaml;

/// Charts of a run, in drawing order.
pub const CHARTS_OF_RUNS: [&str; 29] = [
    "rank_loads",
    "rank_loads_by_rank",
    "rank_works",
    "rank_works_by_rank",
    "load_histogram",
    "work_histogram",
    "load_distribution",
    "work_distribution",
    "work_parts_before",
    "work_parts_after",
    "rank_memory",
    "rank_volumes",
    "communication_before",
    "communication_after",
    "migration_flows",
    "migration_flows_bytes",
    "object_loads",
    "iteration_imbalance",
    "iteration_work",
    "iteration_transfers",
    "iteration_rejections",
    "iteration_knowledge",
    "imbalance_per_phase",
    "work_per_phase",
    "volume_per_phase",
    "migrations_per_phase",
    "migrated_bytes_per_phase",
    "load_heat_map_before",
    "load_heat_map_after",
];

/// Charts of a simulation.
pub const CHARTS_OF_SIMULATIONS: [&str; 5] = [
    "simulation_times",
    "simulation_elapsed",
    "simulation_imbalance",
    "simulation_work_imbalance",
    "simulation_parts",
];

/// Name that selects all charts.
pub const ALL_CHARTS: &str = "all";

/// Returns the canonical spelling of the name of a chart.
///
/// # Errors
/// If there is no such chart. The message suggests a similar name or lists all names.
pub fn chart_named(name: &str) -> Result<String, String> {
    let names = [&CHARTS_OF_RUNS[..], &CHARTS_OF_SIMULATIONS, &[ALL_CHARTS]].concat();
    let found = yaml::meant(name, &names).map(str::to_owned);
    found.ok_or_else(|| format!("there is no chart `{name}`{}", yaml::instead(name, &names)))
}
