// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registry of strategies.

use lbaf_strategies::StrategyName;
use pyo3::prelude::*;
use serde_json::json;

/// Returns all strategies with names, a summary, and the JSON Schema of their parameters, as JSON.
#[pyfunction]
pub(crate) fn strategies() -> String {
    let entry = |name: &StrategyName| json!({ "names": name.names(), "summary": name.summary(), "schema": name.schema() });
    json!(StrategyName::ALL.iter().map(entry).collect::<Vec<_>>()).to_string()
}

/// True if configurations accept this name for a strategy of lbaf: in any case, with or without `_`, and with or
/// without `LB` or `Algorithm` at the end.
#[pyfunction]
pub(crate) fn is_strategy_name(name: &str) -> bool {
    name.parse::<StrategyName>().is_ok()
}
