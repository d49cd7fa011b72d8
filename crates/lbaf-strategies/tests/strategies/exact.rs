// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guarantees of the strategies that find an optimal placement with a proof.

pub(crate) mod brute_force;
mod milp;
