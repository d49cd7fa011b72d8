// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of a run during simulation.

use std::borrow::Cow;

use lbaf_model::{
    Assignment, Phase, RankId, Statistics, Synchronised, Work, carry, rank_totals, synchronised_bound, works,
};
use lbaf_strategies::{Checked, Problem};

use super::{Forecast, Placements, Simulation};
use crate::machine::Evacuation;
use crate::prediction::{predicted, predictions};
use crate::{
    Balancer, BalancingStep, History, Measured, PhaseBound, PhaseTime, Simulated, SimulationError, Standing,
};

/// A partial run.
#[derive(Clone)]
pub(super) struct Progress<'a> {
    /// Results of the phases that ended.
    pub(super) simulated: Simulated,
    history: History<'a>,
    standing: Standing,
}

impl<'a> Progress<'a> {
    /// Creates the state before the first phase.
    pub(super) fn new(simulation: &Simulation<'a>) -> Self {
        Progress {
            simulated: Simulated::default(),
            history: History::keeping(simulation.forecast.depth()),
            standing: Standing::default(),
        }
    }

    /// Returns the state for schedules; `None` before the first phase.
    pub(super) fn standing(&self) -> Option<&Standing> {
        self.history.last().map(|_| &self.standing)
    }

    /// Returns the placements of up to `depth` phases in the history, the last phase first.
    pub(super) fn placements(&self, depth: usize) -> Vec<&[RankId]> {
        self.history.iter_back().take(depth).map(|measured| measured.assignment.as_slice()).collect()
    }

    /// Simulates the next phase, and balances before it if `is_wanted` and the balancer returns a placement.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    ///
    /// # Panics
    /// If all phases have ended.
    pub(super) fn advance(
        &mut self,
        simulation: &Simulation<'a>,
        is_wanted: bool,
        balancer: &Balancer<'_>,
    ) -> Result<(), SimulationError> {
        simulation.cancel.check()?;
        let at = self.simulated.phases.len();
        let (phase, keys) = (&simulation.data.phases()[at], simulation.data.keys());
        self.history.set_next(phase.id());
        let last = self.history.last();
        let is_carried = simulation.placements == Placements::Carried;
        let evacuation = last.and_then(|last| Evacuation::between(last, phase, !is_carried));
        let carried = last.map(|last| {
            let left = evacuation.as_ref().map_or(&*last.assignment, |left| &left.assignment);
            carry(last.phase, left, phase, keys)
        });
        let migration = simulation.costs.migration;
        let mut recorded = None;
        let mut assignment = Cow::Borrowed(phase.recorded_assignment());
        match carried {
            Some(carried) if is_carried => {
                self.simulated.changes += carried.changes;
                assignment = Cow::Owned(carried.assignment);
            }
            // The recorded migrations are the difference between the carried placement, which objects would
            // keep without migrations, and the recorded one.
            Some(carried) => recorded = Some(migration.of(phase, &carried.assignment, &assignment)),
            None => {}
        }
        let mut balancing = None;
        if is_wanted && is_carried {
            match self.balance(simulation, phase, evacuation.as_ref(), &assignment, balancer)? {
                Some((placed, done)) => {
                    self.standing.balanced(done.seconds());
                    assignment = Cow::Owned(placed);
                    balancing = Some(done);
                }
                None => self.simulated.n_skipped += 1,
            }
        }
        let migration = simulation.costs.migration;
        let evacuation =
            self.history.last().zip(evacuation).map(|(last, left)| left.migrated(last, migration));
        let (time, mean) = simulation.time(phase, simulation.bounds[at], &assignment);
        self.standing.ran(phase.id().0, time.seconds, mean, time.bound);
        self.simulated.phases.push(PhaseTime { evacuation, recorded, balancing, ..time });
        self.history.push(Measured { phase: &simulation.believed()[at], assignment });
        Ok(())
    }

