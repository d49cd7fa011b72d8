// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows, places and errors against a second reading of the same bytes.
//!
//! Random cases are the same in every run; `PROPTEST_RNG_SEED=<number>` draws others.
#![allow(clippy::unwrap_used, reason = "the functions shared by the tests are tests too")]

mod content;
mod error_position;
mod meaning;
mod places;
mod random_document;
mod second_reading;
mod spelling;
mod text;

use lbaf_vom::{FileParts, ParsedFile, Scratch, VomError, parse};

/// Parses with all phases wanted.
fn parse_all(raw: &[u8], records: bool) -> Result<ParsedFile, VomError> {
    parse(
        raw,
        FileParts { phases: &|_| true, records, indices: false, subphases: false },
        &mut Scratch::default(),
    )
}
