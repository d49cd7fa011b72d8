// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of ranks under one placement, and their moments.

use lbaf_model::{RankTotals, Statistics, Work};
use serde::{Deserialize, Serialize};

/// Quantities of ranks under one placement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// Load in seconds.
    pub load: Moments,
    /// Work, in the unit of the work model.
    pub work: Moments,
    /// Memory in bytes: rank working memory, footprints of objects, blocks, and the largest working memory of an
    /// object.
    pub memory: Moments,
    /// Bytes sent to other ranks.
    pub sent_volume: Moments,
    /// Bytes received from other ranks.
    pub received_volume: Moments,
    /// Homing volume: bytes of blocks away from home.
    pub homing: Moments,
    /// Number of objects.
    pub num_objects: Moments,
    /// Number of ranks that exceed an upper bound of the work model.
    #[serde(alias = "n_ranks_over_bound")]
    pub n_ranks_over_bounds: usize,
    /// Largest excess of a rank: sum of its excesses relative to the upper bounds; 0 within them.
    pub largest_excess: f64,
}

impl Snapshot {
    /// Returns the quantities from totals and work of ranks.
    pub fn new(totals: &[RankTotals], works: &[Work]) -> Self {
        let of = |quantity: fn(&RankTotals) -> f64| Moments::of(totals.iter().map(quantity));
        Snapshot {
            load: of(|rank| rank.load),
            work: Moments::of(works.iter().map(|work| work.cost())),
            memory: of(RankTotals::memory_bytes),
            sent_volume: of(|rank| rank.sent_bytes),
            received_volume: of(|rank| rank.received_bytes),
            homing: of(|rank| rank.homing_bytes),
            num_objects: of(|rank| f64::from(rank.n_objects)),
            n_ranks_over_bounds: works.iter().filter(|work| work.is_over_bound()).count(),
            largest_excess: works.iter().map(|work| work.excess()).fold(0.0, f64::max),
        }
    }
}

/// Population moments of a quantity over ranks.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Moments {
    /// Sum, in the unit of the quantity.
    pub sum: f64,
    /// Smallest value.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Largest value.
    pub max: f64,
    /// max / mean - 1; 0 if the mean is 0.
    pub imbalance: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Skewness, without unit.
    pub skewness: f64,
    /// Kurtosis, without unit; 3 for a normal distribution.
    pub kurtosis: f64,
}

impl Moments {
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let statistics = Statistics::of(numbers);
        Moments {
            sum: statistics.sum,
            min: statistics.min,
            mean: statistics.mean(),
            max: statistics.max,
            imbalance: statistics.imbalance(),
            deviation: statistics.deviation(),
            skewness: statistics.skewness(),
            kurtosis: statistics.kurtosis(),
        }
    }
}
