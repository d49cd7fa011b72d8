// SPDX-License-Identifier: MIT OR Apache-2.0
//! List of all charts of a run.

use lbaf_run::summary::saved::{MIGRATIONS, OBJECT_LOADS, RANKS, VOLUMES};

use super::between_ranks::{communication_after, communication_before, flows, flows_bytes};
use super::of_objects::object_loads;
use super::of_ranks::{
    load_distribution, load_histogram, rank_loads, rank_loads_by_rank, rank_memory, rank_volumes, rank_works,
    rank_works_by_rank, work_distribution, work_histogram,
};
use super::over_iterations::{
    iteration_imbalance, iteration_knowledge, iteration_rejections, iteration_transfers, iteration_work,
};
use super::over_phases::{
    imbalance_per_phase, load_heat_map_after, load_heat_map_before, migrated_bytes_per_phase,
    migrations_per_phase, volume_per_phase, work_per_phase,
};
use super::work::{work_parts_after, work_parts_before};
use super::{AnyChart, Phase, Shown};

/// A kind of chart.
pub(super) struct Kind {
    /// Name in configurations, and the beginning of the names of the chart's files.
    pub(super) name: &'static str,
    /// True if the chart is drawn by default.
    pub(super) is_usual: bool,
    /// True if the chart can compare several runs.
    pub(super) compares: bool,
    /// Tables that the chart needs in addition to the summary.
    pub(super) tables: &'static [&'static str],
    pub(super) make: Make,
}

/// Function that creates the chart, or returns `None` if there is nothing to draw.
#[derive(Clone, Copy)]
pub(super) enum Make {
    /// Chart of all phases.
    Run(fn(&[Shown<'_>]) -> Option<AnyChart>),
    /// Chart of one phase, with one result per run.
    Phase(fn(&[Phase<'_>]) -> Option<AnyChart>),
}

const fn kind(name: &'static str, tables: &'static [&'static str], make: Make) -> Kind {
    Kind { name, is_usual: false, compares: true, tables, make }
}

const fn usual(name: &'static str, make: Make) -> Kind {
    Kind { is_usual: true, ..kind(name, &[], make) }
}

/// Returns a kind of chart that cannot compare several runs.
const fn alone(name: &'static str, tables: &'static [&'static str], make: Make) -> Kind {
    Kind { compares: false, ..kind(name, tables, make) }
}

pub(super) const KINDS: [Kind; 29] = [
    usual("rank_loads", Make::Phase(rank_loads)),
    kind("rank_loads_by_rank", &[], Make::Phase(rank_loads_by_rank)),
    kind("rank_works", &[RANKS], Make::Phase(rank_works)),
    kind("rank_works_by_rank", &[RANKS], Make::Phase(rank_works_by_rank)),
    usual("load_histogram", Make::Phase(load_histogram)),
    kind("work_histogram", &[RANKS], Make::Phase(work_histogram)),
    kind("load_distribution", &[], Make::Phase(load_distribution)),
    kind("work_distribution", &[RANKS], Make::Phase(work_distribution)),
    alone("work_parts_before", &[RANKS], Make::Phase(work_parts_before)),
    alone("work_parts_after", &[RANKS], Make::Phase(work_parts_after)),
    kind("rank_memory", &[RANKS], Make::Phase(rank_memory)),
    kind("rank_volumes", &[RANKS], Make::Phase(rank_volumes)),
    alone("communication_before", &[VOLUMES], Make::Phase(communication_before)),
    alone("communication_after", &[VOLUMES], Make::Phase(communication_after)),
    alone("migration_flows", &[MIGRATIONS], Make::Phase(flows)),
    alone("migration_flows_bytes", &[MIGRATIONS], Make::Phase(flows_bytes)),
    alone("object_loads", &[OBJECT_LOADS], Make::Phase(object_loads)),
    kind("iteration_imbalance", &[], Make::Phase(iteration_imbalance)),
    kind("iteration_work", &[], Make::Phase(iteration_work)),
    kind("iteration_transfers", &[], Make::Phase(iteration_transfers)),
    kind("iteration_rejections", &[], Make::Phase(iteration_rejections)),
    kind("iteration_knowledge", &[], Make::Phase(iteration_knowledge)),
    usual("imbalance_per_phase", Make::Run(imbalance_per_phase)),
    kind("work_per_phase", &[], Make::Run(work_per_phase)),
    kind("volume_per_phase", &[], Make::Run(volume_per_phase)),
    kind("migrations_per_phase", &[], Make::Run(migrations_per_phase)),
    kind("migrated_bytes_per_phase", &[], Make::Run(migrated_bytes_per_phase)),
    alone("load_heat_map_before", &[], Make::Run(load_heat_map_before)),
    alone("load_heat_map_after", &[], Make::Run(load_heat_map_after)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_have_the_names_used_in_configurations() {
        assert_eq!(KINDS.map(|kind| kind.name), lbaf_config::CHARTS_OF_RUNS);
    }
}
