// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why there is no page.

use thiserror::Error;

/// Why data cannot be put on a page.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PageError {
    /// A number that has no place in a table or on an axis.
    #[error("{what} is {value}: a page takes finite numbers; was the run changed by hand?")]
    NotFinite {
        /// Which number it is.
        what: String,
        /// The number.
        value: f64,
    },
    /// Data that are no JSON, a number that is not finite among them.
    #[error("the data of the page are no JSON: {0}")]
    Json(#[from] serde_json::Error),
}
