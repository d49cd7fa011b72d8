// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of a study, and the configurations of its cells.

mod axis;
mod raw;

use std::path::{Path, PathBuf};
use std::time::Duration;

use lbaf_plot::TableWidth;
use lbaf_study::cells;
use lbaf_text::Shown as _;

use super::all_errors::{Kind, all_errors};
use super::layers::{self, Layers};
use super::{Plots, plots};
use crate::yaml::{self, Node, Value};
use crate::{ConfigError, Overrides, OwnStrategies, resolve};

pub use axis::{Axis, AxisRole};
pub use raw::Command;
pub(crate) use raw::{Axes, Base, Study as RawStudy};

/// Keys of a study that are not read into a structure.
const BASE: &str = "base";
const CONFIGURATION: &str = "configuration";
const AXES: &str = "axes";

/// Study: runs over a grid of choices.
pub struct StudyConfig {
    /// File of the study, or the name of its text.
    pub file: PathBuf,
    /// Configuration common to all cells.
    pub base: Layers,
    /// Command that each cell runs.
    pub command: Command,
    /// Axes of the grid.
    pub axes: Vec<Axis>,
    /// Cells, each with the position of its choice on each axis.
    pub cells: Vec<Vec<usize>>,
    /// Directory of all results.
    pub output_dir: PathBuf,
    /// Time after which the strategies of a cell are stopped and the cell fails; `None` for no limit. Results of other
    /// cells do not depend on the limit.
    pub time_limit: Option<Duration>,
    /// Times of the leases of processes that share the study.
    pub leases: Leases,
    /// Charts.
    pub plots: Option<Plots>,
    /// Width of the tables for papers; `None` for the narrowest width that suits each table.
    pub table_width: Option<TableWidth>,
    /// Settings of the report.
    pub report: Report,
}

/// Times of the leases of processes that share a study. Results do not depend on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leases {
    /// Time between two renewals of a lease.
    pub renew_after: Duration,
    /// Time without a renewal after which other processes compute the cells of the process.
    pub expire_after: Duration,
}

/// Settings of the report on a study.
pub struct Report {
    /// Quantity to compare, by name; `None` for the default.
    pub objective: Option<String>,
    /// Quantities in tables and charts, by name; `None` for the default.
    pub quantities: Option<Vec<String>>,
    /// Confidence of the intervals around medians.
    pub confidence: f64,
    /// Significant digits of real numbers in tables.
    pub digits: u8,
}

impl StudyConfig {
    /// Reads the file of a study and the configurations that it is based on. `set` changes the configuration common to
    /// all cells. The output directory is the argument `output_dir`, else the key `output_dir`, else the path of the
    /// file without its extension.
    ///
    /// # Errors
    /// If a file cannot be read, or keys or values are invalid. One error lists up to 20 invalid keys and values.
    pub fn read(file: &Path, set: &[String], output_dir: Option<&Path>) -> Result<Self, ConfigError> {
        let study = Layers::alone(file)?;
        Self::of_layers(&study, file, set, output_dir, Some(&file.with_extension("")))
    }

    /// Parses a study in YAML or JSON, and reads the configurations that it is based on. Paths in the text are relative
    /// to `directory`. `name` replaces the file name in messages and is the `file` of the study. The output directory
    /// is the argument `output_dir`, else the key `output_dir`.
    ///
    /// # Errors
    /// If a file cannot be read, keys or values are invalid, or there is no output directory. One error lists up to 20
    /// invalid keys and values.
    pub fn of_text(
        name: &str,
        text: &str,
        directory: &Path,
        set: &[String],
        output_dir: Option<&Path>,
    ) -> Result<Self, ConfigError> {
        let study = Layers::text_alone(name, text, directory)?;
        Self::of_layers(&study, Path::new(name), set, output_dir, None)
    }

