// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts, tables for papers, pictures and HTML pages of runs.
#![forbid(unsafe_code)]

pub mod charts;
mod error;
mod illustration;
pub mod page;
pub mod paper_tables;
pub mod pictures;
pub mod problem;
pub mod redraw;
mod saved_run;
mod statistics;

pub use error::ReportError;
pub use illustration::illustrate;
pub use saved_run::{SavedRun, directory_of};
pub use statistics::statistics;
