// SPDX-License-Identifier: MIT OR Apache-2.0
//! Noise and what stays, on runs of which it is known by construction.

mod decomposition;
mod ground_truth;
mod labelling;
mod made;
mod rank_effects;
mod slow_ranks;
mod slowness;
mod summary;
