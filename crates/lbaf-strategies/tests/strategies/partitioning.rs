// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guarantees of the partitioning strategies.

pub(crate) mod geometry;
mod multilevel;
mod recursive_coordinate_bisection;
mod space_filling_curve;
