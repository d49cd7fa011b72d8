// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recursive transfer: objects join an offer as long as its gain is negative.

use lbaf_model::{Bundle, RankId, Slot, Vertex, View};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use super::Criterion;
use super::turn::{Offer, Turn};

/// Maximum number of objects that join offers in a turn, per migratable object of the rank. LBAF has no such limit;
/// without it, a turn could cost the square of the number of objects.
const JOINS_PER_OBJECT: usize = 32;

impl<V: View> Turn<'_, V> {
    /// Offers each object to one peer, see [`target`](Turn::target). If the gain is negative, other objects, drawn at
    /// random, join the offer until its gain for this peer is not negative. If the offer first reaches the maximum
    /// number of objects, the turn reaches the maximum number of joins, or the load alone forbids the transfer, the
    /// offer is rejected. The objects that joined it are offered later.
    pub(super) fn recursive(&mut self) {
        let mut left = self.ordered();
        // Bundles of single objects, created on demand and dropped when a communication partner moves.
        let mut singles: FxHashMap<Slot, Bundle> = FxHashMap::default();
        let mut joins_left = JOINS_PER_OBJECT * left.len();
        while let Some(object) = left.pop().filter(|_| !self.scene.cancel.is_cancelled()) {
            let single = singles.remove(&object).unwrap_or_else(|| self.view.bundle(self.rank, &[object]));
            let offer = Offer::new(self, single);
            let Some((peer, gain)) = self.target(&offer) else {
                self.deeds.n_rejections += 1;
                continue;
            };
            let accepted = if gain.is_negative() {
                self.extended(&offer, peer, &mut left, &mut singles, &mut joins_left)
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

    /// Extends an offer with objects of `left` until its gain is not negative, and removes these objects from `left`.
    /// Returns `None` and leaves `left` unchanged if this fails.
    fn extended(
        &mut self,
        offer: &Offer,
        peer: RankId,
        left: &mut Vec<Slot>,
        singles: &mut FxHashMap<Slot, Bundle>,
        joins_left: &mut usize,
    ) -> Option<Offer> {
        let most = self.scene.parameters.max_objects_per_transfer.map_or(usize::MAX, |most| most as usize);
        let most = most.min(left.len() + 1);
        if most == 1 {
            return None;
        }
        let mut joined = Draws::new(left.len());
        let mut bundle = offer.bundle.narrowed(peer);
        while bundle.objects().len() < most {
            // Further objects add load to the peer. If load alone forbids the transfer, they cannot make it acceptable.
            if self.is_hopeless(bundle.load(), peer) {
                return None;
            }
            if *joins_left == 0 || self.scene.cancel.is_cancelled() {
                return None;
            }
            *joins_left -= 1;
            let object = left[joined.next(&mut self.random)];
            let single = singles.entry(object).or_insert_with(|| self.view.bundle(self.rank, &[object]));
            bundle.join(&*self.view, single);
            let offer = Offer::new(self, bundle);
            if self.gain(&offer, peer).is_some_and(|gain| !gain.is_negative()) {
                left.retain(|&object| !offer.bundle.has_object(object));
                return Some(offer);
            }
            bundle = offer.bundle;
        }
        None
    }

    /// True if `load` seconds, without communication, would give the peer more work than the larger current work of the
    /// two ranks. Always false if the criterion is not [`Criterion::Tempered`] or a rank exceeds a bound.
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
}

/// Random sequence of the numbers below `n` without repetition: a lazy Fisher-Yates shuffle.
struct Draws {
    n: usize,
    n_drawn: usize,
    /// Numbers that differ from their position, by position.
    displaced: FxHashMap<usize, usize>,
}

impl Draws {
    fn new(n: usize) -> Self {
        Draws { n, n_drawn: 0, displaced: FxHashMap::default() }
    }

    /// Returns the next number. At least one number must remain.
    fn next(&mut self, random: &mut ChaCha8Rng) -> usize {
        let (first, chosen) = (self.n_drawn, random.random_range(self.n_drawn..self.n));
        let at_first = self.displaced.get(&first).copied().unwrap_or(first);
        self.n_drawn += 1;
        self.displaced.insert(chosen, at_first).unwrap_or(if chosen == first { at_first } else { chosen })
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn draws_are_permutations_with_a_uniform_first_number() {
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let mut firsts = [0; 5];
        for _ in 0..5000 {
            let mut draws = Draws::new(5);
            let drawn: Vec<usize> = (0..5).map(|_| draws.next(&mut random)).collect();
            firsts[drawn[0]] += 1;
            let mut sorted = drawn;
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4]);
        }
        assert!(firsts.iter().all(|&first| (900..1100).contains(&first)), "{firsts:?}");
    }
}
