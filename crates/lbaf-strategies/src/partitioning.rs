// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies that cut space or the communication graph into one part for each rank.

pub(crate) mod geometry;
pub(crate) mod multilevel;
pub(crate) mod recursive_coordinate_bisection;
pub(crate) mod space_filling_curve;
pub(crate) mod zoltan;
