// SPDX-License-Identifier: MIT OR Apache-2.0
//! Result of a cell between the process that computed it and the study.

use serde::{Deserialize, Serialize};

use super::cell_result::{CellResult, CellTiming, VERSION};
use crate::RunError;

/// A cell with its result or error, not yet stored.
#[derive(Clone, Debug)]
pub struct ComputedCell(Content);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    number: usize,
    /// Identity of the cell, if configuration and data are valid.
    identity: Option<String>,
    result: CellResult,
    timing: CellTiming,
}

impl ComputedCell {
    pub(super) fn new(number: usize, result: CellResult, timing: CellTiming) -> Self {
        ComputedCell(Content { number, identity: None, result, timing })
    }

    pub(super) fn identified(self, identity: String) -> Self {
        ComputedCell(Content { identity: Some(identity), ..self.0 })
    }

    pub(super) fn identity(&self) -> Option<&str> {
        self.0.identity.as_deref()
    }

    /// Returns the number of the cell in its study, from 0.
    pub fn number(&self) -> usize {
        self.0.number
    }

    /// Returns the error of a failed cell; `None` for other cells.
    pub fn error(&self) -> Option<&str> {
        self.0.result.error.as_deref()
    }

    /// Returns the cell as bytes for [`from_bytes`](Self::from_bytes) in the same version of lbaf.
    ///
    /// # Panics
    /// Never: keys are strings and numbers are finite.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&self.0).expect("invariant: keys are strings and numbers finite")
    }

    /// Returns the cell from [`to_bytes`](Self::to_bytes), with all numbers unchanged.
    ///
    /// # Errors
    /// If the bytes are damaged or come from another version of lbaf.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RunError> {
        let content: Content = serde_json::from_slice(bytes)
            .map_err(|error| RunError::Input(format!("the bytes of a computed cell are damaged: {error}")))?;
        if content.result.version != VERSION {
            return Err(RunError::Input(format!(
                "the bytes of computed cell {} have version {}, but this version of lbaf reads version {VERSION}; \
                 use the same lbaf in all processes",
                content.number, content.result.version
            )));
        }
        Ok(ComputedCell(content))
    }

    pub(super) fn result(&self) -> &CellResult {
        &self.0.result
    }

    pub(super) fn timing(&self) -> &CellTiming {
        &self.0.timing
    }
}
