// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guarantees of the strategies that follow a map of objects to ranks.

mod offline;
mod prescribed_permutation;
