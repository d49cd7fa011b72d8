// SPDX-License-Identifier: MIT OR Apache-2.0
//! Provenance database of Chimbuko: reading, export from labelled data, import as load-balancing data, and summaries.
//!
//! Chimbuko processes the executions of functions in *steps*, which are short intervals of the run. In each step, a
//! detector judges the new executions: it gives each a *score*, and labels it normal or an anomaly. The *severity* of
//! an anomaly is its exclusive time. A recorded execution has a *window*: the executions and messages around it. The
//! numbers `pid`, `rid`, `tid` and `fid` identify program, rank, thread and function. In an export, steps are phases.
//!
//! The crate accesses no clock and prints nothing. Only functions documented to do so access files.
#![forbid(unsafe_code)]

mod carrier;
mod database;
mod dump;
mod dump_comparison;
mod dump_report;
mod error;
mod event_label;
mod export;
mod files;
mod import;
pub mod record;

pub use carrier::{Complaint, Ignored, IgnoredReason, Read, read};
pub use database::{Database, Stored};
pub use dump::Dump;
pub use dump_comparison::{
    BinDifference, DumpComparison, FunctionComparison, HistogramDifference, MOST_BINS, ModelDifference,
    Moments, MomentsDifference, RunOfFunction,
};
pub use dump_report::{
    CounterSummary, DumpReport, DumpTotals, EventSummary, FunctionSummary, HostSummary, RankSummary,
};
pub use error::ProvenanceError;
pub use export::{CounterNames, Export, Exported, RankFacts, TaskFacts, Timeline};
pub use files::{DatabaseFile, DatabaseLayout, flat, is_of_database, tree};
pub use import::{CarriedRecords, ImportOptions, Imported, MessageCounts, ObjectOf, TimeOf, carried, import};
