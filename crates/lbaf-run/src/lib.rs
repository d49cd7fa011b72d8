// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run: its data are read, noise is taken out, every phase is balanced, and results are written.
//!
//! [`Prepared`] is a configuration with its data, [`Balanced`] a phase before and after, [`Outputs`] the files of a run before
//! they are published, [`Summary`](summary::Summary) its results. [`Messages`] receives what is said on the way.
#![forbid(unsafe_code)]

mod annotations;
mod balance;
mod carried;
mod data;
mod denoise;
mod error;
mod fit;
mod for_vt;
mod input;
mod lower_bounds;
mod messages;
mod offline_map;
mod outputs;
mod prepared;
mod schema_check;
mod source;
mod staging;
pub mod summary;

pub use balance::{Balanced, Failed, balance, is_even};
pub use carried::changes_in_words;
pub use data::{locate, read};
pub use denoise::{ANOMALY, DENOISED_LOAD, Noise, OUTLIER_SCORE};
pub use error::RunError;
pub use input::Input;
pub use messages::{Messages, Progress, Silent};
pub use outputs::{Data, Outputs, PAPER_TABLES, Tables, phases_in_detail};
pub use prepared::{Prepared, infeasible};
pub use schema_check::check as validate;
pub use source::{Judged, Source};
pub use staging::{restore_before, staging};
