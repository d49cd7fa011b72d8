// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rebalancing strategies.
//!
//! | strategy | what it does |
//! |---|---|
//! | [`PhaseStepper`] | keeps every object where it is |
//! | [`PrescribedPermutation`] | puts objects where the user says |
//! | [`RotateLB`] | moves every object one rank further |
//! | [`RandomLB`] | puts objects on random ranks |
//! | [`Greedy`] | largest object first, to the least loaded rank |
//! | [`BruteForce`] | the best arrangement there is, proven |
//!
//! A strategy is its parameters: it sees a [`Problem`] and returns an [`Outcome`]; [`run`] checks it.
//! No files, no clock, no output here, and no randomness but the streams of [`Context`].
#![forbid(unsafe_code)]

mod brute_force;
mod config;
mod driver;
mod error;
mod greedy;
mod phase_stepper;
mod prescribed_permutation;
mod random;
mod rotate;
mod strategy;

pub use brute_force::BruteForce;
pub use config::{StrategyConfig, StrategyName};
pub use driver::{Checked, run};
pub use error::StrategyError;
pub use greedy::{Collection, Greedy, Pool};
pub use phase_stepper::PhaseStepper;
pub use prescribed_permutation::PrescribedPermutation;
pub use random::{RandomLB, VT_SEED};
pub use rotate::RotateLB;
pub use strategy::{Context, IterationStats, NoObserver, Observer, Outcome, Problem, Strategy};
