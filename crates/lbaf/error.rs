// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors that end a command, and exit codes. Errors are printed once, in `main`.

use std::io;
use std::path::PathBuf;

use lbaf_config::ConfigError;
use lbaf_reader::ReadError;
use lbaf_report::ReportError;
use lbaf_run::{Fault, RunError};
use lbaf_strategies::{Cancelled, StrategyError};
use lbaf_text::number::counted;
use lbaf_text::{line, lines};
use lbaf_writer::{ConvertError, State, Unfinished, WriteError};
use thiserror::Error;

/// Exit codes; 0 is success.
pub(crate) mod exit {
    /// Two data sets differ, as with diff(1).
    pub(crate) const DIFFERENT: u8 = 1;
    /// Some cells of a study failed.
    pub(crate) const FAILED_CELLS: u8 = 1;
    /// Wrong usage: unknown or missing arguments, or invalid values of options. clap uses the same code.
    pub(crate) const USAGE: u8 = 2;
    /// The configuration is invalid or does not fit the data.
    pub(crate) const CONFIGURATION: u8 = 3;
    /// The input, or the answer of an external strategy, is invalid.
    pub(crate) const INPUT: u8 = 4;
    /// A result exceeds upper bounds that its strategy promises to keep; outputs were written.
    pub(crate) const INFEASIBLE: u8 = 5;
    /// Outputs could not be written.
    pub(crate) const OUTPUT: u8 = 6;
    /// The system refused memory or a thread.
    pub(crate) const RESOURCE: u8 = 71;
    /// Interrupted: 128 plus the number of SIGINT.
    pub(crate) const CANCELLED: u8 = 130;
    /// A defect of this program.
    pub(crate) const DEFECT: u8 = 70;
}

/// Error that ends a command.
#[derive(Debug, Error)]
pub(crate) enum Error {
    /// Invalid configuration, with the offending line, or a phase that the data do not have.
    #[error("{0}")]
    Configuration(String),
    /// Configuration file that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    ConfigurationFile { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Missing input, or input that the command cannot use.
    #[error("{0}")]
    Input(String),
    /// File that cannot be converted.
    #[error("{}: {source}", path.display())]
    Convert { path: PathBuf, source: ConvertError },
    /// Data that violate their schema, with a line for each of the first errors.
    #[error("{0}")]
    NotBySchema(String),
    /// Wrong usage: an invalid value of an option, or an invalid combination of options.
    #[error("{0}")]
    Usage(String),
    /// Invalid files, whose faults were printed already.
    #[error("files are not valid")]
    Invalid,
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    #[error(transparent)]
    Write(WriteError),
    /// Directory whose files a command is replacing, or has replaced only in part.
    #[error("{unfinished}; {}", remedy(unfinished))]
    Unfinished { unfinished: Unfinished, is_read: bool },
    /// Old files that cannot be restored yet, and the remedy.
    #[error("{source}; {remedy}")]
    NotRestored { source: WriteError, remedy: String },
    /// Failure of a chart, table, picture or page.
    #[error(transparent)]
    Report(ReportError),
    #[error(transparent)]
    Provenance(#[from] lbaf_provenance::ProvenanceError),
    /// Existing files that would be replaced, or mixed with new ones.
    #[error("{} already exists; choose another name, or use --force to replace all files of this name", .0.display())]
    Present(PathBuf),
    /// Default output directory with a file that is not part of its result.
    #[error(
        "{} holds {}, which is not part of a result of lbaf; remove the file, or choose a directory with --output-dir",
        directory.display(),
        file.display()
    )]
    Foreign { directory: PathBuf, file: PathBuf },
    /// Default output directory with a file that was changed.
    #[error(
        "{} was changed after lbaf wrote it; remove the file, or choose a directory with --output-dir",
        directory.join(file).display()
    )]
    Changed { directory: PathBuf, file: PathBuf },
    /// New files with the name of input files.
    #[error("{} is an input file; choose another name for the new files", .0.display())]
    AmongInputs(PathBuf),
    /// Log file that cannot be written.
    #[error("cannot write the log file {}: {source}", path.display())]
    Log { path: PathBuf, source: io::Error },
    /// Standard output that cannot be written, for example because a disk is full.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// Files for vt's OfflineLB that vt would reject, although it accepts the data.
    #[error(
        "the files for OfflineLB fail `lbaf validate --vt` although the data pass; this is a defect of lbaf, and nothing \
         was written ({counts}); first error: {first}"
    )]
    NotForVt { counts: String, first: String },
    /// Upper bounds that the strategy promises to keep but exceeds.
    #[error("{0}")]
    Infeasible(String),
    /// Failed cells of a study; the others have results. `first` is the first error unless it was printed before.
    #[error("{n_failed} of {} failed{}", counted(*.n_cells, "cell"), first_error(.first.as_deref()))]
    FailedCells { n_failed: usize, n_cells: usize, first: Option<String> },
    /// Request to stop, for example an interrupt.
    #[error("interrupted: results were not written")]
    Cancelled(#[from] Cancelled),
    /// Request to stop a study.
    #[error("interrupted: results were not written; finished cells of a study are kept")]
    CancelledStudy,
    /// Thread that the system refuses to start.
    #[error(
        "cannot start a thread: {0}; raise the limit on processes of this user (`ulimit -u`) or on memory (`ulimit -v`), or \
         use fewer threads with --threads"
    )]
    Thread(String),
    /// Signal handler that the system refuses.
    #[error("cannot install a signal handler: {0}")]
    SignalHandler(io::Error),
    /// Different data sets in `lbaf diff`: a result with its own exit code.
    #[error("the data sets differ")]
    Different,
}

