// SPDX-License-Identifier: MIT OR Apache-2.0
//! Best exchange of clusters between two ranks.

use std::cmp::Reverse;

use lbaf_model::{RankId, RankTotals, Totals, View, Work};

use super::clusters::Clusters;
use super::current::Changes;
use super::limits::Limits;
use crate::gossip::Gain;
use crate::gossip::criterion::Criterion;
use crate::gossip::turn::{Made, Scene, most_by_load};
use crate::primitives::works::Ends;

/// Exchange of two clusters, with its consequences.
pub(super) struct Exchange {
    pub(super) made: Made,
    /// Totals of both ranks after the exchange.
    pub(super) after: (RankTotals, RankTotals),
    pub(super) changes: Changes,
}

/// Returns the exchange of two clusters of two ranks with the largest gain, or `None` if none has a gain.
pub(super) fn best(
    scene: Scene<'_>,
    totals: &Totals<'_>,
    works: &[Work],
    own: &Clusters,
    others: &Clusters,
) -> Option<Exchange> {
    let (from, to) = (own.rank(), others.rank());
    let ends = (works[from.index()], works[to.index()]);
    let (_, given, returned) = best_of(scene, totals, ends, own, others)?;
    let (given, returned) = (own.bundle(given), others.bundle(returned));
    let made = Made { from, to, objects: given.objects().to_vec(), returned: returned.objects().to_vec() };
    let changes = Changes::of(&made, totals);
    Some(Exchange { made, after: totals.exchange(given, returned), changes })
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
    let model = scene.problem.model;
    let limits = Limits::new(totals, model, ends, own, others);
    let worth = |(at, other): (usize, usize)| -> Option<Worth> {
        let (given, returned) = (own.bundle(at), others.bundle(other));
        let (left, got) = totals.exchange(given, returned);
        let after = totals.works_if(model, (given.rank(), &left), (returned.rank(), &got));
        let gain = Criterion::Tempered.gain(ends, after, scene.target.work, false)?;
        let is_worth = gain.excess > 0.0 || gain.value > least;
        is_worth.then(|| (gain, Reverse((given.objects().len() + returned.objects().len(), at, other))))
    };
    // An exchange is at least as good as `best` only if its limit exceeds this.
    let threshold = |best: Option<Worth>| {
        let most = best.map_or(least, |(gain, _)| if gain.excess > 0.0 { 0.0 } else { gain.value });
        most * (1.0 - 1e-12)
    };
    // The exchange with the largest limit is usually the best. It is evaluated first, so that few others have to be
    // sorted.
    let (first, limit) = limits.first();
    if limit <= threshold(None) {
        return None;
    }
    let mut best = worth(first);
    let mut exchanges = limits.above(threshold(best));
    exchanges.sort_unstable_by(|(_, a), (_, b)| b.total_cmp(a));
    for (exchange, limit) in exchanges {
        if limit <= threshold(best) || scene.cancel.is_cancelled() {
            break;
        }
        if exchange != first {
            best = best.max(worth(exchange));
        }
    }
    best.map(|(gain, Reverse((_, given, returned)))| (gain, given, returned))
}

/// Gain of an exchange; for ties the number of moved objects and the positions of the clusters, lower first.
type Worth = (Gain, Reverse<(usize, usize, usize)>);

