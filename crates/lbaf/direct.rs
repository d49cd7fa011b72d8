// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands without a configuration file: data and strategies are arguments, which also name the output directory.

use std::path::{Path, PathBuf};

use clap::Args;
use lbaf_config::yaml::Value;
use lbaf_config::{Layers, Overrides};
use lbaf_reader::Located;
use lbaf_run::{Messages as _, summary};
use lbaf_strategies::StrategyName;
use lbaf_text::Shown as _;
use serde::Deserialize;

use crate::error::Error;
use crate::{data, directories, progress};

/// Data and strategy in place of a configuration.
#[derive(Clone, Debug, Args)]
pub(crate) struct DirectArgs {
    /// Data to balance without a configuration: the path of the files up to the rank, or a directory with one data set.
    /// Results are written to `lbaf-output/<stem>-<strategy>` unless `--output-dir` names another directory; `<stem>`
    /// is the part of the names of the files before the rank.
    #[arg(long, value_name = "STEM")]
    pub(crate) data: Option<PathBuf>,
    /// Strategy for `--data`; `lbaf strategies` lists all. With a configuration, `--set algorithm.name=NAME` selects
    /// another strategy.
    #[arg(long, value_name = "NAME")]
    pub(crate) strategy: Option<String>,
}

impl DirectArgs {
    /// Returns the configuration of these arguments with the changes of the command line; `None` if there are
    /// configuration files. With `is_dry`, no file is changed.
    ///
    /// # Errors
    /// If arguments are missing or contradict each other, the data or the strategy do not exist, the output directory
    /// holds the data, or the content of the default output directory cannot be replaced.
    pub(crate) fn configuration(
        &self,
        files: &[PathBuf],
        overrides: &Overrides,
        is_dry: bool,
    ) -> Result<Option<(Layers, Overrides)>, Error> {
        let usage = |message: &str| Err(Error::Usage(message.to_owned()));
        let (data, strategy) = match (&self.data, &self.strategy) {
            (None, None) if files.is_empty() => {
                return usage(
                    "give a configuration (`lbaf run CONFIG`), or data and a strategy (`lbaf run --data STEM --strategy \
                     NAME`); `lbaf run --help` explains both",
                );
            }
            (None, None) => return Ok(None),
            (_, Some(_)) if !files.is_empty() => {
                return usage(
                    "--strategy cannot be used with a configuration; `--set algorithm.name=NAME` selects another strategy",
                );
            }
            (Some(_), _) if !files.is_empty() => {
                return usage(
                    "--data cannot be used with a configuration; `--set from_data.data_stem=STEM` selects other data, \
                     relative to the directory of the configuration",
                );
            }
            (Some(_), None) => {
                return usage(
                    "--data needs a strategy: --strategy <NAME> (`lbaf strategies` lists all; `lbaf compare` compares \
                     them)",
                );
            }
            (None, Some(_)) => return usage("--strategy needs data: --data <STEM>"),
            (Some(data), Some(strategy)) => (data, strategy_named("--strategy", strategy)?),
        };
        let given = Assigned::of(&overrides.set)?;
        given.refuse("algorithm.name", "--strategy")?;
        let located = given.locate(data, overrides.suffix.as_deref())?;
        let options = [
            ("--data", "from_data.data_stem", utf8(&located.stem)?),
            ("--strategy", "algorithm.name", strategy.name()),
        ];
        let layers = Layers::of_options(&options, &overrides.set)?;
        let mut overrides = overrides.clone();
        // The summary lists assignments, so the run can be reproduced.
        overrides.set.splice(..0, options.map(|(_, key, value)| assignment((key, value))));
        let chosen = overrides.output_dir.clone().or_else(|| given.output_dir());
        let directory = chosen.clone().unwrap_or_else(|| output_dir(&located.stem, strategy.name()));
        check_apart(&located.stem, &directory)?;
        if chosen.is_none() {
            directories::check_replaceable(&directory, is_dry, |_| false)?;
            note_other_data(&directory, &located.stem);
        }
        overrides.output_dir = Some(directory);
        Ok(Some((layers, overrides)))
    }
}

