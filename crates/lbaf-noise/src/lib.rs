// SPDX-License-Identifier: MIT OR Apache-2.0
//! Detection of noise in measured loads, and its separation from persistent imbalance.
//!
//! A [`Labelling`] judges every task of a data set with a [`Detector`] and returns [`Labels`]. A [`Decomposition`]
//! splits the imbalance into noise and persistent imbalance, [`Slowness`] finds slow ranks and nodes, and
//! [`Labels::denoised_loads`] returns the loads without noise. Several algorithms come from Chimbuko, which learns the
//! samples of an application in *steps*; here, a step is a phase.
//!
//! ```
//! use lbaf_noise::{Algorithm, Detector, Guards, Mad, Model};
//!
//! let detector = Detector { algorithm: Algorithm::Mad(Mad { threshold: 6.0 }), guards: Guards::NONE };
//! let seconds = [1.0, 1.1, 0.9, 1.0, 7.0];
//! let mut model = Model::new(&detector);
//! let mut judgements = Vec::new();
//! model.learn(&seconds);
//! model.judge(&seconds, &mut judgements);
//! let outliers: Vec<bool> = judgements.iter().map(|judgement| judgement.is_outlier()).collect();
//! assert_eq!(outliers, [false, false, false, false, true]);
//! ```
//! The crate accesses neither files nor clocks.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")
)]

mod algorithm;
mod decomposition;
mod detector;
mod doubt;
mod function;
mod guards;
mod histogram;
mod judged_run;
mod judgement;
mod judging;
mod labelling;
mod labels;
mod levels;
mod median;
mod model;
mod rank_effects;
mod repetitions;
mod run_stats;
mod samples;
mod slow_spells;
mod slowness;
mod summary;
mod tested;
mod usual_load;

pub use algorithm::{Algorithm, Copod, Hbos, Mad, Sstd};
pub use decomposition::{Decomposition, Parts, PhaseParts, Segment};
pub use detector::Detector;
pub use doubt::Doubt;
pub use function::{FunctionKey, Functions, Grouping};
pub use guards::Guards;
pub use histogram::{Bin, BinWidth, Histogram};
pub use judgement::{Judgement, Label, most_normal};
pub use labelling::{Labelling, Order};
pub use labels::Labels;
pub use model::{Estimate, Model};
pub use run_stats::RunStats;
pub use samples::microseconds;
pub use slow_spells::SlowSpell;
pub use slowness::{NodeSlowness, RankSlowness, Slowness, Tolerance};
pub use summary::{Anomaly, AnomalySummary, CoAnomaly, Tally, worst_anomalies};
pub use tested::Tested;
