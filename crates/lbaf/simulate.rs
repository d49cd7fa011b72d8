// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf simulate`: a whole run in time, beside what it is compared with.

mod console;
mod machine;
mod results;

use std::time::Instant;

use lbaf_model::PhaseId;
use lbaf_strategies::{
    Checked, Context, NoObserver, PhaseStepper, Problem, Strategy, StrategyConfig, StrategyError,
};
use lbaf_study::{Costs, Knowledge, Placements, Schedule, Simulated, Simulation};
use lbaf_writer::Staging;

use crate::cli::SimulateArgs;
use crate::config::{Overrides, Run, When};
use crate::error::Error;
use crate::progress::Messages;
use crate::run::Prepared;
use crate::run::balance::is_even;
use results::{Results, Way};

/// Names of the outputs.
const RESULTS: &str = "simulation.json";
const PHASES: &str = "simulation.csv";

/// Simulates what the configuration says, and says what came of it.
pub(crate) fn simulate(args: &SimulateArgs, messages: Messages) -> Result<String, Error> {
    let overrides = Overrides::from(&args.overrides);
    let mut prepared = Prepared::new(&args.configurations, &overrides, false, messages)?;
    let assumed = machine::assumed(&prepared.run, &prepared.layers, &prepared.recorded.data)?;
    let machine = assumed.map(|(data, machine)| {
        prepared.recorded.data = data;
        machine
    });
    let Prepared { run, .. } = &prepared;
    let staging = Staging::new(&run.output_dir)?;
    let ways = [Way::Recorded, Way::Never, Way::Simulated, Way::Perfect];
    let simulated = ways.map(|way| Ok((way, simulated(&prepared, way)?)));
    let simulated: Vec<(Way, Simulated)> = simulated.into_iter().collect::<Result<_, Error>>()?;
    let results = Results::new(run, machine, &simulated);
    staging.put(RESULTS, &results.to_json())?;
    staging.put(PHASES, results.to_csv().as_bytes())?;
    staging.publish(Some(RESULTS), prepared.inputs(), &[])?;
    if args.overrides.json {
        return Ok(String::from_utf8_lossy(&results.to_json()).into_owned());
    }
    Ok(console::report(&results, run))
}

/// A run in one of the ways.
fn simulated(prepared: &Prepared, way: Way) -> Result<Simulated, Error> {
    let Prepared { run, recorded, layers, .. } = prepared;
    let chosen = |phase: u64| match &run.simulation.schedule {
        When::Phases(phases) => phases.contains(phase),
        _ => run.balancing.contains(phase) && run.strategies.at(phase).is_some(),
    };
    let schedule = match (way, &run.simulation.schedule) {
        (Way::Recorded | Way::Never, _) | (_, When::Never) => Schedule::Never,
        (_, When::Algorithm | When::Phases(_)) => Schedule::Chosen(&chosen),
        (_, When::Every(period)) => Schedule::Every(*period),
        (_, When::Threshold(most)) => Schedule::Threshold(*most),
        (_, When::Adaptive(adaptive)) => Schedule::Adaptive(*adaptive),
    };
    let simulation = Simulation {
        data: &recorded.data,
        model: run.simulation.machine.model.as_deref().unwrap_or(&*run.model),
        placements: if way == Way::Recorded { Placements::Recorded } else { Placements::Carried },
        knowledge: match way {
            Way::Perfect => Knowledge::Perfect,
            _ => Knowledge::Predicted(run.simulation.load_model.clone()),
        },
        schedule,
        costs: if way == Way::Perfect { Costs::default() } else { run.simulation.costs },
    };
    let mut balancer = |phase: PhaseId, problem: &Problem<'_>| balance(run, phase, problem);
    simulation.run(&mut balancer).map_err(|(phase, error)| run.strategies.refused(phase.0, error, layers))
}

/// The strategy of the configuration at work, and the seconds that it took.
fn balance(run: &Run, phase: PhaseId, problem: &Problem<'_>) -> Result<(Checked, f64), StrategyError> {
    let totals = lbaf_model::rank_totals(problem.phase, problem.initial);
    let works = lbaf_model::works(problem.model, problem.phase, &totals);
    let strategy = run.strategy_at(phase).filter(|_| !is_even(run, &works));
    let strategy =
        strategy.map_or_else(|| Box::new(PhaseStepper {}) as Box<dyn Strategy>, StrategyConfig::build);
    let mut observer = NoObserver;
    let mut context = Context::new(run.seed, phase.0, &mut observer);
    let began = Instant::now();
    let checked = lbaf_strategies::run(&*strategy, problem, &mut context)?;
    Ok((checked, began.elapsed().as_secs_f64()))
}
