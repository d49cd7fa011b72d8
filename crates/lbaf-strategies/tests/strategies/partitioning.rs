// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guarantees of the strategies that cut space or the communication graph into parts.

pub(crate) mod geometry;
mod multilevel;
mod recursive_coordinate_bisection;
mod space_filling_curve;
