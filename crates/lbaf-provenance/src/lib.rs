// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tells anomalous executions from persistent imbalance, and speaks the provenance schema of Chimbuko in both
//! directions.
//!
//! It knows no clock and prints nothing; files are read and written where a function says so.
#![forbid(unsafe_code)]

mod algorithm;
mod carrier;
mod database;
mod decomposition;
mod detector;
mod doubt;
mod dump;
mod dump_comparison;
mod dump_report;
mod error;
mod event_label;
mod export;
mod files;
mod function;
mod guards;
mod histogram;
mod import;
mod judged_run;
mod judgement;
mod judging;
mod labelling;
mod labels;
mod levels;
mod median;
mod model;
mod rank_effects;
pub mod record;
mod run_stats;
mod samples;
mod slow_spells;
mod slowness;
mod summary;
mod tested;
mod usual;

pub use algorithm::{Algorithm, Copod, Hbos, Mad, Sstd};
pub use carrier::{Complaint, Ignored, IgnoredReason, Read, read};
pub use database::{Database, Stored};
pub use decomposition::{Decomposition, Parts, PhaseParts, Segment};
pub use detector::Detector;
pub use doubt::Doubt;
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
pub use files::{DatabaseFile, Layout, flat, is_of_database, tree};
pub use function::{FunctionKey, Functions, Grouping};
pub use guards::Guards;
pub use histogram::{Bin, BinWidth, Histogram};
pub use import::{Carried, ImportOptions, Imported, MessageCounts, ObjectOf, TimeOf, carried, import};
pub use judgement::{Judgement, Label, most_normal};
pub use labelling::{Labelling, Order};
pub use labels::Labels;
pub use model::Model;
pub use run_stats::RunStats;
pub use slow_spells::SlowSpell;
pub use slowness::{NodeSlowness, RankSlowness, Slowness, Tolerance};
pub use summary::{Anomaly, CoAnomaly, Summary, Tally, worst_anomalies};
pub use tested::Tested;
