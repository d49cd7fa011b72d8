// SPDX-License-Identifier: MIT OR Apache-2.0
//! Warnings about data and results.

use lbaf_config::RunConfig;
use lbaf_reader::{AbsentEndpoints, CommunicationCounts, Recorded};
use lbaf_text::number::counted;

use crate::for_vt::has_older_ids;
use crate::summary::PhaseResult;

/// Warnings, a sentence each.
pub(super) fn warnings(
    run: &RunConfig,
    recorded: &Recorded,
    counts: &CommunicationCounts,
    phases: &[PhaseResult],
) -> Vec<String> {
    let mut warnings = recorded.findings.warnings.clone();
    if run.files.is_some() && has_older_ids(recorded) {
        warnings.push(
            "the data are of an older form, whose ids vt would misread in the files that are written; for vt convert \
             the data first: `lbaf convert STEM NEW --to lb-data --ids packed`"
                .to_owned(),
        );
    }
    let absent: u64 = counts.absent.values().sum();
    if absent > 0 {
        let why = match run.absent_endpoints {
            AbsentEndpoints::Drop => {
                "name an object without a task in their phase (or an unknown rank or block) and are left out \
                 (`from_data.absent_endpoints: home` puts it on its home rank)"
            }
            AbsentEndpoints::Home => {
                "name an object without a task in their phase, whose home rank is not there (or an unknown rank or \
                 block), and are left out"
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
    let is_of_memory = |bound: &&lbaf_model::UpperBound| bound.quantity.aspects().memory;
    if let Some(bound) = run.model.bounds().iter().find(is_of_memory)
        && phases.iter().all(|phase| phase.before.memory.max <= 0.0)
    {
        warnings.push(format!(
            "{} is bounded, but the data say nothing of memory, so that it is 0 everywhere (`rank_working_bytes`, \
             `task_footprint_bytes`, `shared_bytes` and others under `user_defined`)",
            bound.quantity
        ));
    }
    let over: Vec<&PhaseResult> = phases.iter().filter(|phase| !phase.violations.is_empty()).collect();
    if let Some(phase) = over.iter().find(|phase| !phase.infeasible) {
        warnings.push(format!(
            "{} does not look after the bounds of the work model, which are exceeded in {}: in phase {}, {}",
            phase.strategy.as_ref().map_or("a phase without a balancer", |_| "this strategy"),
            counted(over.len(), "phase"),
            phase.phase,
            phase.violations[0]
        ));
    }
    warnings
}
