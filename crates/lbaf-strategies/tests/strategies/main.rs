// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guarantees of strategies: the common contract, and the properties of each strategy.
//!
//! Random cases are the same in every run; `PROPTEST_RNG_SEED=<number>` draws others.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]
#![allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")]

mod bounds;
mod cancellation;
mod constructive;
mod contract;
mod documented;
mod draws;
mod exact;
mod golden;
mod gossip;
mod hierarchical;
mod made_phase;
mod near_optimal;
mod odd_phases;
mod partitioning;
mod posed;
mod refinement;
mod registry;
mod replay;
mod stealing;
mod threads;
mod whole_blocks;
mod without_terms;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// Returns a configuration with this number of cases. Without a seed in the environment, the seed is 0.
fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0),
        chosen @ RngSeed::Fixed(_) => chosen,
    };
    ProptestConfig { rng_seed, ..config }
}