    /// Returns the study in the tree of `study`. `default_output_dir` applies if neither the argument nor the key
    /// `output_dir` is given.
    fn of_layers(
        study: &Layers,
        file: &Path,
        set: &[String],
        output_dir: Option<&Path>,
        default_output_dir: Option<&Path>,
    ) -> Result<Self, ConfigError> {
        let read = |study: &Layers| Self::of_tree(study.clone(), file, set, output_dir, default_output_dir);
        read(study).map_err(|error| all_errors(error, study, read, Kind::Study).0)
    }

    /// Returns the errors of the file of a study and of its cells. Invalid keys of the file are removed before the
    /// check of cells.
    pub fn errors(file: &Path) -> Vec<ConfigError> {
        let study = match Layers::alone(file) {
            Ok(study) => study,
            Err(error) => return vec![error],
        };
        let read = |study: &Layers| Self::of_tree(study.clone(), file, &[], None, Some(Path::new("")));
        let (mut errors, valid) = match read(&study) {
            Ok(valid) => (Vec::new(), Some(valid)),
            Err(error) => {
                let (error, valid) = all_errors(error, &study, read, Kind::Study);
                (vec![error], valid)
            }
        };
        let is_whole = errors.is_empty();
        for cell in valid.iter().flat_map(|study| study.cells.iter().map(|cell| study.layers(cell))) {
            let resolved = cell.and_then(|layers| resolve(&layers, &Overrides::default()));
            errors.extend(resolved.err().and_then(|error| match error {
                // A key may be missing because its value was invalid and was removed.
                ConfigError::Invalid(invalid) if !is_whole => invalid.without_missing_keys(),
                error => Some(error),
            }));
        }
        errors
    }

    /// Reads the tree, or returns its first error.
    fn of_tree(
        mut study: Layers,
        file: &Path,
        set: &[String],
        output_dir: Option<&Path>,
        default_output_dir: Option<&Path>,
    ) -> Result<Self, ConfigError> {
        let [base, configuration, axes] = [BASE, CONFIGURATION, AXES].map(|key| study.tree.take(key));
        let at_file = |error: yaml::Error| study.error(&error);
        let settings: raw::Study = yaml::from_node(&study.tree).map_err(at_file)?;
        let combination = settings.combine.0;
        let (confidence, digits) = (settings.report.confidence(), settings.report.digits());
        let confidence =
            confidence.map_err(|message| at_file(study.tree.error_at("report.confidence", message)))?;
        let digits = digits.map_err(|message| at_file(study.tree.error_at("report.digits", message)))?;
        let time_limit = settings.time_limit.map(|seconds| {
            let limit = Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
            let message = format!("the time limit must be a number of seconds above 0, not {seconds}");
            limit.ok_or_else(|| at_file(study.tree.error_at("time_limit", message)))
        });
        let time_limit = time_limit.transpose()?;
        let leases = settings
            .leases
            .intervals()
            .map_err(|(key, message)| at_file(study.tree.error_at(&format!("leases.{key}"), message)))?;
        let written = base_files(base.as_ref()).map_err(at_file)?;
        let (directory, study_tree) = (study.directory.clone(), study.tree.clone());
        let plots = study_plots(&settings.plots)
            .map_err(|(key, message)| at_file(study.tree.error_at(&format!("plots.{key}"), message)))?;
        let mut base = Layers::for_study(&written, study)?;
        match configuration {
            None | Some(Node { value: Value::Null, .. }) => {}
            Some(configuration @ Node { value: Value::Mapping(_), .. }) => {
                base = base.over(&configuration)?;
            }
            Some(other) => {
                let message = "expected a mapping, the configuration common to all cells";
                return Err(base.error(&yaml::Error::new(message, other.place).within(CONFIGURATION)));
            }
        }
        for assignment in set {
            base = base.set(assignment)?;
        }
        base = base.renewed()?;
        let mut axes = match axes {
            Some(axes) => axis::axes(axes, &mut base)?,
            None => Vec::new(),
        };
        for (key, names, role) in [
            ("problems", &settings.report.problems, AxisRole::Problem),
            ("competitors", &settings.report.competitors, AxisRole::Competitor),
            ("repetitions", &settings.report.repetitions, AxisRole::Repetition),
        ] {
            for name in names {
                let axis = axes.iter_mut().find(|axis| axis.name == *name).ok_or_else(|| {
                    let message = format!("there is no axis `{name}`");
                    base.error(&study_tree.error_at(&format!("report.{key}"), message))
                })?;
                axis.role = role;
            }
        }
        let lengths: Vec<usize> = axes.iter().map(|axis| axis.choices.len()).collect();
        let cells = cells(&lengths, combination)
            .map_err(|error| ConfigError::Invalid(format!("{}: axes: {error}", file.shown()).into()))?;
        let written = || Some(layers::without_detours(&directory.join(settings.output_dir.as_ref()?)));
        let output_dir = output_dir.map(Path::to_path_buf).or_else(written);
        let output_dir = output_dir.or_else(|| default_output_dir.map(Path::to_path_buf));
        let output_dir = output_dir.ok_or_else(|| {
            let message = "a study from a text needs a directory for its results; give `output_dir`";
            ConfigError::Invalid(format!("{}: {message}", file.shown()).into())
        })?;
        let report = Report {
            objective: settings.report.objective,
            quantities: settings.report.quantities,
            confidence,
            digits,
        };
        let command = settings.command;
        let file = file.to_path_buf();
        let table_width = settings.tables.width();
        Ok(StudyConfig {
            file,
            base,
            command,
            axes,
            cells,
            output_dir,
            time_limit,
            leases,
            plots,
            table_width,
            report,
        })
    }

