// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communication that no placement avoids.
//!
//! * What is between sentinels, or ranks themselves, is certain of them: on the rank, or across. As a base of the
//!   ranks it raises the level to which the movable load fills them.
//! * An object talks to fixed partners on some ranks. On the rank of one of them, it talks across to all the
//!   others; elsewhere, to all. Each of these ranks has its part of that for certain. The bound is the least over
//!   all places, of the largest work of any of these ranks.
//! * Two objects that talk to each other are together, with both loads and their volume on the rank, or apart,
//!   each with its own load and the volume across. The bound is the lesser.
//!
//! O(edges + objects + ranks log ranks); nothing where communication costs nothing.

use super::certain::{Certain, is_fixed};
use super::instance::Instance;
use super::level::fill;
use super::{Culprit, Limit, LowerBound};
use crate::totals::rank_of_vertex;
use crate::{Phase, RankId, RankTotals, Slot, Vertex, WorkModel};

/// The best of the three.
pub(super) fn bound(instance: &Instance<'_>, model: &dyn WorkModel) -> Option<LowerBound> {
    let terms = model.terms()?;
    let certain = instance.certain.as_ref()?;
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
        let work = beside_partners(instance.phase, certain, model, slot, alpha);
        add(instance.rounded_down(work, n_volumes), work, (Culprit::Object(slot), instance.phase.load(slot)));
    }
    Some(best)
}

/// The object at a vertex, if it may move.
fn movable(phase: &Phase, vertex: Vertex) -> Option<Slot> {
    match vertex {
        Vertex::Object(slot) if phase.is_migratable(slot) => Some(slot),
        _ => None,
    }
}

/// What an object says to fixed vertices of a rank.
#[derive(Clone, Copy, Default)]
struct Talk {
    sent: f64,
    received: f64,
}

impl Talk {
    fn and(self, other: Talk) -> Talk {
        Talk { sent: self.sent + other.sent, received: self.received + other.received }
    }
}

/// The least over all places of the work that an object with fixed partners makes somewhere. `alpha` is that of the
/// fastest rank.
fn beside_partners(phase: &Phase, certain: &Certain, model: &dyn WorkModel, slot: Slot, alpha: f64) -> f64 {
    let partners = partners(phase, slot);
    let mut all = Talk::default();
    // Of each what those before it say.
    let mut before = Vec::with_capacity(partners.len());
    for &(_, talk) in &partners {
        before.push(all);
        all = all.and(talk);
    }
    let with = |rank: RankId, change: &dyn Fn(&mut RankTotals)| {
        let mut totals = certain.totals[rank.index()].clone();
        change(&mut totals);
        model.work(&totals).cost()
    };
    // Of the ranks that talk across to the object, the two of most work: the object may be on one of them.
    let (mut most, mut second) = ((0.0, None), 0.0);
    for &(rank, talk) in &partners {
        let work = with(rank, &|totals| {
            totals.sent_bytes += talk.received;
            totals.received_bytes += talk.sent;
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
    let mut after = Talk::default();
    for (&(rank, talk), before) in partners.iter().zip(before).rev() {
        let others = if most.1 == Some(rank) { second } else { most.0 };
        // No difference, from which rounding errors might be left.
        let away = before.and(after);
        let here = with(rank, &|totals| {
            totals.load += load;
            totals.sent_bytes += away.sent;
            totals.received_bytes += away.received;
        });
        least = least.min(here.max(others));
        after = talk.and(after);
    }
    least
}

/// Ranks with fixed partners of an object, ascending.
fn partners(phase: &Phase, slot: Slot) -> Vec<(RankId, Talk)> {
    let fixed =
        |vertex: Vertex| is_fixed(phase, vertex).then(|| rank_of_vertex(phase.recorded_assignment(), vertex));
    let graph = phase.communication();
    let sent = graph
        .outgoing(slot)
        .filter_map(|(to, volume)| fixed(to).map(|rank| (rank, Talk { sent: volume.bytes, received: 0.0 })));
    let received = graph.incoming(slot).filter_map(|(from, volume)| {
        fixed(from).map(|rank| (rank, Talk { sent: 0.0, received: volume.bytes }))
    });
    let mut partners: Vec<(RankId, Talk)> = sent.chain(received).collect();
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
