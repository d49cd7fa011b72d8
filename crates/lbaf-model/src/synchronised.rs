// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time of a phase with a barrier after every subphase.

use crate::{Assignment, Phase};

/// Times of ranks under a placement, subphase by subphase.
///
/// A rank takes `alpha` seconds for each second of load. With a barrier only at the end, a phase takes as
/// long as its slowest rank: `max over ranks of sum over subphases`. With a barrier after every subphase, each
/// subphase takes as long as its slowest rank, which may differ between subphases: `sum over subphases of max
/// over ranks`. The second time is never less than the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Synchronised {
    /// Seconds of the slowest rank, by subphase.
    pub maxima: Vec<f64>,
    /// Mean seconds over all ranks, by subphase.
    pub means: Vec<f64>,
    /// Seconds of the phase with a barrier only at the end: the largest sum of a rank over all subphases.
    pub whole: f64,
}

impl Synchronised {
    /// Computes the times of a placement; `None` if the subphases of the phase are unknown. O(e log e + objects
    /// + ranks + subphases) for e nonzero times.
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
            // Only ranks with time in this subphase, which may be few, are summed, in ascending order.
            ranks.sort_unstable();
            let (mut largest, mut sum) = (0.0_f64, 0.0);
            for rank in ranks {
                let seconds = std::mem::take(&mut here[rank]);
                largest = largest.max(seconds);
                sum += seconds;
                whole[rank] += seconds;
            }
            synchronised.maxima.push(largest);
            // Rounding may raise the quotient above the largest time.
            synchronised.means.push((sum / n_ranks).min(largest));
        }
        synchronised.whole = whole.into_iter().fold(0.0, f64::max);
        Some(synchronised)
    }

    /// Returns the seconds of the phase: the sum of the maxima.
    pub fn seconds(&self) -> f64 {
        total(&self.maxima)
    }

    /// Returns the seconds of the phase if the work of every subphase were spread evenly. If the alphas of
    /// ranks differ, this mean depends on the placement.
    pub fn mean(&self) -> f64 {
        total(&self.means)
    }

    /// Returns `(sum of maxima - sum of means) / sum of means`: the relative extra time compared with an even
    /// distribution in every subphase. 0 if the sum of means is 0.
    pub fn imbalance(&self) -> f64 {
        self.above_mean(self.seconds())
    }

    /// Returns the [`imbalance`](Self::imbalance) with a single barrier, at the end of the phase. Apart from
    /// rounding, it is at most `imbalance`. The difference is the time lost by waiting at the inner barriers,
    /// as a fraction of the mean.
    pub fn whole_imbalance(&self) -> f64 {
        self.above_mean(self.whole)
    }

    fn above_mean(&self, seconds: f64) -> f64 {
        let mean = self.mean();
        if mean > 0.0 { (seconds - mean).max(0.0) / mean } else { 0.0 }
    }
}

/// Returns the sum in order; +0 for an empty slice.
fn total(seconds: &[f64]) -> f64 {
    seconds.iter().sum::<f64>() + 0.0
}
