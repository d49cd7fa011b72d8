// SPDX-License-Identifier: MIT OR Apache-2.0
//! A configuration with its data, and the steps of a run.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use lbaf_config::{Layers, Overrides, RunConfig};
use lbaf_model::{Assignment, Phase};
use lbaf_reader::Recorded;
use lbaf_strategies::Cancel;
use lbaf_text::number::counted;
use lbaf_writer::{Inputs, Staging};

use crate::balance::{self, BalancedRun};
use crate::denoise::Noise;
use crate::input::Input;
use crate::outputs::{self, Data, Outputs};
use crate::summary::{PhaseResult, Start, Summary};
use crate::{Messages, RunError, fit, offline_map, required_data, staging};

/// A configuration with its data.
pub struct Prepared {
    /// The configuration, completed from the data.
    pub run: RunConfig,
    /// Configuration files, for positions of errors.
    pub layers: Layers,
    /// Source of the data.
    pub input: Input,
    /// The data; with `denoise`, without noise.
    pub recorded: Recorded,
    /// Noise that was removed; `None` without `denoise`.
    pub noise: Option<Noise>,
    /// Staging of the output directory until the method `staging` takes it; `None` without planned outputs.
    staging: Option<Staging>,
    started: Instant,
    read: Duration,
}

impl Prepared {
    /// Reads the data of a configuration. With `writes`, prepares the output directory first, and keeps the records
    /// that outputs need.
    ///
    /// # Errors
    /// If data cannot be read or do not fit the configuration, or the output directory cannot be written.
    pub fn new(
        mut run: RunConfig,
        layers: Layers,
        overrides: &Overrides,
        writes: bool,
        messages: &dyn Messages,
    ) -> Result<Self, RunError> {
        let started = Instant::now();
        let files = run.invocation.files.join(" ");
        // A configuration from a text has no files.
        let colon = if files.is_empty() { "" } else { ": " };
        messages.log(&format!("lbaf {}{colon}{files}", env!("CARGO_PKG_VERSION")));
        if let Some(global) = &layers.global {
            messages.note(&format!(
                "{} is merged below the configuration, which takes precedence",
                global.display()
            ));
        }
        run.notes.iter().for_each(|note| messages.note(note));
        run.warnings.iter().for_each(|warning| messages.warning(warning));
        // The output directory comes first, to report its errors early, and because data in it may have to be restored.
        let staging = if writes { Some(staging::staging(&run.output_dir, messages)?) } else { None };
        let map = offline_map::locate(&run, &layers)?;
        run.other_inputs.extend(map.iter().flat_map(|map| map.files.iter().cloned()));
        let input = Input::find(&run, messages)?;
        lbaf_config::check_rank_alpha(&run.rank_alpha, input.n_ranks(), &layers)?;
        let objection = run.visualization.as_ref().and_then(|picture| picture.objection(input.n_ranks()));
        if let Some(objection) = objection {
            messages.warning(&objection);
            run.visualization = None;
        }
        let (recorded, noise) = required_data::read(&run, &input, writes, messages)?;
        let remarks = fit::fit(&mut run, &layers, overrides, &recorded)?;
        offline_map::complete(&mut run, map.as_ref(), &recorded, &layers, messages)?;
        remarks.notes.iter().for_each(|note| messages.note(note));
        remarks.warnings.iter().for_each(|warning| messages.warning(warning));
        let read = started.elapsed();
        messages.detail(&format!("read {} in {read:.2?}", counted(input.n_ranks(), "file")));
        run.summary_notes.extend(noise.iter().map(|noise| noise.findings.note.clone()));
        Ok(Prepared { run, layers, input, recorded, noise, staging, started, read })
    }

    /// Returns all files read, which outputs must not replace.
    pub fn files(&self) -> Vec<PathBuf> {
        [&self.layers.files[..], &self.run.other_inputs, self.input.files()].concat()
    }

    /// Returns warnings about the data.
    pub fn data_warnings(&self) -> Vec<String> {
        outputs::data_warnings(&self.run, &self.recorded)
    }

