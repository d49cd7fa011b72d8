// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs without a configuration file: data and strategy as arguments, and an output directory with their names.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use lbaf_config::{Layers, Overrides};
use lbaf_run::summary::{self, Summary};
use lbaf_strategies::StrategyName;

use crate::directories;
use crate::error::Error;

/// Directory of the output directories of these runs.
const OUTPUT: &str = "lbaf-output";

/// Data and strategy in place of a configuration.
#[derive(Clone, Debug, Args)]
pub(crate) struct DirectArgs {
    /// Data to balance without a configuration: the path of the files up to the rank, or a directory with one data set.
    /// Results are written to `lbaf-output/<stem>-<strategy>` unless `--output-dir` names another directory.
    #[arg(long, value_name = "STEM", conflicts_with_all = ["configurations", "more"], requires = "strategy")]
    pub(crate) data: Option<PathBuf>,
    /// Strategy for `--data`; `lbaf strategies` lists all.
    #[arg(long, value_name = "NAME", requires = "data")]
    pub(crate) strategy: Option<String>,
}

impl DirectArgs {
    /// Returns the configuration of these arguments with the changes of the command line; `None` without `--data`.
    ///
    /// # Errors
    /// If the path is not UTF-8, an assignment is malformed, old files of the default output directory cannot be
    /// restored, or the directory holds other files than an unchanged result.
    pub(crate) fn configuration(&self, overrides: &Overrides) -> Result<Option<(Layers, Overrides)>, Error> {
        let (Some(data), Some(strategy)) = (&self.data, &self.strategy) else { return Ok(None) };
        let stem = utf8(data)?;
        // The summary lists assignments, so the run can be reproduced from its summary.
        let assigned = [("from_data.data_stem", stem), ("algorithm.name", strategy)];
        let quoted = |(key, value): (&str, &str)| format!("{key}={}", serde_json::json!(value));
        let mut overrides = overrides.clone();
        overrides.set.splice(..0, assigned.map(quoted));
        if overrides.output_dir.is_none() {
            let known = strategy.parse::<StrategyName>().map(StrategyName::name);
            let directory = output_dir(data, known.as_ref().map_or(strategy, |name| name));
            directories::restore(&directory)?;
            check_replaceable(&directory)?;
            overrides.output_dir = Some(directory);
        }
        let layers = Layers::of_text("--data", "{}", Path::new(""), &overrides.set)?;
        Ok(Some((layers, overrides)))
    }
}

/// Returns the path of the data as text, because configurations are text.
///
/// # Errors
/// If it is not UTF-8.
pub(crate) fn utf8(data: &Path) -> Result<&str, Error> {
    data.to_str().ok_or_else(|| Error::Usage(format!("--data: {} is not valid UTF-8", data.display())))
}

/// Returns the default output directory: `lbaf-output/<stem>-<content>`.
pub(crate) fn output_dir(data: &Path, content: &str) -> PathBuf {
    let stem = data.file_name().unwrap_or_default().to_string_lossy();
    Path::new(OUTPUT).join(format!("{stem}-{content}"))
}

/// Checks that a directory does not exist, is empty, or holds an unchanged result and nothing else.
fn check_replaceable(directory: &Path) -> Result<(), Error> {
    let mut present = Vec::new();
    list(directory, Path::new(""), &mut present);
    let bytes = lbaf_reader::read_file(&directory.join(summary::FILE)).unwrap_or_default();
    let files = serde_json::from_slice(&bytes).map(|summary: Summary| summary.files).unwrap_or_default();
    let unchanged = summary::unchanged(directory, files);
    let own = [summary::FILE, summary::TIMINGS];
    let is_ours = |file: &PathBuf| {
        let name = file.to_string_lossy();
        unchanged.contains(&name.to_string()) || own.contains(&&*name)
    };
    match present.into_iter().find(|file| !is_ours(file)) {
        Some(file) => Err(Error::Foreign { directory: directory.to_path_buf(), file }),
        None => Ok(()),
    }
}

/// Lists the files below a directory, relative to it, ascending within each directory.
fn list(directory: &Path, below: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory.join(below)).into_iter().flatten().flatten();
    let mut entries: Vec<_> = entries.map(|entry| (entry.file_name(), entry.file_type())).collect();
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    for (name, kind) in entries {
        let path = below.join(name);
        if kind.is_ok_and(|kind| kind.is_dir()) { list(directory, &path, files) } else { files.push(path) }
    }
}
