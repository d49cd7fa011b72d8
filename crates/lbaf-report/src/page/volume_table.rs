// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of `rank_volumes.csv`: volume between ranks, or between groups of ranks of a large run.

use std::collections::BTreeMap;
use std::path::Path;

use lbaf_run::summary::saved::VOLUMES;
use lbaf_writer::Inputs;

use super::rank_table::{number, unreadable};
use crate::ReportError;
use crate::saved_run;

/// Bytes from a rank to another rank, or from and to a group of ranks that has the number of its first rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Volume {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) before: f64,
    pub(super) after: f64,
}

/// Volumes by number of the phase. Phases without communication or without details have none.
pub(super) type Volumes = BTreeMap<u64, Vec<Volume>>;

/// Reads the table. Returns `None` if the file does not exist.
///
/// # Errors
/// If the table cannot be read, lacks columns, or contains an invalid number.
pub(super) fn read(run_dir: &Path, inputs: &mut Inputs) -> Result<Option<Volumes>, ReportError> {
    let path = run_dir.join(VOLUMES);
    let Some(bytes) = saved_run::file(&path, inputs)? else { return Ok(None) };
    let mut reader = csv::Reader::from_reader(&*bytes);
    let header = reader.headers().map_err(|error| unreadable(&path, &error))?.clone();
    let place = |name: &str| {
        let found = header.iter().position(|column| column == name);
        found.ok_or_else(|| ReportError::Input(format!("{}: no column `{name}`", path.display())))
    };
    let [phase, from, to, before, after] = [
        place("phase")?,
        place("from_rank")?,
        place("to_rank")?,
        place("bytes_before")?,
        place("bytes_after")?,
    ];
    let mut volumes = Volumes::new();
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).map_err(|error| unreadable(&path, &error))? {
        volumes.entry(number(&path, &row, phase)?).or_default().push(Volume {
            from: number(&path, &row, from)?,
            to: number(&path, &row, to)?,
            before: number(&path, &row, before)?,
            after: number(&path, &row, after)?,
        });
    }
    Ok(Some(volumes))
}
