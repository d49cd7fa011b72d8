// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels of work: the level to which load fills ranks, and the highest refuted level.

/// Relative tolerance: differences up to this may be due to the order of summation.
pub(super) const ROUNDING: f64 = 1e-12;

/// Returns the work to which `load` additional, arbitrarily divisible seconds fill ranks, given the alpha of
/// each rank and its `base` seconds of load. Ranks whose base work is above this level receive no load. 0 if
/// `load` is 0, or if a rank has alpha 0 and thus takes all load. O(ranks log ranks).
pub fn water_level(alpha: &[f64], base: &[f64], load: f64) -> f64 {
    let mut ranks: Vec<(f64, f64)> =
        alpha.iter().zip(base).map(|(&alpha, &base)| (alpha * base, alpha)).collect();
    ranks.sort_by(|a, b| a.0.total_cmp(&b.0));
    level(ranks, load)
}

/// Returns the maximum work of ranks, each given as (base work, work per second of load), after they are
/// filled with `load` arbitrarily divisible seconds. O(ranks log ranks).
pub(super) fn fill(mut ranks: Vec<(f64, f64)>, load: f64) -> f64 {
    ranks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let highest = ranks.last().map_or(0.0, |rank| rank.0);
    level(ranks, load).max(highest)
}

/// Returns the level to which `load` seconds fill the ranks below it; `ranks` ascend by base work.
fn level(ranks: Vec<(f64, f64)>, load: f64) -> f64 {
    let cheapest = ranks.iter().map(|&(_, cost)| cost).fold(f64::INFINITY, f64::min);
    // A rank on which load costs nothing takes all of it.
    if load <= 0.0 || cheapest == 0.0 {
        return 0.0;
    }
    // Speeds are relative to the highest one: the inverse of a cost may overflow.
    let load = load * cheapest;
    let (mut speed, mut filled, mut level) = (0.0, 0.0, 0.0);
    for (base, cost) in ranks {
        // The load fits below the base of this rank.
        if speed > 0.0 && speed * base - filled >= load {
            break;
        }
        let share = cheapest / cost;
        speed += share;
        filled += base * share;
        level = (load + filled) / speed;
    }
    level
}

/// Returns the highest level between `from` and `to` that `is_refuted`, up to rounding. `None` if the initial
/// level, slightly above `from`, is not refuted or is not below `to`, or if `from` is too small for the
/// tolerances of the proofs.
pub(super) fn highest_refuted(from: f64, to: f64, is_refuted: impl Fn(f64) -> bool) -> Option<f64> {
    /// Smallest relative improvement that is worth a search.
    const MIN_GAIN: f64 = 1e-9;
    const PRECISION: f64 = 1e-13;
    /// Below this, levels have too few digits for the tolerances of the proofs.
    const LEAST: f64 = f64::MIN_POSITIVE / f64::EPSILON;
    let (mut refuted, mut open) = (from * (1.0 + MIN_GAIN), to);
    if from < LEAST || refuted >= open || !is_refuted(refuted) {
        return None;
    }
    if is_refuted(open) {
        return Some(open);
    }
    while open - refuted > PRECISION * open {
        let middle = refuted + (open - refuted) / 2.0;
        if middle <= refuted || middle >= open {
            break;
        }
        *(if is_refuted(middle) { &mut refuted } else { &mut open }) = middle;
    }
    Some(open)
}
