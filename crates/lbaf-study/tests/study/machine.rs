// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assumed machines.

mod conservation;
mod loss;
mod made;
mod merge;
mod refusals;
mod resize;
mod speeds;
mod split;
