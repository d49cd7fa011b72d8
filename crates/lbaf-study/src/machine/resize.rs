// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changed number of ranks.

use lbaf_model::{
    Assignment, Block, CommGraph, Communication, DataSet, NodeId, Phase, PhaseColumns, Rank, RankId, Slot,
    Vertex, ranks_by_node,
};

use super::least_loaded::hand_out;
use super::{MachineError, each_phase};

/// A machine with another number of ranks, other nodes or another initial placement.
///
/// Rank `r` has the speed of the recorded rank `r`, or alpha 1 if there was none. Its working memory is the
/// largest one of the recorded ranks whose contents move to it; without any, the largest of all recorded
/// ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resize {
    /// Number of ranks; `None` for the recorded number.
    pub n_ranks: Option<usize>,
    /// Initial placement of objects.
    pub first_placement: FirstPlacement,
    /// Number of consecutive ranks that share a node. By default, nodes stay as recorded if the number of
    /// ranks does not change; otherwise, each node has the number of ranks of the largest recorded node. The last
    /// node may have fewer.
    pub ranks_per_node: Option<u32>,
}

/// Initial placement of objects on the changed ranks.
///
/// Each variant places the migratable objects. Everything else of a recorded rank moves together to one rank:
/// non-migratable objects, blocks with their home on the rank, messages from and to the rank itself. With more ranks
/// than recorded, some ranks get none of these. All variants but [`FirstPlacement::Fold`] place each migratable object
/// in the phase in which it is first migratable. The object stays on this rank in later phases, even if it is recorded
/// on another rank there. [`FirstPlacement::Blocks`] and [`FirstPlacement::RoundRobin`] take these new objects in the
/// order of recorded rank, then key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstPlacement {
    /// In every phase, the objects recorded on rank `r` are on rank `r` modulo the number of ranks. With the
    /// recorded number of ranks, nothing changes; with more, the additional ranks stay empty.
    #[default]
    Fold,
    /// Object `i` of the `n` new objects of a phase goes to rank `i x ranks / n`. So each rank gets consecutive new
    /// objects, and the numbers of new objects differ by at most 1. Everything else of recorded rank `r` goes to rank
    /// `r x ranks / recorded ranks`. Both quotients are rounded down.
    Blocks,
    /// New object `i`, counted over all phases, goes to rank `i` modulo the number of ranks. Everything else
    /// is folded.
    RoundRobin,
    /// The new objects of a phase, in the order of descending load, each go to the rank with the least load
    /// times alpha. Everything else is folded.
    Lpt,
}

/// Result of resizing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resized {
    /// Number of ranks before.
    pub n_before: usize,
    /// Number of ranks after.
    pub n_after: usize,
    /// Non-migratable objects on a rank with another number than the recorded one, in the phase with the most
    /// such objects.
    pub n_moved_sentinels: usize,
}

/// Objects placed so far.
struct Placed {
    /// Rank of each object of the data set, once placed.
    rank_of: Vec<Option<RankId>>,
    n_placed: usize,
}

impl Resize {
    /// Checks the numbers of ranks.
    ///
    /// # Errors
    /// If the number of ranks is 0 or too large, or the number of ranks per node is 0.
    pub(super) fn check(&self) -> Result<(), MachineError> {
        match self.n_ranks {
            Some(n_ranks) if n_ranks == 0 || n_ranks > (u32::MAX / 2) as usize => {
                Err(MachineError::NumberOfRanks { n_ranks })
            }
            _ if self.ranks_per_node == Some(0) => Err(MachineError::EmptyNodes),
            _ => Ok(()),
        }
    }

    /// Returns the data on the changed number of ranks.
    ///
    /// # Errors
    /// If a resulting phase is invalid.
    pub(super) fn of(&self, data: &DataSet) -> Result<(DataSet, Resized), MachineError> {
        let n_ranks = self.n_ranks.unwrap_or(data.n_ranks());
        let first_placement = self.first_placement;
        let heirs = first_placement.of_ranks(data.n_ranks(), n_ranks);
        let mut placed = Placed { rank_of: vec![None; data.n_objects()], n_placed: 0 };
        let mut n_moved_sentinels = 0;
        let phases = each_phase(data, |phase| {
            let ranks = self.ranks(phase, n_ranks, &heirs);
            let recorded = first_placement.of_objects(phase, &ranks, &heirs, &mut placed);
            let moved = recorded.migrations_from(phase.recorded_assignment());
            let moved = moved.filter(|migration| !phase.is_migratable(migration.slot)).count();
            n_moved_sentinels = n_moved_sentinels.max(moved);
            on_ranks(phase, ranks, recorded, &heirs)
        })?;
        let resized = Resized { n_before: data.n_ranks(), n_after: n_ranks, n_moved_sentinels };
        Ok((DataSet::new(data.keys().to_vec(), n_ranks, phases), resized))
    }

