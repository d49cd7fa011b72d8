// SPDX-License-Identifier: MIT OR Apache-2.0
//! Promises of strategies that find the best placement, with a proof.

pub(crate) mod brute_force;
mod milp;
