// SPDX-License-Identifier: MIT OR Apache-2.0
//! Noise and persistent imbalance of runs in which both are known by construction.
#![allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")]

mod decomposition;
mod doubt;
mod ground_truth;
mod labelling;
mod made;
mod next_phase;
mod rank_effects;
mod scenarios;
mod slow_ranks;
mod slowness;
mod summary;
