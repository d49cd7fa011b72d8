// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of works whose sums differ by rounding.

use lbaf_model::Work;

/// Relative difference up to which works count as equal: sums in a different order differ by rounding.
pub(super) const ROUNDING: f64 = 1e-12;

/// True if `work` is less than `best` by more than rounding. Also used for pruning: if a lower bound is not less than
/// `best`, no completion is less.
pub(super) fn beats(work: Work, best: Work) -> bool {
    let margin = ROUNDING * best.excess();
    work.excess() < best.excess() - margin
        || work.excess() <= best.excess() + margin && work.cost() < target(best)
}

/// Returns the cost below which a work with the excess of `best` counts as less than `best`.
pub(super) fn target(best: Work) -> f64 {
    best.cost() - ROUNDING * best.cost().abs()
}

/// Returns the maximum of works. Works of equal excess, up to rounding, are compared by cost.
pub(super) fn largest(works: impl Iterator<Item = Work>) -> Work {
    let larger = |most: Work, work: Work| {
        let (high, low) = if work.excess() > most.excess() { (work, most) } else { (most, work) };
        let is_close = high.excess() - low.excess() <= ROUNDING * high.excess();
        if is_close { Work::with_excess(high.cost().max(low.cost()), high.excess()) } else { high }
    };
    works.reduce(larger).unwrap_or_default()
}
