// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run in time: phase after phase with a placement that lasts until it is balanced again.

use std::borrow::Cow;

use lbaf_model::{
    Assignment, DataSet, Phase, PhaseId, Statistics, Synchronised, Work, WorkModel, carry, rank_totals,
    synchronised_bound, works,
};
use lbaf_strategies::{Checked, Problem, StrategyError};

use crate::machine::Evacuation;
use crate::prediction::{predicted, predictions};
use crate::{
    Balancing, Costs, History, LoadModel, Measured, PhaseBound, PhaseTime, Schedule, Simulated,
    SimulationError, Standing,
};

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

/// A strategy at work on a problem behind a phase: what it found, and the seconds that it took. Nothing if the run is better
/// left alone, which costs nothing.
pub type Balancer<'a> =
    dyn FnMut(PhaseId, &Problem<'_>) -> Result<Option<(Checked, f64)>, StrategyError> + 'a;

/// A run that is to be simulated.
pub struct Simulation<'a> {
    /// The phases, in the order in which they run.
    pub data: &'a DataSet,
    /// The same phases as whoever predicts takes them to have been, where that is not as they ran: without noise, say.
    pub believed: Option<&'a DataSet>,
    /// What no placement of them can beat under the work model: [`PhaseBound::of_all`].
    pub bounds: &'a [PhaseBound],
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
    /// Whether ranks wait for each other behind every subphase. Then the time of a phase is the sum of the slowest of each,
    /// in seconds of load; of a phase whose subphases nobody knows, still the largest work.
    pub subphases: bool,
}

impl Knowledge {
    /// How many phases back it looks.
    fn depth(&self) -> usize {
        match self {
            Knowledge::Predicted(model) => model.depth(),
            Knowledge::Perfect => 1,
        }
    }
}

