// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of a phase with a barrier after every subphase.

use lbaf_model::{Assignment, Phase, synchronised_bound};
use lbaf_text::number::{counted, significant};
use serde::{Deserialize, Serialize};

/// Times of a phase with a barrier after every subphase.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Subphases {
    /// Numbers of the subphases in the files.
    pub numbers: Vec<u32>,
    /// Times before balancing.
    pub before: Synchronised,
    /// Times after balancing.
    pub after: Synchronised,
    /// Lower bound on `sum_of_maxima` for all placements, in seconds.
    pub lower_bound: f64,
    /// Lower bound on `imbalance`; `None` if ranks differ in speed, so that the mean depends on the placement.
    pub least_imbalance: Option<f64>,
}

/// Times under one placement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Synchronised {
    /// Time of the phase: the seconds of critical ranks, summed over subphases.
    pub sum_of_maxima: f64,
    /// Mean over ranks of the seconds in all subphases.
    pub mean: f64,
    /// `sum_of_maxima` / `mean` - 1; 0 if the mean is 0.
    pub imbalance: f64,
    /// Imbalance with a barrier only at the end of the phase.
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
    /// Returns the times under both placements; `None` if subphases were not read or not recorded.
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

    /// Returns the times as a sentence with a newline, for the console.
    pub fn in_words(&self) -> String {
        let Subphases { numbers, before, after, lower_bound, .. } = self;
        format!(
            "With a barrier after each of {}, the phase takes {} s before and {} s after balancing, and at least {} s \
             under any placement; the imbalance is {} before and {} after balancing ({} and {} with a barrier only at \
             the end).\n",
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
