// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tells anomalous executions from persistent imbalance, and speaks the provenance schema of Chimbuko in both
//! directions.
//!
//! It knows no clock and prints nothing; files are read and written where a function says so.
#![forbid(unsafe_code)]

mod judgement;
pub mod record;

pub use judgement::{Judgement, Label};
