// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds on the maximum work of any placement: how good could it be?
//!
//! All rest on the part of work that load alone causes ([`LoadFloor`](crate::LoadFloor)), so they hold for
//! every model; communication, homing and memory can only add to them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Phase, WorkModel};

/// What keeps every placement from being better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The total load over the total speed of the ranks.
    Mean,
    /// One object, on the fastest rank.
    LargestObject,
    /// Objects that may not move.
    Sentinels,
    /// All arrangements, of which a search has proven that none is better.
    Search,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Mean => "mean",
            Limit::LargestObject => "largest object",
            Limit::Sentinels => "sentinels",
            Limit::Search => "search of all arrangements",
        })
    }
}

/// A proven lower bound on the maximum work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowerBound {
    /// What it comes from.
    pub limit: Limit,
    /// No placement has a smaller maximum work.
    pub work: f64,
}

/// All bounds that are known for a phase, in a fixed order.
///
/// * Mean: with `W_r = a_r L_r + c`, some rank has `W_r >= (sum of loads) / (sum of 1 / a_r) + c`. O(ranks).
/// * Largest object: an object of load `l` costs at least `l x (smallest a_r)` wherever it goes. O(objects).
/// * Sentinels: each rank has its own already. The smallest `W` whose room above the sentinels,
///   `sum of max(0, W / a_r - s_r)`, holds all other loads, and not less than the largest `a_r s_r`
///   (water-filling). O(ranks log ranks).
pub fn lower_bounds(phase: &Phase, model: &dyn WorkModel) -> Vec<LowerBound> {
    let floor = model.load_floor();
    let cost: Vec<f64> = phase.ranks().iter().map(|rank| floor.slope * rank.alpha).collect();
    bounds_of(phase, &cost, floor.constant)
}

/// The largest of [`lower_bounds`]; of equal ones the first, so that `Mean` means that nothing else limits.
pub fn best_lower_bound(phase: &Phase, model: &dyn WorkModel) -> LowerBound {
    best(lower_bounds(phase, model))
}

/// The best lower bound on the maximum load, as if all ranks were equally fast and nothing but load counted.
pub fn load_bound(phase: &Phase) -> LowerBound {
    best(bounds_of(phase, &vec![1.0; phase.n_ranks()], 0.0))
}

/// Bounds for `W_r = cost_r x L_r + constant`.
fn bounds_of(phase: &Phase, cost: &[f64], constant: f64) -> Vec<LowerBound> {
    let mut sentinel = vec![0.0; phase.n_ranks()];
    let (mut movable, mut largest) = (0.0, 0.0_f64);
    for slot in phase.slots() {
        let load = phase.load(slot);
        if phase.is_migratable(slot) {
            movable += load;
            largest = largest.max(load);
        } else {
            sentinel[phase.recorded_assignment().rank_of(slot).index()] += load;
        }
    }
    let total = movable + sentinel.iter().sum::<f64>();
    let cheapest = cost.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let bound = |limit, work: f64| LowerBound { limit, work: work + constant };
    vec![
        bound(Limit::Mean, fill(movable_over(cost, &vec![0.0; cost.len()]), total)),
        bound(Limit::LargestObject, largest * cheapest),
        bound(Limit::Sentinels, fill(movable_over(cost, &sentinel), movable)),
    ]
}

fn best(mut bounds: Vec<LowerBound>) -> LowerBound {
    // Different orders of summation: only a difference beyond rounding is a limit of its own.
    let clearly_more = |a: f64, b: f64| a > b + 1e-12 * b.abs();
    let mut best = bounds.remove(0);
    for bound in bounds {
        if clearly_more(bound.work, best.work) {
            best = bound;
        }
    }
    best
}

/// Ranks as (work already there, work per second of load), ascending by the former.
fn movable_over(cost: &[f64], base: &[f64]) -> Vec<(f64, f64)> {
    let mut ranks: Vec<(f64, f64)> =
        cost.iter().zip(base).map(|(&cost, &base)| (cost * base, cost)).collect();
    ranks.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranks
}

/// The level to which `load` seconds fill the ranks.
fn fill(ranks: Vec<(f64, f64)>, load: f64) -> f64 {
    let highest = ranks.last().map_or(0.0, |rank| rank.0);
    // A rank on which load costs nothing takes all of it.
    if load <= 0.0 || ranks.iter().any(|&(_, cost)| cost == 0.0) {
        return highest;
    }
    let (mut speed, mut filled, mut level) = (0.0, 0.0, 0.0);
    for (base, cost) in ranks {
        // Load that fits below the base of this rank.
        if speed > 0.0 && speed * base - filled >= load {
            break;
        }
        speed += 1.0 / cost;
        filled += base / cost;
        level = (load + filled) / speed;
    }
    level.max(highest)
}
