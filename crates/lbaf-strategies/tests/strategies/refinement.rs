// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guarantees of the strategies that improve the current placement.

mod centralized_prefix_optimizer;
mod diffusion;
mod greedy_refine;
mod local_search;
mod refine;
