// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tasks, subphases, communication and ranks as tables for other programs: CSV and Parquet files with the same rows and
//! columns, described in `docs/columns.md`.
//!
//! The tables of tasks and communication have a row for each record. They are complete: parts without a column are JSON
//! text in the last columns.
//!
//! ```
//! use lbaf_columns::{Format, Options, Tables, write};
//! use lbaf_reader::{Request, locate, read};
//!
//! # let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
//! let located = locate(&examples.join("quartet/data"), None)?;
//! let recorded = read(&located.files, &Request { records: true, ..Request::default() }, &|_| {})?;
//!
//! let mut csv: Tables<Vec<u8>> = Tables::default();
//! let written = write(&recorded, Options::new(Format::Csv), &mut csv)?;
//! assert_eq!((written.rows.tasks, written.rows.ranks), (12, 4));
//! // A line of names, and a row for each task.
//! assert_eq!(csv.tasks.iter().filter(|&&byte| byte == b'\n').count(), 13);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod column;
mod communication;
mod csv;
mod data_frame;
mod entity;
mod error;
mod leaf;
mod left_out;
mod members;
#[cfg(feature = "parquet")]
mod parquet;
mod rank;
mod records;
mod rest;
mod table;
mod tables;
mod task;

use std::io;

use lbaf_model::rank_totals;
use lbaf_reader::{Recorded, TaskRecord};
use rayon::prelude::*;

pub use data_frame::{DataFrame, Values};
pub use error::ColumnsError;
pub use tables::Tables;

use crate::communication::{CommunicationRow, communication_columns};
use crate::left_out::left_out;
use crate::rank::{RankRow, rank_columns};
use crate::records::{OrderedRecords, Part, batches};
use crate::table::Table;
use crate::task::{SubphaseRow, TaskRow, subphase_columns, task_columns};

/// Format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text: comma-separated values with a line of names.
    Csv,
    /// Binary, compressed, with types. Exists only with the feature `parquet`; [`Format::PARQUET`] always exists.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// Formats of this build.
    pub const ALL: &[Self] = &[
        Format::Csv,
        #[cfg(feature = "parquet")]
        Format::Parquet,
    ];

    /// Parquet, if this build has it.
    #[cfg(feature = "parquet")]
    pub const PARQUET: Option<Self> = Some(Format::Parquet);
    /// Parquet, if this build has it.
    #[cfg(not(feature = "parquet"))]
    pub const PARQUET: Option<Self> = None;

    /// Returns the extension of file names.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            #[cfg(feature = "parquet")]
            Format::Parquet => "parquet",
        }
    }
}

/// Options for writing tables.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Format.
    pub format: Format,
    /// Approximate number of rows in memory, and in a row group of Parquet.
    pub rows_at_a_time: usize,
}

impl Options {
    /// Returns the default options for a format.
    pub fn new(format: Format) -> Self {
        Options { format, rows_at_a_time: 1 << 17 }
    }
}

/// Summary of the written tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of rows of each table.
    pub rows: Tables<u64>,
    /// Sentence for each key without a place in the tables.
    pub left_out: Vec<String>,
}

/// Writes the tables of a data set with records, each to its sink.
///
/// Rows are ordered by phase, then by rank, then as records in the file. A phase that repeats another has its own rows.
/// The bytes do not depend on the number of threads.
///
/// # Errors
/// If the data set has phases but no [`Recorded::records`], a document cannot be read again, a record is invalid, a
/// value is too large for the format, or a sink fails.
pub fn write<W: io::Write + Send>(
    recorded: &Recorded,
    options: Options,
    sinks: &mut Tables<W>,
) -> Result<Written, ColumnsError> {
    let source = OrderedRecords::new(recorded)?;
    let (n_tasks, n_subphases) = write_tasks(&source, options, &mut sinks.tasks, &mut sinks.subphases)?;
    let rows = Tables {
        tasks: n_tasks,
        subphases: n_subphases,
        communications: write_communications(&source, options, &mut sinks.communications)?,
        ranks: write_ranks(&source, options, &mut sinks.ranks)?,
    };
    Ok(Written { rows, left_out: left_out(recorded) })
}

