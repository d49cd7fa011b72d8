// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that ends a command early, and the exit code it ends with. Errors are printed in `main`, once.

use std::io;
use std::path::PathBuf;

use lbaf_config::ConfigError;
use lbaf_reader::ReadError;
use lbaf_report::ReportError;
use lbaf_run::RunError;
use lbaf_strategies::{Cancelled, StrategyError};
use lbaf_text::{line, lines};
use lbaf_vom::VomError;
use lbaf_writer::{ConvertError, State, Unfinished, WriteError};
use thiserror::Error;

/// Exit codes; 0 is success.
pub(crate) mod exit {
    /// Two data sets differ, as with diff(1).
    pub(crate) const DIFFERENT: u8 = 1;
    /// Some cells of a study failed.
    pub(crate) const FAILED_CELLS: u8 = 1;
    /// Wrong usage; clap ends with it too.
    pub(crate) const USAGE: u8 = 2;
    /// The configuration is wrong, or names a phase that the data lack.
    pub(crate) const CONFIGURATION: u8 = 3;
    /// The input files are wrong.
    pub(crate) const INPUT: u8 = 4;
    /// A strategy that must keep bounds could not; outputs were written.
    pub(crate) const INFEASIBLE: u8 = 5;
    /// Outputs could not be written.
    pub(crate) const OUTPUT: u8 = 6;
    /// The system refuses memory or a thread.
    pub(crate) const RESOURCE: u8 = 71;
    /// A request to stop: 128 and the number of SIGINT, as shells have it.
    pub(crate) const CANCELLED: u8 = 130;
    /// A defect of this program.
    pub(crate) const DEFECT: u8 = 70;
}

/// Why a command ended early.
#[derive(Debug, Error)]
pub(crate) enum Error {
    /// A configuration, rendered with the offending line.
    #[error("{0}")]
    Configuration(String),
    /// A configuration file that cannot be read.
    #[error("cannot read the configuration {}: {source}", path.display())]
    ConfigurationFile { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Input that is well-formed but of no use.
    #[error("{0}")]
    Input(String),
    /// A file that cannot be converted.
    #[error("{}: {source}", path.display())]
    Convert { path: PathBuf, source: ConvertError },
    /// Data that do not fit their schema: a line for each of the first errors.
    #[error("{0}")]
    NotBySchema(String),
    /// Options that do not go together.
    #[error("{0}")]
    Usage(String),
    /// Files that are not valid, which was said already.
    #[error("files are not valid")]
    Invalid,
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    #[error(transparent)]
    Write(WriteError),
    /// Files that are neither the old ones nor the new ones.
    #[error("{unfinished}; {}", way_out(unfinished))]
    Unfinished { unfinished: Unfinished, is_read: bool },
    /// Old files that cannot be put back now, and what to do.
    #[error("{source}; {way_out}")]
    NotRestored { source: WriteError, way_out: String },
    /// A chart, table, picture or page.
    #[error(transparent)]
    Report(ReportError),
    #[error(transparent)]
    Provenance(#[from] lbaf_provenance::ProvenanceError),
    /// Files that would be replaced, or mixed with others.
    #[error("{} is there already; choose another name, or --force to replace all files of this one", .0.display())]
    Present(PathBuf),
    /// New files under the name of those that they are made of.
    #[error("{} is one of the files that are read; choose another name for the new ones", .0.display())]
    AmongInputs(PathBuf),
    /// The log file of a configuration.
    #[error("cannot write the log file {}: {source}", path.display())]
    Log { path: PathBuf, source: io::Error },
    /// Standard output is full or gone.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// Files for vt's OfflineLB that vt could not take, for no reason in the data.
    #[error(
        "the files for OfflineLB do not pass `lbaf validate --vt`, though the data do: a defect of lbaf, so nothing was \
         written ({counts}); the first: {first}"
    )]
    NotForVt { counts: String, first: String },
    /// Bounds that the strategy promises and could not keep.
    #[error("{0}")]
    Infeasible(String),
    /// Cells of a study without results; the others have theirs.
    #[error("{n_failed} of {n_cells} cells failed, the first of them because {first}")]
    FailedCells { n_failed: usize, n_cells: usize, first: String },
    /// A request to stop, for example from an interrupt.
    #[error("interrupted: results were not written; finished cells of a study are kept")]
    Cancelled(#[from] Cancelled),
    /// A thread that the system does not start.
    #[error(
        "cannot start a thread: {0}; raise the limit on processes of this user (`ulimit -u`) or on memory (`ulimit -v`), or \
         use fewer with --threads"
    )]
    Thread(String),
    /// No error, but the exit code of `lbaf diff`.
    #[error("the data sets differ")]
    Different,
}

