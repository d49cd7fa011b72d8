// SPDX-License-Identifier: MIT OR Apache-2.0
//! The trait that all strategies implement.

use std::sync::Arc;

use lbaf_milp::Form;
use lbaf_model::CcmParameters;
use serde_json::{Map, Value};

use crate::{Context, External, Outcome, Permutation, PlacementMap, Problem, StrategyError};

/// Rebalancing strategy. Its parameters are its only state: `rebalance` takes `&self`, so that one strategy can balance
/// many phases concurrently.
///
/// Only `name` and `rebalance` are required. The other methods describe the strategy to the calling program or prepare
/// a run; their defaults are safe. [`run`](crate::run) checks the returned placement.
///
/// ```
/// use lbaf_model::{LoadOnly, Phase, RankId};
/// use lbaf_strategies::{Context, NoObserver, Outcome, Problem, Strategy, StrategyError, run};
///
/// /// Places all migratable objects on rank 0.
/// struct Gather;
///
/// impl Strategy for Gather {
///     fn name(&self) -> &'static str {
///         "Gather"
///     }
///
///     fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
///         let mut assignment = problem.initial.clone();
///         for slot in problem.phase.slots().filter(|&slot| problem.phase.is_migratable(slot)) {
///             context.check()?;
///             assignment.set(slot, RankId(0));
///         }
///         Ok(Outcome::at_once(assignment))
///     }
/// }
///
/// // Two objects, of 1 s on rank 0 and of 2 s on rank 1.
/// let phase = Phase::builder(2).objects([(1.0, 0), (2.0, 1)]).build()?;
/// let model = LoadOnly::default();
/// let problem = Problem { phase: &phase, initial: phase.recorded_assignment(), model: &model, keys: &[] };
/// let checked = run(&Gather, &problem, &mut Context::new(0, 0, &mut NoObserver))?;
/// assert_eq!(checked.works[0].cost(), 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Strategy: Send + Sync {
    /// Returns the name in configurations and results.
    fn name(&self) -> &'static str;

    /// Returns the parameters as a JSON object, as in configurations. Default: none.
    fn parameters(&self) -> Value {
        Value::Object(Map::new())
    }

    /// Returns the parameters that extend the algorithm published under this name, for example `homeward` or
    /// `migration_weight: 2`. Default: none.
    fn additions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the name with the [additions](Self::additions), for example `TemperedLB (homeward)`.
    fn label(&self) -> String {
        let additions = self.additions();
        if additions.is_empty() {
            self.name().to_owned()
        } else {
            format!("{} ({})", self.name(), additions.join(", "))
        }
    }

    /// True if the strategy promises to keep the bounds of the work model wherever possible: a result that violates a
    /// bound means that it found no feasible placement. For other strategies, a violation causes only a warning.
    fn honours_bounds(&self) -> bool {
        false
    }

    /// True if the strategy also exchanges objects to satisfy bounds. If it finds no placement within bounds, other
    /// strategies are unlikely to find one.
    fn repairs_bounds(&self) -> bool {
        false
    }

    /// True if a parameter limits the number of migrations. The limit may prevent a placement within bounds.
    fn limits_migrations(&self) -> bool {
        false
    }

    /// True if the strategy needs the positions of objects in their collections
    /// ([`Phase::coordinates`](lbaf_model::Phase::coordinates)).
    fn needs_coordinates(&self) -> bool {
        false
    }

    /// True if the strategy needs the loads of objects in each subphase
    /// ([`Phase::subphases`](lbaf_model::Phase::subphases)).
    fn needs_subphases(&self) -> bool {
        false
    }

    /// True if the strategy never moves an object. Its results are not written as data of a rebalanced run.
    fn keeps_placement(&self) -> bool {
        false
    }

    /// True if migratable objects of a block that start on the same rank always end on the same rank. Lower bounds on
    /// the maximum work are then tighter (see [`Units::Clusters`](lbaf_model::Units)).
    fn keeps_blocks_whole(&self) -> bool {
        false
    }

    /// True if the result can depend on the seed of the [`Context`]. If not, a study runs the strategy once instead of
    /// once per seed.
    fn uses_random_numbers(&self) -> bool {
        true
    }

    /// Returns the time limit in seconds, if any, after which the strategy returns its best result so far. Such a
    /// result depends on the machine and is not reproducible.
    fn time_limit(&self) -> Option<f64> {
        None
    }

    /// True if the strategy uses a new seed in every run of the program ([`settle_seed`](Self::settle_seed)), so
    /// that runs are not reproducible.
    fn randomizes_seed(&self) -> bool {
        false
    }

    /// Called before the run, so that a strategy with its own seed can choose it. `of_run` is the seed of the run, if
    /// any. `random` draws a new seed, for strategies that [randomize](Self::randomizes_seed) it. Default: nothing; the
    /// seed of the [`Context`] is used.
    fn settle_seed(&mut self, _of_run: Option<u64>, _random: &dyn Fn() -> u64) {}

    /// Returns the placements that the strategy replays, if any. They apply only to data with the objects and ranks
    /// that they name.
    fn placement_map(&self) -> Option<PlacementMap<'_>> {
        None
    }

    /// Sets the content of the [`placement_map`](Self::placement_map), if the parameters do not contain it.
    fn set_map(&mut self, _content: Arc<Permutation>) {}

    /// Returns the work model that the parameters describe, as in balancers of vt, or `None` if the work model of the
    /// configuration applies.
    ///
    /// # Errors
    /// If a coefficient is invalid.
    fn work_by_arguments(&self) -> Result<Option<WorkByArguments>, StrategyError> {
        Ok(None)
    }

    /// Returns the formulation of problems as mixed-integer programs, or `None` if the strategy formulates none.
    fn formulation(&self) -> Option<Form> {
        None
    }

    /// Returns the command that computes the placements, if any.
    fn external(&self) -> Option<&External> {
        None
    }

    /// Returns a hash of inputs other than parameters and problem that determine the result, such as files, or `None`
    /// without such inputs.
    ///
    /// # Errors
    /// If an input cannot be read.
    fn digest(&self) -> Result<Option<String>, StrategyError> {
        Ok(None)
    }

    /// Computes a new placement. Implementations poll [`Context::check`] at least every 100 ms.
    ///
    /// # Errors
    /// If the parameters are invalid or do not fit the phase, if an external program fails, or if the run was
    /// cancelled.
    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError>;
}

/// Work model described by the parameters of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkByArguments {
    /// Work model, with defaults for parameters that were not given.
    pub parameters: CcmParameters,
    /// Names and values of the parameters of the work model that were given.
    pub given: Vec<(&'static str, f64)>,
}
