// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulation of a run: phase after phase, with a placement that lasts until the next balancing step.

use lbaf_model::{DataSet, Phase, WorkModel};
use lbaf_strategies::Cancel;

use crate::{Balancer, Costs, LoadModel, PhaseBound, Schedule, Simulated, SimulationError};

mod best_schedule;
mod progress;

pub use best_schedule::MOST_SEARCHED_PHASES;
use progress::Progress;

/// Forecast of the next phase, used by balancing steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Forecast {
    /// Loads predicted by a load model from the phases so far, for the objects of the last phase.
    Predicted(LoadModel),
    /// Objects and loads of the next phase itself (perfect knowledge), as a reference for predictions.
    Perfect,
}

/// Origin of the placement of each phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placements {
    /// Objects stay on their ranks until the run is balanced or their rank is lost. Objects that are new, or
    /// non-migratable in this or the previous phase, are on their recorded rank.
    Carried,
    /// Each phase has its recorded placement. The time of the run includes the recorded migrations, but not
    /// the strategies of the recorded run, whose times are unknown.
    Recorded,
}

/// A run to simulate.
pub struct Simulation<'a> {
    /// The phases, in the order in which they run.
    pub data: &'a DataSet,
    /// Phases from which loads are predicted, if other than `data`; for example, without noise.
    pub believed: Option<&'a DataSet>,
    /// Lower bounds of the phases under the work model: [`PhaseBound::of_all`].
    pub bounds: &'a [PhaseBound],
    /// Work model. The time of a phase is the largest work of a rank.
    pub model: &'a dyn WorkModel,
    /// Origin of the placement of each phase.
    pub placements: Placements,
    /// Forecast that balancing steps use.
    pub forecast: Forecast,
    /// Schedule of balancing steps.
    pub schedule: Schedule<'a>,
    /// Costs of balancing steps.
    pub costs: Costs,
    /// True if ranks synchronize after every subphase. The time of a phase is then the sum over subphases of
    /// the load of the slowest rank. A phase with unknown subphases still takes the largest work.
    pub subphases: bool,
    /// Request to stop, polled before each phase. Pass it to the balancer too, to stop within a balancing
    /// step.
    pub cancel: Cancel,
}

impl Forecast {
    /// Returns the number of past phases that the forecast uses.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Forecast::Predicted(model) => model.depth(),
            Forecast::Perfect => 1,
        }
    }
}

impl<'a> Simulation<'a> {
    /// Runs the simulation. Calls `balancer` whenever the schedule requires it, except before the first
    /// phase, when no loads are known yet. With [`Placements::Recorded`], `balancer` is never called.
    ///
    /// # Errors
    /// If the balancer fails, the run was cancelled, predicted loads overflow, or the run is too long to
    /// search for the best schedule.
    ///
    /// # Panics
    /// If the number of bounds differs from the number of phases, or if `believed` has other phases or
    /// objects than `data`.
    pub fn run(&self, balancer: &Balancer<'_>) -> Result<Simulated, SimulationError> {
        self.check();
        match &self.schedule {
            Schedule::Best => best_schedule::best(self, balancer),
            schedule => self.follow(schedule, balancer),
        }
    }

    /// Simulates the run with a schedule that is evaluated phase by phase.
    pub(crate) fn follow(
        &self,
        schedule: &Schedule<'_>,
        balancer: &Balancer<'_>,
    ) -> Result<Simulated, SimulationError> {
        let mut progress = Progress::new(self);
        for _ in self.data.phases() {
            let is_wanted = progress.standing().is_some_and(|standing| schedule.wants(standing));
            progress.advance(self, is_wanted, balancer)?;
        }
        Ok(progress.simulated)
    }

    /// Returns the phases from which loads are predicted, in order.
    pub(crate) fn believed(&self) -> &'a [Phase] {
        self.believed.unwrap_or(self.data).phases()
    }

    fn check(&self) {
        assert_eq!(self.bounds.len(), self.data.phases().len(), "one bound for each phase");
        let believed = self.believed();
        let is_same = |(ran, believed): (&Phase, &Phase)| {
            ran.id() == believed.id() && ran.columns().objects == believed.columns().objects
        };
        assert!(self.data.phases().iter().zip(believed).all(is_same), "the same objects in the same phases");
        assert_eq!(believed.len(), self.data.phases().len(), "the same phases");
    }
}