impl Error {
    /// The message as it is printed, without characters that a terminal would obey: on one line, but for messages that
    /// show lines of files.
    pub(crate) fn shown(&self) -> String {
        let message = self.to_string();
        match self {
            Error::Configuration(_) | Error::NotBySchema(_) | Error::FailedCells { .. } => lines(&message),
            _ => line(&message),
        }
        .into_owned()
    }

    /// The exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Error::Strategy(StrategyError::Broken { .. }) | Error::NotForVt { .. } => exit::DEFECT,
            // What a command answers is input.
            Error::Strategy(StrategyError::Outside { .. }) => exit::INPUT,
            Error::Configuration(_) | Error::ConfigurationFile { .. } | Error::Strategy(_) => {
                exit::CONFIGURATION
            }
            Error::Thread(_) | Error::Read(ReadError::Content { source: VomError::NoMemory { .. }, .. }) => {
                exit::RESOURCE
            }
            Error::Usage(_) => exit::USAGE,
            Error::Read(_)
            | Error::Input(_)
            | Error::NotBySchema(_)
            | Error::Convert { .. }
            | Error::Invalid
            | Error::Provenance(_)
            | Error::Report(ReportError::Page(_))
            | Error::Unfinished { is_read: true, .. }
            | Error::Write(WriteError::Read(_) | WriteError::Subphases { .. }) => exit::INPUT,
            Error::Infeasible(_) => exit::INFEASIBLE,
            Error::Different => exit::DIFFERENT,
            Error::Cancelled(_) => exit::CANCELLED,
            Error::FailedCells { .. } => exit::FAILED_CELLS,
            Error::Write(_)
            | Error::NotRestored { .. }
            | Error::Unfinished { is_read: false, .. }
            | Error::Report(_)
            | Error::Log { .. }
            | Error::Stdout(_)
            | Error::Present(_)
            | Error::AmongInputs(_) => exit::OUTPUT,
        }
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Unfinished(unfinished) => Error::Unfinished { unfinished, is_read: true },
            ConfigError::Strategy(error) => Error::Strategy(error),
            ConfigError::Data(message) => Error::Input(message),
            ConfigError::Invalid(message) => Error::Configuration(message),
            ConfigError::File { path, source } => Error::ConfigurationFile { path, source },
        }
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Config(error) => error.into(),
            RunError::Read(error) => Error::Read(error),
            RunError::Input(message) => Error::Input(message),
            RunError::Unfinished(unfinished) => Error::Unfinished { unfinished, is_read: true },
            RunError::NotBySchema(message) => Error::NotBySchema(message),
            RunError::Cancelled(cancelled) => Error::Cancelled(cancelled),
            RunError::MissingCells(missing) => Error::Input(missing.to_string()),
            RunError::Write(error) => error.into(),
            RunError::NotForVt { counts, first } => Error::NotForVt { counts, first },
        }
    }
}

impl From<ReportError> for Error {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Run(error) => error.into(),
            ReportError::Read(error) => Error::Read(error),
            ReportError::Input(message) => Error::Input(message),
            ReportError::Unfinished(unfinished) => Error::Unfinished { unfinished, is_read: true },
            ReportError::Write(error) => error.into(),
            ReportError::SameName(_) => Error::Configuration(format!("--names: {error}")),
            ReportError::AbsentPhase { .. } => Error::Configuration(format!("--phases: {error}")),
            error => Error::Report(error),
        }
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Unfinished(unfinished) => Error::Unfinished { unfinished, is_read: false },
            WriteError::Taken { ref directory, .. } => {
                let way_out = format!("move it away, then `lbaf restore {}`", directory.display());
                Error::NotRestored { source: error, way_out }
            }
            error => Error::Write(error),
        }
    }
}

/// The command that restores files whose replacement has not ended.
fn way_out(Unfinished { directory, state }: &Unfinished) -> String {
    let directory = directory.display();
    let restore = format!("`lbaf restore {directory}`");
    let forced = format!("`lbaf restore --force {directory}`");
    match state {
        State::Killed => format!("{restore} puts the old ones back, as does any command that writes there"),
        State::KilledOf { .. } => {
            format!("{restore} run by that user puts the old ones back, as does {forced} run by any other")
        }
        State::Running => {
            format!("try again when it has ended; if none runs, {forced} puts the old ones back")
        }
        State::On(_) => format!("if it no longer runs, {forced} puts the old ones back"),
        State::Damaged { .. } => format!("{forced} leaves all files as they are and goes on without it"),
    }
}
