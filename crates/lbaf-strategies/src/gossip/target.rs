// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the peer to which an offer goes.

use lbaf_model::{RankId, View};
use rand::RngExt;

use super::Gain;
use super::turn::{Offer, Turn};

impl<V: View> Turn<'_, V> {
    /// Returns the peer to which an offer goes, with the gain. With deterministic transfers it is the peer with the
    /// largest gain (the lowest rank among equals), otherwise a peer that is [drawn](Self::drawn). Returns `None`
    /// if bounds exclude all peers.
    pub(super) fn target(&mut self, offer: &Offer) -> Option<(RankId, Gain)> {
        if self.scene.parameters.deterministic_transfer { self.best(offer) } else { self.drawn(offer) }
    }

    fn best(&self, offer: &Offer) -> Option<(RankId, Gain)> {
        let mut best: Option<(RankId, Gain)> = None;
        for &peer in &self.peers {
            let ends = self.ends(peer);
            if let Some((_, gain)) = best
                && self.best_conceivable(offer.bundle.load(), peer, ends) <= gain.value
            {
                continue;
            }
            if let Some(gain) = self.gain_between(offer, peer, ends)
                && best.is_none_or(|(_, best)| gain > best)
            {
                best = Some((peer, gain));
            }
        }
        best
    }

    /// Draws a peer. Probabilities are proportional to the gain minus the smallest gain of any peer; they are equal
    /// if all gains are equal. If the transfer to at least one peer reduces the excess over bounds, only peers with
    /// a reduction are drawn, and the reduction is their gain.
    pub(super) fn drawn(&mut self, offer: &Offer) -> Option<(RankId, Gain)> {
        let mut gains: Vec<(RankId, Gain)> =
            self.peers.iter().filter_map(|&peer| Some((peer, self.gain(offer, peer)?))).collect();
        let most_relief = gains.iter().map(|(_, gain)| gain.excess).fold(0.0, f64::max);
        let worth = |gain: &Gain| if most_relief > 0.0 { gain.excess } else { gain.value };
        if most_relief > 0.0 {
            gains.retain(|(_, gain)| gain.excess > 0.0);
        }
        let least = gains.iter().map(|(_, gain)| worth(gain)).reduce(f64::min)?;
        let total: f64 = gains.iter().map(|(_, gain)| worth(gain) - least).sum();
        if total <= 0.0 {
            return Some(gains[self.random.random_range(0..gains.len())]);
        }
        let draw = self.random.random::<f64>();
        let mut passed = 0.0;
        let chosen = gains.iter().position(|(_, gain)| {
            passed += worth(gain) - least;
            passed > draw * total
        });
        Some(gains[chosen.unwrap_or(gains.len() - 1)])
    }
}
