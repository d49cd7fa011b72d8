// SPDX-License-Identifier: MIT OR Apache-2.0
//! Warnings about data and results.

use lbaf_config::RunConfig;
use lbaf_reader::{AbsentEndpoints, CommunicationCounts, Recorded};
use lbaf_text::number::counted;

use crate::for_vt::has_older_ids;
use crate::summary::PhaseResult;

/// Returns warnings about the data, one sentence each.
pub(super) fn of_data(run: &RunConfig, recorded: &Recorded, counts: &CommunicationCounts) -> Vec<String> {
    let mut warnings = recorded.findings.warnings.clone();
    if run.files.is_some() && has_older_ids(recorded) {
        warnings.push(
            "the data have ids of an older form, which vt would misread in the written files; for use with vt, convert \
             the data first: `lbaf convert STEM NEW --to lb-data --ids packed`"
                .to_owned(),
        );
    }
    let absent: u64 = counts.absent.values().sum();
    if absent > 0 {
        let why = match run.absent_endpoints {
            AbsentEndpoints::Drop => {
                "name an object without a task in their phase (or an unknown rank or block) and are ignored \
                 (`from_data.absent_endpoints: home` places such an object on its home rank)"
            }
            AbsentEndpoints::Home => {
                "name an object without a task in their phase and with a nonexistent home rank (or an unknown rank or \
                 block), and are ignored"
            }
        };
        let kinds: Vec<String> =
            counts.absent.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        warnings.push(format!(
            "{absent} of {} communication entries ({}) {why}",
            counts.n_entries(),
            kinds.join(", ")
        ));
    }
    for (kind, count) in &counts.other_kinds {
        warnings.push(format!(
            "{count} communication entries of type {} do not count as volume (see `from_data.communication_types`)",
            kind.name()
        ));
    }
    warnings
}

/// Returns warnings about data and results, one sentence each.
pub(super) fn warnings(
    run: &RunConfig,
    recorded: &Recorded,
    counts: &CommunicationCounts,
    phases: &[PhaseResult],
) -> Vec<String> {
    let mut warnings = of_data(run, recorded, counts);
    let is_of_memory = |bound: &&lbaf_model::UpperBound| bound.quantity.aspects().memory;
    if let Some(bound) = run.model.bounds().iter().find(is_of_memory)
        && phases.iter().all(|phase| phase.before.memory.max <= 0.0)
    {
        warnings.push(format!(
            "{} has an upper bound, but is 0 everywhere, because the data contain no quantities of memory \
             (`rank_working_bytes`, `task_footprint_bytes`, `shared_bytes` and others under `user_defined`)",
            bound.quantity
        ));
    }
    let over: Vec<&PhaseResult> = phases.iter().filter(|phase| !phase.violations.is_empty()).collect();
    if let Some(phase) = over.iter().find(|phase| !phase.infeasible) {
        warnings.push(format!(
            "{} does not enforce the upper bounds of the work model, which are exceeded in {}: in phase {}, {}",
            phase.strategy.as_ref().map_or("a phase without a balancer", |_| "this strategy"),
            counted(over.len(), "phase"),
            phase.phase,
            phase.violations[0]
        ));
    }
    warnings
}
