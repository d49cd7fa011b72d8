// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run in time: phase after phase with a placement that lasts until it is balanced again.

use std::borrow::Cow;

use lbaf_model::{
    Assignment, Changes, DataSet, Phase, PhaseId, Statistics, Work, WorkModel, carry, lower_bounds,
    rank_totals, works,
};
use lbaf_strategies::{Checked, Problem, StrategyError};

use crate::costs::{Costs, Migrated};
use crate::machine::Evacuation;
use crate::{History, LoadModel, Measured, Schedule, Standing};

/// What is known of the next phase when a run is balanced.
#[derive(Clone, Debug, PartialEq)]
pub enum Knowledge {
    /// What a load model makes of the phases so far, for the objects of the last one.
    Predicted(LoadModel),
    /// All of it, as nobody can know: what any prediction is measured by.
    Perfect,
}

/// Where a run starts, and where its objects are in each phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placements {
    /// Objects stay where they are until the run is balanced; those that are new start where they were recorded.
    Carried,
    /// Each phase is as it was recorded, whoever balanced it then; nothing is paid for that.
    Recorded,
}

/// A strategy at work on a problem behind a phase: what it found, and the seconds that it took.
pub type Balancer<'a> = dyn FnMut(PhaseId, &Problem<'_>) -> Result<(Checked, f64), StrategyError> + 'a;

/// A run that is to be simulated.
pub struct Simulation<'a> {
    /// The phases, in the order in which they run.
    pub data: &'a DataSet,
    /// What a placement costs: the largest work is the time of a phase.
    pub model: &'a dyn WorkModel,
    /// Where objects are.
    pub placements: Placements,
    /// What is known when the run is balanced.
    pub knowledge: Knowledge,
    /// When it is balanced.
    pub schedule: Schedule<'a>,
    /// What it pays for that.
    pub costs: Costs,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Simulated {
    /// The phases, in the order in which they ran.
    pub phases: Vec<PhaseTime>,
    /// Objects that came and went.
    pub changes: Changes,
}

/// A phase of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseTime {
    /// Its number.
    pub phase: PhaseId,
    /// The largest work of a rank.
    pub seconds: f64,
    /// What no placement can beat.
    pub bound: f64,
    /// Imbalance of load.
    pub load_imbalance: f64,
    /// Ranks over a bound of the work model.
    pub n_ranks_over_bounds: usize,
    /// What migrated off ranks that were lost before it, if some were.
    pub evacuation: Option<Migrated>,
    /// How the run was balanced before it, if it was.
    pub balancing: Option<Balancing>,
}

/// A balancing of a run, between two phases.
#[derive(Clone, Debug, PartialEq)]
pub struct Balancing {
    /// Imbalance of the predicted loads before and after.
    pub predicted_imbalance: [f64; 2],
    /// What it predicted the next phase to take.
    pub predicted_seconds: f64,
    /// Seconds of the strategy.
    pub strategy_seconds: f64,
    /// What migrated, and the seconds that it took.
    pub migrated: Migrated,
}

impl Simulated {
    /// Seconds of all phases, of all strategies and of all migrations.
    pub fn parts(&self) -> [f64; 3] {
        let balancings = || self.phases.iter().filter_map(|phase| phase.balancing.as_ref());
        let evacuations = self.phases.iter().filter_map(|phase| phase.evacuation);
        let migrations = balancings().map(|balancing| balancing.migrated).chain(evacuations);
        [
            total(self.phases.iter().map(|phase| phase.seconds)),
            total(balancings().map(|balancing| balancing.strategy_seconds)),
            total(migrations.map(|migrated| migrated.seconds)),
        ]
    }

    /// Seconds of the run: its parts together.
    pub fn seconds(&self) -> f64 {
        self.parts().iter().sum()
    }

    /// Seconds that no placements could beat.
    pub fn bound(&self) -> f64 {
        self.phases.iter().map(|phase| phase.bound).sum()
    }
}

