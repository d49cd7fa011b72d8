// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guarantees of the strategies that prove their placement optimal.

pub(crate) mod brute_force;
mod milp;