/// Returns the end of a message that repeats the first of several errors.
fn first_error(first: Option<&str>) -> String {
    first.map_or_else(String::new, |first| format!("; first error: {first}"))
}

impl Error {
    /// Returns the message without control characters, on one line unless it shows lines of files or several errors.
    pub(crate) fn shown(&self) -> String {
        let message = self.to_string();
        match self {
            Error::Configuration(_) | Error::NotBySchema(_) | Error::FailedCells { .. } => lines(&message),
            _ => line(&message),
        }
        .into_owned()
    }

    /// Returns the error as that of a study, which keeps finished cells when it is interrupted.
    pub(crate) fn of_study(self) -> Self {
        if matches!(self, Error::Cancelled(_)) { Error::CancelledStudy } else { self }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Error::Strategy(error) => code(error.into()),
            Error::Read(error) => code(error.into()),
            Error::Write(error) => code(error.into()),
            Error::Report(error) => code(error.into()),
            Error::NotForVt { .. } => exit::DEFECT,
            Error::Configuration(_) | Error::ConfigurationFile { .. } => exit::CONFIGURATION,
            Error::Thread(_) | Error::SignalHandler(_) => exit::RESOURCE,
            Error::Usage(_) => exit::USAGE,
            Error::Input(_)
            | Error::NotBySchema(_)
            | Error::Convert { .. }
            | Error::Invalid
            | Error::Provenance(_)
            | Error::Unfinished { is_read: true, .. } => exit::INPUT,
            Error::Infeasible(_) => exit::INFEASIBLE,
            Error::Different => exit::DIFFERENT,
            Error::Cancelled(_) | Error::CancelledStudy => exit::CANCELLED,
            Error::FailedCells { .. } => exit::FAILED_CELLS,
            Error::NotRestored { .. }
            | Error::Unfinished { is_read: false, .. }
            | Error::Log { .. }
            | Error::Stdout(_)
            | Error::Present(_)
            | Error::Foreign { .. }
            | Error::Changed { .. }
            | Error::AmongInputs(_) => exit::OUTPUT,
        }
    }
}

fn code(fault: Fault) -> u8 {
    match fault {
        Fault::Configuration => exit::CONFIGURATION,
        Fault::Input => exit::INPUT,
        Fault::Output => exit::OUTPUT,
        Fault::Resource => exit::RESOURCE,
        Fault::Defect => exit::DEFECT,
        Fault::Cancelled => exit::CANCELLED,
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Unfinished(unfinished) => Error::Unfinished { unfinished, is_read: true },
            ConfigError::Strategy(error) => Error::Strategy(error),
            ConfigError::Data(message) => Error::Input(message),
            ConfigError::Invalid(invalid) => Error::Configuration(invalid.to_string()),
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
            RunError::Claims(error) => WriteError::Io { path: error.path, source: error.source }.into(),
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
            ReportError::SameName(_) => Error::Usage(format!("--names: {error}")),
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
                let remedy = format!("move it away, then run `lbaf restore {}`", directory.display());
                Error::NotRestored { source: error, remedy }
            }
            error => Error::Write(error),
        }
    }
}

/// Returns the remedy for an unfinished replacement of files.
fn remedy(Unfinished { directory, state }: &Unfinished) -> String {
    let directory = directory.display();
    let restore = format!("`lbaf restore {directory}`");
    let forced = format!("`lbaf restore --force {directory}`");
    match state {
        State::Killed => format!("{restore} restores the old ones, as does any command that writes there"),
        State::KilledOf { .. } => {
            format!(
                "{restore} run by that user restores the old ones, as does {forced} run by any other user"
            )
        }
        State::Running => {
            format!("try again when it has ended; if no command is running, {forced} restores the old ones")
        }
        State::On(_) => format!("if it is no longer running, {forced} restores the old ones"),
        State::Damaged { .. } => format!("{forced} leaves all files as they are and sets the journal aside"),
    }
}
