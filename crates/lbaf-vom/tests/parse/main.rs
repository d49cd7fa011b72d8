// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of parsing: comparison of rows and spans with a second reading of the same bytes by `serde_json`, and
//! hand-written expectations of encodings, errors, meanings and text lines.
//!
//! The random documents are the same in every run; `PROPTEST_RNG_SEED=<number>` selects others. Without this
//! variable, the random text lines and the random records of one form differ between runs.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic as tests do")]

mod content;
mod error_position;
mod large_document;
mod meaning;
mod places;
mod random_document;
mod record_rows;
mod same_form;
mod second_reading;
mod spelling;
mod streams;
mod text;

use lbaf_vom::{FileParts, ParsedFile, Scratch, VomError, parse};

/// Parses with all phases selected.
fn parse_all(raw: &[u8], records: bool) -> Result<ParsedFile, VomError> {
    parse(
        raw,
        FileParts { phases: &|_| true, last: None, records, indices: false, subphases: false },
        &mut Scratch::default(),
    )
}
