// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guarantees of the constructive strategies, which compute a new placement.

pub(crate) mod greedy;
mod karmarkar_karp;
mod lpt;
mod lpt_subphases;
mod multifit;
mod random;
mod rotate;
