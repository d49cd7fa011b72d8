// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulation of all scenarios of a configuration.

use std::time::Instant;

use lbaf_config::{Layers, RunConfig};
use lbaf_model::{DataSet, Phase, PhaseId, WorkModel};
use lbaf_strategies::{Cancel, Checked, Problem, StrategyError};
use lbaf_study::{
    Costs, Forecast, PhaseBound, Placements, Simulated, Simulation, SimulationError, StrategyCost,
    balanced_by,
};
use rayon::prelude::*;

use super::phases::ScenarioPhases;
use super::scenario::Scenario;
use super::schedule::{may_balance_after, schedule_of};
use crate::{Messages, RunError, Steps, is_even};

/// Simulates all scenarios, in parallel unless strategies are timed.
///
/// # Errors
/// If the configuration does not fit the data, a strategy rejects a phase, or the run was cancelled; the error is that
/// of the first failed scenario. Errors state the position in the configuration.
pub(super) fn simulate(
    run: &RunConfig,
    phases: &ScenarioPhases<'_>,
    layers: &Layers,
    messages: &dyn Messages,
    cancel: &Cancel,
) -> Result<Vec<(Scenario, Simulated)>, RunError> {
    let data = &*phases.data;
    check_subphases(run, data, layers)?;
    // The assumed machine may have other data and another work model.
    lbaf_config::check_work(work_model(run), data, layers)?;
    run.strategies.check(
        data.phases().iter().map(|phase| phase.id().0).filter(|&phase| may_balance_after(run, phase)),
    )?;
    let bounds = PhaseBound::of_all(data, work_model(run));
    let all: Vec<Scenario> = Scenario::of(run).collect();
    let steps = Steps::new(messages, "simulating", all.len());
    let go = |scenario: &Scenario| {
        let simulated = simulate_one(run, phases, &bounds, *scenario, cancel);
        steps.advance();
        simulated.map(|simulated| (*scenario, simulated))
    };
    let simulated: Vec<_> = if run.simulation.costs.strategy == StrategyCost::Measured {
        all.iter().map(go).collect()
    } else {
        all.par_iter().map(go).collect()
    };
    simulated.into_iter().map(|outcome| outcome.map_err(|error| refused(error, run, layers))).collect()
}

/// Simulates one scenario.
fn simulate_one(
    run: &RunConfig,
    phases: &ScenarioPhases<'_>,
    bounds: &[PhaseBound],
    scenario: Scenario,
    cancel: &Cancel,
) -> Result<Simulated, SimulationError> {
    let chosen = |phase: u64| may_balance_after(run, phase);
    let simulation = Simulation {
        data: &phases.data,
        believed: phases.denoised.as_deref().filter(|_| scenario == Scenario::Denoised),
        bounds,
        model: work_model(run),
        placements: if scenario == Scenario::Recorded { Placements::Recorded } else { Placements::Carried },
        forecast: match scenario {
            Scenario::Perfect => Forecast::Perfect,
            _ => Forecast::Predicted(run.simulation.load_model.clone()),
        },
        schedule: schedule_of(run, scenario, &chosen),
        costs: if scenario == Scenario::Perfect { Costs::default() } else { run.simulation.costs },
        subphases: run.simulation.subphases,
        cancel: cancel.clone(),
    };
    simulation.run(&|phase, problem| balance(run, phase, problem, cancel))
}

/// Runs the strategy of a phase, and returns its result and its seconds; `None` if the phase has no strategy, or work
/// is even enough.
pub(super) fn balance(
    run: &RunConfig,
    phase: PhaseId,
    problem: &Problem<'_>,
    cancel: &Cancel,
) -> Result<Option<(Checked, f64)>, StrategyError> {
    let is_even = || {
        let totals = lbaf_model::rank_totals(problem.phase, problem.initial);
        is_even(run, &lbaf_model::works(problem.model, problem.phase, &totals))
    };
    // The check takes as long as a fast strategy, so it is made only with `min_imbalance`.
    let Some(strategy) = run.strategy_at(phase).filter(|_| run.balancing.min_imbalance == 0.0 || !is_even())
    else {
        return Ok(None);
    };
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64();
    balanced_by(strategy, run.seed, &clock, cancel)(phase, problem)
}

/// Rejects data if a phase with load lacks subphases that the simulation needs.
fn check_subphases(run: &RunConfig, data: &DataSet, layers: &Layers) -> Result<(), RunError> {
    let has_load = |phase: &Phase| phase.columns().load.iter().any(|&load| load > 0.0);
    let is_unknown = |phase: &&Phase| phase.subphases().is_none() && has_load(phase);
    match data.phases().iter().find(is_unknown) {
        Some(phase) if run.simulation.needs_subphases() => {
            let path =
                if run.simulation.subphases { "simulation.subphases" } else { "simulation.load_model" };
            let message = format!("no task of phase {} has times in `subphases`", phase.id());
            Err(layers.error(&layers.tree.error_at(path, message)).into())
        }
        _ => Ok(()),
    }
}

/// Returns the work model of the assumed machine, by default that of the configuration.
pub(super) fn work_model(run: &RunConfig) -> &dyn WorkModel {
    run.simulation.machine.model.as_deref().unwrap_or(&*run.model)
}

/// Converts the error of a simulation, with the position of its cause in the configuration.
pub(super) fn refused(error: SimulationError, run: &RunConfig, layers: &Layers) -> RunError {
    match error {
        SimulationError::Strategy { phase, source } => run.strategies.refused(phase.0, source, layers).into(),
        SimulationError::Cancelled(cancelled) => cancelled.into(),
        SimulationError::TooManyPhases { .. } => {
            layers.error(&layers.tree.error_at("simulation.schedule", error.to_string())).into()
        }
        SimulationError::Prediction { .. } => {
            layers.error(&layers.tree.error_at("simulation.load_model", error.to_string())).into()
        }
    }
}
