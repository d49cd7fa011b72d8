// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schedules of scenarios: the phases after which a run is balanced.

use lbaf_config::{Layers, RunConfig, When, named_phases};
use lbaf_model::PhaseId;
use lbaf_reader::Recorded;
use lbaf_study::{Adaptive, Schedule};

use super::scenario::Scenario;
use crate::RunError;

/// Returns the schedule of a scenario; `chosen` selects phases for `algorithm`, `phases` and `specification`.
pub(super) fn schedule_of<'a>(
    run: &RunConfig,
    scenario: Scenario,
    chosen: &'a PhaseChoice<'a>,
) -> Schedule<'a> {
    match (scenario, &run.simulation.schedule) {
        (Scenario::Recorded | Scenario::Never, _) | (_, When::Never) => Schedule::Never,
        (_, When::Algorithm | When::Phases(_) | When::Specification(_)) => Schedule::Chosen(chosen),
        (_, When::Every(period)) => Schedule::Every(*period),
        // Balancing costs nothing here, so it follows every phase with an imbalance.
        (Scenario::Perfect, When::Adaptive(_) | When::Criterion(_)) => {
            Schedule::Adaptive(Adaptive { first_cost: 0.0 })
        }
        (_, When::Threshold(most)) => Schedule::Threshold(*most),
        (_, When::Adaptive(adaptive)) => Schedule::Adaptive(*adaptive),
        (_, When::Criterion(criterion)) => Schedule::Criterion(*criterion),
        (_, When::Best) => Schedule::Best,
    }
}

/// Predicate that is true for the phases after which a run is balanced.
pub(super) type PhaseChoice<'a> = dyn Fn(u64) -> bool + Sync + 'a;

/// True if the schedule may balance after a phase. Schedules that depend on the state of the run may balance after any.
pub(super) fn may_balance_after(run: &RunConfig, phase: u64) -> bool {
    match &run.simulation.schedule {
        When::Never => false,
        When::Algorithm => run.balancing.contains(phase) && run.strategies.at(phase).is_some(),
        When::Every(period) => phase.is_multiple_of(*period),
        When::Phases(phases) => phases.contains(phase),
        When::Specification(specification) => specification.contains(phase),
        When::Threshold(_) | When::Adaptive(_) | When::Criterion(_) | When::Best => true,
    }
}

/// Rejects a list that names a phase outside the run, or selects no phase of the run.
pub(super) fn check_schedule(run: &RunConfig, recorded: &Recorded, layers: &Layers) -> Result<(), RunError> {
    let When::Phases(phases) = &run.simulation.schedule else { return Ok(()) };
    let is_there = |phase: u64| recorded.data.phase(PhaseId(phase)).is_some();
    let there: Vec<u64> = recorded.data.phases().iter().map(|phase| phase.id().0).collect();
    let missing = match phases.missing_from(is_there) {
        Some(phase) => format!("phase {phase} is not"),
        None if there.iter().any(|&phase| phases.contains(phase)) => return Ok(()),
        None => "none of these phases is".to_owned(),
    };
    let message = format!("{missing} in the run, which contains {}", named_phases(&there));
    Err(layers.error(&layers.tree.error_at("simulation.schedule.phases", message)).into())
}
