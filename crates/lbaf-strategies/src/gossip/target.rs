// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the peer to which an offer goes.

use lbaf_model::{RankId, View};
use rand::RngExt;

use super::Gain;
use super::peer_columns::Source;
use super::turn::{Offer, Turn};

impl<V: View> Turn<'_, V> {
    /// Returns the peer to which an offer goes, with the gain: with deterministic transfers the peer with the largest
    /// gain (in a tie, the lowest rank), otherwise a [drawn](Self::drawn) peer. `None` if there are no peers or bounds
    /// exclude all.
    pub(super) fn target(&mut self, offer: &Offer) -> Option<(RankId, Gain)> {
        if self.scene.parameters.deterministic_transfer { self.best(offer) } else { self.drawn(offer) }
    }

    fn best(&mut self, offer: &Offer) -> Option<(RankId, Gain)> {
        if let Some(values) = self.values(offer) {
            let is_more = |at: usize, best: usize| values[at].total_cmp(&values[best]).is_gt();
            let best = (0..values.len()).reduce(|best, at| if is_more(at, best) { at } else { best });
            let best = best.map(|at| (self.peers[at], Gain { excess: 0.0, value: values[at] }));
            self.values = values;
            return best;
        }
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

    /// Draws a peer with a probability proportional to the gain minus the smallest gain, or uniformly if all gains are
    /// equal. If a transfer to some peer reduces the excess over bounds, only such peers are drawn, and the reduction
    /// is their gain.
    pub(super) fn drawn(&mut self, offer: &Offer) -> Option<(RankId, Gain)> {
        if let Some(values) = self.values(offer) {
            let at = self.draw_by(&values)?;
            let drawn = (self.peers[at], Gain { excess: 0.0, value: values[at] });
            self.values = values;
            return Some(drawn);
        }
        let mut gains: Vec<(RankId, Gain)> =
            self.peers.iter().filter_map(|&peer| Some((peer, self.gain(offer, peer)?))).collect();
        let most_relief = gains.iter().map(|(_, gain)| gain.excess).fold(0.0, f64::max);
        let worth = |gain: &Gain| if most_relief > 0.0 { gain.excess } else { gain.value };
        if most_relief > 0.0 {
            gains.retain(|(_, gain)| gain.excess > 0.0);
        }
        let values: Vec<f64> = gains.iter().map(|(_, gain)| worth(gain)).collect();
        self.draw_by(&values).map(|at| gains[at])
    }

    /// Draws a position with a probability proportional to the value minus the smallest value, or uniformly if all are
    /// equal. `None` without values.
    fn draw_by(&mut self, values: &[f64]) -> Option<usize> {
        let least = values.iter().copied().reduce(f64::min)?;
        let total: f64 = values.iter().map(|value| value - least).sum();
        if total <= 0.0 {
            return Some(self.random.random_range(0..values.len()));
        }
        let draw = self.random.random::<f64>();
        let mut passed = 0.0;
        let chosen = values.iter().position(|value| {
            passed += value - least;
            passed > draw * total
        });
        Some(chosen.unwrap_or(values.len() - 1))
    }

    /// Returns the value of the gain for every peer, in the memory of `self.values`. `None` without columns of totals.
    fn values(&mut self, offer: &Offer) -> Option<Vec<f64>> {
        let columns = self.columns.as_ref()?;
        let mut values = std::mem::take(&mut self.values);
        let source = Source {
            criterion: self.criterion(),
            costs: (self.work().cost(), offer.work_left().cost()),
            target: self.scene.target.work,
            bundle: &offer.bundle,
        };
        columns.values(&source, &mut values);
        for partner in offer.bundle.partner_ranks() {
            if let Ok(at) = self.peers.binary_search(&partner) {
                let gain = self.gain(offer, partner).expect("invariant: there are no bounds");
                values[at] = gain.value;
            }
        }
        Some(values)
    }
}
