// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds on the maximum work of any placement: how good could it be?
//!
//! All rest on the part of work that load alone causes ([`LoadFloor`](crate::LoadFloor)), so they hold for
//! every model; communication, homing and memory can only add to them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Phase, RankId, Slot, WorkModel};

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
    /// The largest objects, of which no two have room on one rank, beside objects that may not move.
    LargeObjects,
    /// All arrangements, of which a search has proven that none is better.
    Search,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Mean => "mean",
            Limit::LargestObject => "largest object",
            Limit::Sentinels => "sentinels",
            Limit::LargeObjects => "large objects",
            Limit::Search => "search of all arrangements",
        })
    }
}

/// The one thing that a bound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// An object, the first of the largest.
    Object(Slot),
    /// So many of the largest objects; the seconds are those of the smallest of them.
    Objects(usize),
    /// A rank with objects that may not move.
    Rank(RankId),
}

/// A proven lower bound on the maximum work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowerBound {
    /// What it comes from.
    pub limit: Limit,
    /// No placement has a smaller maximum work.
    pub work: f64,
    /// What of the phase it comes from and the seconds of load there, where that is one thing.
    pub culprit: Option<(Culprit, f64)>,
}

/// All bounds that are known for a phase, in a fixed order.
///
/// * Mean: with `W_r = a_r L_r + c`, some rank has `W_r >= (sum of loads) / (sum of 1 / a_r) + c`. O(ranks).
/// * Largest object: an object of load `l` costs at least `l x (smallest a_r)` wherever it goes. O(objects).
/// * Sentinels: each rank has its own already. The smallest `W` whose room above the sentinels,
///   `sum of max(0, W / a_r - s_r)`, holds all other loads, and not less than the largest `a_r s_r`
///   (water-filling). O(ranks log ranks).
/// * Large objects: of the `n` largest, either two share a rank, or they are on `n` ranks, one of which has no less
///   of sentinels than the rank with the `n`-th least. The best of all `n` up to one more than there are ranks.
///   O(objects + ranks log ranks).
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

/// The work up to which `load` more seconds, divided anyhow, fill ranks of these alphas that have `base` seconds each;
/// ranks with more than that get nothing. 0 if there is nothing to fill with, or a rank of alpha 0, which takes
/// everything. O(ranks log ranks).
pub fn water_level(alpha: &[f64], base: &[f64], load: f64) -> f64 {
    level(movable_over(alpha, base), load)
}

/// Bounds for `W_r = cost_r x L_r + constant`.
fn bounds_of(phase: &Phase, cost: &[f64], constant: f64) -> Vec<LowerBound> {
    let mut sentinel = vec![0.0; phase.n_ranks()];
    let mut loads = Vec::new();
    let (mut movable, mut largest) = (0.0, (None, 0.0));
    for slot in phase.slots() {
        let load = phase.load(slot);
        if phase.is_migratable(slot) {
            movable += load;
            loads.push(load);
            if load > largest.1 {
                largest = (Some(Culprit::Object(slot)), load);
            }
        } else {
            sentinel[phase.recorded_assignment().rank_of(slot).index()] += load;
        }
    }
    let total = movable + sentinel.iter().sum::<f64>();
    let cheapest = cost.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let bound = |limit, work: f64, culprit: (Option<Culprit>, f64)| LowerBound {
        limit,
        work: work + constant,
        culprit: culprit.0.map(|what| (what, culprit.1)),
    };
    let (large, n_large, load) = large_objects(loads, &movable_over(cost, &sentinel), cheapest);
    let objects = if n_large == 1 { largest.0 } else { Some(Culprit::Objects(n_large)) };
    vec![
        bound(Limit::Mean, fill(movable_over(cost, &vec![0.0; cost.len()]), total), (None, 0.0)),
        bound(Limit::LargestObject, largest.1 * cheapest, largest),
        bound(Limit::Sentinels, fill(movable_over(cost, &sentinel), movable), highest(cost, &sentinel)),
        bound(Limit::LargeObjects, large, (objects.filter(|_| n_large > 0), load)),
    ]
}

/// The bound of the largest objects on ranks with sentinels, of how many it is, and the load of the smallest of those.
/// On ranks of different speed objects are taken to cost what they cost on the fastest.
fn large_objects(mut loads: Vec<f64>, ranks: &[(f64, f64)], cheapest: f64) -> (f64, usize, f64) {
    let n = loads.len().min(ranks.len() + 1);
    if n < loads.len() {
        loads.select_nth_unstable_by(n, |a, b| b.total_cmp(a));
        loads.truncate(n);
    }
    loads.sort_by(|a, b| b.total_cmp(a));
    let least = ranks.first().map_or(0.0, |rank| rank.0);
    let mut best = (0.0, 0, 0.0);
    for (position, &load) in loads.iter().enumerate() {
        let shared = position.checked_sub(1).map(|before| least + cheapest * (loads[before] + load));
        let apart = ranks.get(position).map(|rank| rank.0 + cheapest * load);
        let work = shared.unwrap_or(f64::INFINITY).min(apart.unwrap_or(f64::INFINITY));
        if work > best.0 {
            best = (work, position + 1, load);
        }
    }
    best
}

/// The rank whose sentinels cost most, if any costs something. Where sentinels limit more than the mean does, they
/// are what limits: the room of the other ranks up to there holds all that may move.
fn highest(cost: &[f64], sentinel: &[f64]) -> (Option<Culprit>, f64) {
    let mut highest = (None, 0.0, 0.0);
    for (rank, (&cost, &load)) in cost.iter().zip(sentinel).enumerate() {
        if cost * load > highest.1 {
            highest = (Some(Culprit::Rank(RankId::from(rank))), cost * load, load);
        }
    }
    (highest.0, highest.2)
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

/// The most work of a rank when `load` seconds have filled them.
fn fill(ranks: Vec<(f64, f64)>, load: f64) -> f64 {
    let highest = ranks.last().map_or(0.0, |rank| rank.0);
    level(ranks, load).max(highest)
}

/// The level to which `load` seconds fill the ranks that are below it.
fn level(ranks: Vec<(f64, f64)>, load: f64) -> f64 {
    // A rank on which load costs nothing takes all of it.
    if load <= 0.0 || ranks.iter().any(|&(_, cost)| cost == 0.0) {
        return 0.0;
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
    level
}
