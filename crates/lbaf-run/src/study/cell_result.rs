// SPDX-License-Identifier: MIT OR Apache-2.0
//! Result of a cell of a study, as stored.

use std::any::Any;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bounds::Bounds;

/// Version of the cell files and of the computation. It increases with every change that affects results.
pub(super) const VERSION: u32 = 4;

/// Result of a cell. It does not depend on the machine, the number of threads or measured times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellResult {
    /// Version of the file.
    pub version: u32,
    /// Error of a failed cell, which has no results; `None` for other cells.
    pub error: Option<String>,
    /// True if the error may be temporary: a defect of this program, unreadable data, a reached time limit, or a failed
    /// external command or own strategy. A continued study computes the cell again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_gone: bool,
    /// Warnings on data and results.
    pub warnings: Vec<String>,
    /// Name and parameters of the work model; empty for a simulated run or a failed cell.
    #[serde(default)]
    pub work_model: String,
    /// Results of the phases, or of a simulated run.
    pub rows: Vec<ResultRow>,
}

/// Result of a phase, or of a simulated run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRow {
    /// The phase; `None` for a simulated run.
    pub phase: Option<u64>,
    /// Label of the strategy of the phase, also if the phase was already balanced, or of the strategies that balanced a
    /// simulated run; `None` if there is none.
    pub strategy: Option<String>,
    /// Quantities of the result.
    pub values: Values,
    /// Quantities before balancing, where defined.
    pub start: Values,
    /// Lower bounds on maximum work that hold for every strategy; `None` for a simulated run.
    pub(super) bounds: Option<Bounds>,
    /// Iterations of the strategy, with the start as iteration 0, or phases of a simulated run.
    pub steps: Vec<Step>,
}

/// Quantities after an iteration, or of a phase of a simulated run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Number of the iteration (0 is the start) or of the phase.
    pub number: u64,
    /// Quantities by name.
    pub values: Values,
}

/// Quantities by name; unknown ones are absent.
pub type Values = BTreeMap<String, f64>;

/// True if upper bounds of the work model are exceeded on a rank, or in a phase of a simulated run.
pub(super) fn exceeds_bounds(values: &Values) -> bool {
    ["ranks_over_bounds", "phases_over_bounds"].iter().any(|name| values.get(*name).is_some_and(|&n| n > 0.0))
}

/// Clock times of a cell, stored in a separate file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CellTiming {
    /// Seconds of the strategy in each row; empty for a simulated run or a failed cell.
    pub strategy_seconds: Vec<f64>,
    /// Seconds of the cell, without reading its data.
    pub cell_seconds: f64,
}

impl CellResult {
    pub(super) fn of(rows: Vec<ResultRow>, warnings: Vec<String>) -> Self {
        CellResult { version: VERSION, warnings, rows, ..CellResult::default() }
    }

    /// Returns the result of a cell whose computation panicked.
    pub(super) fn broken(panic: &(dyn Any + Send)) -> Self {
        let words =
            panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        let error = format!("a defect of lbaf: {}", words.unwrap_or("a panic without a message"));
        CellResult::failed_for_now(error)
    }

    /// Returns a failed result that a continued study computes again.
    pub(super) fn failed_for_now(error: String) -> Self {
        CellResult { may_be_gone: true, ..CellResult::failed(error) }
    }

    pub(super) fn failed(error: String) -> Self {
        CellResult { version: VERSION, error: Some(error), ..CellResult::default() }
    }
}
