// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of a run as given by the user, for records of results.

use serde::{Deserialize, Serialize};

/// Configuration files and changes on the command line, as written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Invocation {
    /// Files, lowest layer first: an existing `global.yaml`, those given, then those of a study. Empty for a
    /// configuration from a text.
    pub files: Vec<String>,
    /// The options `--set`, `--seed`, `--suffix` and `--phases`, with their values.
    pub overrides: Vec<String>,
}
