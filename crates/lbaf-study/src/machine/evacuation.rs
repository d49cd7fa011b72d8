// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loss of ranks between two phases of a simulated run, whose placement may differ from the recorded one.

use lbaf_model::{Assignment, NodeId, Phase, Rank, RankId, Slot};

use super::least_loaded::{ascending, hand_out};
use super::resize::on_ranks;
use crate::{Measured, Migrated, MigrationCost};

/// Evacuation of the ranks that are lost between two phases of a run.
pub(crate) struct Evacuation {
    /// Placement of the objects of the last phase after the evacuation.
    pub(crate) assignment: Assignment,
    heirs: Vec<RankId>,
    ranks: Vec<Rank>,
}

impl Evacuation {
    /// Returns the evacuation between the last phase and `next`; `None` if no rank is lost between them.
    ///
    /// Objects of lost ranks that are non-migratable in `next` go to the rank on which `next` records them, and with
    /// `to_recorded_ranks` so do all objects of `next`. Others go to a rank as described for [`Loss`](super::Loss).
    pub(crate) fn between(last: &Measured<'_>, next: &Phase, to_recorded_ranks: bool) -> Option<Self> {
        let (phase, n_left) = (last.phase, next.n_ranks());
        if n_left >= phase.n_ranks() {
            return None;
        }
        let fixed = |slot: Slot| {
            let next_slot = next.slot_of(phase.object(slot))?;
            let is_fixed = to_recorded_ranks || !next.is_migratable(next_slot);
            is_fixed.then(|| next.recorded_assignment().rank_of(next_slot))
        };
        let assignment = evacuated(phase, last.assignment.clone().into_owned(), n_left, fixed);
        Some(Evacuation { assignment, heirs: heirs(phase, n_left), ranks: first(phase, n_left) })
    }

    /// Returns the migrations of the evacuation and their cost. Ranks send their objects before they are
    /// lost.
    pub(crate) fn migrated(&self, last: &Measured<'_>, cost: MigrationCost) -> Migrated {
        cost.of(last.phase, &last.assignment, &self.assignment)
    }

    /// Returns the last phase, with measured or predicted loads, on the remaining ranks.
    pub(crate) fn left(&self, phase: &Phase) -> Phase {
        on_ranks(phase, self.ranks.clone(), self.assignment.clone(), &self.heirs)
            .expect("invariant: the sums of a phase do not grow if ranks are removed")
    }
}

/// Returns the placement of a phase after the loss of all ranks from number `n_left` on. An object of a lost
/// rank goes to the rank that `fixed` returns or, if it returns `None`, to a rank as described for
/// [`Loss`](super::Loss).
pub(super) fn evacuated(
    last: &Phase,
    mut assignment: Assignment,
    n_left: usize,
    fixed: impl Fn(Slot) -> Option<RankId>,
) -> Assignment {
    let (mut homeless, mut loads) = (Vec::new(), vec![0.0; n_left]);
    for slot in last.slots() {
        if assignment.rank_of(slot).index() >= n_left {
            let Some(rank) = fixed(slot) else {
                homeless.push((slot, last.load(slot)));
                continue;
            };
            assignment.set(slot, rank);
        }
        loads[assignment.rank_of(slot).index()] += last.load(slot);
    }
    hand_out(homeless, &first(last, n_left), loads, &mut assignment);
    assignment
}

/// Returns the heir of each rank of the last phase before the loss: the rank that inherits its blocks and messages. A
/// remaining rank is its own heir. The heir of the first lost rank is the remaining rank with the least load times
/// alpha; the heir of the second lost rank is the one with the second least, and so on, cyclically if more ranks are
/// lost than remain.
pub(super) fn heirs(last: &Phase, n_left: usize) -> Vec<RankId> {
    let mut loads = vec![0.0; last.n_ranks()];
    for slot in last.slots() {
        loads[last.recorded_assignment().rank_of(slot).index()] += last.load(slot);
    }
    let order = ascending(&last.ranks()[..n_left], &loads[..n_left]);
    let heir = |rank: RankId| match rank.index().checked_sub(n_left) {
        None => rank,
        Some(lost) => order[lost % n_left],
    };
    last.rank_ids().map(heir).collect()
}

/// Returns the first `n_ranks` ranks of a phase, with nodes renumbered in order of first occurrence.
pub(super) fn first(phase: &Phase, n_ranks: usize) -> Vec<Rank> {
    let mut nodes: Vec<Option<NodeId>> = Vec::new();
    let mut n_nodes = 0;
    let mut numbered = |node: NodeId| {
        nodes.resize(nodes.len().max(node.index() + 1), None);
        *nodes[node.index()].get_or_insert_with(|| {
            n_nodes += 1;
            NodeId::from(n_nodes - 1)
        })
    };
    let ranks = phase.ranks()[..n_ranks].iter();
    ranks.map(|rank| Rank { node: numbered(rank.node), ..*rank }).collect()
}
