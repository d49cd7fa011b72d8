// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of `rank_volumes.csv`: communication between ranks, or between groups of ranks in large runs.

use std::collections::BTreeMap;
use std::path::Path;

use lbaf_run::summary::saved::VOLUMES;
use lbaf_writer::Inputs;

use super::table_rows::for_each_row;
use crate::ReportError;

/// Bytes from one rank to another, or from one group to another. A group has the number of its first rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Volume {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) before: f64,
    pub(super) after: f64,
}

/// Volumes by phase number. Phases without communication or without details are missing.
pub(super) type Volumes = BTreeMap<u64, Vec<Volume>>;

/// Reads the table. Returns `None` if the file does not exist.
///
/// # Errors
/// If the table cannot be read, lacks columns, or contains an invalid number.
pub(super) fn read(run_dir: &Path, inputs: &mut Inputs) -> Result<Option<Volumes>, ReportError> {
    let columns = ["phase", "from_rank", "to_rank", "bytes_before", "bytes_after"];
    let mut volumes = Volumes::new();
    let is_there = for_each_row(run_dir, (VOLUMES, columns), inputs, |row| {
        volumes.entry(row.number(0)?).or_default().push(Volume {
            from: row.number(1)?,
            to: row.number(2)?,
            before: row.number(3)?,
            after: row.number(4)?,
        });
        Ok(())
    })?;
    Ok(is_there.then_some(volumes))
}
