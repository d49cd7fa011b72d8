// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tells anomalous executions from persistent imbalance, and speaks the provenance schema of Chimbuko in both
//! directions.
//!
//! It knows no clock and prints nothing; files are read and written where a function says so.
#![forbid(unsafe_code)]

mod algorithm;
mod detector;
mod guards;
mod histogram;
mod judgement;
mod model;
pub mod record;
mod run_stats;

pub use algorithm::{Algorithm, Copod, Hbos, Mad, Sstd};
pub use detector::Detector;
pub use guards::Guards;
pub use histogram::{Bin, BinWidth, Histogram};
pub use judgement::{Judgement, Label, most_normal};
pub use model::Model;
pub use run_stats::RunStats;
