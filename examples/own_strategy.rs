// SPDX-License-Identifier: MIT OR Apache-2.0
//! A strategy of your own, compared with strategies of lbaf in a study.
#![allow(clippy::print_stdout, reason = "an example that prints")]

use lbaf::config::{OwnStrategies, StudyConfig};
use lbaf::model::RankId;
use lbaf::run::Silent;
use lbaf::run::study::Study;
use lbaf::strategies::{Cancel, Context, Outcome, Problem, Strategy, StrategyError};

/// Assigns migratable objects to ranks in turn, ascending by id.
struct RoundRobin;

impl Strategy for RoundRobin {
    fn name(&self) -> &'static str {
        "RoundRobin"
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    /// Version of the strategy: a study recomputes the cells of the strategy if its version changes.
    fn digest(&self) -> Result<Option<String>, StrategyError> {
        Ok(Some("1".to_owned()))
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let mut assignment = problem.initial.clone();
        let n_ranks = u32::try_from(problem.phase.n_ranks()).expect("ranks are counted in 32 bits");
        let ranks = (0..n_ranks).map(RankId).cycle();
        let migratable = problem.phase.slots().filter(|&slot| problem.phase.is_migratable(slot));
        for (slot, rank) in migratable.zip(ranks) {
            context.check()?;
            assignment.set(slot, rank);
        }
        Ok(Outcome::at_once(assignment))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let own = OwnStrategies::default().with("RoundRobin", |_| Ok(Box::new(RoundRobin)))?;
    let config =
        StudyConfig::read("examples/own_strategy.yaml".as_ref(), &[], None)?.with_own_strategies(own);
    let study = Study::open(config, &Silent)?;
    study.compute(&Silent, &Cancel::new())?;
    let results = study.results()?;
    if let Some(error) = results.cells.iter().find_map(|cell| cell.error.as_deref()) {
        return Err(error.into());
    }
    for (name, placing) in results.competitors.iter().zip(results.placings()) {
        println!("{name}: mean place {:.2}", placing.mean_place.unwrap_or(f64::NAN));
    }
    Ok(())
}
