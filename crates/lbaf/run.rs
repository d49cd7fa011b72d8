// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf run`: read, balance, write.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use lbaf_config::{Layers, Overrides, resolve};
use lbaf_report::illustrate;
use lbaf_run::summary::Summary;
use lbaf_run::{Messages as _, Prepared, infeasible};
use lbaf_strategies::Cancel;
use lbaf_text::Shown as _;

use crate::arguments::{OverrideArgs, StepArgs};
use crate::direct::DirectArgs;
use crate::error::Error;
use crate::progress::{self, Messages, Verbosity};
use crate::{directories, inputs};

#[derive(Debug, Args)]
#[command(
    override_usage = "lbaf run [OPTIONS] <CONFIG>...\n       lbaf run [OPTIONS] --data <STEM> --strategy <NAME>"
)]
pub(crate) struct RunArgs {
    /// Configuration files; later ones override earlier ones.
    #[arg(value_name = "CONFIG")]
    pub(crate) configurations: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) direct: DirectArgs,
    /// Further configuration file, given with LBAF's option `-c`.
    #[arg(short = 'c', long = "configuration", value_name = "FILE", hide = true)]
    pub(crate) more: Option<PathBuf>,
    /// Read and check the configuration and the data, describe the run, and write nothing.
    #[arg(long, conflicts_with = "json")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) steps: StepArgs,
}

/// Finished run.
pub(crate) struct Finished {
    pub(crate) summary: Summary,
    /// Path of the data relative to the working directory, or a note that the data are synthetic.
    pub(crate) data: String,
    pub(crate) output_dir: PathBuf,
    /// Error for upper bounds that the strategy promises to keep but exceeds.
    pub(crate) infeasible: Option<Error>,
}

impl RunArgs {
    /// Returns the merged configuration, and the changes on the command line.
    pub(crate) fn layers(&self) -> Result<(Layers, Overrides), Error> {
        let mut overrides = self.overrides.overrides()?;
        if self.dry_run {
            // Nothing is written, not even a log.
            overrides.set.push("log_to_file=null".to_owned());
        }
        let files: Vec<PathBuf> = self.configurations.iter().chain(&self.more).cloned().collect();
        if let Some(direct) = self.direct.configuration(&files, &overrides, self.dry_run)? {
            return Ok(direct);
        }
        if let Some(directory) = files.iter().find(|file| file.is_dir()) {
            let directory = directory.shown();
            return Err(Error::Configuration(format!(
                "{directory} is a directory, not a configuration; for data without a configuration, write \
                 `lbaf run --data {directory} --strategy NAME`"
            )));
        }
        Ok((Layers::read(&files, &overrides.set)?, overrides))
    }
}

/// Runs a configuration.
pub(crate) fn run(
    files: &[PathBuf],
    overrides: &Overrides,
    messages: Messages,
    cancel: &Cancel,
) -> Result<Finished, Error> {
    run_layers(Layers::read(files, &overrides.set)?, overrides, messages, cancel)
}

/// Runs a merged configuration that contains the assignments of `overrides`.
pub(crate) fn run_layers(
    layers: Layers,
    overrides: &Overrides,
    messages: Messages,
    cancel: &Cancel,
) -> Result<Finished, Error> {
    let (prepared, messages) = prepare_layers(layers, overrides, true, messages)?;
    finish(prepared, messages, cancel)
}

/// Reads a configuration and its data. With `writes`, also prepares the output directory and keeps the records that
/// outputs need. Returned messages follow the logging settings of the configuration.
pub(crate) fn prepare(
    files: &[PathBuf],
    overrides: &Overrides,
    writes: bool,
    messages: Messages,
) -> Result<(Prepared, Messages), Error> {
    prepare_layers(Layers::read(files, &overrides.set)?, overrides, writes, messages)
}

/// Does the same as [`prepare`] for a merged configuration that contains the assignments of `overrides`.
pub(crate) fn prepare_layers(
    layers: Layers,
    overrides: &Overrides,
    writes: bool,
    messages: Messages,
) -> Result<(Prepared, Messages), Error> {
    let run = resolve(&layers, overrides)?;
    let messages = messages.configured(&run.logging)?;
    layers.processes.listen(Arc::new(move |line: &str| messages.note(line)));
    let prepared = Prepared::new(run, layers, overrides, writes, &messages)?;
    inputs::note_all(&prepared.files());
    Ok((prepared, messages))
}

/// Balances, writes and draws.
pub(crate) fn finish(mut prepared: Prepared, messages: Messages, cancel: &Cancel) -> Result<Finished, Error> {
    let staging = directories::listed(prepared.staging(&messages)?, &prepared.run.output_dir);
    let balanced = prepared.balance(&messages, cancel)?;
    if progress::is_logged(Verbosity::Normal) {
        for text in lbaf_report::statistics(&prepared.recorded, &balanced.phases) {
            progress::log(Verbosity::Normal, &text);
        }
    }
    let mut outputs = prepared.write(&balanced, staging, &messages)?;
    illustrate(&mut outputs, &messages)?;
    // An interrupted command publishes nothing.
    cancel.check()?;
    let summary = outputs.publish(&inputs::all())?;
    summary.notes.iter().for_each(|note| messages.note(note));
    summary.warnings.iter().for_each(|warning| messages.warning(warning));
    let Prepared { run, input, .. } = &prepared;
    lbaf_run::Messages::log(&messages, &format!("outputs are in {}", run.output_dir.display()));
    messages.detail(&format!("all done in {:.2?}", prepared.elapsed()));
    Ok(Finished {
        infeasible: infeasible(&summary, run).map(Error::Infeasible),
        summary,
        data: input.to_string(),
        output_dir: run.output_dir.clone(),
    })
}
