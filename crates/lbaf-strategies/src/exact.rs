// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact strategies: they can find an optimal placement and prove that it is optimal.

pub(crate) mod brute_force;
pub(crate) mod milp;
