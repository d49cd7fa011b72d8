// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replay strategies: they keep the initial placement or follow a given map.

pub(crate) mod offline;
pub(crate) mod phase_stepper;
pub(crate) mod prescribed_permutation;
