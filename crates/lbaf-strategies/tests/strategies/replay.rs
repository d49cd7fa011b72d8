// SPDX-License-Identifier: MIT OR Apache-2.0
//! Promises of strategies that put objects where a map says.

mod offline;
mod prescribed_permutation;