    /// Makes strategies of the program available to the configurations of cells.
    #[must_use]
    pub fn with_own_strategies(mut self, own_strategies: OwnStrategies) -> Self {
        self.base = self.base.with_own_strategies(own_strategies);
        self
    }

    /// Returns the configuration of a cell.
    ///
    /// # Errors
    /// If keys of older LBAF versions in a choice cannot be converted.
    pub fn layers(&self, cell: &[usize]) -> Result<Layers, ConfigError> {
        let choices = self.axes.iter().zip(cell).map(|(axis, &choice)| &axis.choices[choice]);
        let mut layers = self.base.clone();
        for choice in choices {
            layers = layers.over(&choice.change)?;
        }
        Ok(layers)
    }

    /// Returns the labels of a cell, axis by axis.
    pub fn labels(&self, cell: &[usize]) -> Vec<&str> {
        self.axes.iter().zip(cell).map(|(axis, &choice)| &*axis.choices[choice].label).collect()
    }
}

/// Returns the files of `base`, which is the name of a file or a list of names.
fn base_files(base: Option<&Node>) -> Result<Vec<String>, yaml::Error> {
    let wrong = |node: &Node| {
        yaml::Error::new("expected a configuration file, or a list of them", node.place).within(BASE)
    };
    let name = |node: &Node| match &node.value {
        Value::String(name) => Ok(name.clone()),
        _ => Err(wrong(node)),
    };
    match base {
        None => Ok(Vec::new()),
        Some(Node { value: Value::Sequence(files), .. }) => files.iter().map(name).collect(),
        Some(file) => Ok(vec![name(file)?]),
    }
}

fn study_plots(raw: &super::raw::Plots) -> super::error::Keyed<Option<Plots>> {
    let super::raw::Plots::Some(settings) = raw else { return Ok(None) };
    let refuse = |key: &str| {
        let message =
            "charts of a study are chosen by its `report`; this key applies to runs only".to_owned();
        Err((key.to_owned(), message))
    };
    if settings.charts.is_some() {
        return refuse("charts");
    }
    if settings.phases.is_some() {
        return refuse("phases");
    }
    plots::plots(settings, None, None).map(Some)
}