    /// Balances between the last phase and `next`. Returns the placement of `next` and the balancing step;
    /// `None` if the balancer returns `None`.
    fn balance(
        &self,
        simulation: &Simulation<'a>,
        next: &Phase,
        evacuation: Option<&Evacuation>,
        carried: &Assignment,
        balancer: &Balancer<'_>,
    ) -> Result<Option<(Assignment, BalancingStep)>, SimulationError> {
        let last = self.history.last().expect("invariant: a phase ran before the run is balanced");
        let ended = last.phase.id();
        let (known, initial): (Cow<'_, Phase>, &Assignment) = match &simulation.forecast {
            Forecast::Perfect => (Cow::Borrowed(next), carried),
            Forecast::Predicted(model) => {
                let predictions = predictions(model, &self.history, last.phase, 0);
                let known = predicted(last.phase, &predictions)
                    .map_err(|source| SimulationError::Prediction { phase: ended, source })?;
                match evacuation {
                    None => (Cow::Owned(known), &last.assignment),
                    Some(left) => (Cow::Owned(left.left(&known)), &left.assignment),
                }
            }
        };
        let keys = simulation.data.keys();
        let problem = Problem { phase: &known, initial, model: simulation.model, keys };
        let balanced = balancer(ended, &problem);
        let balanced = balanced.map_err(|source| SimulationError::of_strategy(ended, source))?;
        let Some((checked, measured)) = balanced else { return Ok(None) };
        let Checked { outcome, communication, .. } = checked;
        let [before, after] =
            [initial, &outcome.assignment].map(|placement| simulation.cost(&known, placement));
        let costs = simulation.costs;
        let balancing = BalancingStep {
            predicted_load_imbalance: [before.load_imbalance, after.load_imbalance],
            predicted_work_imbalance: [before.work_imbalance(), after.work_imbalance()],
            predicted_seconds: after.seconds,
            strategy_seconds: costs.strategy.seconds(&communication, costs.migration.bandwidth, measured),
            communication,
            migrated: costs.migration.of(&known, initial, &outcome.assignment),
        };
        let placed = match &simulation.forecast {
            Forecast::Perfect => outcome.assignment,
            Forecast::Predicted(_) => carry(last.phase, &outcome.assignment, next, keys).assignment,
        };
        Ok(Some((placed, balancing)))
    }
}

impl Simulation<'_> {
    /// Returns the cost of a placement of a phase.
    fn cost(&self, phase: &Phase, assignment: &Assignment) -> PlacementCost {
        let totals = rank_totals(phase, assignment);
        let works = works(self.model, phase, &totals);
        let synchronised = if self.subphases { Synchronised::of(phase, assignment) } else { None };
        let is_synchronised = synchronised.is_some();
        let (seconds, mean) = match synchronised {
            Some(synchronised) => (synchronised.seconds(), synchronised.mean()),
            None => (largest(&works), Statistics::of(works.iter().map(|work| work.cost())).mean()),
        };
        PlacementCost {
            seconds,
            mean,
            is_synchronised,
            load_imbalance: Statistics::of(totals.iter().map(|rank| rank.load)).imbalance(),
            n_ranks_over_bounds: works.iter().filter(|work| work.is_over_bound()).count(),
        }
    }

    /// Returns the time of a phase, without the costs of balancing and migrations before it, and the mean
    /// time of a rank.
    fn time(&self, phase: &Phase, bound: PhaseBound, assignment: &Assignment) -> (PhaseTime, f64) {
        let cost = self.cost(phase, assignment);
        let synchronised = if cost.is_synchronised { synchronised_bound(phase) } else { None };
        let time = PhaseTime {
            phase: phase.id(),
            seconds: cost.seconds,
            bound: match synchronised {
                Some(bound) => bound.seconds(),
                None => bound.holding(cost.n_ranks_over_bounds > 0),
            },
            load_imbalance: cost.load_imbalance,
            work_imbalance: cost.work_imbalance(),
            n_ranks_over_bounds: cost.n_ranks_over_bounds,
            evacuation: None,
            recorded: None,
            balancing: None,
        };
        (time, cost.mean)
    }
}

/// Cost of a placement of a phase.
struct PlacementCost {
    /// Largest work of a rank; with synchronized subphases, the sum over subphases of the load of the slowest
    /// rank.
    seconds: f64,
    /// Mean work of a rank; with synchronized subphases, the mean load.
    mean: f64,
    is_synchronised: bool,
    load_imbalance: f64,
    n_ranks_over_bounds: usize,
}

impl PlacementCost {
    /// Returns the imbalance of work; with synchronized subphases, of load.
    fn work_imbalance(&self) -> f64 {
        if self.mean > 0.0 { self.seconds / self.mean - 1.0 } else { 0.0 }
    }
}

fn largest(works: &[Work]) -> f64 {
    works.iter().map(|work| work.cost()).fold(0.0, f64::max)
}
