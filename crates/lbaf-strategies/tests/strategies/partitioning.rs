// SPDX-License-Identifier: MIT OR Apache-2.0
//! Promises of strategies that cut space or the communication graph into parts.

pub(crate) mod geometry;
mod multilevel;
mod recursive_coordinate_bisection;
mod space_filling_curve;
