// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies that put objects where they are, or where a map says.

pub(crate) mod offline;
pub(crate) mod phase_stepper;
pub(crate) mod prescribed_permutation;
