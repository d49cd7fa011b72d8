// SPDX-License-Identifier: MIT OR Apache-2.0
//! Properties of the model on small random phases, checked against definitions.
//!
//! The cases are the same in every run, unless `PROPTEST_RNG_SEED=<number>` is set.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]
#![allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")]

mod columns;
mod definitions;
mod limits;
mod lower_bounds;
mod on_rank;
mod optima;
mod random_phase;
mod reach;
mod rounding;
mod statistics;
mod synchronised;
mod totals;
mod transfers;
mod work_order;
mod work_terms;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// Returns the configuration for a number of cases, with a fixed seed unless the environment sets another.
fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0),
        chosen @ RngSeed::Fixed(_) => chosen,
    };
    ProptestConfig { rng_seed, ..config }
}

/// True if two numbers of order one, as in a random phase, are equal up to rounding.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}
