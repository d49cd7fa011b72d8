// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data shared by several configurations, such as cells of a study.

use std::path::PathBuf;

use lbaf_config::{Layers, Origin, Overrides, RunConfig};
use lbaf_reader::Recorded;
use lbaf_strategies::Cancel;

use crate::RunError;
use crate::balance;
use crate::data;
use crate::denoise::Noise;
use crate::fit::{self, Remarks};
use crate::input::Input;
use crate::offline_map;
use crate::outputs;
use crate::required_data::{self, needs_coordinates, needs_subphases};
use crate::summary::PhaseResult;
use crate::{Messages, Silent};

/// Data shared by several configurations.
pub struct Source {
    /// The data; with `denoise`, without noise.
    pub recorded: Recorded,
    /// Removed noise; `None` without `denoise`.
    pub noise: Option<Noise>,
}

/// Results of a run that writes no files.
pub struct Evaluation {
    /// Results of the selected phases, ascending; if placements are carried over, of all phases from the first selected
    /// one.
    pub phases: Vec<PhaseResult>,
    /// Wall-clock seconds of the strategy in each phase.
    pub seconds: Vec<f64>,
    /// Warnings on data and results.
    pub warnings: Vec<String>,
}

impl Source {
    /// Returns, as text, all settings that determine the data. Configurations with the same text can share data.
    pub fn key(run: &RunConfig) -> String {
        let seed = matches!(run.origin, Origin::Samplers(_)).then_some(run.seed);
        // `Debug` prints numbers in full, so different requests differ in text.
        format!(
            "{:?}",
            (
                &run.origin,
                seed,
                run.check_schema,
                &run.phases,
                &run.communication_kinds,
                run.absent_endpoints,
                run.nodes,
                &run.rank_alpha,
                needs_coordinates(run),
                needs_subphases(run),
                &run.denoise,
            )
        )
    }

    /// Returns all files that determine the result, except the configuration.
    ///
    /// # Errors
    /// If data or the map of `OfflineLB` cannot be found.
    pub fn inputs(run: &RunConfig, layers: &Layers) -> Result<Vec<PathBuf>, RunError> {
        let mut files = run.other_inputs.clone();
        if let Origin::Files(stem) = &run.origin {
            files.extend(data::locate(&stem.path, stem.suffix.as_deref())?.files);
        }
        files.extend(offline_map::locate(run, layers)?.into_iter().flat_map(|map| map.files));
        Ok(files)
    }

    /// Reads the data that a run needs.
    ///
    /// # Errors
    /// If data cannot be found or read, or the speeds of ranks do not fit them.
    pub fn read(run: &RunConfig, layers: &Layers, messages: &dyn Messages) -> Result<Self, RunError> {
        Source::of(&Input::find(run, messages)?, run, layers, messages)
    }

    /// Reads the data that a run needs from an input, for example from files that no stem describes.
    ///
    /// # Errors
    /// If data cannot be read, or the speeds of ranks do not fit them.
    pub fn of(
        input: &Input,
        run: &RunConfig,
        layers: &Layers,
        messages: &dyn Messages,
    ) -> Result<Self, RunError> {
        lbaf_config::check_rank_alpha(&run.rank_alpha, input.n_ranks(), layers)?;
        let (recorded, noise) = required_data::read(run, input, false, messages)?;
        Ok(Source { recorded, noise })
    }

    /// Checks a configuration against the data, completes it from them, and returns warnings.
    ///
    /// # Errors
    /// If the configuration does not fit the data (a selected phase may be missing), or a map cannot be read.
    pub fn fit(
        &self,
        run: &mut RunConfig,
        layers: &Layers,
        messages: &dyn Messages,
    ) -> Result<Vec<String>, RunError> {
        let map = offline_map::locate(run, layers)?;
        let Remarks { notes: _, warnings } = fit::fit(run, layers, &Overrides::default(), &self.recorded)?;
        offline_map::complete(run, map.as_ref(), &self.recorded, layers, messages)?;
        Ok(warnings)
    }

    /// Balances the selected phases.
    ///
    /// # Errors
    /// If a strategy rejects a phase, or the run was cancelled.
    pub fn balance(&self, run: &RunConfig, layers: &Layers, cancel: &Cancel) -> Result<Evaluation, RunError> {
        let (balanced, _) = balance::balance(run, &self.recorded.data, &Silent, cancel)
            .map_err(|(phase, error)| run.strategies.refused(phase.0, error, layers))?;
        let (phases, warnings) = outputs::evaluate(run, &self.recorded, &balanced);
        Ok(Evaluation { phases, seconds: balanced.iter().map(|phase| phase.seconds).collect(), warnings })
    }
}
