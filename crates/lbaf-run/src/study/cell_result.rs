// SPDX-License-Identifier: MIT OR Apache-2.0
//! Result of a cell of a study, as it is kept.

use std::any::Any;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bounds::Bounds;

/// Version of the files of cells and of the computation: it changes with every change of a result.
pub(super) const VERSION: u32 = 4;

/// Result of a cell. Nothing in it depends on the machine, the number of threads or the time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellResult {
    /// Version of the file.
    pub version: u32,
    /// Reason for which there are no results.
    pub error: Option<String>,
    /// True if the reason may be gone when the study goes on: a defect of this program, data that could not be read, an
    /// outside command that failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_gone: bool,
    /// Sentences on oddities of data and results.
    pub warnings: Vec<String>,
    /// The work model that its bounds are of, which arguments of a strategy may decide; empty if nothing was computed.
    #[serde(default)]
    pub work_model: String,
    /// Results of the phases, or of the whole run in time.
    pub rows: Vec<ResultRow>,
}

/// Result of a phase, or of a whole run in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRow {
    /// The phase; `None` for a whole run.
    pub phase: Option<u64>,
    /// Label of the strategy that ran, if one did.
    pub strategy: Option<String>,
    /// Quantities of the result.
    pub values: Values,
    /// Quantities before balancing, as far as they have such a value.
    pub start: Values,
    /// Lower bounds that hold for every strategy; `None` for a whole run in time.
    pub(super) bounds: Option<Bounds>,
    /// Iterations of the strategy from 0, the start, on; or the phases of a run.
    pub steps: Vec<Step>,
}

/// Quantities after an iteration of a strategy, or of a phase of a run in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Number of the iteration, where 0 is the start, or of the phase.
    pub number: u64,
    /// Quantities by name.
    pub values: Values,
}

/// Quantities by name; unknown ones are absent.
pub type Values = BTreeMap<String, f64>;

/// True if bounds of the work model are exceeded, on some rank or in some phase of a run in time.
pub(super) fn exceeds_bounds(values: &Values) -> bool {
    ["ranks_over_bounds", "phases_over_bounds"].iter().any(|name| values.get(*name).is_some_and(|&n| n > 0.0))
}

/// Clock times of a cell, kept beside it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CellTiming {
    /// Seconds of the strategy in each row.
    pub strategy_seconds: Vec<f64>,
    /// Seconds of the whole cell, without reading its data.
    pub cell_seconds: f64,
}

impl CellResult {
    pub(super) fn of(rows: Vec<ResultRow>, warnings: Vec<String>) -> Self {
        CellResult { version: VERSION, warnings, rows, ..CellResult::default() }
    }

    /// The result of a cell that a defect of this program ended.
    pub(super) fn broken(panic: &(dyn Any + Send)) -> Self {
        let words =
            panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        let error = format!("a defect of lbaf: {}", words.unwrap_or("it ended without a word"));
        CellResult::failed_for_now(error)
    }

    /// The result of a cell that is tried again when the study goes on.
    pub(super) fn failed_for_now(error: String) -> Self {
        CellResult { may_be_gone: true, ..CellResult::failed(error) }
    }

    pub(super) fn failed(error: String) -> Self {
        CellResult { version: VERSION, error: Some(error), ..CellResult::default() }
    }
}
