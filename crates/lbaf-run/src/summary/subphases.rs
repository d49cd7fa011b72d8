// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases whose ranks wait for each other behind every subphase, as the summary has them, and in words.

use lbaf_model::{Assignment, Phase, synchronised_bound};
use serde::{Deserialize, Serialize};

use super::console::{layout, new_table};
use super::summary::PhaseResult;
use lbaf_text::number::{counted, significant, significant_to};

/// What a phase takes then, before and after.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Subphases {
    /// Their numbers in the files.
    pub(crate) numbers: Vec<u32>,
    pub(crate) before: Synchronised,
    pub(crate) after: Synchronised,
    /// No placement has a smaller sum of maxima.
    pub(crate) lower_bound: f64,
    /// The smallest imbalance that means; nothing where ranks differ in speed, so that the mean is not the same everywhere.
    pub(crate) least_imbalance: Option<f64>,
}

/// A placement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Synchronised {
    /// Seconds of the slowest rank of each subphase, summed up.
    pub(crate) sum_of_maxima: f64,
    /// Seconds in the mean over ranks.
    pub(crate) mean: f64,
    /// Sum of maxima over mean, less one.
    pub(crate) imbalance: f64,
    /// The same for ranks that wait at the end alone.
    pub(crate) whole_imbalance: f64,
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
    pub(crate) fn new(phase: &Phase, before: &Assignment, after: &Assignment) -> Option<Self> {
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
    pub(super) fn in_words(&self) -> String {
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

/// A line for each phase with subphases, and their sum; nothing if there is none.
pub(super) fn table(phases: &[PhaseResult]) -> String {
    let known = || phases.iter().filter_map(|phase| Some((phase.phase, phase.subphases.as_ref()?)));
    if known().next().is_none() {
        return String::new();
    }
    let number = |number: f64| significant_to(number, 5);
    let mut table = new_table(&[
        "\nphase",
        "\nsubphases",
        "sum of maxima\nbefore (s)",
        "\nafter",
        "lower\nbound",
        "imbalance\nbefore",
        "\nafter",
        "as a whole\nbefore",
        "\nafter",
    ]);
    for (id, Subphases { numbers, before, after, lower_bound, .. }) in known() {
        table.add_row([
            id.to_string(),
            numbers.len().to_string(),
            number(before.sum_of_maxima),
            number(after.sum_of_maxima),
            number(*lower_bound),
            significant(before.imbalance),
            significant(after.imbalance),
            significant(before.whole_imbalance),
            significant(after.whole_imbalance),
        ]);
    }
    let sum = |of: fn(&Subphases) -> f64| number(known().map(|(_, subphases)| of(subphases)).sum());
    table.add_row([
        "all".to_owned(),
        String::new(),
        sum(|subphases| subphases.before.sum_of_maxima),
        sum(|subphases| subphases.after.sum_of_maxima),
        sum(|subphases| subphases.lower_bound),
    ]);
    format!("\nWhere ranks wait for each other behind every subphase:\n{}\n", layout(&table))
}
