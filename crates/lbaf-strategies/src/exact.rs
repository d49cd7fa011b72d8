// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact strategies: they can prove that a placement is optimal.

pub(crate) mod brute_force;
pub(crate) mod milp;
