// SPDX-License-Identifier: MIT OR Apache-2.0
//! `study.json`, written last: grid, failed cells, warnings, and digests of tables and charts. The fields of
//! [`StudySummary`] are the keys of the file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::summary::{FileDigest, digests, pretty, unchanged};
use lbaf_config::{AxisRole, StudyCommand};
use lbaf_writer::Staging;
use serde::{Deserialize, Serialize};

use super::cell_configurations::CellConfigurations;
use super::results::StudyResults;

/// Name of the summary of a study.
pub const FILE: &str = "study.json";
/// Value of [`StudySummary::schema`].
pub const SCHEMA: &str = "lbaf-study";

/// The content of `study.json`. It does not depend on the machine, measured times or interruptions.
#[derive(Serialize)]
pub struct StudySummary<'a> {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the keys.
    pub version: u32,
    /// Version of the program.
    pub lbaf: &'static str,
    /// Command that computes each cell.
    pub command: StudyCommand,
    /// Files of the study and of its configurations, lowest precedence first.
    pub files: Vec<String>,
    /// Axes of the grid.
    pub axes: Vec<AxisSummary<'a>>,
    /// Number of cells.
    pub n_cells: usize,
    /// Problems, in the order of tables.
    pub problems: Vec<ProblemSummary<'a>>,
    /// Objective of rankings.
    pub objective: &'static str,
    /// Quantities in tables and charts, by their columns in `cells.csv`, beginning with the objective.
    pub quantities: Vec<&'static str>,
    /// Confidence of intervals around medians.
    pub confidence: f64,
    /// Cells without results.
    pub failed: Vec<FailedCell<'a>>,
    /// Warnings of cells, each with the number of cells that have it.
    pub warnings: BTreeMap<&'a str, usize>,
    /// Warnings about the study: axes without an effect, different work models, omitted charts.
    pub notes: Vec<String>,
    /// Identities of the cells, in order, which name their stored results.
    pub cells: Vec<&'a str>,
    /// Configurations of the cells.
    pub configurations: CellConfigurations,
    /// Digests of all other files except stored cells, clock times and claims.
    pub outputs: BTreeMap<String, FileDigest>,
}

/// An axis of the grid.
#[derive(Serialize)]
pub struct AxisSummary<'a> {
    /// Name of the axis.
    pub name: &'a str,
    /// `repetition`, `competitor` or `problem`.
    pub role: &'static str,
    /// Labels of the choices.
    pub choices: Vec<&'a str>,
    /// Changes of the configuration by each choice, in one line.
    pub changes: Vec<String>,
}

/// A problem.
#[derive(Serialize)]
pub struct ProblemSummary<'a> {
    /// Name in tables; empty if there is only one problem.
    pub name: &'a str,
    /// Labels of its choices on axes of problems.
    pub choices: &'a [String],
    /// The phase; `None` for a simulated run.
    pub phase: Option<u64>,
}

/// A cell without results.
#[derive(Serialize)]
pub struct FailedCell<'a> {
    /// Number of the cell, counted from 0.
    pub cell: usize,
    /// Labels of its choices.
    pub choices: Vec<&'a str>,
    /// The error.
    pub error: &'a str,
}

impl StudySummary<'_> {
    /// Returns `study.json`.
    pub fn to_json(&self) -> Vec<u8> {
        pretty(self)
    }
}

/// Returns the summary of results whose files are in `staging`.
pub(super) fn summary<'r>(
    results: &'r StudyResults<'_>,
    notes: Vec<String>,
    staging: &Staging,
) -> StudySummary<'r> {
    let study = results.study;
    let axes = study.axes.iter().map(|axis| AxisSummary {
        name: &axis.name,
        role: match axis.role {
            AxisRole::Repetition => "repetition",
            AxisRole::Competitor => "competitor",
            AxisRole::Problem => "problem",
        },
        choices: axis.choices.iter().map(|choice| &*choice.label).collect(),
        changes: axis.choices.iter().map(|choice| choice.change.to_string()).collect(),
    });
    let problems = results.problems.iter().map(|problem| ProblemSummary {
        name: &problem.name,
        choices: &problem.labels,
        phase: problem.phase,
    });
    let failed = results.failed().map(|(cell, error)| FailedCell {
        cell,
        choices: study.labels(&study.cells[cell]),
        error,
    });
    let mut outputs = digests(staging);
    outputs.retain(|name, _| !is_of_clock(name));
    StudySummary {
        schema: SCHEMA,
        version: 1,
        lbaf: env!("CARGO_PKG_VERSION"),
        command: study.command,
        files: study.base.files.iter().map(|file| file.display().to_string()).collect(),
        axes: axes.collect(),
        n_cells: results.cells.len(),
        problems: problems.collect(),
        objective: results.reported.objective.name,
        quantities: results.reported.quantities.iter().map(|quantity| quantity.name).collect(),
        confidence: study.report.confidence,
        failed: failed.collect(),
        warnings: results.warnings(),
        notes,
        cells: results.identities.clone(),
        configurations: CellConfigurations::of(study),
        outputs,
    }
}

impl StudyResults<'_> {
    /// Returns the warnings of cells, each with the number of cells that have it.
    pub fn warnings(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for cell in &self.cells {
            let of_cell: BTreeSet<&str> = cell.warnings.iter().map(String::as_str).collect();
            for warning in of_cell {
                *counts.entry(warning).or_insert(0) += 1;
            }
        }
        counts
    }
}

/// True for files of clock times.
fn is_of_clock(name: &str) -> bool {
    name.starts_with("timings")
}

/// Returns unchanged files of the previous study, which are removed unless written again.
pub(super) fn stale(output_dir: &Path) -> Vec<String> {
    #[derive(Deserialize)]
    struct Previous {
        outputs: BTreeMap<String, FileDigest>,
    }
    let Ok(bytes) = lbaf_reader::read_file(&output_dir.join(FILE)) else { return Vec::new() };
    let Ok(Previous { outputs }) = serde_json::from_slice(&bytes) else { return Vec::new() };
    unchanged(output_dir, outputs)
}
