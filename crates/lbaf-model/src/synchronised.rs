// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long a phase takes if all ranks wait for each other behind every subphase.

use crate::{Assignment, Phase};

/// What ranks take under a placement, subphase by subphase.
///
/// A rank takes its `alpha` for each second of load, as everywhere. Where no rank waits but at the end, a phase takes as long
/// as its slowest rank; where all wait behind every subphase, as long as the slowest rank of each subphase, which need not
/// be the same one: `sum over s of max over r`, which is never less than `max over r of sum over s`.
#[derive(Clone, Debug, PartialEq)]
pub struct Synchronised {
    /// Seconds of the slowest rank, by subphase.
    pub maxima: Vec<f64>,
    /// Seconds in the mean over all ranks, by subphase.
    pub means: Vec<f64>,
    /// Seconds of the slowest rank in all subphases together.
    pub whole: f64,
}

impl Synchronised {
    /// A placement of a phase; `None` if nobody knows its subphases. O(e log e + ranks) for e times that are not zero.
    pub fn of(phase: &Phase, assignment: &Assignment) -> Option<Self> {
        let columns = phase.subphases()?.by_subphase();
        let n_ranks = phase.n_ranks().max(1) as f64;
        let mut synchronised = Synchronised { maxima: Vec::new(), means: Vec::new(), whole: 0.0 };
        let mut whole = vec![0.0; phase.n_ranks()];
        let mut here = vec![0.0; phase.n_ranks()];
        for column in columns {
            let mut ranks = Vec::new();
            for (slot, seconds) in column {
                let rank = assignment.rank_of(slot).index();
                if here[rank] == 0.0 {
                    ranks.push(rank);
                }
                here[rank] += phase.ranks()[rank].alpha * seconds;
            }
            // Few subphases may have few ranks; sums are over these, ascending.
            ranks.sort_unstable();
            let (mut largest, mut sum) = (0.0_f64, 0.0);
            for rank in ranks {
                let seconds = std::mem::take(&mut here[rank]);
                largest = largest.max(seconds);
                sum += seconds;
                whole[rank] += seconds;
            }
            synchronised.maxima.push(largest);
            // Rounding may carry the quotient past the largest.
            synchronised.means.push((sum / n_ranks).min(largest));
        }
        synchronised.whole = whole.into_iter().fold(0.0, f64::max);
        Some(synchronised)
    }

    /// Seconds that the phase takes: the sum of the maxima.
    pub fn seconds(&self) -> f64 {
        total(&self.maxima)
    }

    /// Seconds that it would take if the work of every subphase were spread evenly. On ranks of different alpha the work, and
    /// with it this mean, depends on the placement.
    pub fn mean(&self) -> f64 {
        total(&self.means)
    }

    /// `(sum of maxima - sum of means) / sum of means`: how much longer it takes than if every subphase were spread evenly.
    /// 0 where the means are, as for any imbalance.
    pub fn imbalance(&self) -> f64 {
        self.above_mean(self.seconds())
    }

    /// The same if ranks waited at the end alone. Never more but for rounding; the difference is what ranks lose by waiting in
    /// between, as a part of the mean.
    pub fn whole_imbalance(&self) -> f64 {
        self.above_mean(self.whole)
    }

    fn above_mean(&self, seconds: f64) -> f64 {
        let mean = self.mean();
        if mean > 0.0 { (seconds - mean).max(0.0) / mean } else { 0.0 }
    }
}

/// The sum in order; of nothing 0 without a sign.
fn total(seconds: &[f64]) -> f64 {
    seconds.iter().sum::<f64>() + 0.0
}
