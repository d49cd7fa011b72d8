// SPDX-License-Identifier: MIT OR Apache-2.0
//! Totals of peers in columns, which give the gains of an offer for all peers in one pass.

use lbaf_model::{Bundle, OnRankVolume, RankId, RankTotals, View, Work, WorkModel, WorkTerms};

use super::criterion::Criterion;
use crate::primitives::works::Works;

/// Totals of the peers of a rank, in the order of the peers.
///
/// The totals give the works of peers that do not communicate with the offered objects. Columns exist only for models
/// without bounds whose cost is a sum of [`WorkTerms`]. If homing adds to work, they exist only for phases without
/// blocks.
pub(super) struct PeerColumns {
    terms: WorkTerms,
    /// Seconds of work per second of load.
    slope: Vec<f64>,
    load: Vec<f64>,
    sent_bytes: Vec<f64>,
    received_bytes: Vec<f64>,
    on_rank_bytes: Vec<f64>,
    /// The larger of the volumes from the objects of the peer to the peer itself and back, if the model counts it as
    /// on-rank; otherwise 0.
    itself_bytes: Vec<f64>,
    /// Work due to homing.
    homing: Vec<f64>,
    /// Current work.
    work: Vec<f64>,
}

/// Inputs of the gain of an offer that are the same for all receivers.
pub(super) struct Source<'a> {
    pub(super) criterion: Criterion,
    /// Current work of the rank that offers objects, and its work without them.
    pub(super) costs: (f64, f64),
    /// Target work of a rank.
    pub(super) target: f64,
    /// The offered objects.
    pub(super) bundle: &'a Bundle,
}

impl PeerColumns {
    /// Reads the totals of peers. `None` if gains cannot be computed from columns. O(peers).
    pub(super) fn of(
        view: &impl View,
        works: &Works<'_>,
        peers: &[RankId],
        model: &dyn WorkModel,
    ) -> Option<Self> {
        let terms = model.terms().filter(|_| model.bounds().is_empty())?;
        if terms.homing > 0.0 && !view.phase().blocks().is_empty() {
            return None;
        }
        let column = || vec![0.0; peers.len()];
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
        for (at, &peer) in peers.iter().enumerate() {
            columns.read(at, view.rank(peer), works.of(peer));
        }
        let is_finite = [&columns.sent_bytes, &columns.received_bytes, &columns.on_rank_bytes, &columns.work]
            .iter()
            .all(|column| column.iter().sum::<f64>().is_finite());
        is_finite.then_some(columns)
    }

    /// Reads the totals of the peer at a position.
    pub(super) fn read(&mut self, at: usize, totals: &RankTotals, work: Work) {
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
        self.work[at] = work.cost();
    }

    /// Writes the value of the gain of an offer for every peer to `values`. For peers that do not communicate with the
    /// offered objects, the value equals that of [`Criterion::gain`] bit for bit.
    pub(super) fn values(&self, source: &Source<'_>, values: &mut Vec<f64>) {
        let WorkTerms { constant, off_rank, on_rank, .. } = self.terms;
        let &Source { criterion, costs: (own, left), target, bundle } = source;
        let breaks = criterion == Criterion::StrictLocalizing && bundle.talks_on_its_rank();
        let (load, sent, received) = (bundle.load(), bundle.sent_bytes(), bundle.received_bytes());
        let internal = bundle.internal_bytes();
        let n = self.work.len();
        // Slices of equal length save bounds checks in the loop.
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
