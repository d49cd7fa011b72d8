// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clustering transfer: objects that share a block move together, as a cluster or a part of it.

use std::cmp::Reverse;

use lbaf_model::{BlockIdx, Bundle, RankId, Slot, Vertex, View};
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;

use super::Gain;
use super::clusters::clusters;
use super::subclusters::{self, Subcluster};
use super::turn::{Offer, Turn};

impl<V: View> Turn<'_, V> {
    /// Swaps clusters with the first peer for which a swap is worthwhile. If there is none, or if transfers are
    /// deterministic, also gives away a part of a cluster.
    pub(super) fn clustering(&mut self) {
        let swapped = self.swap_clusters();
        if !swapped || self.scene.parameters.deterministic_transfer {
            self.give_subcluster();
        }
    }

    /// Tries the peers in sequence until clusters were swapped with one of them; then returns true. For each own
    /// cluster, the first worthwhile swap for a cluster of the peer is made. One of the two clusters can be "no
    /// objects". A swap is worthwhile if it reduces the excess over bounds, or if its gain is positive and above
    /// `cluster_swap_rtol` times the load of the own cluster. With deterministic transfers, peers are tried in
    /// descending order of work (in a tie, the lowest rank first), and clusters in descending order of load. "No
    /// objects" is then the last of the own clusters and the first of the clusters of the peer.
    ///
    /// Own clusters are bundled once, and those of a peer when it is tried. Evaluating a swap costs O(1), or the
    /// inspection of common edges if the two clusters communicate. Making it costs O(edges of the moved objects and of
    /// the clusters they communicate with).
    pub(super) fn swap_clusters(&mut self) -> bool {
        let mut own = self.clusters(self.rank);
        let mut order = self.peers.clone();
        if self.scene.parameters.deterministic_transfer {
            // LBAF uses the arbitrary order of its hash tables. Here, peers with the most work come first, because
            // they need an exchange most. Each cluster of a peer, and also its "no objects", is swapped at most once.
            // Large own clusters therefore come first, and the own "no objects" last.
            order.sort_by_key(|&peer| Reverse(self.works.of(peer)));
            own.rotate_left(1);
        } else {
            order.shuffle(&mut self.random);
        }
        for peer in order {
            if self.scene.cancel.is_cancelled() {
                break;
            }
            let mut others = self.clusters(peer);
            let mut swapped = false;
            let mut next = 0;
            while next < own.len() && !self.scene.cancel.is_cancelled() {
                let found = self.beneficial(&own[next], &others, peer);
                let Some(theirs) = found else {
                    next += 1;
                    continue;
                };
                swapped = true;
                let (given, returned) = (own.remove(next), others.remove(theirs));
                self.swap(given.objects().to_vec(), peer, returned.objects().to_vec());
                let stale = self.partners(given.objects().iter().chain(returned.objects()));
                for bundle in own.iter_mut().chain(&mut others) {
                    let block =
                        bundle.objects().first().and_then(|&slot| self.view.phase().memory(slot).block);
                    if block.is_some_and(|block| stale.contains(&(bundle.rank(), block))) {
                        *bundle = self.view.bundle(bundle.rank(), bundle.objects());
                    }
                }
            }
            if swapped {
                return true;
            }
        }
        false
    }

    /// Returns rank and block of each cluster that communicates with moved objects. Their bundles are out of date.
    fn partners<'s>(&self, moved: impl Iterator<Item = &'s Slot>) -> FxHashSet<(RankId, BlockIdx)> {
        let graph = self.scene.problem.phase.communication();
        let partners = moved.flat_map(|&slot| graph.outgoing(slot).chain(graph.incoming(slot)));
        let cluster = |(partner, _)| match partner {
            Vertex::Object(slot) => Some((self.view.rank_of(slot), self.view.phase().memory(slot).block?)),
            Vertex::Rank(_) => None,
        };
        partners.filter_map(cluster).collect()
    }

    /// Returns the position in `others`, the clusters of a peer, of the first worthwhile swap for `given`, if any.
    /// Swaps tried before count as rejections.
    fn beneficial(&mut self, given: &Bundle, others: &[Bundle], peer: RankId) -> Option<usize> {
        let needed = self.scene.parameters.cluster_swap_rtol * given.load();
        for (at, returned) in others.iter().enumerate() {
            if given.is_empty() && returned.is_empty() {
                continue;
            }
            if self.best_conceivable(given.load() - returned.load(), peer, self.ends(peer)) <= needed {
                self.deeds.n_rejections += 1;
                continue;
            }
            let (left, got) = self.view.exchange(given, returned);
            let after = self.view.works_if(self.model(), (self.rank, &left), (peer, &got));
            let breaks = given.talks_on_its_rank() || returned.talks_on_its_rank();
            let gain = self.criterion().gain(self.ends(peer), after, self.scene.target.work, breaks);
            let is_worth = |gain: Gain| gain.is_positive() && (gain.excess > 0.0 || gain.value > needed);
            if gain.is_some_and(is_worth) {
                return Some(at);
            }
            self.deeds.n_rejections += 1;
        }
        None
    }

    /// Gives away a part of a cluster: parts are offered in descending order of load until a peer accepts one, or until
    /// their number reaches `max_subclusters` times the number of clusters. No part may take the load of the rank below
    /// `1 - cluster_swap_rtol` times the mean. Does nothing if `max_subclusters` is 0 or the load of the rank is below
    /// `subclustering_threshold` times the maximum load. With deterministic transfers, the receiver is the accepting
    /// peer whose load is then closest to the mean; otherwise each part is offered to one drawn peer.
    pub(super) fn give_subcluster(&mut self) {
        let parameters = self.scene.parameters;
        let load = self.load();
        if parameters.max_subclusters == Some(0)
            || load < parameters.subclustering_threshold * self.scene.target.max_load
        {
            return;
        }
        let clusters: Vec<Vec<Slot>> = clusters(&*self.view, self.rank).into_values().collect();
        let room = load - (1.0 - parameters.cluster_swap_rtol) * self.scene.target.mean_load;
        let phase = self.scene.problem.phase;
        let load_of = |slot: Slot| phase.load(slot);
        let found = if parameters.deterministic_transfer {
            subclusters::all(&clusters, load_of, room, parameters.max_objects_per_transfer)
        } else {
            subclusters::sampled(&clusters, load_of, room, parameters, &mut self.random)
        };
        self.deeds.n_unseen = self.deeds.n_unseen.saturating_add(found.n_unseen);
        for (n_looked_at, subcluster) in (0_u64..).zip(found.largest_first()) {
            if self.scene.cancel.is_cancelled() {
                return;
            }
            if parameters
                .max_subclusters
                .is_some_and(|most| n_looked_at >= u64::from(most) * clusters.len() as u64)
            {
                break;
            }
            let objects = subcluster.objects(&clusters);
            let offer = self.offer(&objects);
            if let Some(to) = self.subcluster_target(&offer) {
                self.give(&offer, to);
                return;
            }
            self.deeds.n_rejections += 1;
        }
    }

    fn subcluster_target(&mut self, offer: &Offer) -> Option<RankId> {
        let needed = self.scene.parameters.subclustering_minimum_improvement * self.load();
        let is_worth = |gain: Gain| gain.is_positive() && (gain.excess > 0.0 || gain.value > needed);
        if !self.scene.parameters.deterministic_transfer {
            return self.drawn(offer).filter(|(_, gain)| is_worth(*gain)).map(|(peer, _)| peer);
        }
        let mean = self.scene.target.mean_load;
        let mut best: Option<(f64, Gain, RankId)> = None;
        for &peer in &self.peers {
            if self.best_conceivable(offer.bundle.load(), peer, self.ends(peer)) <= 0.0 {
                continue;
            }
            let distance = (self.view.rank(peer).load + offer.bundle.load() - mean).abs();
            let Some(gain) = self.gain(offer, peer).filter(|gain| is_worth(*gain)) else { continue };
            let closer = |(nearest, most, _): (f64, Gain, RankId)| {
                distance < nearest || (distance == nearest && gain > most)
            };
            if best.is_none_or(closer) {
                best = Some((distance, gain, peer));
            }
        }
        best.map(|(_, _, peer)| peer)
    }

    /// Returns bundles of "no objects" and of the clusters of a rank. With deterministic transfers, they are in this
    /// order, with clusters in descending order of load; otherwise the order is random.
    fn clusters(&mut self, rank: RankId) -> Vec<Bundle> {
        let mut bundles = vec![self.view.bundle(rank, &[])];
        let all = clusters(&*self.view, rank);
        bundles.extend(all.values().map(|objects| self.view.bundle(rank, objects)));
        if self.scene.parameters.deterministic_transfer {
            bundles[1..].sort_by(|a, b| b.load().total_cmp(&a.load()));
        } else {
            bundles.shuffle(&mut self.random);
        }
        bundles
    }
}

impl Subcluster {
    fn objects(&self, clusters: &[Vec<Slot>]) -> Vec<Slot> {
        self.members.iter().map(|&member| clusters[self.cluster][member as usize]).collect()
    }
}
