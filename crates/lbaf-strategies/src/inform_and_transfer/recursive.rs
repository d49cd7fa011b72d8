// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recursive transfer: one object at a time, and more at once where one alone is of no use.

use lbaf_model::{Bundle, RankId, Slot, Vertex, View};
use rand::RngExt;
use rustc_hash::FxHashMap;

use super::Criterion;
use super::turn::{Offer, Turn};

impl<V: View> Turn<'_, V> {
    /// Offers each object once. If it is worth less than nothing even to the best peer, random further objects
    /// join it until the offer is worth nothing or more to that peer, or there are too many of them.
    pub(super) fn recursive(&mut self) {
        let mut left = self.ordered();
        // Bundles of single objects, made when they are needed; those of partners of what moved are out of date.
        let mut singles: FxHashMap<Slot, Bundle> = FxHashMap::default();
        while let Some(object) = left.pop() {
            let single = singles.remove(&object).unwrap_or_else(|| self.view.bundle(self.rank, &[object]));
            let offer = Offer::new(self, single);
            let Some((peer, gain)) = self.target(&offer) else {
                self.deeds.n_rejections += 1;
                continue;
            };
            let accepted = if gain.is_negative() {
                self.extended(&offer, peer, &mut left, &mut singles)
            } else {
                Some(offer)
            };
            let Some(accepted) = accepted else {
                self.deeds.n_rejections += 1;
                continue;
            };
            self.give(&accepted, peer);
            let graph = self.scene.problem.phase.communication();
            for &moved in accepted.bundle.objects() {
                for (partner, _) in graph.outgoing(moved).chain(graph.incoming(moved)) {
                    if let Vertex::Object(partner) = partner {
                        singles.remove(&partner);
                    }
                }
            }
        }
    }

    /// Extends an offer until it is worth nothing or more, and takes what joined it from `left`. If it never is,
    /// `left` stays as it was.
    fn extended(
        &mut self,
        offer: &Offer,
        peer: RankId,
        left: &mut Vec<Slot>,
        singles: &mut FxHashMap<Slot, Bundle>,
    ) -> Option<Offer> {
        let most = self.scene.parameters.max_objects_per_transfer.map_or(usize::MAX, |most| most as usize);
        let most = most.min(left.len() + 1);
        if most == 1 {
            return None;
        }
        let mut joined: Vec<usize> = Vec::new();
        let mut bundle = offer.bundle.narrowed(peer);
        while bundle.objects().len() < most {
            // More objects are more load for the peer: what load alone forbids, no further object allows.
            if self.is_hopeless(bundle.load(), peer) {
                return None;
            }
            let next = self.not_yet(&joined, left.len());
            joined.push(next);
            let object = left[next];
            let single = singles.entry(object).or_insert_with(|| self.view.bundle(self.rank, &[object]));
            bundle.join(&*self.view, single);
            let offer = Offer::new(self, bundle);
            if self.gain(&offer, peer).is_some_and(|gain| !gain.is_negative()) {
                joined.sort_unstable();
                for &at in joined.iter().rev() {
                    left.remove(at);
                }
                return Some(offer);
            }
            bundle = offer.bundle;
        }
        None
    }

    /// Whether a peer would have more work than both ends have now for its load alone.
    fn is_hopeless(&self, load: f64, peer: RankId) -> bool {
        let (own, other) = self.ends(peer);
        if self.criterion() != Criterion::Tempered || own.is_over_bound() || other.is_over_bound() {
            return false;
        }
        let floor = self.model().load_floor();
        let target = self.view.rank(peer);
        let least = floor.slope * target.alpha * (target.load + load) + floor.constant;
        least > own.max(other).cost() * (1.0 + 1e-9)
    }

    /// A number below `n` that is not among those drawn, each with the same probability.
    fn not_yet(&mut self, drawn: &[usize], n: usize) -> usize {
        let mut next = self.random.random_range(0..n - drawn.len());
        let mut ascending = drawn.to_vec();
        ascending.sort_unstable();
        for drawn in ascending {
            next += usize::from(drawn <= next);
        }
        next
    }
}
