// SPDX-License-Identifier: MIT OR Apache-2.0
//! Best exchange of clusters between two ranks.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use lbaf_model::{Bundle, Totals, View, Work};

use super::limits::Limits;
use crate::gossip::Gain;
use crate::gossip::clusters::Clusters;
use crate::gossip::criterion::Criterion;
use crate::gossip::turn::{Made, Scene, most_by_load};
use crate::primitives::works::Ends;

/// Returns the exchange of two clusters of two ranks with the largest gain, or `None` if none has a gain.
pub(super) fn best(
    scene: Scene<'_>,
    totals: &Totals<'_>,
    works: &[Work],
    [own, others]: &[Clusters; 2],
) -> Option<Made> {
    let (from, to) = (own.0.first()?.rank(), others.0.first()?.rank());
    let ends = (works[from.index()], works[to.index()]);
    let (_, given, returned) = best_of(scene, totals, ends, own, others)?;
    let objects = |bundle: &Bundle| bundle.objects().to_vec();
    Some(Made { from, to, objects: objects(&own.0[given]), returned: objects(&others.0[returned]) })
}

/// Returns the gain of the best exchange of two clusters, and their positions, or `None` if no exchange has a gain. Of
/// equal gains, the exchange that moves the fewest objects is chosen.
pub(super) fn best_of(
    scene: Scene<'_>,
    totals: &Totals<'_>,
    ends: Ends,
    own: &Clusters,
    others: &Clusters,
) -> Option<(Gain, usize, usize)> {
    // Smaller gains may be rounding errors.
    let least = 1e-9 * ends.0.max(ends.1).cost();
    let mut pairs = Vec::with_capacity(own.0.len() * others.0.len());
    let limits = Limits::new(totals, scene.problem.model, ends, own, others)?;
    for (at, given) in own.0.iter().enumerate() {
        for (other, returned) in others.0.iter().enumerate() {
            let conceivable = limits.of(at, other);
            if conceivable > least * (1.0 - 1e-12) && !(given.is_empty() && returned.is_empty()) {
                pairs.push(Pair { conceivable, at, other });
            }
        }
    }
    let mut pairs = BinaryHeap::from(pairs);
    let mut best: Option<Worth> = None;
    while let Some(Pair { conceivable, at, other }) = pairs.pop() {
        let most = best.map_or(least, |(gain, _)| if gain.excess > 0.0 { 0.0 } else { gain.value });
        if conceivable <= most * (1.0 - 1e-12) || scene.cancel.is_cancelled() {
            break;
        }
        let (given, returned) = (&own.0[at], &others.0[other]);
        let (left, got) = totals.exchange(given, returned);
        let model = scene.problem.model;
        let after = totals.works_if(model, (given.rank(), &left), (returned.rank(), &got));
        let gain = Criterion::Tempered.gain(ends, after, scene.target.work, false);
        let Some(gain) = gain.filter(|gain| gain.excess > 0.0 || gain.value > least) else { continue };
        let worth = (gain, Reverse((given.objects().len() + returned.objects().len(), at, other)));
        if best.is_none_or(|most| worth > most) {
            best = Some(worth);
        }
    }
    best.map(|(gain, Reverse((_, given, returned)))| (gain, given, returned))
}

/// Gain of an exchange; for ties the number of moved objects and the positions of the clusters, lower first.
type Worth = (Gain, Reverse<(usize, usize, usize)>);

/// Two clusters to exchange, ordered by the [upper limit](Limits) of the gain.
struct Pair {
    conceivable: f64,
    at: usize,
    other: usize,
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pair {}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.conceivable.total_cmp(&other.conceivable)
    }
}

/// Returns an upper limit of the gain of any exchange of clusters, from the loads of clusters. Infinite if a rank
/// exceeds a bound. O(clusters).
///
/// The larger work is a convex function of the load that moves. So for each own cluster, only two clusters of the
/// other rank are evaluated: those whose loads are nearest to the load with which both works would be equal.
pub(super) fn most_conceivable(
    scene: Scene<'_>,
    totals: &Totals<'_>,
    ends: Ends,
    own: &Clusters,
    others: &Clusters,
) -> f64 {
    let Some((given, returned)) = own.0.first().zip(others.0.first()) else { return 0.0 };
    let slope = |bundle: &Bundle| {
        let totals = totals.rank(bundle.rank());
        (scene.problem.model.load_floor().slope * totals.alpha, totals.load)
    };
    let ((own_slope, own_load), (other_slope, other_load)) = (slope(given), slope(returned));
    let ideal = (own_slope * own_load - other_slope * other_load) / (own_slope + other_slope);
    if !ideal.is_finite() || ends.0.is_over_bound() || ends.1.is_over_bound() {
        return f64::INFINITY;
    }
    let (own_loads, other_loads) = (&own.1, &others.1);
    let (mut most, mut at) = (f64::NEG_INFINITY, 0);
    let mut consider = |load: f64| {
        let ranks = (given.rank(), returned.rank());
        most = most_by_load(totals, scene.problem.model, ranks, load, ends).max(most);
    };
    // Both lists ascend, so the nearest counterpart never moves backwards.
    for &load in own_loads {
        while other_loads.get(at).is_some_and(|&other| load - other > ideal) {
            at += 1;
        }
        for &other in &other_loads[at.saturating_sub(1)..other_loads.len().min(at + 1)] {
            consider(load - other);
        }
    }
    most + 1e-12 * ends.0.max(ends.1).cost()
}
