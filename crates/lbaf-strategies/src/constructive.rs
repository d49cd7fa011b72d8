// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies that place objects one by one, whatever their ranks were.

pub(crate) mod greedy;
pub(crate) mod karmarkar_karp;
pub(crate) mod lpt;
pub(crate) mod multifit;
pub(crate) mod random;
pub(crate) mod rotate;
