// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constructive strategies: they compute a new placement directly instead of improving one step by step.

pub(crate) mod greedy;
pub(crate) mod karmarkar_karp;
pub(crate) mod lpt;
pub(crate) mod multifit;
pub(crate) mod random;
pub(crate) mod rotate;
