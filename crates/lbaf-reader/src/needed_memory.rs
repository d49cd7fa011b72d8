// SPDX-License-Identifier: MIT OR Apache-2.0
//! Estimate of the memory that a data set needs at least, from the sizes of its files.

use std::fs;
use std::path::PathBuf;

use crate::{Documents, ReadError, Request};

/// Upper bound on the bytes of files for each byte of the model. A task with three communications takes about 1000
/// bytes in an uncompressed file, and at least 12 bytes in the model, for its load and its rank.
const MOST_FILE_BYTES_PER_BYTE: u64 = 100;
/// A request counts as one for all phases if it selects this number of phases from phase 0 on.
const FIRST_PHASES: u64 = 64;

/// Checks that the largest file fits into the memory. If all phases are read and `keeps_phases` is true, the model of
/// all phases must fit too. Files that cannot be found are ignored, and synthetic data are not checked.
///
/// # Errors
/// If the data need more memory than the limit of the request.
pub(crate) fn check(
    files: Documents<'_>,
    request: &Request<'_>,
    keeps_phases: bool,
) -> Result<(), ReadError> {
    let Documents::Files(paths) = files else { return Ok(()) };
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |found| found.len());
    let (largest, all) = paths
        .iter()
        .map(size)
        .fold((0, 0), |(largest, all): (u64, u64), size| (largest.max(size), all.saturating_add(size)));
    let reads_all = request.last_phase.is_none() && (0..FIRST_PHASES).all(|phase| (request.phases)(phase));
    let model = if keeps_phases && reads_all { all / MOST_FILE_BYTES_PER_BYTE } else { 0 };
    let (needed, limit) = (largest + model, request.memory_bytes);
    if needed <= limit { Ok(()) } else { Err(ReadError::Memory { needed, limit }) }
}
