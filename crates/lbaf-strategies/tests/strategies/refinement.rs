// SPDX-License-Identifier: MIT OR Apache-2.0
//! Promises of strategies that improve the placement that there is.

mod centralized_prefix_optimizer;
mod diffusion;
mod greedy_refine;
mod local_search;
mod refine;
