// SPDX-License-Identifier: MIT OR Apache-2.0
//! The trait of all strategies.

use std::sync::Arc;

use lbaf_milp::Form;
use lbaf_model::CcmParameters;
use serde_json::{Map, Value};

use crate::{Context, External, Outcome, Permutation, PlacementMap, Problem, StrategyError};

/// A rebalancing strategy. It is its parameters and nothing else: it gets `&self`, so that one strategy can balance many
/// phases at once.
///
/// `name` and `rebalance` are all that a strategy needs; the other methods answer what programs ask about it, and their
/// defaults are safe. [`run`](crate::run) checks what it returns.
///
/// ```
/// use lbaf_model::{LoadOnly, Phase, RankId};
/// use lbaf_strategies::{Context, NoObserver, Outcome, Problem, Strategy, StrategyError, run};
///
/// /// Everything that can migrate goes to rank 0.
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
    /// The name in configurations and results.
    fn name(&self) -> &'static str;

    /// Its parameters as a JSON object, as configurations have them. Default: none.
    fn parameters(&self) -> Value {
        Value::Object(Map::new())
    }

    /// The parameters that take it beyond the algorithm published under its name: `homeward`, `migration_weight: 2`.
    /// Default: none.
    fn additions(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name with the [additions](Self::additions): `TemperedLB (homeward)`.
    fn label(&self) -> String {
        let additions = self.additions();
        if additions.is_empty() {
            self.name().to_owned()
        } else {
            format!("{} ({})", self.name(), additions.join(", "))
        }
    }

    /// True if it promises to keep the bounds of the work model where that is possible. Then a result that
    /// breaks one means that none was found; for other strategies it is only worth a warning.
    fn honours_bounds(&self) -> bool {
        false
    }

    /// True if it also exchanges objects to come within bounds, so that hardly another strategy finds a placement within
    /// bounds where it finds none.
    fn repairs_bounds(&self) -> bool {
        false
    }

    /// True if a parameter limits the number of migrations, which may keep it from placements within bounds.
    fn limits_migrations(&self) -> bool {
        false
    }

    /// True if it needs the positions of objects in their collections
    /// ([`Phase::coordinates`](lbaf_model::Phase::coordinates)).
    fn needs_coordinates(&self) -> bool {
        false
    }

    /// True if it needs the times of objects in each subphase ([`Phase::subphases`](lbaf_model::Phase::subphases)).
    fn needs_subphases(&self) -> bool {
        false
    }

    /// True if no object ever moves. Then nothing was rebalanced, and nothing is written as if it had been.
    fn keeps_placement(&self) -> bool {
        false
    }

    /// True if migratable objects of one block that start on one rank always end on one rank. Then its
    /// results have tighter bounds (see [`Units::Clusters`](lbaf_model::Units)).
    fn keeps_blocks_whole(&self) -> bool {
        false
    }

    /// False if it draws no random numbers from the [`Context`]: then its result is the same for every seed, and
    /// a study runs it once instead of once per seed.
    fn draws(&self) -> bool {
        true
    }

    /// Seconds after which it ends with what it has. A result that this cut depends on the machine and is not repeatable.
    fn time_limit(&self) -> Option<f64> {
        None
    }

    /// True if every run of a program draws another seed for it ([`settle_seed`](Self::settle_seed)), so that runs are not
    /// repeatable.
    fn randomizes_seed(&self) -> bool {
        false
    }

    /// Settles a seed that its parameters leave open, before it runs: with the seed of the run, if that has one, or with one
    /// from `random`. Default: nothing to settle, the [`Context`] has the seed.
    fn settle_seed(&mut self, _of_run: Option<u64>, _random: &dyn Fn() -> u64) {}

    /// The placements that it replays, if it does; their objects and ranks must be those of the data.
    fn placement_map(&self) -> Option<PlacementMap<'_>> {
        None
    }

    /// Takes the content of its [`placement_map`](Self::placement_map), where that does not stand in the parameters.
    fn set_map(&mut self, _content: Arc<Permutation>) {}

    /// The work model that its own arguments describe, as balancers of vt have them; `None` if work is what the
    /// configuration says.
    ///
    /// # Errors
    /// If a coefficient makes no sense.
    fn work_by_arguments(&self) -> Result<Option<WorkByArguments>, StrategyError> {
        Ok(None)
    }

    /// The form in which it writes a problem as a mixed-integer program, if it does.
    fn formulation(&self) -> Option<Form> {
        None
    }

    /// The command that computes its placements, if a program outside does.
    fn external(&self) -> Option<&External> {
        None
    }

    /// A digest of what decides its results beside parameters and problem, such as files that it reads; `None` if nothing
    /// else does.
    ///
    /// # Errors
    /// If such a file cannot be read.
    fn digest(&self) -> Result<Option<String>, StrategyError> {
        Ok(None)
    }

    /// Finds a new placement. Polls [`Context::check`] at least every 100 ms of its work.
    ///
    /// # Errors
    /// If the parameters do not fit the phase, or if it was cancelled.
    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError>;
}

/// A work model described by the arguments of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkByArguments {
    /// The work model; the defaults where nothing is given.
    pub parameters: CcmParameters,
    /// The arguments that were given.
    pub given: Vec<(&'static str, f64)>,
}
