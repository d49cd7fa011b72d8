// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf study`: runs over a grid of choices, and their comparison.

mod arguments;
mod console;
mod status;

use std::path::Path;
use std::sync::Arc;

use arguments::{MergeArgs, StatusArgs, StudyOverrideArgs};
pub(crate) use arguments::{StudyArgs, StudyCommand};
use lbaf_config::StudyConfig;
use lbaf_run::study::{CellCounts, CellResult, Study, StudyStatus};
use lbaf_run::{Messages as _, RunError};
use lbaf_strategies::Cancel;
use lbaf_text::Shown as _;

use crate::error::Error;
use crate::progress::{Messages, Verbosity};
use crate::{directories, inputs, launcher, progress};

/// Directory of the logs of processes that a launcher started, in the output directory.
const LOGS: &str = "logs";

/// Result of the command.
pub(crate) struct Done {
    pub(crate) text: String,
    /// True if the text is JSON, or empty because another process wrote the results.
    pub(crate) is_json: bool,
    /// Error if cells failed.
    pub(crate) failed: Option<Error>,
}

/// Computes missing cells. Without a shard, also writes the results of all cells.
pub(crate) fn study(args: &StudyArgs, messages: Messages, cancel: &Cancel) -> Result<Done, Error> {
    let config = read(args.study(), &args.overrides, messages)?;
    let process = launcher::name();
    if launcher::is_launched() {
        progress::log_into(&config.output_dir.join(LOGS).join(format!("{process}.log")))?;
    }
    let Some(shard) = args.shard else {
        let mut study = Study::open(config, &messages)?;
        study.process = process;
        study.compute(&messages, cancel)?;
        let head = console::head(&study.config, study.counts());
        return conclude(&study, &head, args.overrides.json, messages, cancel);
    };
    let study = Study::open_shard(config, shard, &messages)?;
    study.compute(&messages, cancel)?;
    let text = console::shard(&study.config, shard, study.counts());
    Ok(Done { text, is_json: false, failed: failure(&study.cells()?, false) })
}

/// Merges the cells of shards from other directories, and writes the results of all cells.
pub(crate) fn merge(args: &MergeArgs, messages: Messages, cancel: &Cancel) -> Result<Done, Error> {
    let study = Study::open(read(&args.study, &args.overrides, messages)?, &messages)?;
    study.merge(&args.parts).map_err(|error| match error {
        RunError::MissingCells(missing) if missing.wrong.is_none() => Error::Input(format!(
            "{missing} (`lbaf study {}` computes missing cells)",
            study.config.file.shown()
        )),
        error => error.into(),
    })?;
    let counts = CellCounts { missing: 0, ..study.counts() };
    conclude(&study, &console::head(&study.config, counts), args.overrides.json, messages, cancel)
}

/// Returns the status of a study from its output directory.
pub(crate) fn status(args: &StatusArgs) -> Result<String, Error> {
    let status = StudyStatus::read(&args.directory)?;
    Ok(if args.json { status::json(&status) } else { status::text(&status) })
}

fn read(file: &Path, overrides: &StudyOverrideArgs, messages: Messages) -> Result<StudyConfig, Error> {
    let study = StudyConfig::read(file, &overrides.set, overrides.output.output_dir.as_deref())?;
    Ok(opened(study, messages))
}

/// Registers the files of a study as inputs, and passes on the messages of external strategies.
pub(crate) fn opened(study: StudyConfig, messages: Messages) -> StudyConfig {
    inputs::note_all(&study.base.files);
    study.base.processes.listen(Arc::new(move |line: &str| messages.note(line)));
    study
}

/// Returns the error if cells failed. It repeats the first error unless `is_shown`, that is if the report shows it.
fn failure(cells: &[CellResult], is_shown: bool) -> Option<Error> {
    let first = cells.iter().find_map(|cell| cell.error.clone())?;
    let n_failed = cells.iter().filter(|cell| cell.error.is_some()).count();
    Some(Error::FailedCells { n_failed, n_cells: cells.len(), first: (!is_shown).then_some(first) })
}

/// Writes the results of all cells, unless another process that shares the study does. The text to print is JSON or
/// starts with `head`; it is empty if another process writes.
pub(crate) fn conclude(
    study: &Study,
    head: &str,
    is_json: bool,
    messages: Messages,
    cancel: &Cancel,
) -> Result<Done, Error> {
    inputs::note_all(&study.files());
    let written = study.in_one_process(cancel, || write(study, head, is_json, messages))?;
    let elsewhere = || {
        let directory = study.config.output_dir.shown();
        messages.note(&format!("another process of this study wrote the results to {directory}"));
        Ok(Done { text: String::new(), is_json: true, failed: failure(&study.cells()?, false) })
    };
    written.map_or_else(elsewhere, Ok)
}

fn write(study: &Study, head: &str, is_json: bool, messages: Messages) -> Result<Done, Error> {
    let results = study.results()?;
    let staging = directories::staging(&study.config.output_dir)?;
    let mut outputs = results.write(staging)?;
    lbaf_report::study::illustrate(&mut outputs, &messages)?;
    let summary = outputs.publish(&inputs::all())?;
    let text = if is_json {
        String::from_utf8_lossy(&summary.to_json()).into_owned()
    } else {
        console::report(&results, head, &summary.notes)
    };
    let is_shown = !is_json && messages.verbosity > Verbosity::Quiet;
    Ok(Done { text, is_json, failed: failure(&results.cells, is_shown) })
}