impl Simulation<'_> {
    /// Runs it. `balancer` is asked whenever the schedule says so, but not before the first phase, of which nothing is known.
    ///
    /// # Errors
    /// If the balancer refuses, or what is predicted is beyond all numbers; with the phase behind which it was.
    ///
    /// # Panics
    /// If there is not one bound for each phase, or other phases are believed to have run.
    pub fn run(&self, balancer: &mut Balancer<'_>) -> Result<Simulated, SimulationError> {
        assert_eq!(self.bounds.len(), self.data.phases().len(), "one bound for each phase");
        let believed = self.believed.unwrap_or(self.data).phases();
        let is_same = |(ran, believed): (&Phase, &Phase)| {
            ran.id() == believed.id() && ran.columns().objects == believed.columns().objects
        };
        assert!(self.data.phases().iter().zip(believed).all(is_same), "the same objects in the same phases");
        assert_eq!(believed.len(), self.data.phases().len(), "the same phases");
        let mut simulated = Simulated::default();
        let mut history = History::keeping(self.knowledge.depth());
        // Excess of the largest work over the mean since the last balancing, and what each cost.
        let (mut excess, mut costs) = (Vec::new(), Vec::new());
        for ((phase, bound), believed) in self.data.phases().iter().zip(self.bounds).zip(believed) {
            history.set_next(phase.id());
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
                let standing = standing(last.phase.id(), &simulated, &excess, &costs);
                self.schedule.wants(&standing)
            });
            let mut assignment = carried.map_or(Cow::Borrowed(phase.recorded_assignment()), Cow::Owned);
            let mut balancing = None;
            if is_wanted && self.placements == Placements::Carried {
                match self.balance(&history, phase, evacuation.as_ref(), &assignment, balancer)? {
                    Some((placed, done)) => {
                        costs.push(done.seconds());
                        excess.clear();
                        assignment = Cow::Owned(placed);
                        balancing = Some(done);
                    }
                    None => simulated.n_left_alone += 1,
                }
            }
            let mut time = self.time(phase, *bound, &assignment, balancing);
            time.0.evacuation =
                history.last().zip(evacuation).map(|(last, left)| left.migrated(last, self.costs.migration));
            excess.push(time.1);
            simulated.phases.push(time.0);
            history.push(Measured { phase: believed, assignment });
        }
        Ok(simulated)
    }

    /// Balances between two phases: where the objects of the next one are then.
    fn balance(
        &self,
        history: &History<'_>,
        next: &Phase,
        evacuation: Option<&Evacuation>,
        carried: &Assignment,
        balancer: &mut Balancer<'_>,
    ) -> Result<Option<(Assignment, Balancing)>, SimulationError> {
        let last = history.last().expect("invariant: a phase ran before the run is balanced");
        let behind = last.phase.id();
        let (known, initial): (Cow<'_, Phase>, &Assignment) = match &self.knowledge {
            Knowledge::Perfect => (Cow::Borrowed(next), carried),
            Knowledge::Predicted(model) => {
                let predictions = predictions(model, history, last.phase, 0);
                let known = predicted(last.phase, &predictions)
                    .map_err(|source| SimulationError::Prediction { phase: behind, source })?;
                match evacuation {
                    None => (Cow::Owned(known), &last.assignment),
                    Some(left) => (Cow::Owned(left.left(&known)), &left.assignment),
                }
            }
        };
        let problem = Problem { phase: &known, initial, model: self.model, keys: self.data.keys() };
        let balanced = balancer(behind, &problem);
        let balanced = balanced.map_err(|source| SimulationError::Strategy { phase: behind, source })?;
        let Some((checked, measured)) = balanced else { return Ok(None) };
        let Checked { outcome, totals, works, .. } = checked;
        let before = rank_totals(&known, initial).iter().map(|rank| rank.load).collect::<Vec<f64>>();
        let imbalance = |loads: &[f64]| Statistics::of(loads.iter().copied()).imbalance();
        let after: Vec<f64> = totals.iter().map(|rank| rank.load).collect();
        let balancing = Balancing {
            predicted_imbalance: [imbalance(&before), imbalance(&after)],
            predicted_seconds: self
                .synchronised(&known, &outcome.assignment)
                .map_or(largest(&works), |synchronised| synchronised.seconds()),
            strategy_seconds: self.costs.strategy.seconds(&outcome.iterations, known.n_ranks(), measured),
            migrated: self.costs.migration.of(&known, initial, &outcome.assignment),
        };
        let placed = match &self.knowledge {
            Knowledge::Perfect => outcome.assignment,
            Knowledge::Predicted(_) => {
                carry(last.phase, &outcome.assignment, next, self.data.keys()).assignment
            }
        };
        Ok(Some((placed, balancing)))
    }

    /// What a placement takes if ranks wait behind every subphase, where they do.
    fn synchronised(&self, phase: &Phase, assignment: &Assignment) -> Option<Synchronised> {
        if self.subphases { Synchronised::of(phase, assignment) } else { None }
    }

    /// How long a phase takes, and by how much that exceeds the mean.
    fn time(
        &self,
        phase: &Phase,
        bound: PhaseBound,
        assignment: &Assignment,
        balancing: Option<Balancing>,
    ) -> (PhaseTime, f64) {
        let totals = rank_totals(phase, assignment);
        let works = works(self.model, phase, &totals);
        let synchronised = self.synchronised(phase, assignment);
        let (seconds, mean) = match &synchronised {
            Some(synchronised) => (synchronised.seconds(), synchronised.mean()),
            None => (largest(&works), Statistics::of(works.iter().map(|work| work.cost())).mean()),
        };
        let n_ranks_over_bounds = works.iter().filter(|work| work.is_over_bound()).count();
        let time = PhaseTime {
            phase: phase.id(),
            seconds,
            bound: match synchronised.and_then(|_| synchronised_bound(phase)) {
                Some(bound) => bound.seconds(),
                None => bound.holding(n_ranks_over_bounds > 0),
            },
            load_imbalance: Statistics::of(totals.iter().map(|rank| rank.load)).imbalance(),
            n_ranks_over_bounds,
            evacuation: None,
            balancing,
        };
        (time, seconds - mean)
    }
}

/// How things stand behind a phase.
fn standing<'s>(phase: PhaseId, simulated: &Simulated, excess: &'s [f64], costs: &[f64]) -> Standing<'s> {
    let time = simulated.phases.last().map_or(0.0, |time| time.seconds);
    let mean = time - excess.last().copied().unwrap_or(0.0);
    Standing {
        phase: phase.0,
        excess,
        imbalance: if mean > 0.0 { time / mean - 1.0 } else { 0.0 },
        mean_cost: (!costs.is_empty()).then(|| costs.iter().sum::<f64>() / costs.len() as f64),
    }
}

fn largest(works: &[Work]) -> f64 {
    works.iter().map(|work| work.cost()).fold(0.0, f64::max)
}
