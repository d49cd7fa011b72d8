// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a cell of a study came to, as it is kept.

use std::any::Any;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bounds::Bounds;

/// Version of the files in which cells are kept, and of what is computed for them: whoever changes a result changes this.
pub(super) const VERSION: u32 = 4;

/// What a cell came to. Nothing in it depends on the machine, the number of threads or the time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Cell {
    pub(super) version: u32,
    /// Why there are no results.
    pub(super) error: Option<String>,
    /// Whether that may be gone when the study goes on: a defect of this program, data that could not be read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) may_be_gone: bool,
    /// What is odd, in sentences.
    pub(super) warnings: Vec<String>,
    /// The work model that its bounds are of, which arguments of a strategy may decide; empty if nothing was computed.
    #[serde(default)]
    pub(super) work_model: String,
    pub(super) rows: Vec<Row>,
}

/// What came of a phase, or of a whole run in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    /// The phase; nothing if it is a whole run.
    pub(super) phase: Option<u64>,
    /// The strategy that ran, if one did.
    pub(super) strategy: Option<String>,
    pub(super) values: Values,
    /// The same quantities before anything was balanced, as far as they have such a value.
    pub(super) start: Values,
    /// Lower bounds that hold whatever the strategy; nothing of a whole run in time.
    pub(super) bounds: Option<Bounds>,
    /// Iterations of the strategy from 0, the start, on; or the phases of a run.
    pub(super) steps: Vec<Step>,
}

/// How things stood after a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) number: u64,
    pub(super) values: Values,
}

/// Quantities by name; what is not known is not there.
pub(super) type Values = BTreeMap<String, f64>;

/// True if bounds of the work model are exceeded, on some rank or in some phase of a run in time.
pub(super) fn exceeds_bounds(values: &Values) -> bool {
    ["ranks_over_bounds", "phases_over_bounds"].iter().any(|name| values.get(*name).is_some_and(|&n| n > 0.0))
}

/// Clock times of a cell, which are kept beside it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Timing {
    /// Seconds of the strategy in each row.
    pub(super) strategy_seconds: Vec<f64>,
    /// Seconds of the whole cell, without reading its data.
    pub(super) cell_seconds: f64,
}

impl Cell {
    pub(super) fn of(rows: Vec<Row>, warnings: Vec<String>) -> Self {
        Cell { version: VERSION, warnings, rows, ..Cell::default() }
    }

    /// One that a defect of this program ended.
    pub(super) fn broken(panic: &(dyn Any + Send)) -> Self {
        let words =
            panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        let error = format!("a defect of lbaf: {}", words.unwrap_or("it ended without a word"));
        Cell::failed_for_now(error)
    }

    /// One that is tried again when the study goes on.
    pub(super) fn failed_for_now(error: String) -> Self {
        Cell { may_be_gone: true, ..Cell::failed(error) }
    }

    pub(super) fn failed(error: String) -> Self {
        Cell { version: VERSION, error: Some(error), ..Cell::default() }
    }
}
