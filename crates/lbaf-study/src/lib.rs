// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulation of whole runs, and studies that compare competitors over a grid of parameters.
//!
//! A run is simulated phase by phase. A placement lasts until the next balancing step, which uses predicted
//! loads and takes time.
//!
//! This crate reads no files and no clock. The caller measures the time of strategies.
#![forbid(unsafe_code)]

mod accuracy;
mod balancer;
mod bound;
mod costs;
mod error;
mod front;
mod grid;
mod history;
mod load_model;
mod machine;
mod median;
mod prediction;
mod ranking;
mod schedule;
mod simulated;
mod simulation;

pub use accuracy::{Accuracy, Examination, PredictionLoss, Trial};
pub use balancer::{Balancer, Clock, balanced_by};
pub use bound::PhaseBound;
pub use costs::{Costs, Migrated, MigrationCost, StrategyCost};
pub use error::SimulationError;
pub use front::on_front;
pub use grid::{Combination, GridError, MOST_CELLS, cells};
pub use history::{History, Measured};
pub use load_model::LoadModel;
pub use machine::{
    Differences, FirstPlacement, Loss, Lost, Machine, MachineError, Regrouped, Regrouping, Resize, Resized,
    Slowed,
};
pub use median::Median;
pub use ranking::{Placing, placings};
pub use schedule::{Adaptive, BalancingCriterion, Published, Schedule, Standing};
pub use simulated::{BalancingStep, PhaseTime, Simulated};
pub use simulation::{Forecast, MOST_SEARCHED_PHASES, Placements, Simulation};
