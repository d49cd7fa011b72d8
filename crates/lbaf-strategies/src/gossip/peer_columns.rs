// SPDX-License-Identifier: MIT OR Apache-2.0
//! Totals of the peers of a rank in columns, from which the gains of an offer for all peers follow in one pass.

use lbaf_model::{OnRankVolume, View, WorkTerms};

use super::criterion::Criterion;
use super::turn::{Offer, Turn};

/// Totals of the peers of a rank, in the order of the peers.
///
/// They give the works of peers that neither communicate with the offered objects nor hold their blocks. Columns
/// exist only for models without bounds whose cost is a sum of [`WorkTerms`].
pub(super) struct PeerColumns {
    terms: WorkTerms,
    /// Seconds of work per second of load.
    slope: Vec<f64>,
    load: Vec<f64>,
    sent_bytes: Vec<f64>,
    received_bytes: Vec<f64>,
    on_rank_bytes: Vec<f64>,
    /// Volume between the objects of the rank and the rank itself, as far as it counts as on-rank.
    itself_bytes: Vec<f64>,
    /// Work due to homing.
    homing: Vec<f64>,
    /// Current work.
    work: Vec<f64>,
}

impl PeerColumns {
    /// Returns the columns of the peers of a turn, or `None` if gains do not follow from them. O(peers).
    pub(super) fn of<V: View>(turn: &Turn<'_, V>) -> Option<Self> {
        let model = turn.model();
        let terms = model.terms().filter(|_| model.bounds().is_empty())?;
        if terms.homing > 0.0 && !turn.view.phase().blocks().is_empty() {
            return None;
        }
        let n = turn.peers.len();
        let column = || Vec::with_capacity(n);
        let mut columns = PeerColumns {
            terms,
            slope: column(),
            load: column(),
            sent_bytes: column(),
            received_bytes: column(),
            on_rank_bytes: column(),
            itself_bytes: column(),
            homing: column(),
            work: column(),
        };
        for at in 0..n {
            columns.grow();
            columns.renew(turn, at);
        }
        let is_finite = [&columns.sent_bytes, &columns.received_bytes, &columns.on_rank_bytes, &columns.work]
            .iter()
            .all(|column| column.iter().sum::<f64>().is_finite());
        is_finite.then_some(columns)
    }

    fn grow(&mut self) {
        for column in [
            &mut self.slope,
            &mut self.load,
            &mut self.sent_bytes,
            &mut self.received_bytes,
            &mut self.on_rank_bytes,
            &mut self.itself_bytes,
            &mut self.homing,
            &mut self.work,
        ] {
            column.push(0.0);
        }
    }

    /// Reads the totals of a peer again.
    pub(super) fn renew<V: View>(&mut self, turn: &Turn<'_, V>, at: usize) {
        let peer = turn.peers[at];
        let totals = turn.view.rank(peer);
        self.slope[at] = self.terms.load * totals.alpha;
        self.load[at] = totals.load;
        self.sent_bytes[at] = totals.sent_bytes;
        self.received_bytes[at] = totals.received_bytes;
        self.on_rank_bytes[at] = totals.on_rank_bytes;
        self.itself_bytes[at] = match self.terms.on_rank_volume {
            OnRankVolume::Paper => 0.0,
            OnRankVolume::Vt => totals.to_rank_bytes.max(totals.from_rank_bytes),
        };
        self.homing[at] = self.terms.homing * totals.homing_bytes;
        self.work[at] = turn.works.of(peer).cost();
    }

    /// Writes the value of the gain of an offer to `values` for every peer. It is that of
    /// [`Turn::gain`](super::turn::Turn::gain) to the last bit, except for peers that communicate with the offer.
    pub(super) fn values<V: View>(&self, turn: &Turn<'_, V>, offer: &Offer, values: &mut Vec<f64>) {
        let WorkTerms { constant, off_rank, on_rank, .. } = self.terms;
        let bundle = &offer.bundle;
        let (own, left) = (turn.work().cost(), offer.work_left().cost());
        let criterion = turn.criterion();
        let breaks = criterion == Criterion::StrictLocalizing && bundle.talks_on_its_rank();
        let target = turn.scene.target.work;
        let (load, sent, received) = (bundle.load(), bundle.sent_bytes(), bundle.received_bytes());
        let internal = bundle.internal_bytes();
        let n = self.work.len();
        // Slices of equal length, so that the loop has no checks of bounds.
        let [slope, loads, sents, receiveds, on_ranks, itselves, homings, works] = [
            &self.slope[..n],
            &self.load[..n],
            &self.sent_bytes[..n],
            &self.received_bytes[..n],
            &self.on_rank_bytes[..n],
            &self.itself_bytes[..n],
            &self.homing[..n],
            &self.work[..n],
        ];
        values.clear();
        values.extend((0..n).map(|at| {
            let after = slope[at] * (loads[at] + load)
                + off_rank * (sents[at] + sent).max(receiveds[at] + received)
                + on_rank * (on_ranks[at] + internal + itselves[at])
                + constant
                + homings[at];
            criterion.value((own, works[at]), (left, after), target, breaks)
        }));
    }
}
