// SPDX-License-Identifier: MIT OR Apache-2.0
//! Content of the page of a study as plain data.

use lbaf_run::study::{Better, CellConfigurations, QuantityKind, StudyQuantity};
use serde::{Deserialize, Serialize};

use super::assets::STUDY;
use crate::error::PageError;
use crate::page::Fact;

/// Content of the page of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StudyPage {
    /// Version of lbaf that created the page.
    pub lbaf: String,
    /// Name of the output directory.
    pub title: String,
    /// Command of each cell: `run` or `simulate`.
    pub command: String,
    /// Sentences on the ranking.
    pub sentences: Vec<String>,
    /// Warnings of cells.
    pub warnings: Vec<String>,
    /// Warnings about the study.
    pub notes: Vec<String>,
    /// Sentences on data missing from the page.
    pub left_out: Vec<String>,
    /// Settings of the study.
    pub facts: Vec<Fact>,
    /// Quantities of cells, beginning with the objective and the other reported ones.
    pub quantities: Vec<StudyQuantityView>,
    /// Number of reported quantities.
    pub n_reported: usize,
    /// Requested confidence of intervals.
    pub confidence: f64,
    /// Axes of the grid.
    pub axes: Vec<StudyAxisView>,
    /// Problems.
    pub problems: Vec<ProblemView>,
    /// Competitors.
    pub competitors: Vec<CompetitorView>,
    /// Results, sorted by problem and competitor.
    pub groups: Vec<GroupView>,
    /// Cells.
    pub cells: CellsView,
    /// Configurations of the cells; `None` if they are too large for the page.
    pub configurations: Option<CellConfigurations>,
    /// Different errors of failed cells.
    pub failures: Vec<FailureView>,
}

/// A quantity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StudyQuantityView {
    /// Name of its column.
    pub key: String,
    /// Name in tables and charts.
    pub name: String,
    /// Kind of its values: `count`, `number`, `share`, `seconds` or `bytes`.
    pub kind: &'static str,
    /// Direction in which values are better: `less` or `more`; `None` if neither is better.
    pub better: Option<&'static str>,
}

/// An axis of the grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyAxisView {
    /// Name.
    pub name: String,
    /// `repetition`, `competitor` or `problem`.
    pub role: String,
    /// Labels of the choices.
    pub choices: Vec<String>,
    /// Changes of the configuration by each choice.
    pub changes: Vec<String>,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemView {
    /// Name; empty if there is only one problem.
    pub name: String,
    /// Labels of its choices on the axes of problems.
    pub choices: Vec<String>,
    /// The phase; `None` for a simulated run.
    pub phase: Option<u64>,
}

/// A competitor and its placing over all problems.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CompetitorView {
    /// Name.
    pub name: String,
    /// Mean place; `None` if it is not placed.
    pub mean_place: Option<f64>,
    /// Number of problems on which it is first.
    pub wins: usize,
    /// Number of ranked problems.
    pub problems: usize,
    /// Number of problems on which its result is worse than the start.
    pub worse_on: usize,
    /// Number of distinct cells, including failed ones. A cell counts once for each of its phases.
    pub n_cells: usize,
    /// Number of failed cells among them.
    pub n_failed: usize,
    /// True if the competitor exceeds, on every problem, upper bounds of the work model that another one satisfies.
    pub over_bounds: bool,
}

/// Results of a competitor on a problem.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GroupView {
    /// Position of the problem.
    pub problem: usize,
    /// Position of the competitor.
    pub competitor: usize,
    /// Number of distinct results.
    pub n: usize,
    /// Number of distinct cells that failed.
    pub n_failed: usize,
    /// Number of distinct results that exceed upper bounds of the work model.
    pub n_over: usize,
    /// True if a result exceeds upper bounds that another competitor satisfies.
    pub over_kept: bool,
    /// True if the result is worse than the start; `None` if the start has no objective.
    pub worse: Option<bool>,
    /// Confidence of the intervals; `None` for a single result.
    pub confidence: Option<f64>,
    /// Medians of the quantities.
    pub medians: Vec<Option<MedianView>>,
}

/// A median.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum MedianView {
    /// A median of several results with the endpoints of its interval.
    Interval([f64; 3]),
    /// A single result, or a median without an interval.
    Value(f64),
}

impl MedianView {
    /// Returns the median and both endpoints of its interval. Without an interval, each of the three numbers is the
    /// median.
    pub fn with_ends(self) -> [f64; 3] {
        match self {
            MedianView::Interval(numbers) => numbers,
            MedianView::Value(value) => [value; 3],
        }
    }
}

/// Cells and their results: a row for each cell and phase. Each list except `strategies` and `errors` has one item per
/// row; `choices` and `values` contain such a list for each axis or quantity.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CellsView {
    /// Numbers of the cells.
    pub cell: Vec<usize>,
    /// For each axis, positions of the choices.
    pub choices: Vec<Vec<usize>>,
    /// Phases; empty for simulations.
    pub phase: Vec<Option<u64>>,
    /// Positions of the problems; `None` for a failed cell, which counts on all problems with its choices.
    pub problem: Vec<Option<usize>>,
    /// Positions of the competitors.
    pub competitor: Vec<usize>,
    /// Positions in `strategies` of the strategies that ran.
    pub strategy: Vec<Option<usize>>,
    /// The first identical cell, if it is another cell.
    pub same_as: Vec<Option<usize>>,
    /// Positions of the errors in `errors`.
    pub error: Vec<Option<usize>>,
    /// True for results that exceed upper bounds of the work model.
    pub over: Vec<bool>,
    /// Names of the strategies.
    pub strategies: Vec<String>,
    /// First lines of the errors.
    pub errors: Vec<String>,
    /// Values of each quantity; empty for quantities without values, or if they are too large for the page.
    pub values: Vec<Vec<Option<f64>>>,
}

/// An error of one or several cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailureView {
    /// The error.
    pub error: String,
    /// Number of cells with this error.
    pub n: usize,
    /// Numbers of the first of these cells.
    pub cells: Vec<usize>,
}

impl From<&StudyQuantity> for StudyQuantityView {
    fn from(quantity: &StudyQuantity) -> Self {
        StudyQuantityView {
            key: quantity.name.to_owned(),
            name: quantity.title.to_owned(),
            kind: match quantity.kind {
                QuantityKind::Count => "count",
                QuantityKind::Number | QuantityKind::Work => "number",
                QuantityKind::Share => "share",
                QuantityKind::Seconds => "seconds",
                QuantityKind::Bytes => "bytes",
            },
            better: quantity.better.map(|better| match better {
                Better::Less => "less",
                Better::More => "more",
            }),
        }
    }
}

impl StudyPage {
    /// Returns the complete HTML document, in UTF-8.
    ///
    /// # Errors
    /// If the data cannot be represented as JSON.
    pub fn to_html(&self) -> Result<String, PageError> {
        Ok(STUDY.html(&self.title, &serde_json::to_string(self)?))
    }
}