    /// Checks, without writing, that outputs can be written and replace no inputs.
    ///
    /// # Errors
    /// If the output directory cannot be written, or an output would replace an input.
    pub fn check_outputs(&self, inputs: &Inputs) -> Result<(), RunError> {
        let names = outputs::names(&self.run, self.input.n_ranks());
        Ok(lbaf_writer::check_targets(&self.run.output_dir, names, inputs)?)
    }

    /// Returns the result of balancing a phase from its recorded placement.
    ///
    /// # Errors
    /// If the strategy rejects the phase, or was cancelled.
    pub fn placement(&self, phase: &Phase, cancel: &Cancel) -> Result<Assignment, RunError> {
        let Prepared { run, recorded, layers, .. } = self;
        let initial = Cow::Borrowed(phase.recorded_assignment());
        let strategy = run.strategy_at(phase.id());
        let balanced =
            balance::balance_one(run, &recorded.data, phase, strategy, (Start::Recorded, initial), cancel)
                .map_err(|(phase, error)| run.strategies.refused(phase.0, error, layers))?;
        Ok(balanced.after.outcome.assignment)
    }

    /// Balances the selected phases.
    ///
    /// # Errors
    /// If a strategy rejects a phase, or was cancelled.
    pub fn balance(&self, messages: &dyn Messages, cancel: &Cancel) -> Result<BalancedRun<'_>, RunError> {
        let started = Instant::now();
        let (phases, notes) = balance::balance(&self.run, &self.recorded.data, messages, cancel)
            .map_err(|(phase, error)| self.run.strategies.refused(phase.0, error, &self.layers))?;
        let took = started.elapsed();
        messages.detail(&format!("balanced {} in {took:.2?}", counted(phases.len(), "phase")));
        Ok(BalancedRun { phases, notes, took })
    }

    /// Returns the staging of the output directory.
    ///
    /// # Errors
    /// If the directory cannot be written.
    pub fn staging(&mut self, messages: &dyn Messages) -> Result<Staging, RunError> {
        Ok(self.staging.take().map_or_else(|| staging::staging(&self.run.output_dir, messages), Ok)?)
    }

    /// Writes files and tables into `staging`. Charts and pictures may follow before [`Outputs::publish`].
    ///
    /// # Errors
    /// If files or tables cannot be written, or files for vt's OfflineLB are invalid.
    pub fn write<'a>(
        &'a self,
        balanced: &'a BalancedRun<'a>,
        staging: Staging,
        messages: &dyn Messages,
    ) -> Result<Outputs<'a>, RunError> {
        let clock = outputs::Clock { started: self.started, read: self.read, balance: balanced.took };
        Outputs::write(&self.run, self.data(), balanced, staging, clock, messages)
    }

    fn data(&self) -> Data<'_> {
        Data { input: &self.input, recorded: &self.recorded, noise: self.noise.as_ref() }
    }

    /// Returns the time since the run began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Returns a sentence on phases in which the strategy enforces upper bounds but could not satisfy them, if any.
pub fn infeasible(summary: &Summary, run: &RunConfig) -> Option<String> {
    let broken: Vec<_> = summary.phases.iter().filter(|phase| phase.infeasible).collect();
    let first = broken.first()?;
    let violation = first.violations.first().map(ToString::to_string).unwrap_or_default();
    Some(format!(
        "no placement within the upper bounds of the work model was found for {}: in phase {}, {violation}{}; \
         outputs were still written",
        counted(broken.len(), "phase"),
        first.phase,
        way_out(run, first),
    ))
}

/// Returns advice on how to satisfy the upper bounds; empty without advice, or if they are proven infeasible.
fn way_out(run: &RunConfig, phase: &PhaseResult) -> &'static str {
    match run.strategies.at(phase.phase).filter(|_| phase.strategy.is_some()) {
        _ if phase.infeasibility.is_some() => "",
        Some(strategy) if strategy.limits_migrations() => {
            "; without the limit on migrations, such a placement may exist"
        }
        Some(strategy) if !strategy.repairs_bounds() => {
            "; `LocalSearch` also exchanges objects to satisfy the bounds"
        }
        _ => "",
    }
}
