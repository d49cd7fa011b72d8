// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies that find the best placement, with a proof.

pub(crate) mod brute_force;
pub(crate) mod milp;
