// SPDX-License-Identifier: MIT OR Apache-2.0
//! What-if studies of load balancing on recorded task data. Each module is a crate of the workspace.
//!
//! * [`model`]: phases, objects, communication, placements, work models, lower bounds.
//! * [`reader`], [`writer`], [`vom`]: data sets and their files; [`synth`] generates synthetic data sets.
//! * [`strategies`]: load balancing strategies, built-in and your own; [`external`] runs strategies in other
//!   programs.
//! * [`config`] and [`run`]: configurations, runs, simulations and studies.
//! * [`study`], [`noise`], [`provenance`]: simulated runs and grids of runs, noise in measured times, the
//!   provenance database of Chimbuko.
//! * [`report`]: charts, tables for papers, pictures and the HTML page of a run, drawn with [`plot`] and
//!   [`picture`].
//! * [`columns`], [`milp`], [`text`]: tables of records, mixed-integer programs, text for terminals.
//!
//! A complete program, `examples/balance.rs`:
//!
//! ```
#![doc = include_str!("../../examples/balance.rs")]
//! ```
#![forbid(unsafe_code)]

pub use lbaf_columns as columns;
pub use lbaf_config as config;
pub use lbaf_external as external;
pub use lbaf_milp as milp;
pub use lbaf_model as model;
pub use lbaf_noise as noise;
pub use lbaf_picture as picture;
pub use lbaf_plot as plot;
pub use lbaf_provenance as provenance;
pub use lbaf_reader as reader;
pub use lbaf_report as report;
pub use lbaf_run as run;
pub use lbaf_strategies as strategies;
pub use lbaf_study as study;
pub use lbaf_synth as synth;
pub use lbaf_text as text;
pub use lbaf_vom as vom;
pub use lbaf_writer as writer;
