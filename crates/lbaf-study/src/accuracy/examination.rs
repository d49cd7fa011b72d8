// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several load models on the same phases.

use std::borrow::Cow;

use lbaf_model::{DataSet, Phase, PhaseId, Statistics, WorkModel, rank_totals, works};
use lbaf_strategies::{Cancel, Checked, Problem, StrategyError};
use rayon::prelude::*;

use super::{Accuracy, Sums};
use crate::prediction::{predicted, predictions};
use crate::{History, LoadModel, Measured, SimulationError};

/// A strategy that phases are balanced with, to see what their predictions are worth. Nothing if a phase is better left
/// alone.
pub type Trial<'a> = dyn Fn(&Problem<'_>) -> Result<Option<Checked>, StrategyError> + Sync + 'a;

/// Load models are examined on some phases of a data set, whose objects are where they were recorded.
pub struct Examination<'a> {
    /// The phases.
    pub data: &'a DataSet,
    /// Work model of placements.
    pub model: &'a dyn WorkModel,
    /// The models.
    pub load_models: &'a [LoadModel],
    /// Horizons in phase numbers: 1 is the next phase.
    pub horizons: &'a [u32],
    /// Most phases that are predicted.
    pub most_phases: usize,
    /// A request to stop, which is polled prediction by prediction.
    pub cancel: Cancel,
}

/// By load model, by horizon.
type ByModel<T> = Vec<Vec<T>>;

impl Examination<'_> {
    /// The phases that are predicted, by position: all but the first if there are no more than the most, else as many,
    /// evenly spread, the last among them.
    pub fn phases(&self) -> Vec<usize> {
        let n = self.data.phases().len().saturating_sub(1);
        let chosen = n.min(self.most_phases);
        (1..=chosen).map(|number| number * n / chosen).collect()
    }

    /// What comes of it, for each load model and each horizon. With a `trial`, each of the phases is balanced once on its own
    /// loads and once on every prediction of them, from where it was recorded; objects of which nothing is known count with
    /// what they took, so that only predictions are judged.
    ///
    /// O(phases x models x horizons x (objects x (log objects + what the models look at) + the strategy)); phases are
    /// looked at in parallel.
    ///
    /// # Errors
    /// If the trial refuses, if it was cancelled, or what is predicted is beyond all numbers; with the first such phase.
    pub fn run(&self, trial: Option<&Trial<'_>>) -> Result<ByModel<Accuracy>, SimulationError> {
        let of_phases: Vec<Result<ByModel<Sums>, SimulationError>> =
            self.phases().into_par_iter().map(|at| self.of_phase(at, trial)).collect();
        let mut sums = vec![vec![Sums::default(); self.horizons.len()]; self.load_models.len()];
        // In the order of phases, whichever was ready first.
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

    /// A phase, as all models predict it.
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
                // Of what nobody predicts, nothing is lost by prediction.
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

    /// History up to the phase whose number is so much smaller, if the data have that phase.
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

    /// Imbalance of the work of a phase after balancing what it was believed to be.
    fn imbalance(&self, trial: &Trial<'_>, believed: &Phase, phase: &Phase) -> Result<f64, SimulationError> {
        let initial = phase.recorded_assignment();
        let problem = Problem { phase: believed, initial, model: self.model, keys: self.data.keys() };
        let balanced = trial(&problem).map_err(|source| SimulationError::of_strategy(phase.id(), source))?;
        let placed = balanced.as_ref().map_or(initial, |checked| &checked.outcome.assignment);
        let works = works(self.model, phase, &rank_totals(phase, placed));
        Ok(Statistics::of(works.iter().map(|work| work.cost())).imbalance())
    }
}
