// SPDX-License-Identifier: MIT OR Apache-2.0
//! Refinement strategies: they improve the current placement.

pub(crate) mod centralized_prefix_optimizer;
pub(crate) mod diffusion;
pub(crate) mod greedy_refine;
pub(crate) mod local_search;
pub(crate) mod refine;
