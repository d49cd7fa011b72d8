// SPDX-License-Identifier: MIT OR Apache-2.0
//! Unavoidable communication.
//!
//! * Communication between fixed vertices (sentinels and ranks themselves) is on-rank or off-rank in every
//!   placement. It raises the base work of the ranks and thereby the level to which the migratable load fills
//!   them.
//! * A migratable object may communicate with fixed partners on several ranks. On the rank of one partner,
//!   its communication with partners on other ranks is off-rank; on a rank without partners, all of it is.
//!   Off-rank volume adds to the work of the ranks of object and partner. The bound is the least maximum work
//!   of these ranks over all ranks on which the object can be placed.
//! * Two migratable objects that communicate are either on one rank, with both loads and the volume on-rank,
//!   or on two ranks, each with one of the loads and the volume off-rank. The bound is the smaller work of
//!   the two cases.
//!
//! O(edges log edges + objects + ranks log ranks). There is no bound without communication, or if the model
//! assigns no known cost to it.

use super::fixed_part::{FixedPart, is_fixed};
use super::instance::Instance;
use super::level::fill;
use super::{Culprit, Limit, LowerBound};
use crate::totals::rank_of_vertex;
use crate::{Phase, RankId, RankTotals, Slot, Vertex, WorkModel};

/// Returns the best of the three bounds; `None` if the phase has no communication, or if its cost is 0 or
/// unknown.
pub(super) fn bound(instance: &Instance<'_>, model: &dyn WorkModel) -> Option<LowerBound> {
    let terms = model.terms()?;
    let fixed = instance.fixed.as_ref()?;
    if terms.off_rank <= 0.0 && terms.on_rank <= 0.0 || instance.phase.communication().n_edges() == 0 {
        return None;
    }
    let ranks = instance.base.iter().copied().zip(instance.cost.iter().copied()).collect();
    let mut best = instance.bound(Limit::Communication, fill(ranks, instance.items.total), None);
    let mut add = |work: f64, unrounded: f64, culprit| {
        if work > best.work {
            best = LowerBound { work, unrounded, culprit: Some(culprit), ..best };
        }
    };
    let mut has_fixed_partner = vec![false; instance.phase.n_objects()];
    for (from, to, volume) in instance.phase.communication().edges() {
        match (movable(instance.phase, from), movable(instance.phase, to)) {
            (Some(a), Some(b)) => {
                let (one, other) = (instance.phase.load(a), instance.phase.load(b));
                let together = instance.cheapest * (one + other) + terms.on_rank * volume.bytes;
                let apart = instance.cheapest * one.max(other) + terms.off_rank * volume.bytes;
                let work = instance.constant + together.min(apart);
                add(work, work, (Culprit::Pair(a, b), one + other));
            }
            (Some(slot), None) | (None, Some(slot)) => has_fixed_partner[slot.index()] = true,
            (None, None) => {}
        }
    }
    let graph = instance.phase.communication();
    let alpha = instance.phase.ranks().iter().map(|rank| rank.alpha).fold(f64::INFINITY, f64::min);
    for slot in instance.phase.slots().filter(|slot| has_fixed_partner[slot.index()]) {
        let n_volumes = graph.outgoing(slot).count() + graph.incoming(slot).count();
        let work = beside_partners(instance.phase, fixed, model, slot, alpha);
        add(instance.rounded_down(work, n_volumes), work, (Culprit::Object(slot), instance.phase.load(slot)));
    }
    Some(best)
}

/// Returns the object at a vertex if it is migratable.
fn movable(phase: &Phase, vertex: Vertex) -> Option<Slot> {
    match vertex {
        Vertex::Object(slot) if phase.is_migratable(slot) => Some(slot),
        _ => None,
    }
}

/// Volume that an object exchanges with the fixed vertices of a rank.
#[derive(Clone, Copy, Default)]
struct PartnerVolume {
    sent: f64,
    received: f64,
}

impl PartnerVolume {
    fn and(self, other: PartnerVolume) -> PartnerVolume {
        PartnerVolume { sent: self.sent + other.sent, received: self.received + other.received }
    }
}

/// Returns the least maximum work of the object's rank and the ranks of its fixed partners, over all ranks on
/// which the object can be placed. `alpha` is that of the fastest rank.
fn beside_partners(phase: &Phase, fixed: &FixedPart, model: &dyn WorkModel, slot: Slot, alpha: f64) -> f64 {
    let partners = partners(phase, slot);
    let mut all = PartnerVolume::default();
    // By partner rank: sum of the volumes with all partner ranks before it.
    let mut before = Vec::with_capacity(partners.len());
    for &(_, partner) in &partners {
        before.push(all);
        all = all.and(partner);
    }
    let with = |rank: RankId, change: &dyn Fn(&mut RankTotals)| {
        let mut totals = fixed.totals[rank.index()].clone();
        change(&mut totals);
        model.work(&totals).cost()
    };
    // The two largest works of partner ranks if communication with the object is off-rank. The second is
    // needed if the object is on the rank with the largest one.
    let (mut most, mut second) = ((0.0, None), 0.0);
    for &(rank, partner) in &partners {
        let work = with(rank, &|totals| {
            totals.sent_bytes += partner.received;
            totals.received_bytes += partner.sent;
        });
        if work > most.0 {
            (second, most) = (most.0, (work, Some(rank)));
        } else if work > second {
            second = work;
        }
    }
    let load = phase.load(slot);
    let mut least = f64::INFINITY;
    if partners.len() < phase.n_ranks() {
        let sent_bytes = all.sent;
        let elsewhere =
            RankTotals { alpha, load, sent_bytes, received_bytes: all.received, ..RankTotals::default() };
        least = model.work(&elsewhere).cost().max(most.0);
    }
    let mut after = PartnerVolume::default();
    for (&(rank, partner), before) in partners.iter().zip(before).rev() {
        let others = if most.1 == Some(rank) { second } else { most.0 };
        // The difference of `all` and `partner` might leave rounding errors.
        let away = before.and(after);
        let here = with(rank, &|totals| {
            totals.load += load;
            totals.sent_bytes += away.sent;
            totals.received_bytes += away.received;
        });
        least = least.min(here.max(others));
        after = partner.and(after);
    }
    least
}

/// Returns the ranks with fixed partners of an object, ascending, and the volume with these partners.
fn partners(phase: &Phase, slot: Slot) -> Vec<(RankId, PartnerVolume)> {
    let fixed =
        |vertex: Vertex| is_fixed(phase, vertex).then(|| rank_of_vertex(phase.recorded_assignment(), vertex));
    let graph = phase.communication();
    let sent = graph.outgoing(slot).filter_map(|(to, volume)| {
        fixed(to).map(|rank| (rank, PartnerVolume { sent: volume.bytes, received: 0.0 }))
    });
    let received = graph.incoming(slot).filter_map(|(from, volume)| {
        fixed(from).map(|rank| (rank, PartnerVolume { sent: 0.0, received: volume.bytes }))
    });
    let mut partners: Vec<(RankId, PartnerVolume)> = sent.chain(received).collect();
    partners.sort_by_key(|&(rank, _)| rank);
    partners.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1.sent += next.1.sent;
            kept.1.received += next.1.received;
        }
        same
    });
    partners
}