fn write_tasks(
    source: &OrderedRecords<'_>,
    Options { format, rows_at_a_time }: Options,
    tasks: &mut (dyn io::Write + Send),
    subphases: &mut (dyn io::Write + Send),
) -> Result<(u64, u64), ColumnsError> {
    let mut tasks = Table::new(Tables::NAMES.tasks, task_columns(), format, tasks)?;
    let mut subphases = Table::new(Tables::NAMES.subphases, subphase_columns(), format, subphases)?;
    let parts = source.parts(most_in_part(rows_at_a_time), |records| &records.tasks[..]);
    for batch in batches(parts, rows_at_a_time) {
        let (rows, of_subphases): (Vec<_>, Vec<_>) = in_parallel(&batch, task_rows)?.into_iter().unzip();
        tasks.add(&rows)?;
        subphases.add(&of_subphases)?;
    }
    Ok((tasks.finish()?, subphases.finish()?))
}

fn task_rows<'s>(
    &Part { entry, records }: &Part<'s, TaskRecord>,
) -> Result<(Vec<TaskRow<'s>>, Vec<SubphaseRow>), ColumnsError> {
    let mut subphases = Vec::new();
    let mut parse = |text| TaskRow::parse(entry.phase, entry.rank, text, &mut subphases);
    let rows = records.iter().map(|task| entry.row(task.record, &mut parse));
    let rows = rows.collect::<Result<_, _>>()?;
    Ok((rows, subphases))
}

fn write_communications(
    source: &OrderedRecords<'_>,
    Options { format, rows_at_a_time }: Options,
    sink: &mut (dyn io::Write + Send),
) -> Result<u64, ColumnsError> {
    let mut table = Table::new(Tables::NAMES.communications, communication_columns(), format, sink)?;
    let parts = source.parts(most_in_part(rows_at_a_time), |records| &records.communications[..]);
    for batch in batches(parts, rows_at_a_time) {
        let rows = in_parallel(&batch, |&Part { entry, records }| {
            let parse = |text| CommunicationRow::parse(entry.phase, entry.rank, text);
            records.iter().map(|communication| entry.row(communication.record, parse)).collect()
        })?;
        table.add(&rows)?;
    }
    table.finish()
}

fn write_ranks(
    source: &OrderedRecords<'_>,
    Options { format, rows_at_a_time }: Options,
    sink: &mut (dyn io::Write + Send),
) -> Result<u64, ColumnsError> {
    let mut table = Table::new(Tables::NAMES.ranks, rank_columns(), format, sink)?;
    let n_ranks = source.phases.first().map_or(1, |phase| phase.n_ranks().max(1));
    let phases: Vec<usize> = (0..source.phases.len()).collect();
    for batch in phases.chunks((rows_at_a_time / n_ranks).max(1)) {
        let rows = in_parallel(batch, |&position| {
            let phase = &source.phases[position];
            let totals = rank_totals(phase, phase.recorded_assignment());
            source.entries(position).zip(totals).map(|(entry, totals)| RankRow::new(entry, totals)).collect()
        })?;
        table.add(&rows)?;
    }
    table.finish()
}

/// Returns the largest number of records in a part. A full batch of the default size has at least 32 parts, so that
/// threads share the work even if parts differ in cost.
fn most_in_part(rows_at_a_time: usize) -> usize {
    rows_at_a_time.clamp(1, 4096)
}

/// Calls `make` for all items in parallel. Returns the results in the order of items, or the error of the first item
/// that fails.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    make: impl Fn(&T) -> Result<R, ColumnsError> + Send + Sync,
) -> Result<Vec<R>, ColumnsError> {
    let made: Vec<_> = items.par_iter().map(make).collect();
    made.into_iter().collect()
}
