// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constructive strategies: they place objects one by one, independent of their previous ranks.

pub(crate) mod greedy;
pub(crate) mod karmarkar_karp;
pub(crate) mod lpt;
pub(crate) mod multifit;
pub(crate) mod random;
pub(crate) mod rotate;
