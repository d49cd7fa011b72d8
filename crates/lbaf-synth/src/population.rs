// SPDX-License-Identifier: MIT OR Apache-2.0
//! The objects of a made data set before they are written down rank by rank.

use lbaf_vom::record::{
    Communication, DataFile, Entity, Metadata, PhaseGaps, PhaseRecord, SharedNode, Task, UserDefined,
};
use lbaf_vom::{CommunicationKind, packed_id};

/// The collection that made objects are elements of.
pub(crate) const COLLECTION: u64 = 7;

/// All objects of a made data set with their loads, places and communications.
///
/// Files are made one by one on request, because together they take many times the memory of this.
#[derive(Clone, Debug)]
pub struct Population {
    machine: Machine,
    objects: Vec<Object>,
    /// Objects of each rank, ascending.
    objects_of_rank: Vec<Vec<u32>>,
    /// Seconds, by phase and object.
    loads: Vec<Vec<f64>>,
    /// Ascending by sender.
    edges: Vec<Edge>,
    /// Where the edges of each object begin, and where the last one's end.
    first_edge: Vec<usize>,
}

/// The ranks and the nodes they are on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    pub(crate) n_ranks: u32,
    /// `None` where nobody says which ranks share a node.
    pub(crate) ranks_per_node: Option<u32>,
}

/// One object, the same in every phase.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    rank: u32,
    entity: Entity,
    facts: Option<UserDefined>,
}

/// Volume from one object to another in every phase, in one message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) bytes: f64,
}

impl Population {
    /// Brings together what has been made. Every phase has a load for every object.
    pub(crate) fn new(
        machine: Machine,
        objects: Vec<Object>,
        loads: Vec<Vec<f64>>,
        mut edges: Vec<Edge>,
    ) -> Self {
        let mut objects_of_rank = vec![Vec::new(); machine.n_ranks as usize];
        for (position, object) in (0..).zip(&objects) {
            objects_of_rank[object.rank as usize].push(position);
        }
        edges.sort_by_key(|edge| (edge.from, edge.to));
        let mut first_edge = vec![0; objects.len() + 1];
        for edge in &edges {
            first_edge[edge.from as usize + 1] += 1;
        }
        for position in 0..objects.len() {
            first_edge[position + 1] += first_edge[position];
        }
        Population { machine, objects, objects_of_rank, loads, edges, first_edge }
    }

    /// Number of ranks, that is, of files.
    pub fn n_ranks(&self) -> u32 {
        self.machine.n_ranks
    }

    /// Number of phases.
    pub fn n_phases(&self) -> usize {
        self.loads.len()
    }

    /// Number of objects that may migrate.
    pub fn n_migratable(&self) -> usize {
        self.objects.iter().filter(|object| object.entity.migratable == Some(true)).count()
    }

    /// Number of objects that may not.
    pub fn n_sentinels(&self) -> usize {
        self.objects.len() - self.n_migratable()
    }

    /// The file of one rank: the objects that start there, and what they send.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn file(&self, rank: u32) -> DataFile {
        let phases = (0..).zip(&self.loads).map(|(id, loads)| self.phase(rank, id, loads)).collect();
        DataFile { metadata: self.machine.metadata(rank), phases }
    }

    /// The files of all ranks, in order.
    pub fn files(&self) -> Vec<DataFile> {
        (0..self.n_ranks()).map(|rank| self.file(rank)).collect()
    }

    fn phase(&self, rank: u32, id: u64, loads: &[f64]) -> PhaseRecord {
        let local = &self.objects_of_rank[rank as usize];
        let tasks = local.iter().map(|&position| {
            let object = &self.objects[position as usize];
            Task {
                entity: object.entity.clone(),
                node: rank,
                time: loads[position as usize],
                user_defined: object.facts.clone(),
                ..Task::default()
            }
        });
        let communications =
            local.iter().flat_map(|&position| self.edges_from(position)).map(|edge| Communication {
                bytes: edge.bytes,
                from: self.objects[edge.from as usize].entity.clone(),
                messages: 1,
                to: self.objects[edge.to as usize].entity.clone(),
                kind: CommunicationKind::SendRecv,
            });
        PhaseRecord { communications: communications.collect(), id, tasks: tasks.collect() }
    }

    fn edges_from(&self, object: u32) -> &[Edge] {
        let object = object as usize;
        &self.edges[self.first_edge[object]..self.first_edge[object + 1]]
    }
}

impl Machine {
    fn metadata(self, rank: u32) -> Metadata {
        Metadata {
            phases: Some(PhaseGaps::default()),
            rank,
            shared_node: self.ranks_per_node.map(|size| self.shared_node(rank, size)),
            ..Metadata::default()
        }
    }

    fn shared_node(self, rank: u32, ranks_per_node: u32) -> SharedNode {
        let id = rank / ranks_per_node;
        let first = id * ranks_per_node;
        SharedNode {
            id,
            num_nodes: self.n_ranks.div_ceil(ranks_per_node),
            rank: rank - first,
            // The last node may not be full.
            size: ranks_per_node.min(self.n_ranks - first),
        }
    }
}