/// Assignments of the command line.
pub(crate) struct Assigned(Layers);

impl Assigned {
    /// Reads `--set` arguments.
    ///
    /// # Errors
    /// If one is malformed.
    pub(crate) fn of(set: &[String]) -> Result<Self, Error> {
        Ok(Assigned(Layers::of_options(&[], set)?))
    }

    /// Refuses the assignment of a key that an option determines.
    ///
    /// # Errors
    /// If the key is assigned.
    pub(crate) fn refuse(&self, key: &str, option: &str) -> Result<(), Error> {
        match self.0.tree.get(key) {
            None => Ok(()),
            Some(_) => Err(Error::Usage(format!("{option} determines `{key}`; leave out `--set {key}`"))),
        }
    }

    /// Finds the files of `--data`.
    ///
    /// # Errors
    /// If there are none, other data are assigned, or a command has replaced only some of the files.
    pub(crate) fn locate(&self, data: &Path, suffix: Option<&str>) -> Result<Located, Error> {
        self.refuse("from_data.data_stem", "--data")?;
        let assigned = self.text("from_data.suffix");
        data::locate(data, suffix.or(assigned)).map_err(|error| match error {
            error @ Error::Unfinished { .. } => error,
            error => Error::Input(format!("--data: {error}")),
        })
    }

    /// Returns the assigned output directory.
    pub(crate) fn output_dir(&self) -> Option<PathBuf> {
        self.text("output_dir").map(PathBuf::from)
    }

    fn text(&self, key: &str) -> Option<&str> {
        match &self.0.tree.get(key)?.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

/// Returns an assignment for `--set`.
pub(crate) fn assignment((key, value): (&str, &str)) -> String {
    format!("{key}={}", serde_json::json!(value))
}

/// Parses the name of a strategy.
///
/// # Errors
/// If there is no strategy of this name.
pub(crate) fn strategy_named(option: &str, name: &str) -> Result<StrategyName, Error> {
    name.parse().map_err(|error| Error::Usage(format!("{option}: {error}")))
}

/// Returns the path of data as text, because configurations are text.
///
/// # Errors
/// If it is not UTF-8.
pub(crate) fn utf8(stem: &Path) -> Result<&str, Error> {
    stem.to_str().ok_or_else(|| Error::Usage(format!("--data: {} is not valid UTF-8", stem.display())))
}

/// Returns the default output directory `lbaf-output/<stem>-<content>`. `<stem>` is the part of the file names before
/// the rank, even if the argument names the directory of the data.
pub(crate) fn output_dir(stem: &Path, content: &str) -> PathBuf {
    let stem = stem.file_name().unwrap_or_default().to_string_lossy();
    Path::new(directories::DEFAULT).join(format!("{stem}-{content}"))
}

/// Refuses an output directory that holds the data: outputs would be hard to find and remove among them.
pub(crate) fn check_apart(stem: &Path, output_dir: &Path) -> Result<(), Error> {
    let of_data = stem.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !directories::is_same(of_data, output_dir) {
        return Ok(());
    }
    let directory = output_dir.shown();
    Err(Error::Usage(format!(
        "{directory} holds the data; choose another directory for the results with --output-dir"
    )))
}

/// Prints a note if a result of other data will be replaced.
fn note_other_data(directory: &Path, stem: &Path) {
    #[derive(Deserialize)]
    struct Previous {
        input: PreviousInput,
    }
    #[derive(Deserialize)]
    struct PreviousInput {
        stem: String,
    }
    let bytes = lbaf_reader::read_file(&directory.join(summary::FILE)).unwrap_or_default();
    let Ok(Previous { input }) = serde_json::from_slice(&bytes) else { return };
    let absolute = |path: &Path| std::path::absolute(path).ok();
    if absolute(Path::new(&input.stem)) != absolute(stem) {
        progress::messages().note(&format!(
            "this run will replace the result of other data ({}) in {}; use --output-dir to keep both",
            input.stem,
            directory.display()
        ));
    }
}
