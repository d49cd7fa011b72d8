// SPDX-License-Identifier: MIT OR Apache-2.0
//! Load models and simulations on cases with results computed by hand.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail like the tests themselves")]
#![allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")]

mod accuracy;
mod load_models;
mod machine;
mod made;
mod schedules;
mod simulations;