impl Object {
    /// An object that starts on a rank.
    pub(crate) fn new(entity: Entity, rank: u32, facts: UserDefined) -> Self {
        Object { rank, entity, facts: recorded(facts) }
    }

    /// Object `position` of the collection, migratable. Sequence numbers start at 1, as vt's do.
    pub(crate) fn migratable(position: u32, rank: u32, facts: UserDefined) -> Self {
        let entity = Entity {
            collection_id: Some(COLLECTION),
            index: Some(vec![i64::from(position)]),
            ..numbered(u64::from(position) + 1, rank, true)
        };
        Object::new(entity, rank, facts)
    }

    /// The sentinel at `position` among those of its rank.
    pub(crate) fn sentinel(position: u32, rank: u32, facts: UserDefined) -> Self {
        Object::new(numbered(u64::from(position) + 1, rank, false), rank, facts)
    }

    /// Its packed id.
    pub(crate) fn id(&self) -> Option<u64> {
        self.entity.id
    }

    /// The rank it starts on.
    pub(crate) fn rank(&self) -> u32 {
        self.rank
    }

    /// Records that it uses a memory block.
    pub(crate) fn use_block(&mut self, id: u64, size_bytes: f64, home: u32) {
        let facts = self.facts.get_or_insert_default();
        facts.shared_id = Some(id);
        facts.shared_bytes = Some(size_bytes);
        facts.home_rank = Some(home);
    }
}

/// What names the object of a packed id.
pub(crate) fn numbered(sequence: u64, home_rank: u32, migratable: bool) -> Entity {
    let home = u16::try_from(home_rank).expect("invariant: the number of ranks was checked against 16 bits");
    Entity {
        home: Some(home_rank),
        id: Some(packed_id(sequence, home, migratable)),
        migratable: Some(migratable),
        ..Entity::default()
    }
}

/// Nothing to record is recorded as nothing, not as an empty record.
fn recorded(facts: UserDefined) -> Option<UserDefined> {
    (facts != UserDefined::default()).then_some(facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn population(n_ranks: u32, ranks_per_node: u32) -> Population {
        let facts = UserDefined { shared_id: Some(9), ..UserDefined::default() };
        let objects = vec![
            Object::migratable(0, 1, UserDefined::default()),
            Object::migratable(1, 0, facts),
            Object::migratable(2, 1, UserDefined::default()),
            Object::sentinel(0, 1, UserDefined::default()),
        ];
        let edge = |from, to, bytes| Edge { from, to, bytes };
        Population::new(
            Machine { n_ranks, ranks_per_node: Some(ranks_per_node) },
            objects,
            vec![vec![1.0, 2.0, 3.0, 0.5], vec![4.0, 5.0, 6.0, 0.25]],
            vec![edge(2, 0, 30.0), edge(0, 2, 20.0), edge(0, 1, 10.0)],
        )
    }

    #[test]
    fn each_rank_lists_its_objects_and_what_they_send() {
        let files = population(3, 1).files();
        assert_eq!(files.len(), 3);
        let times = |rank: usize, phase: usize| -> Vec<f64> {
            files[rank].phases[phase].tasks.iter().map(|task| task.time).collect()
        };
        assert_eq!((times(0, 0), times(0, 1)), (vec![2.0], vec![5.0]));
        assert_eq!((times(1, 0), times(1, 1)), (vec![1.0, 3.0, 0.5], vec![4.0, 6.0, 0.25]));
        assert_eq!((times(2, 0), times(2, 1)), (vec![], vec![]));
        let sent = |rank: usize| -> Vec<(Option<u64>, Option<u64>, f64)> {
            let communications = files[rank].phases[1].communications.iter();
            communications.map(|entry| (entry.from.id, entry.to.id, entry.bytes)).collect()
        };
        // Packed ids: sequence * 2^18 + home * 4 + 3.
        let (a, b, c) = (Some((1 << 18) + 7), Some((2 << 18) + 3), Some((3 << 18) + 7));
        assert_eq!(sent(0), vec![]);
        assert_eq!(sent(1), vec![(a, b, 10.0), (a, c, 20.0), (c, a, 30.0)]);
    }

    #[test]
    fn sentinels_are_marked_and_belong_to_no_collection() {
        let task = &population(2, 1).file(1).phases[0].tasks[2];
        assert_eq!(task.entity.migratable, Some(false));
        assert_eq!(task.entity.id, Some((1 << 18) + 4 + 2));
        assert_eq!((task.entity.collection_id, &task.entity.index), (None, &None));
    }

    #[test]
    fn facts_are_written_only_where_there_are_any() {
        let population = population(2, 1);
        let facts = population.file(0).phases[0].tasks[0].user_defined.clone();
        assert_eq!(facts.unwrap().shared_id, Some(9));
        assert_eq!(population.file(1).phases[0].tasks[0].user_defined, None);
    }

    #[test]
    fn nodes_are_filled_in_order_and_the_last_may_be_short() {
        let population = population(5, 2);
        let node = |rank| population.file(rank).metadata.shared_node.unwrap();
        assert_eq!(node(3), SharedNode { id: 1, num_nodes: 3, rank: 1, size: 2 });
        assert_eq!(node(4), SharedNode { id: 2, num_nodes: 3, rank: 0, size: 1 });
    }
}
