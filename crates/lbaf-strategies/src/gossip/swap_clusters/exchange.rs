// SPDX-License-Identifier: MIT OR Apache-2.0
//! Best exchange of clusters between two ranks.

use std::cmp::Reverse;

use lbaf_model::{Bundle, RankId, Totals, View, Work};

use crate::gossip::Gain;
use crate::gossip::clusters::Clusters;
use crate::gossip::criterion::Criterion;
use crate::gossip::turn::{Made, Scene, most_by_load};
use crate::primitives::works::Ends;

/// Returns the exchange of clusters between two ranks with the largest gain in the current placement, or `None` if
/// no exchange has a gain.
pub(super) fn best(
    scene: Scene<'_>,
    totals: &Totals<'_>,
    works: &[Work],
    from: RankId,
    to: RankId,
) -> Option<Made> {
    let (own, others) = (Clusters::of(from, totals), Clusters::of(to, totals));
    let ends = (works[from.index()], works[to.index()]);
    let (_, given, returned) = best_of(scene, totals, ends, &own, &others)?;
    let objects = |bundle: &Bundle| bundle.objects().to_vec();
    Some(Made { from, to, objects: objects(&own.0[given]), returned: objects(&others.0[returned]) })
}

/// Returns the gain of the best exchange of two clusters, and the positions of both clusters in `own` and `others`,
/// or `None` if no exchange has a gain. Of exchanges with equal gains, the one that moves the fewest objects is
/// chosen.
pub(super) fn best_of(
    scene: Scene<'_>,
    totals: &Totals<'_>,
    ends: Ends,
    own: &Clusters,
    others: &Clusters,
) -> Option<(Gain, usize, usize)> {
    let mut best: Option<((Gain, Reverse<usize>), usize, usize)> = None;
    for (at, given) in own.0.iter().enumerate() {
        if scene.cancel.is_cancelled() {
            break;
        }
        for (other, returned) in others.0.iter().enumerate() {
            let n_objects = given.objects().len() + returned.objects().len();
            if n_objects == 0 {
                continue;
            }
            let conceivable = conceivable(scene, totals, ends, given, returned);
            // Smaller differences may be rounding errors.
            let least = 1e-9 * ends.0.max(ends.1).cost();
            if conceivable
                <= best.map_or(least, |((gain, _), ..)| if gain.excess > 0.0 { 0.0 } else { gain.value })
                    * (1.0 - 1e-12)
            {
                continue;
            }
            let (left, got) = totals.exchange(given, returned);
            let model = scene.problem.model;
            let after = totals.works_if(model, (given.rank(), &left), (returned.rank(), &got));
            let gain = Criterion::Tempered.gain(ends, after, scene.target.work, false);
            let Some(gain) = gain.filter(|gain| gain.excess > 0.0 || gain.value > least) else { continue };
            let worth = (gain, Reverse(n_objects));
            if best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, at, other));
            }
        }
    }
    best.map(|((gain, _), given, returned)| (gain, given, returned))
}

/// Returns an upper limit of the gain of an exchange. It follows from loads alone, and is infinite if a rank
/// exceeds a bound.
fn conceivable(scene: Scene<'_>, totals: &Totals<'_>, ends: Ends, given: &Bundle, returned: &Bundle) -> f64 {
    if ends.0.is_over_bound() || ends.1.is_over_bound() {
        return f64::INFINITY;
    }
    let ranks = (given.rank(), returned.rank());
    most_by_load(totals, scene.problem.model, ranks, given.load() - returned.load(), ends)
}
