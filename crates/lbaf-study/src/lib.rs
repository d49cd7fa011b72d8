// SPDX-License-Identifier: MIT OR Apache-2.0
//! What strategies cost over whole runs: phase after phase with a placement that lasts, loads that are predicted, and
//! balancing that takes its time.
//!
//! No files, no clock: what a strategy takes of the clock is measured by whoever runs it.
#![forbid(unsafe_code)]

mod accuracy;
mod costs;
mod history;
mod load_model;
mod schedule;
mod simulation;

pub use accuracy::Accuracy;
pub use costs::{Costs, Migrated, MigrationCost, StrategyCost};
pub use history::{History, Measured};
pub use load_model::LoadModel;
pub use schedule::{Adaptive, Schedule, Standing};
pub use simulation::{Balancer, Balancing, Knowledge, PhaseTime, Placements, Simulated, Simulation};
