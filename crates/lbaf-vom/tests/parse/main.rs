// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of rows, places and errors with a second reading of the same bytes.
//!
//! Random cases are the same in every run; `PROPTEST_RNG_SEED=<number>` selects others.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic as tests do")]

mod content;
mod error_position;
mod meaning;
mod places;
mod random_document;
mod second_reading;
mod spelling;
mod text;

use lbaf_vom::{FileParts, ParsedFile, Scratch, VomError, parse};

/// Parses with all phases selected.
fn parse_all(raw: &[u8], records: bool) -> Result<ParsedFile, VomError> {
    parse(
        raw,
        FileParts { phases: &|_| true, records, indices: false, subphases: false },
        &mut Scratch::default(),
    )
}
