// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a configuration, independent of the console: reading data, removing noise, balancing phases and writing
//! results.
//!
//! [`Prepared`] is a configuration with its data, [`Balanced`] a phase before and after balancing, [`Outputs`] the
//! unpublished files of a run, and [`Summary`](summary::Summary) the results, whose fields are the keys of
//! `summary.json`. [`Messages`] receives warnings, notes and progress; a [`Cancel`](lbaf_strategies::Cancel) token
//! stops a computation. [`Source`] is data that several configurations share.
//!
//! ```
//! use lbaf_config::{Layers, Overrides, resolve};
//! use lbaf_run::summary::{self, Summary};
//! use lbaf_run::{Prepared, Silent};
//! use lbaf_strategies::Cancel;
//! use lbaf_writer::Inputs;
//!
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("run.yaml");
//! std::fs::write(&file, "
//! from_samplers:
//!   n_ranks: 4
//!   n_objects: 100
//!   n_mapped_ranks: 2
//!   load_sampler: {name: uniform, parameters: [0.5, 1.5]}
//! algorithm: {name: Greedy}
//! output_dir: output
//! ")?;
//! let overrides = Overrides::default();
//! let layers = Layers::read(&[file], &overrides.set)?;
//! let config = resolve(&layers, &overrides)?;
//!
//! let mut prepared = Prepared::new(config, layers, &overrides, true, &Silent)?;
//! let staging = prepared.staging(&Silent)?;
//! let balanced = prepared.balance(&Silent, &Cancel::new())?;
//! assert!(balanced.phases[0].after.outcome.assignment != *balanced.phases[0].initial);
//!
//! // Files that are read are never replaced.
//! let mut inputs = Inputs::none();
//! prepared.files().iter().for_each(|file| inputs.add(file));
//! prepared.write(&balanced, staging, &Silent)?.publish(&inputs)?;
//!
//! let bytes = std::fs::read(directory.path().join("output").join(summary::FILE))?;
//! let results: Summary = serde_json::from_slice(&bytes)?;
//! let phase = &results.phases[0];
//! assert!(phase.after.load.imbalance < phase.before.load.imbalance);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod annotations;
mod balance;
mod data;
mod denoise;
mod error;
mod fault;
mod fit;
mod for_vt;
mod input;
mod lower_bounds;
mod messages;
mod offline_map;
mod outputs;
mod prepared;
mod required_data;
mod schema_check;
pub mod simulate;
mod source;
mod staging;
pub mod study;
pub mod summary;

pub use balance::{Balanced, BalancedRun, Failed, balance, changes_in_words, is_even};
pub use data::{locate, read, visit};
pub use denoise::{ANOMALY, DENOISED_LOAD, Noise, OUTLIER_SCORE};
pub use error::{MissingCells, RunError};
pub use fault::Fault;
pub use input::Input;
pub use lower_bounds::{LowerBounds, RestrictedBounds};
pub use messages::{Messages, Progress, Silent, Steps};
pub use outputs::{Data, Outputs, PAPER_TABLES, Tables, phase_result, tables, worst_balanced, worst_phases};
pub use prepared::{Prepared, infeasible};
pub use schema_check::check as validate;
pub use source::{Evaluation, Source};
pub use staging::{restore_before, staging};
