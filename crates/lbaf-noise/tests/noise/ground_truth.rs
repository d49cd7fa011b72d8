// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random runs with known slow ranks.
//!
//! A run has 8 to 64 ranks, 1 to 4 of them on a node, 10 to 50 objects per rank, and 20 phases. The base load of an
//! object is lognormal (sigma 0.2 to 1). In each phase the object takes its base load times the factor of its rank
//! times lognormal noise. In half of the runs all objects are siblings in one collection; in the other half each
//! object has its own collection.

use std::fmt;

use lbaf_model::DataSet;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::made::run_on_nodes;

/// Phases of a run.
const N_PHASES: usize = 20;

/// Part of the machine that is slow for the whole run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Slow {
    Nothing,
    Rank(f64),
    Node(f64),
}

/// Migration of objects from their rank to another one, drawn at random.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Migration {
    /// Migrations in each phase but the first, in percent of the objects.
    EachPhase(u32),
    /// All objects migrate before one random phase.
    AllAtOnce,
}

/// Parameters of a kind of run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sort {
    pub(crate) slow: Slow,
    pub(crate) migration: Migration,
    /// Standard deviation of the logarithm of times, in percent.
    pub(crate) noise_percent: u32,
}

/// Run with its ground truth.
pub(crate) struct Run {
    pub(crate) data: DataSet,
    /// For each rank, true if it is slow.
    pub(crate) is_slow: Vec<bool>,
}

impl fmt::Display for Migration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Migration::EachPhase(percent) => write!(f, "{percent} %"),
            Migration::AllAtOnce => f.write_str("all at once"),
        }
    }
}

impl Sort {
    /// Draws the run of a seed.
    pub(crate) fn run(self, seed: u64) -> Run {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let n_ranks = rng.random_range(8..=64_usize);
        let ranks_per_node = rng.random_range(1..=4_usize);
        let n_objects = n_ranks * rng.random_range(10..=50_usize);
        let sigma = rng.random_range(0.2..=1.0);
        let has_siblings = rng.random_bool(0.5);
        let chosen = rng.random_range(0..n_ranks);
        let (factor, is_slow): (f64, Vec<bool>) = match self.slow {
            Slow::Nothing => (1.0, vec![false; n_ranks]),
            Slow::Rank(factor) => (factor, (0..n_ranks).map(|rank| rank == chosen).collect()),
            Slow::Node(factor) => {
                let node = chosen / ranks_per_node;
                (factor, (0..n_ranks).map(|rank| rank / ranks_per_node == node).collect())
            }
        };
        let usual: Vec<f64> = (0..n_objects).map(|_| lognormal(sigma, rng)).collect();
        let ranks = self.placements(n_ranks, n_objects, rng);
        let noise = f64::from(self.noise_percent) / 100.0;
        let mut load = |(usual, &rank): (&f64, &u32)| {
            let of_rank = if is_slow[rank as usize] { factor } else { 1.0 };
            usual * of_rank * lognormal(noise, rng)
        };
        let loads: Vec<Vec<f64>> =
            ranks.iter().map(|ranks| usual.iter().zip(ranks).map(&mut load).collect()).collect();
        let collection = |object: i64| if has_siblings { 0 } else { object.cast_unsigned() };
        let data = run_on_nodes(n_ranks, ranks_per_node, collection, &loads, &ranks);
        Run { data, is_slow }
    }

    /// Returns the rank of each object in each phase. In the first phase, all ranks have equal numbers of objects.
    fn placements(self, n_ranks: usize, n_objects: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<u32>> {
        let mut ranks: Vec<u32> = (0..n_objects).map(|object| (object % n_ranks) as u32).collect();
        let at_once = rng.random_range(1..N_PHASES);
        let mut phases = vec![ranks.clone()];
        for phase in 1..N_PHASES {
            let share = match self.migration {
                Migration::EachPhase(percent) => f64::from(percent) / 100.0,
                Migration::AllAtOnce => f64::from(u8::from(phase == at_once)),
            };
            for rank in &mut ranks {
                if rng.random_bool(share) {
                    // Any rank but the present one.
                    *rank = (*rank + rng.random_range(1..n_ranks as u32)) % n_ranks as u32;
                }
            }
            phases.push(ranks.clone());
        }
        phases
    }
}

/// Draws a lognormal number with median 1.
fn lognormal(sigma: f64, rng: &mut ChaCha8Rng) -> f64 {
    let normal: f64 = StandardNormal.sample(rng);
    (sigma * normal).exp()
}