impl Simulation<'_> {
    /// Runs it. `balancer` is asked whenever the schedule says so, but not before the first phase, of which nothing is known.
    ///
    /// # Errors
    /// If the balancer refuses, with the phase behind which it did.
    pub fn run(&self, balancer: &mut Balancer<'_>) -> Result<Simulated, (PhaseId, StrategyError)> {
        let mut simulated = Simulated::default();
        let mut history = History::default();
        // Excess of the largest work over the mean since the last balancing, and what each cost.
        let (mut excess, mut costs) = (Vec::new(), Vec::new());
        for phase in self.data.phases() {
            let last = history.last().filter(|_| self.placements == Placements::Carried);
            let evacuation = last.and_then(|last| Evacuation::between(last, phase));
            let carried = match last {
                Some(last) => {
                    let left = evacuation.as_ref().map_or(&*last.assignment, |left| &left.assignment);
                    let carried = carry(last.phase, left, phase, self.data.keys());
                    simulated.changes += carried.changes;
                    Some(carried.assignment)
                }
                _ => None,
            };
            let is_wanted = history.last().is_some_and(|last| {
                let standing = self.standing(last.phase.id(), &simulated, &excess, &costs);
                self.schedule.wants(&standing)
            });
            let mut assignment = carried.map_or(Cow::Borrowed(phase.recorded_assignment()), Cow::Owned);
            let mut balancing = None;
            if is_wanted && self.placements == Placements::Carried {
                let (placed, done) =
                    self.balance(&history, phase, evacuation.as_ref(), assignment, balancer)?;
                costs.push(done.strategy_seconds + done.migrated.seconds);
                excess.clear();
                assignment = Cow::Owned(placed);
                balancing = Some(done);
            }
            let mut time = self.time(phase, &assignment, balancing);
            time.0.evacuation =
                history.last().zip(evacuation).map(|(last, left)| left.migrated(last, self.costs.migration));
            excess.push(time.1);
            simulated.phases.push(time.0);
            history.push(Measured { phase, assignment });
        }
        Ok(simulated)
    }

    fn standing<'s>(
        &self,
        phase: PhaseId,
        simulated: &Simulated,
        excess: &'s [f64],
        costs: &[f64],
    ) -> Standing<'s> {
        let time = simulated.phases.last().map_or(0.0, |time| time.seconds);
        let mean = time - excess.last().copied().unwrap_or(0.0);
        Standing {
            phase: phase.0,
            excess,
            imbalance: if mean > 0.0 { time / mean - 1.0 } else { 0.0 },
            mean_cost: (!costs.is_empty()).then(|| costs.iter().sum::<f64>() / costs.len() as f64),
        }
    }

    /// Balances between two phases: where the objects of the next one are then.
    fn balance(
        &self,
        history: &History<'_>,
        next: &Phase,
        evacuation: Option<&Evacuation>,
        carried: Cow<'_, Assignment>,
        balancer: &mut Balancer<'_>,
    ) -> Result<(Assignment, Balancing), (PhaseId, StrategyError)> {
        let last = history.last().expect("invariant: a phase ran before the run is balanced");
        let (known, initial): (Cow<'_, Phase>, &Assignment) = match &self.knowledge {
            Knowledge::Perfect => (Cow::Borrowed(next), &carried),
            Knowledge::Predicted(model) => {
                let known = predicted(model, history, last.phase);
                match evacuation {
                    None => (Cow::Owned(known), &last.assignment),
                    Some(left) => (Cow::Owned(left.left(&known)), &left.assignment),
                }
            }
        };
        let problem = Problem { phase: &known, initial, model: self.model, keys: self.data.keys() };
        let (checked, measured) =
            balancer(last.phase.id(), &problem).map_err(|error| (last.phase.id(), error))?;
        let Checked { outcome, totals, works, .. } = checked;
        let before = rank_totals(&known, initial).iter().map(|rank| rank.load).collect::<Vec<f64>>();
        let imbalance = |loads: &[f64]| Statistics::of(loads.iter().copied()).imbalance();
        let after: Vec<f64> = totals.iter().map(|rank| rank.load).collect();
        let balancing = Balancing {
            predicted_imbalance: [imbalance(&before), imbalance(&after)],
            predicted_seconds: largest(&works),
            strategy_seconds: self.costs.strategy.seconds(&outcome.iterations, known.n_ranks(), measured),
            migrated: self.costs.migration.of(&known, initial, &outcome.assignment),
        };
        let placed = match &self.knowledge {
            Knowledge::Perfect => outcome.assignment,
            Knowledge::Predicted(_) => {
                carry(last.phase, &outcome.assignment, next, self.data.keys()).assignment
            }
        };
        Ok((placed, balancing))
    }

    /// What no placement can beat; of those over a bound of the work model, what none of all can.
    fn bound(&self, phase: &Phase, is_over: bool) -> f64 {
        let bounds = lower_bounds(phase, self.model);
        let hold = bounds.iter().filter(|bound| !(is_over && bound.within_bounds));
        hold.map(|bound| bound.work).fold(0.0, f64::max)
    }

    /// How long a phase takes, and by how much that exceeds the mean.
    fn time(&self, phase: &Phase, assignment: &Assignment, balancing: Option<Balancing>) -> (PhaseTime, f64) {
        let totals = rank_totals(phase, assignment);
        let works = works(self.model, phase, &totals);
        let seconds = largest(&works);
        let mean = Statistics::of(works.iter().map(|work| work.cost())).mean();
        let n_ranks_over_bounds = works.iter().filter(|work| work.is_over_bound()).count();
        let time = PhaseTime {
            phase: phase.id(),
            seconds,
            bound: self.bound(phase, n_ranks_over_bounds > 0),
            load_imbalance: Statistics::of(totals.iter().map(|rank| rank.load)).imbalance(),
            n_ranks_over_bounds,
            evacuation: None,
            balancing,
        };
        (time, seconds - mean)
    }
}

/// The last phase with the loads that the next one is predicted to have.
fn predicted(model: &LoadModel, history: &History<'_>, last: &Phase) -> Phase {
    let load = last.slots().map(|slot| {
        // What no model knows takes as long as it took.
        model.predict(history, last.object(slot), 0).unwrap_or_else(|| last.load(slot))
    });
    last.with_loads(load.collect()).expect("invariant: predicted loads are finite and not negative")
}

/// The sum, in order; of nothing 0 without a sign, which `sum` has.
fn total(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |sum, number| sum + number)
}

fn largest(works: &[Work]) -> f64 {
    works.iter().map(|work| work.cost()).fold(0.0, f64::max)
}
