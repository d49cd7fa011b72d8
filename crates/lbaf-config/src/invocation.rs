// SPDX-License-Identifier: MIT OR Apache-2.0
//! The configuration of a run as its user gave it, for records of results.

use serde::{Deserialize, Serialize};

/// Configuration files and what the command line changed in them, as they were written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Invocation {
    /// The files, lowest first; a `global.yaml` that was found is the first.
    pub files: Vec<String>,
    /// `--set` and the like.
    pub overrides: Vec<String>,
}