    /// Returns the ranks of a phase on the assumed machine.
    fn ranks(&self, phase: &Phase, n_ranks: usize, heirs: &[RankId]) -> Vec<Rank> {
        let recorded = phase.ranks();
        let mut working_bytes: Vec<Option<f64>> = vec![None; n_ranks];
        for (rank, heir) in recorded.iter().zip(heirs) {
            let bytes = &mut working_bytes[heir.index()];
            *bytes = Some(bytes.unwrap_or(0.0).max(rank.working_bytes));
        }
        let largest = recorded.iter().map(|rank| rank.working_bytes).fold(0.0, f64::max);
        let of_largest_node = ranks_by_node(phase).iter().map(Vec::len).max().unwrap_or(1);
        let per_node = self.ranks_per_node.map_or(of_largest_node, |ranks| ranks as usize).max(1);
        let keeps_nodes = self.ranks_per_node.is_none() && n_ranks == recorded.len();
        let rank = |(rank, bytes): (usize, Option<f64>)| Rank {
            alpha: recorded.get(rank).map_or(1.0, |rank| rank.alpha),
            node: if keeps_nodes { recorded[rank].node } else { NodeId::from(rank / per_node) },
            working_bytes: bytes.unwrap_or(largest),
        };
        working_bytes.into_iter().enumerate().map(rank).collect()
    }
}

impl FirstPlacement {
    /// Returns, for each recorded rank, the rank that inherits its blocks, messages and non-migratable
    /// objects.
    fn of_ranks(self, n_recorded: usize, n_ranks: usize) -> Vec<RankId> {
        let heir = |rank: usize| match self {
            FirstPlacement::Blocks => rank * n_ranks / n_recorded,
            FirstPlacement::Fold | FirstPlacement::RoundRobin | FirstPlacement::Lpt => rank % n_ranks,
        };
        (0..n_recorded).map(heir).map(RankId::from).collect()
    }

    /// Returns the placement of the objects of a phase, and adds its new objects to `placed`.
    fn of_objects(self, phase: &Phase, ranks: &[Rank], heirs: &[RankId], placed: &mut Placed) -> Assignment {
        let recorded = phase.recorded_assignment();
        let mut assignment =
            Assignment::new(recorded.as_slice().iter().map(|rank| heirs[rank.index()]).collect());
        if self == FirstPlacement::Fold {
            return assignment;
        }
        let is_new =
            |slot: &Slot| phase.is_migratable(*slot) && placed.rank_of[phase.object(*slot).index()].is_none();
        let mut new: Vec<Slot> = phase.slots().filter(is_new).collect();
        new.sort_by_key(|&slot| recorded.rank_of(slot));
        let mut loads = vec![0.0; ranks.len()];
        for slot in phase.slots().filter(|slot| !is_new(slot)) {
            if let Some(rank) =
                placed.rank_of[phase.object(slot).index()].filter(|_| phase.is_migratable(slot))
            {
                assignment.set(slot, rank);
            }
            loads[assignment.rank_of(slot).index()] += phase.load(slot);
        }
        let (n, n_ranks) = (new.len(), ranks.len());
        match self {
            FirstPlacement::Fold => {}
            FirstPlacement::Blocks => {
                for (at, &slot) in new.iter().enumerate() {
                    assignment.set(slot, RankId::from(at * n_ranks / n));
                }
            }
            FirstPlacement::RoundRobin => {
                for (at, &slot) in (placed.n_placed..).zip(&new) {
                    assignment.set(slot, RankId::from(at % n_ranks));
                }
            }
            FirstPlacement::Lpt => {
                new.sort_unstable();
                let homeless = new.iter().map(|&slot| (slot, phase.load(slot))).collect();
                hand_out(homeless, ranks, loads, &mut assignment);
            }
        }
        placed.n_placed += n;
        for slot in new {
            placed.rank_of[phase.object(slot).index()] = Some(assignment.rank_of(slot));
        }
        assignment
    }
}

/// Returns a phase on other `ranks`, with the placement `recorded`. `heirs` maps each original rank to the
/// rank that inherits its blocks and messages.
pub(super) fn on_ranks(
    phase: &Phase,
    ranks: Vec<Rank>,
    recorded: Assignment,
    heirs: &[RankId],
) -> Result<Phase, MachineError> {
    let columns = phase.columns();
    let heir = |rank: RankId| heirs[rank.index()];
    let blocks = columns.blocks.iter().map(|block| Block { home: heir(block.home), ..*block }).collect();
    let is_same = ranks.len() == phase.n_ranks() && phase.rank_ids().eq(heirs.iter().copied());
    let communication = if is_same {
        columns.communication.clone()
    } else {
        let end = |vertex: Vertex| match vertex {
            Vertex::Object(_) => vertex,
            Vertex::Rank(rank) => Vertex::Rank(heir(rank)),
        };
        let edges = columns.communication.edges();
        let edges = edges.map(|(from, to, volume)| Communication { from: end(from), to: end(to), volume });
        CommGraph::from_vec(phase.n_objects(), ranks.len(), edges.collect())
    };
    let recorded = recorded.into();
    Ok(phase.with_columns(PhaseColumns { ranks, recorded, blocks, communication, ..columns.clone() })?)
}
