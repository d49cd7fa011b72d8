// SPDX-License-Identifier: MIT OR Apache-2.0
//! Level of messages, and the log file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use lbaf_reader::FileName;
use lbaf_writer::Inputs;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Layers;

/// Levels of messages, with LBAF's names.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LoggingLevel {
    /// Steps and their durations, notes, warnings and errors.
    Debug,
    /// Notes, warnings and errors.
    Info,
    /// Warnings and errors.
    Warning,
    /// Errors only.
    Error,
}

/// Logging settings of the configuration. Options of the command line take precedence.
#[derive(Clone, Debug, Default)]
pub struct Logging {
    /// Level, if configured.
    pub level: Option<LoggingLevel>,
    /// Log file.
    pub file: Option<PathBuf>,
}

impl Logging {
    /// Checks the settings.
    ///
    /// # Errors
    /// If the log file is an input file of the run.
    pub(super) fn new(
        level: Option<LoggingLevel>,
        file: Option<&str>,
        stems: &[&Path],
        others: &[PathBuf],
        layers: &Layers,
    ) -> Result<Self, String> {
        let file = file.map(|written| layers.path(written));
        let is_input = |file: &PathBuf| {
            let of_stems = stems.iter().flat_map(|stem| files_of(stem));
            let inputs: Inputs = layers.files.iter().chain(others).cloned().chain(of_stems).collect();
            stems.iter().any(|stem| is_of_stem(file, stem)) || inputs.identified().contains(file)
        };
        match &file {
            Some(input) if is_input(input) => {
                Err(format!("{} is an input file; choose another name", input.display()))
            }
            _ => Ok(Logging { level, file }),
        }
    }
}

/// Returns the existing data files of a stem.
fn files_of(stem: &Path) -> Vec<PathBuf> {
    let entries = directory_of(stem).read_dir().into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|file| is_of_stem(file, stem)).collect()
}

fn directory_of(path: &Path) -> PathBuf {
    path.parent().map_or(PathBuf::new(), Path::to_path_buf).join(".")
}

/// True if name and directory of a file are those of a data file of the stem.
fn is_of_stem(file: &Path, stem: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().as_encoded_bytes();
    let of_stem = stem.file_name().map(OsStr::as_encoded_bytes);
    let same =
        |a: PathBuf, b: PathBuf| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    FileName::parse(name).is_some_and(|parts| Some(parts.stem) == of_stem)
        && same(directory_of(file), directory_of(stem))
}
