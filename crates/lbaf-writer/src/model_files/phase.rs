// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of a phase in the file of a rank.

use lbaf_model::{ObjectKey, Phase, RankId, Slot, Vertex, Volume};
use lbaf_vom::CommunicationKind;
use lbaf_vom::record::{Communication, Entity, EntityKind, PhaseRecord, Task, UserDefined};

use super::by_rank::ByRank;
use super::subphases::Times;

/// Collection of objects in a model without coordinates. vt and the schema require a collection for objects with
/// sequence numbers.
const COLLECTION: u64 = 7;

/// A phase with the objects of each rank.
#[derive(Debug)]
pub(super) struct PhaseFiles<'a> {
    phase: &'a Phase,
    keys: &'a [ObjectKey],
    by_rank: ByRank,
    times: Option<Times<'a>>,
}

impl<'a> PhaseFiles<'a> {
    pub(super) fn new(phase: &'a Phase, keys: &'a [ObjectKey]) -> Self {
        let by_rank = ByRank::new(phase.recorded_assignment(), phase.n_ranks());
        PhaseFiles { phase, keys, by_rank, times: phase.subphases().map(Times::new) }
    }

    pub(super) fn phase(&self) -> &'a Phase {
        self.phase
    }

    /// True if a rank has objects.
    pub(super) fn has_objects(&self, rank: u32) -> bool {
        !self.by_rank.on(RankId(rank)).is_empty()
    }

    /// Returns the record of a rank, given the homes of all objects.
    pub(super) fn record(&self, rank: u32, homes: &[u32]) -> PhaseRecord {
        let slots = self.by_rank.on(RankId(rank));
        PhaseRecord {
            communications: slots.iter().flat_map(|&slot| self.communications(slot, homes)).collect(),
            id: self.phase.id().0,
            tasks: slots.iter().map(|&slot| self.task(slot, rank, homes)).collect(),
        }
    }

    fn task(&self, slot: Slot, rank: u32, homes: &[u32]) -> Task {
        Task {
            entity: self.entity(slot, homes),
            node: rank,
            subphases: self.times.as_ref().map_or_else(Vec::new, |times| times.of(slot)),
            time: self.phase.load(slot),
            user_defined: self.user_defined(slot, RankId(rank)),
            ..Task::default()
        }
    }

    fn entity(&self, slot: Slot, homes: &[u32]) -> Entity {
        let object = self.phase.object(slot).index();
        let key = self.keys[object];
        let (collection_id, index) = match self.phase.coordinates() {
            Some(all) => (all.collection(slot), all.of(slot).map(|(_, index)| index.to_vec())),
            None => (Some(COLLECTION), None),
        };
        Entity {
            collection_id,
            home: Some(homes[object]),
            id: (!key.is_sequence).then_some(key.number),
            index,
            migratable: Some(self.phase.is_migratable(slot)),
            seq_id: key.is_sequence.then_some(key.number),
            ..Entity::default()
        }
    }

    /// Returns the memory quantities of an object and its rank; `None` if all are 0 and the object has no block.
    fn user_defined(&self, slot: Slot, rank: RankId) -> Option<UserDefined> {
        let written = |bytes: f64| Some(bytes).filter(|&bytes| bytes != 0.0);
        let memory = self.phase.memory(slot);
        let block = memory.block.map(|block| self.phase.blocks()[block.index()]);
        let values = UserDefined {
            home_rank: block.map(|block| block.home.0),
            rank_working_bytes: written(self.phase.ranks()[rank.index()].working_bytes),
            shared_bytes: block.map(|block| block.size_bytes),
            shared_id: block.map(|block| block.id),
            task_footprint_bytes: written(memory.footprint_bytes),
            task_serialized_bytes: written(memory.serialized_bytes),
            task_working_bytes: written(memory.working_bytes),
            ..UserDefined::default()
        };
        (values != UserDefined::default()).then_some(values)
    }

    /// Returns the communication that an object sends, and the communication that it receives from ranks.
    fn communications<'s>(
        &'s self,
        slot: Slot,
        homes: &'s [u32],
    ) -> impl Iterator<Item = Communication> + use<'s> {
        let graph = self.phase.communication();
        let endpoint = move |vertex| self.endpoint(vertex, homes);
        let record = move |from, to, volume: Volume, kind| Communication {
            bytes: volume.bytes,
            from: endpoint(from),
            messages: volume.messages,
            to: endpoint(to),
            kind,
        };
        let sent = graph.outgoing(slot).map(move |(to, volume)| {
            let kind = match to {
                Vertex::Object(_) => CommunicationKind::SendRecv,
                Vertex::Rank(_) => CommunicationKind::CollectionToNode,
            };
            record(Vertex::Object(slot), to, volume, kind)
        });
        let from_ranks = graph.incoming(slot).filter(|(from, _)| matches!(from, Vertex::Rank(_)));
        sent.chain(from_ranks.map(move |(from, volume)| {
            record(from, Vertex::Object(slot), volume, CommunicationKind::NodeToCollection)
        }))
    }

    fn endpoint(&self, vertex: Vertex, homes: &[u32]) -> Entity {
        match vertex {
            Vertex::Rank(rank) => {
                Entity { id: Some(u64::from(rank.0)), kind: EntityKind::Node, ..Entity::default() }
            }
            Vertex::Object(slot) => {
                let entity = self.entity(slot, homes);
                // If several ranks have a non-migratable object of the same number, readers select the one on the
                // home of the endpoint.
                let rank = self.keys[self.phase.object(slot).index()].rank();
                Entity { home: rank.map(|rank| rank.0).or(entity.home), ..entity }
            }
        }
    }
}