/// Returns an upper limit of the gain of any exchange of clusters between two ranks, from the loads of their clusters,
/// ascending. Infinite if a rank exceeds a bound; negative infinity if both ranks have only the cluster without objects.
/// O(clusters).
///
/// The larger work is a convex function of the load that moves. So for each own cluster, only two clusters of the
/// other rank are evaluated: those whose loads are nearest to the load with which both works would be equal.
pub(super) fn most_conceivable(
    scene: Scene<'_>,
    totals: &Totals<'_>,
    ends: Ends,
    (own, own_loads): (RankId, &[f64]),
    (other, other_loads): (RankId, &[f64]),
) -> f64 {
    // Each rank has a cluster without objects.
    if own_loads.len() == 1 && other_loads.len() == 1 {
        return f64::NEG_INFINITY;
    }
    let slope = |rank: RankId| {
        let totals = totals.rank(rank);
        (scene.problem.model.load_floor().slope * totals.alpha, totals.load)
    };
    let ((own_slope, own_load), (other_slope, other_load)) = (slope(own), slope(other));
    let ideal = (own_slope * own_load - other_slope * other_load) / (own_slope + other_slope);
    if !ideal.is_finite() || ends.0.is_over_bound() || ends.1.is_over_bound() {
        return f64::INFINITY;
    }
    let (mut most, mut at) = (f64::NEG_INFINITY, 0);
    let mut consider = |load: f64| {
        most = most_by_load(totals, scene.problem.model, (own, other), load, ends).max(most);
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

#[cfg(test)]
mod tests {
    use lbaf_model::{
        Affine, AffineParameters, Assignment, BoundScope, RankQuantity, Slot, UpperBound, rank_totals, works,
    };
    use proptest::prelude::*;

    use super::super::test_phases::phases;
    use super::*;
    use crate::Cancel;
    use crate::gossip::distribution::Distribution;
    use crate::gossip::tempered::TemperedLB;
    use crate::gossip::turn::Target;
    use crate::test_phase::problem;

    proptest! {
        /// Every exchange is evaluated on the changed placement, without limits and without sums of clusters.
        #[test]
        fn no_exchange_is_better(
            phase in phases(),
            limit in prop::option::of(10_u8..60),
        ) {
            let bounds = limit.map(|limit| UpperBound {
                quantity: RankQuantity::MaxMemoryUsage,
                limit: f64::from(limit),
                scope: BoundScope::Rank,
            });
            let parameters = AffineParameters {
                beta: 0.5,
                delta: 0.25,
                bounds: bounds.into_iter().collect(),
                ..AffineParameters::default()
            };
            let model = Affine::new(parameters).unwrap();
            let problem = problem(&phase, &model);
            let totals = Totals::new(&phase, problem.initial.clone());
            let before = works(&model, &phase, totals.ranks());
            let (gossip, cancel) = (TemperedLB::default().gossip(2, 2), Cancel::default());
            let target = Target { work: 0.0, load: 0.0, mean_load: 0.0, max_load: 0.0 };
            let scene = Scene {
                parameters: &gossip,
                problem,
                heard: &[],
                destinations: &Distribution::new(std::iter::empty(), 0.0),
                target,
                bounds_nodes: false,
                cancel: &cancel,
            };
            let clusters = Clusters::of_all(&totals);
            for (from, to) in [(0, 1), (1, 0), (0, 64), (65, 1)] {
                let ends = (before[from], before[to]);
                let least = 1e-9 * ends.0.max(ends.1).cost();
                let evaluated = |given: &[Slot], returned: &[Slot]| {
                    let mut placement: Assignment = problem.initial.clone();
                    for &slot in given {
                        placement.set(slot, RankId::from(to));
                    }
                    for &slot in returned {
                        placement.set(slot, RankId::from(from));
                    }
                    let after = works(&model, &phase, &rank_totals(&phase, &placement));
                    let gain = Criterion::Tempered.gain(ends, (after[from], after[to]), target.work, false);
                    gain.filter(|gain| gain.excess > 0.0 || gain.value > least)
                };
                let mut expected: Option<Worth> = None;
                for at in 0..clusters[from].len() {
                    for other in 0..clusters[to].len() {
                        let (given, returned) = (clusters[from].bundle(at), clusters[to].bundle(other));
                        let n_objects = given.objects().len() + returned.objects().len();
                        let gain = evaluated(given.objects(), returned.objects()).filter(|_| n_objects > 0);
                        expected = expected.max(gain.map(|gain| (gain, Reverse((n_objects, at, other)))));
                    }
                }
                let expected = expected.map(|(gain, Reverse((_, at, other)))| (gain, at, other));
                let found = best_of(scene, &totals, ends, &clusters[from], &clusters[to]);
                prop_assert_eq!(found, expected);
            }
        }
    }
}
