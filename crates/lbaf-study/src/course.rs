// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run on its way through the phases.

use std::borrow::Cow;

use lbaf_model::{
    Assignment, Phase, Statistics, Synchronised, Work, carry, rank_totals, synchronised_bound, works,
};
use lbaf_strategies::{Checked, Problem};

use crate::machine::Evacuation;
use crate::prediction::{predicted, predictions};
use crate::simulation::{Balancer, Knowledge, Placements, Simulation};
use crate::{Balancing, History, Measured, PhaseBound, PhaseTime, Simulated, SimulationError, Standing};

/// A run as far as it has come.
#[derive(Clone)]
pub(crate) struct Course<'a> {
    /// The phases that ended.
    pub(crate) simulated: Simulated,
    history: History<'a>,
    standing: Standing,
}

impl<'a> Course<'a> {
    /// One that has not begun.
    pub(crate) fn new(simulation: &Simulation<'a>) -> Self {
        Course {
            simulated: Simulated::default(),
            history: History::keeping(simulation.knowledge.depth()),
            standing: Standing::default(),
        }
    }

    /// The state that schedules decide on; nothing before the first phase.
    pub(crate) fn standing(&self) -> Option<&Standing> {
        self.history.last().map(|_| &self.standing)
    }

    /// Runs the next phase, and balances before it if that `is_wanted` and the balancer has something to do.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    ///
    /// # Panics
    /// If all phases ended.
    pub(crate) fn advance(
        &mut self,
        simulation: &Simulation<'a>,
        is_wanted: bool,
        balancer: &Balancer<'_>,
    ) -> Result<(), SimulationError> {
        let at = self.simulated.phases.len();
        let (phase, keys) = (&simulation.data.phases()[at], simulation.data.keys());
        let last = self.history.last().filter(|_| simulation.placements == Placements::Carried);
        let evacuation = last.and_then(|last| Evacuation::between(last, phase));
        let carried = last.map(|last| {
            let left = evacuation.as_ref().map_or(&*last.assignment, |left| &left.assignment);
            carry(last.phase, left, phase, keys)
        });
        let mut assignment = match carried {
            Some(carried) => {
                self.simulated.changes += carried.changes;
                Cow::Owned(carried.assignment)
            }
            None => Cow::Borrowed(phase.recorded_assignment()),
        };
        let mut balancing = None;
        if is_wanted && simulation.placements == Placements::Carried {
            match self.balance(simulation, phase, evacuation.as_ref(), &assignment, balancer)? {
                Some((placed, done)) => {
                    self.standing.balanced(done.seconds());
                    assignment = Cow::Owned(placed);
                    balancing = Some(done);
                }
                None => self.simulated.n_left_alone += 1,
            }
        }
        let migration = simulation.costs.migration;
        let evacuation =
            self.history.last().zip(evacuation).map(|(last, left)| left.migrated(last, migration));
        let (time, mean) = simulation.time(phase, simulation.bounds[at], &assignment);
        self.standing.ran(phase.id().0, time.seconds, mean);
        self.simulated.phases.push(PhaseTime { evacuation, balancing, ..time });
        self.history.push(Measured { phase: &simulation.believed()[at], assignment });
        Ok(())
    }

    /// Balances between two phases: where the objects of the next one are then.
    fn balance(
        &self,
        simulation: &Simulation<'a>,
        next: &Phase,
        evacuation: Option<&Evacuation>,
        carried: &Assignment,
        balancer: &Balancer<'_>,
    ) -> Result<Option<(Assignment, Balancing)>, SimulationError> {
        let last = self.history.last().expect("invariant: a phase ran before the run is balanced");
        let behind = last.phase.id();
        let (known, initial): (Cow<'_, Phase>, &Assignment) = match &simulation.knowledge {
            Knowledge::Perfect => (Cow::Borrowed(next), carried),
            Knowledge::Predicted(model) => {
                let predictions = predictions(model, &self.history, last.phase, 0);
                let known = predicted(last.phase, &predictions)
                    .map_err(|source| SimulationError::Prediction { phase: behind, source })?;
                match evacuation {
                    None => (Cow::Owned(known), &last.assignment),
                    Some(left) => (Cow::Owned(left.left(&known)), &left.assignment),
                }
            }
        };
        let keys = simulation.data.keys();
        let problem = Problem { phase: &known, initial, model: simulation.model, keys };
        let balanced = balancer(behind, &problem);
        let balanced = balanced.map_err(|source| SimulationError::Strategy { phase: behind, source })?;
        let Some((checked, measured)) = balanced else { return Ok(None) };
        let Checked { outcome, totals, works, .. } = checked;
        let before = rank_totals(&known, initial).iter().map(|rank| rank.load).collect::<Vec<f64>>();
        let imbalance = |loads: &[f64]| Statistics::of(loads.iter().copied()).imbalance();
        let after: Vec<f64> = totals.iter().map(|rank| rank.load).collect();
        let costs = simulation.costs;
        let balancing = Balancing {
            predicted_imbalance: [imbalance(&before), imbalance(&after)],
            predicted_seconds: simulation
                .synchronised(&known, &outcome.assignment)
                .map_or(largest(&works), |synchronised| synchronised.seconds()),
            strategy_seconds: costs.strategy.seconds(&outcome.iterations, known.n_ranks(), measured),
            migrated: costs.migration.of(&known, initial, &outcome.assignment),
        };
        let placed = match &simulation.knowledge {
            Knowledge::Perfect => outcome.assignment,
            Knowledge::Predicted(_) => carry(last.phase, &outcome.assignment, next, keys).assignment,
        };
        Ok(Some((placed, balancing)))
    }
}

impl Simulation<'_> {
    /// What a placement takes if ranks wait behind every subphase, where they do.
    fn synchronised(&self, phase: &Phase, assignment: &Assignment) -> Option<Synchronised> {
        if self.subphases { Synchronised::of(phase, assignment) } else { None }
    }

    /// How long a phase takes, and the mean over ranks, if nothing happens before it.
    fn time(&self, phase: &Phase, bound: PhaseBound, assignment: &Assignment) -> (PhaseTime, f64) {
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
            balancing: None,
        };
        (time, mean)
    }
}

fn largest(works: &[Work]) -> f64 {
    works.iter().map(|work| work.cost()).fold(0.0, f64::max)
}
