// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages to the user while a command runs, on standard error and in the log file of the configuration or of a
//! process of a study.

use std::fs::{self, File, FileType};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use anstyle::Style;
use lbaf_config::{Logging, LoggingLevel};
use lbaf_run::{Progress, Silent};
use lbaf_text::{line, lines};

use crate::bar::{self, Bar};
use crate::colour;
use crate::error::Error;

/// Amount of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Warnings too.
    Warnings,
    /// Notes too.
    #[default]
    Normal,
    /// Steps and their durations too.
    Verbose,
}

impl From<LoggingLevel> for Verbosity {
    fn from(level: LoggingLevel) -> Self {
        match level {
            LoggingLevel::Debug => Verbosity::Verbose,
            LoggingLevel::Info => Verbosity::Normal,
            LoggingLevel::Warning => Verbosity::Warnings,
            LoggingLevel::Error => Verbosity::Quiet,
        }
    }
}

/// Messages of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages {
    pub(crate) verbosity: Verbosity,
}

/// Log file, at most one per process, to which every module can write.
static LOG: OnceLock<Log> = OnceLock::new();

/// Verbosity for code without a [`Messages`] value.
static VERBOSITY: Mutex<Verbosity> = Mutex::new(Verbosity::Normal);

struct Log {
    file: Mutex<File>,
    verbosity: Verbosity,
}

impl Messages {
    /// Sets the verbosity of the process and returns its messages.
    pub(crate) fn start(verbosity: Verbosity) -> Self {
        *VERBOSITY.lock().unwrap_or_else(PoisonError::into_inner) = verbosity;
        Messages { verbosity }
    }

    /// Applies the logging section of the configuration; the command line takes precedence. Quiet runs write a log,
    /// too.
    ///
    /// # Errors
    /// If the log file cannot be written.
    pub(crate) fn configured(self, logging: &Logging) -> Result<Self, Error> {
        let level = logging.level.map(Verbosity::from).unwrap_or_default();
        if let Some(path) = &logging.file {
            let verbosity = if self.verbosity == Verbosity::Verbose { self.verbosity } else { level };
            let file = open(path).map_err(|source| Error::Log { path: path.clone(), source })?;
            // A process runs one command, so the log is set only once.
            let _ = LOG.set(Log { file: Mutex::new(file), verbosity });
        }
        let verbosity = if self.verbosity == Verbosity::default() { level } else { self.verbosity };
        Ok(Messages::start(verbosity))
    }

    /// Prints and logs a message after its label, on one line and without control characters.
    fn say(self, least: Verbosity, (label, style): (&str, Style), text: &str) {
        let text = &line(text);
        if self.verbosity >= least {
            say(&colour::labelled(label, style, text));
        }
        log(least, &format!("{label}: {text}"));
    }
}

impl lbaf_run::Messages for Messages {
    fn warning(&self, text: &str) {
        self.say(Verbosity::Warnings, ("warning", colour::WARNING), text);
    }

    fn note(&self, text: &str) {
        self.say(Verbosity::Normal, ("note", colour::NOTE), text);
    }

    fn detail(&self, text: &str) {
        let text = &line(text);
        if self.verbosity >= Verbosity::Verbose {
            say(text);
        }
        log(Verbosity::Verbose, text);
    }

    fn log(&self, text: &str) {
        log(Verbosity::Normal, text);
    }

    /// Returns a progress bar, which appears after a second, on terminals only and only if notes are printed.
    fn progress(&self, activity: &'static str, n: usize) -> Box<dyn Progress> {
        let visible = self.verbosity >= Verbosity::Normal && io::stderr().is_terminal();
        if visible { Box::new(Bar::start(activity, n)) } else { Box::new(Silent) }
    }
}

/// Logs all messages of this process into a file.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn log_into(path: &Path) -> Result<(), Error> {
    let file = open(path).map_err(|source| Error::Log { path: path.to_path_buf(), source })?;
    let _ = LOG.set(Log { file: Mutex::new(file), verbosity: Verbosity::Verbose });
    Ok(())
}

/// Returns the messages for code without a [`Messages`] value.
pub(crate) fn messages() -> Messages {
    Messages { verbosity: *VERBOSITY.lock().unwrap_or_else(PoisonError::into_inner) }
}

/// Prints and logs the error that ended the command.
pub(crate) fn error(error: &Error) {
    let text = error.shown();
    say(&colour::labelled("error", colour::ERROR, &text));
    log(Verbosity::Quiet, &format!("error: {text}"));
}

/// Prints a line to standard error, above progress bars, with colours only on terminals.
fn say(text: &str) {
    // A closed standard error cannot be reported.
    bar::suspended(|| {
        let _ = writeln!(anstream::stderr(), "{text}");
    });
}

/// Writes a line to the log only, if the log records lines of this level.
pub(crate) fn log(least: Verbosity, text: &str) {
    if let Some(log) = LOG.get().filter(|log| log.verbosity >= least) {
        let mut file = log.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk is reported when the outputs are written.
        let _ = writeln!(file, "{}", lines(text));
    }
}

/// True if a log records lines of this level.
pub(crate) fn is_logged(least: Verbosity) -> bool {
    LOG.get().is_some_and(|log| log.verbosity >= least)
}

/// Opens a log for appending, as LBAF does, and creates its directory.
fn open(path: &Path) -> io::Result<File> {
    // Opening a FIFO would wait for a reader, and devices and sockets store nothing.
    if let Some(found) = fs::metadata(path).ok().filter(|found| !found.is_file()) {
        let message = format!("it is {}; choose a regular file", kind(found.file_type()));
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    File::options().append(true).create(true).open(path)
}

#[cfg(unix)]
fn kind(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match found {
        _ if found.is_dir() => "a directory",
        _ if found.is_fifo() => "a FIFO",
        _ if found.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn kind(found: FileType) -> &'static str {
    if found.is_dir() { "a directory" } else { "not a regular file" }
}
