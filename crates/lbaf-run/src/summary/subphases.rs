// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases whose ranks wait for each other behind every subphase, as the summary has them, and in words.

use lbaf_model::{Assignment, Phase, synchronised_bound};
use serde::{Deserialize, Serialize};

use lbaf_text::number::{counted, significant};

/// What a phase takes then, before and after.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Subphases {
    /// Their numbers in the files.
    pub numbers: Vec<u32>,
    pub before: Synchronised,
    pub after: Synchronised,
    /// No placement has a smaller sum of maxima.
    pub lower_bound: f64,
    /// The smallest imbalance that means; nothing where ranks differ in speed, so that the mean is not the same everywhere.
    pub least_imbalance: Option<f64>,
}

/// A placement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Synchronised {
    /// Seconds of the slowest rank of each subphase, summed up.
    pub sum_of_maxima: f64,
    /// Seconds in the mean over ranks.
    pub mean: f64,
    /// Sum of maxima over mean, less one.
    pub imbalance: f64,
    /// The same for ranks that wait at the end alone.
    pub whole_imbalance: f64,
}

impl From<&lbaf_model::Synchronised> for Synchronised {
    fn from(of: &lbaf_model::Synchronised) -> Self {
        Synchronised {
            sum_of_maxima: of.seconds(),
            mean: of.mean(),
            imbalance: of.imbalance(),
            whole_imbalance: of.whole_imbalance(),
        }
    }
}

impl Subphases {
    /// The two placements of a phase; nothing if nobody asked for its subphases, or nobody knows them.
    pub fn new(phase: &Phase, before: &Assignment, after: &Assignment) -> Option<Self> {
        let synchronised = |placement| lbaf_model::Synchronised::of(phase, placement);
        let (before, after) = (synchronised(before)?, synchronised(after)?);
        let lower_bound = synchronised_bound(phase)?.seconds();
        let alpha = |position: usize| phase.ranks().get(position).map(|rank| rank.alpha);
        let are_alike = phase.ranks().iter().all(|rank| Some(rank.alpha) == alpha(0));
        let imbalance = |mean: f64| if mean > 0.0 { (lower_bound / mean - 1.0).max(0.0) } else { 0.0 };
        Some(Subphases {
            numbers: phase.subphases()?.numbers().to_vec(),
            before: (&before).into(),
            after: (&after).into(),
            lower_bound,
            least_imbalance: are_alike.then(|| imbalance(after.mean())),
        })
    }

    /// What a run says of a single phase.
    pub fn in_words(&self) -> String {
        let Subphases { numbers, before, after, lower_bound, .. } = self;
        format!(
            "Where ranks wait behind each of {}: {} s before, {} s after, no less than {} s; imbalance {} before, {} \
             after (as a whole {} and {}).\n",
            counted(numbers.len(), "subphase"),
            significant(before.sum_of_maxima),
            significant(after.sum_of_maxima),
            significant(*lower_bound),
            significant(before.imbalance),
            significant(after.imbalance),
            significant(before.whole_imbalance),
            significant(after.whole_imbalance),
        )
    }
}
