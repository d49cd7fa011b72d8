// SPDX-License-Identifier: MIT OR Apache-2.0
//! Other machines than the recorded one.

mod conservation;
mod loss;
mod made;
mod merge;
mod refusals;
mod resize;
mod speeds;
mod split;
