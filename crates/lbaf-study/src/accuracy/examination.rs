// SPDX-License-Identifier: MIT OR Apache-2.0
//! Examination of several load models on the same phases.

use std::borrow::Cow;

use lbaf_model::{DataSet, Phase, PhaseId, Statistics, WorkModel, rank_totals, works};
use lbaf_strategies::{Cancel, Checked, Problem, StrategyError};
use rayon::prelude::*;

use super::{Accuracy, Sums};
use crate::prediction::{predicted, predictions};
use crate::{History, LoadModel, Measured, SimulationError};

/// Function that balances a phase with a strategy, to evaluate predictions by their effect. Returns `None` if
/// the placement stays unchanged.
pub type Trial<'a> = dyn Fn(&Problem<'_>) -> Result<Option<Checked>, StrategyError> + Sync + 'a;

/// Examination of load models on some phases of a data set, with objects on their recorded ranks.
pub struct Examination<'a> {
    /// Data set that contains the phases.
    pub data: &'a DataSet,
    /// Work model of the trial and of the reported imbalances.
    pub model: &'a dyn WorkModel,
    /// Load models to examine.
    pub load_models: &'a [LoadModel],
    /// Horizons in phase numbers: 1 is the next phase.
    pub horizons: &'a [u32],
    /// Maximum number of predicted phases.
    pub most_phases: usize,
    /// Request to stop, polled before each prediction of a phase.
    pub cancel: Cancel,
}

/// Values by load model, then by horizon.
type ByModel<T> = Vec<Vec<T>>;

impl Examination<'_> {
    /// Returns the positions of the phases to predict: all phases except the first or, if these are too many,
    /// `most_phases` of them, evenly spread and including the last phase.
    pub fn phases(&self) -> Vec<usize> {
        let n = self.data.phases().len().saturating_sub(1);
        let chosen = n.min(self.most_phases);
        (1..=chosen).map(|number| number * n / chosen).collect()
    }

    /// Returns the accuracy of each load model at each horizon. With a `trial`, each phase is balanced from
    /// its recorded placement: once with its measured loads, and once with each prediction. Objects without a
    /// prediction keep their measured loads, so that only predictions are evaluated.
    ///
    /// O(phases x models x horizons x (objects x (log objects + phases that the model uses) + the strategy)).
    /// Phases are examined in parallel.
    ///
    /// # Errors
    /// If the trial fails, the examination was cancelled, or predicted loads overflow. Of several errors,
    /// that of the first phase is returned.
    pub fn run(&self, trial: Option<&Trial<'_>>) -> Result<ByModel<Accuracy>, SimulationError> {
        let of_phases: Vec<Result<ByModel<Sums>, SimulationError>> =
            self.phases().into_par_iter().map(|at| self.of_phase(at, trial)).collect();
        let mut sums = vec![vec![Sums::default(); self.horizons.len()]; self.load_models.len()];
        // Sums are merged in the order of phases, not of completion.
        for of_phase in of_phases {
            for (sums, others) in sums.iter_mut().flatten().zip(of_phase?.iter().flatten()) {
                sums.merge(others);
            }
        }
        let accuracies = |sums: Vec<Sums>| -> Vec<Accuracy> {
            sums.into_iter().zip(self.horizons).map(|(sums, &horizon)| sums.into_accuracy(horizon)).collect()
        };
        Ok(sums.into_iter().map(accuracies).collect())
    }

    /// Returns the sums of the phase at position `at`, by load model and horizon.
    fn of_phase(&self, at: usize, trial: Option<&Trial<'_>>) -> Result<ByModel<Sums>, SimulationError> {
        let phase = &self.data.phases()[at];
        let known = trial.map(|trial| self.imbalance(trial, phase, phase)).transpose()?;
        let histories: Vec<Option<History<'_>>> =
            self.horizons.iter().map(|&horizon| self.history(at, horizon)).collect();
        let of_model = |model: &LoadModel| {
            let of_horizon = |(&horizon, history): (&u32, &Option<History<'_>>)| {
                self.cancel.check()?;
                let mut sums = Sums::default();
                let Some(history) = history else { return Ok(sums) };
                let loads = predictions(model, history, phase, horizon.saturating_sub(1));
                sums.add(&loads, &phase.columns().load);
                // Without any prediction there is no loss to measure.
                let is_predicted = loads.iter().any(Option::is_some);
                if let (Some(trial), Some(known), true) = (trial, known, is_predicted) {
                    let prediction = predicted(phase, &loads)
                        .map_err(|source| SimulationError::Prediction { phase: phase.id(), source })?;
                    sums.add_balanced(self.imbalance(trial, &prediction, phase)?, known);
                }
                Ok(sums)
            };
            self.horizons.iter().zip(&histories).map(of_horizon).collect()
        };
        self.load_models.iter().map(of_model).collect()
    }

    /// Returns the history that ends `horizon` phase numbers before the phase at position `at`; `None` if the
    /// data lack the last phase of this history.
    fn history(&self, at: usize, horizon: u32) -> Option<History<'_>> {
        let phases = self.data.phases();
        let last = phases[at].id().0.checked_sub(u64::from(horizon.max(1)))?;
        let end = phases.binary_search_by_key(&PhaseId(last), Phase::id).ok()? + 1;
        let depth = self.load_models.iter().map(LoadModel::depth).max()?;
        let mut history = History::keeping(depth);
        for phase in &phases[end.saturating_sub(depth)..end] {
            history.push(Measured { phase, assignment: Cow::Borrowed(phase.recorded_assignment()) });
        }
        Some(history)
    }

    /// Balances a phase with the loads of `believed`, and returns the resulting imbalance of work under the
    /// measured loads of `phase`.
    fn imbalance(&self, trial: &Trial<'_>, believed: &Phase, phase: &Phase) -> Result<f64, SimulationError> {
        let initial = phase.recorded_assignment();
        let problem = Problem { phase: believed, initial, model: self.model, keys: self.data.keys() };
        let balanced = trial(&problem).map_err(|source| SimulationError::of_strategy(phase.id(), source))?;
        let placed = balanced.as_ref().map_or(initial, |checked| &checked.outcome.assignment);
        let works = works(self.model, phase, &rank_totals(phase, placed));
        Ok(Statistics::of(works.iter().map(|work| work.cost())).imbalance())
    }
}
