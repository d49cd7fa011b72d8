// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels of work: up to where load fills ranks, and the highest one that is refuted.

/// Relative differences below come from the order of summation.
pub(super) const ROUNDING: f64 = 1e-12;

/// The work up to which `load` more seconds, divided anyhow, fill ranks of these alphas that have `base` seconds each;
/// ranks with more than that get nothing. 0 if there is nothing to fill with, or a rank of alpha 0, which takes
/// everything. O(ranks log ranks).
pub fn water_level(alpha: &[f64], base: &[f64], load: f64) -> f64 {
    let mut ranks: Vec<(f64, f64)> =
        alpha.iter().zip(base).map(|(&alpha, &base)| (alpha * base, alpha)).collect();
    ranks.sort_by(|a, b| a.0.total_cmp(&b.0));
    level(ranks, load)
}

/// The most work of ranks of (work already there, work per second of load) when `load` seconds have filled them.
/// O(ranks log ranks).
pub(super) fn fill(mut ranks: Vec<(f64, f64)>, load: f64) -> f64 {
    ranks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let highest = ranks.last().map_or(0.0, |rank| rank.0);
    level(ranks, load).max(highest)
}

/// The level to which `load` seconds fill the ranks that are below it; they ascend by the work already there.
fn level(ranks: Vec<(f64, f64)>, load: f64) -> f64 {
    let cheapest = ranks.iter().map(|&(_, cost)| cost).fold(f64::INFINITY, f64::min);
    // A rank on which load costs nothing takes all of it.
    if load <= 0.0 || cheapest == 0.0 {
        return 0.0;
    }
    // Speeds are parts of the highest: the inverse of a cost may be beyond all numbers.
    let load = load * cheapest;
    let (mut speed, mut filled, mut level) = (0.0, 0.0, 0.0);
    for (base, cost) in ranks {
        // Load that fits below the base of this rank.
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

/// The end of the levels that `is_refuted` between `from` and `to`, up to rounding. `None` if not even `from` is,
/// or something just above it.
pub(super) fn highest_refuted(from: f64, to: f64, is_refuted: impl Fn(f64) -> bool) -> Option<f64> {
    /// What is no better than this is not worth a search.
    const WORTH: f64 = 1e-9;
    const PRECISION: f64 = 1e-13;
    /// Levels below have too few digits for the allowances of proofs.
    const LEAST: f64 = f64::MIN_POSITIVE / f64::EPSILON;
    let (mut refuted, mut open) = (from * (1.0 + WORTH), to);
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
