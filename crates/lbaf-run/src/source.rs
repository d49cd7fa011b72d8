// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data that were read once, for several configurations that ask for the same of them.

use std::path::PathBuf;

use lbaf_reader::Recorded;

use super::balance;
use super::denoise::Noise;
use super::fit::{self, Said};
use super::input::Input;
use super::offline_map;
use super::outputs;
use crate::Messages;
use crate::RunError;
use crate::data;
use crate::summary::PhaseResult;
use lbaf_config::{Layers, Origin, Overrides, RunConfig};

/// Data that were read.
pub struct Source {
    pub recorded: Recorded,
    /// What was taken out of the recorded times, if the configurations say to.
    pub noise: Option<Noise>,
}

/// What a configuration makes of data, without any output.
pub struct Judged {
    pub phases: Vec<PhaseResult>,
    /// Seconds that the strategy took in each phase.
    pub seconds: Vec<f64>,
    /// What is odd, in sentences.
    pub warnings: Vec<String>,
}

impl Source {
    /// Everything that decides what is read: configurations that agree in it share their data.
    pub fn key(run: &RunConfig) -> String {
        let seed = matches!(run.origin, Origin::Samplers(_)).then_some(run.seed);
        // Every number in it is spelt out, so that different requests have different texts.
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

    /// Files whose content decides the result beside the configuration itself.
    pub fn inputs(run: &RunConfig, layers: &Layers) -> Result<Vec<PathBuf>, RunError> {
        let mut files = run.other_inputs.clone();
        if let Origin::Files(stem) = &run.origin {
            files.extend(data::locate(&stem.path, stem.suffix.as_deref())?.files);
        }
        files.extend(offline_map::locate(run, layers)?.into_iter().flat_map(|map| map.files));
        Ok(files)
    }

    /// Reads what a run needs.
    pub fn read(run: &RunConfig, layers: &Layers, messages: &dyn Messages) -> Result<Self, RunError> {
        let input = Input::find(run, messages)?;
        lbaf_config::check_rank_alpha(&run.rank_alpha, input.n_ranks(), layers)?;
        let (recorded, noise) = crate::prepared::read(run, &input, false, messages)?;
        Ok(Source { recorded, noise })
    }

    /// Checks that a configuration and these data go together, and completes it with what they say.
    pub fn fit(
        &self,
        run: &mut RunConfig,
        layers: &Layers,
        messages: &dyn Messages,
    ) -> Result<Vec<String>, RunError> {
        let map = offline_map::locate(run, layers)?;
        let Said { notes: _, warnings } = fit::fit(run, layers, &Overrides::default(), &self.recorded)?;
        offline_map::complete(run, map.as_ref(), &self.recorded, layers, messages)?;
        Ok(warnings)
    }

    /// Balances the selected phases.
    pub fn balance(&self, run: &RunConfig, layers: &Layers) -> Result<Judged, RunError> {
        let (balanced, _) = balance::balance(run, &self.recorded.data)
            .map_err(|(phase, error)| run.strategies.refused(phase.0, error, layers))?;
        let (phases, warnings) = outputs::judge(run, &self.recorded, &balanced);
        Ok(Judged { phases, seconds: balanced.iter().map(|phase| phase.seconds).collect(), warnings })
    }
}

/// Whether somebody looks at what objects take in each subphase.
pub(crate) fn needs_subphases(run: &RunConfig) -> bool {
    let is_asked = || run.strategies.all().iter().any(|strategy| strategy.needs_subphases());
    run.subphases || run.simulation.needs_subphases() || is_asked()
}

/// Whether somebody looks at where objects are in their collections: a strategy, a load model, or who splits or merges them.
pub(crate) fn needs_coordinates(run: &RunConfig) -> bool {
    run.simulation.machine.assumed.needs_coordinates()
        || run.denoise.as_ref().is_some_and(|labelling| labelling.grouping.needs_coordinates())
        || run.simulation.needs_collections()
        || run.strategies.all().iter().any(|strategy| strategy.needs_coordinates())
}
