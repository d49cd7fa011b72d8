// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of a synthetic data set, before files are created.

use std::iter::repeat_n;
use std::sync::Arc;

use lbaf_vom::record::{
    Communication, DataFile, Entity, Metadata, PhaseGaps, PhaseRecord, SharedNode, Task, UserDefined,
};
use lbaf_vom::{CommunicationKind, OWN, RANK_WORKING_BYTES, home_of_packed_id, packed_id};
use serde_json::{Map, Value, json};

use crate::grid::Grid;
use crate::links::Links;

/// Collection of synthetic objects.
pub(crate) const COLLECTION: u64 = 7;

/// Objects of a synthetic data set with loads, placement and communication.
///
/// Files are created one by one, because together they take many times the memory of the population.
#[derive(Clone, Debug)]
pub struct Population {
    machine: RankLayout,
    objects: Vec<Object>,
    /// Objects by rank, then ascending.
    by_rank: Vec<u32>,
    /// Position of the first object of each rank in `by_rank`, then the number of objects.
    first_of_rank: Vec<usize>,
    /// Loads in seconds, by phase and object.
    loads: Vec<Vec<f64>>,
    links: Links,
    /// Coordinates of the elements of collections; `None` if elements are on a line.
    grid: Option<Grid>,
    /// Working memory of every rank in bytes. Metadata record it for ranks without objects; on other ranks, objects do.
    rank_working_bytes: Option<f64>,
}

/// Ranks and their nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankLayout {
    pub(crate) n_ranks: u32,
    /// Ranks on a node; `None` if unknown.
    pub(crate) ranks_per_node: Option<u32>,
}

/// Values of an object that are the same in every phase. The type is small, because there are millions of objects.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// Packed id: sequence number, home and migratability.
    id: u64,
    rank: u32,
    /// Collection and index of an element of a collection.
    element: Option<(u64, i64)>,
    /// Values recorded with the object. Objects drawn from distributions share equal values.
    facts: Option<Arc<UserDefined>>,
}

impl Population {
    /// Creates the population. Every phase has the loads of all objects.
    pub(crate) fn new(machine: RankLayout, objects: Vec<Object>, loads: Vec<Vec<f64>>, links: Links) -> Self {
        let mut first_of_rank = vec![0; machine.n_ranks as usize + 1];
        for object in &objects {
            first_of_rank[object.rank as usize + 1] += 1;
        }
        for rank in 0..machine.n_ranks as usize {
            first_of_rank[rank + 1] += first_of_rank[rank];
        }
        let mut next = first_of_rank.clone();
        let mut by_rank = vec![0; objects.len()];
        for (position, object) in (0..).zip(&objects) {
            let next = &mut next[object.rank as usize];
            by_rank[*next] = position;
            *next += 1;
        }
        Population {
            machine,
            objects,
            by_rank,
            first_of_rank,
            loads,
            links,
            grid: None,
            rank_working_bytes: None,
        }
    }

    /// Records the working memory of ranks in the metadata of ranks without objects.
    pub(crate) fn with_rank_working_bytes(self, rank_working_bytes: Option<f64>) -> Self {
        Population { rank_working_bytes, ..self }
    }

    /// Places the elements of collections on a grid.
    pub(crate) fn on_grid(self, grid: Option<Grid>) -> Self {
        Population { grid, ..self }
    }

    /// Number of ranks and of files.
    pub fn n_ranks(&self) -> u32 {
        self.machine.n_ranks
    }

    /// Number of phases.
    pub fn n_phases(&self) -> usize {
        self.loads.len()
    }

    /// Number of migratable objects.
    pub fn n_migratable(&self) -> usize {
        self.objects.iter().filter(|object| object.is_migratable()).count()
    }

    /// Number of non-migratable objects.
    pub fn n_sentinels(&self) -> usize {
        self.objects.len() - self.n_migratable()
    }

    /// Creates the file of a rank: the objects that start there, and the communication that they send.
    ///
    /// # Panics
    /// If the rank does not exist.
    pub fn file(&self, rank: u32) -> DataFile {
        // `repeat_n` clones the value for all phases but the last.
        let communications = repeat_n(self.communications(rank), self.n_phases());
        let phases = (0..).zip(&self.loads).zip(communications).map(|((id, loads), communications)| {
            PhaseRecord { communications, id, tasks: self.tasks(rank, loads) }
        });
        let bytes = self.rank_working_bytes.filter(|_| self.on(rank).is_empty());
        let attributes = bytes.map(|bytes| self.own_attributes(bytes));
        let metadata = Metadata { attributes, ..self.machine.metadata(rank) };
        DataFile { metadata, phases: phases.collect() }
    }

    /// Returns metadata with the working memory of a rank in all phases.
    fn own_attributes(&self, rank_working_bytes: f64) -> Map<String, Value> {
        let phases = json!({"list": [], "range": [[0, self.n_phases().saturating_sub(1)]]});
        let own = json!({RANK_WORKING_BYTES: [{"bytes": rank_working_bytes, "phases": phases}]});
        Map::from_iter([(OWN.to_owned(), own)])
    }

    /// Creates the files of all ranks, in order.
    pub fn files(&self) -> Vec<DataFile> {
        (0..self.n_ranks()).map(|rank| self.file(rank)).collect()
    }

    /// Positions of the objects of a rank, ascending.
    fn on(&self, rank: u32) -> &[u32] {
        let rank = rank as usize;
        &self.by_rank[self.first_of_rank[rank]..self.first_of_rank[rank + 1]]
    }

    fn tasks(&self, rank: u32, loads: &[f64]) -> Vec<Task> {
        let task = |&position: &u32| {
            let object = &self.objects[position as usize];
            Task {
                entity: object.entity(self.grid.as_ref()),
                node: rank,
                time: loads[position as usize],
                user_defined: object.facts.as_deref().cloned(),
                ..Task::default()
            }
        };
        self.on(rank).iter().map(task).collect()
    }

    /// Communication from objects of a rank in every phase.
    fn communications(&self, rank: u32) -> Vec<Communication> {
        let mut communications = Vec::new();
        for &position in self.on(rank) {
            let from = &self.objects[position as usize];
            self.links.for_each_from(position, |to, bytes| {
                communications.push(Communication {
                    bytes,
                    from: from.entity(self.grid.as_ref()),
                    messages: 1,
                    to: self.objects[to as usize].entity(self.grid.as_ref()),
                    kind: CommunicationKind::SendRecv,
                });
            });
        }
        communications
    }
}

impl RankLayout {
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
    /// Creates an object that starts on a rank. Objects with the same home must differ in `sequence` or `migratable`.
    pub(crate) fn new(sequence: u64, home: u32, migratable: bool, rank: u32) -> Self {
        let home = u16::try_from(home).expect("invariant: the number of ranks was checked against 16 bits");
        Object { id: packed_id(sequence, home, migratable), rank, element: None, facts: None }
    }

    /// Makes the object an element of a collection.
    pub(crate) fn element_of(self, collection: u64, index: i64) -> Self {
        Object { element: Some((collection, index)), ..self }
    }

    /// Sets the values recorded with the object.
    pub(crate) fn with(self, facts: Option<Arc<UserDefined>>) -> Self {
        Object { facts, ..self }
    }

    /// Creates migratable object `position` of the collection. As in vt, sequence numbers start at 1.
    pub(crate) fn migratable(position: u32, rank: u32) -> Self {
        let object = Object::new(u64::from(position) + 1, rank, true, rank);
        object.element_of(COLLECTION, i64::from(position))
    }

    /// Creates sentinel `position` of its rank.
    pub(crate) fn sentinel(position: u32, rank: u32) -> Self {
        Object::new(u64::from(position) + 1, rank, false, rank)
    }

    /// Packed id of the object.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Rank on which it starts.
    pub(crate) fn rank(&self) -> u32 {
        self.rank
    }

    fn is_migratable(&self) -> bool {
        self.id & 1 == 1
    }

    /// Records the memory block that the object uses.
    pub(crate) fn use_block(&mut self, id: u64, size_bytes: f64, home: u32) {
        let facts = Arc::make_mut(self.facts.get_or_insert_default());
        facts.shared_id = Some(id);
        facts.shared_bytes = Some(size_bytes);
        facts.home_rank = Some(home);
    }

    fn entity(&self, grid: Option<&Grid>) -> Entity {
        let place = |index: i64| grid.map_or_else(|| vec![index], |grid| grid.place(index));
        Entity {
            collection_id: self.element.map(|(collection, _)| collection),
            home: home_of_packed_id(self.id),
            id: Some(self.id),
            index: self.element.map(|(_, index)| place(index)),
            migratable: Some(self.is_migratable()),
            ..Entity::default()
        }
    }
}

/// Returns the values in shared form; `None` without values, to omit the record.
pub(crate) fn recorded(facts: UserDefined) -> Option<Arc<UserDefined>> {
    (facts != UserDefined::default()).then(|| Arc::new(facts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Edge;

    fn population(n_ranks: u32, ranks_per_node: u32) -> Population {
        let facts = UserDefined { shared_id: Some(9), ..UserDefined::default() };
        let objects = vec![
            Object::migratable(0, 1).with(recorded(UserDefined::default())),
            Object::migratable(1, 0).with(recorded(facts)),
            Object::migratable(2, 1),
            Object::sentinel(0, 1),
        ];
        let edge = |from, to, bytes| Edge { from, to, bytes };
        Population::new(
            RankLayout { n_ranks, ranks_per_node: Some(ranks_per_node) },
            objects,
            vec![vec![1.0, 2.0, 3.0, 0.5], vec![4.0, 5.0, 6.0, 0.25]],
            Links::listed(4, vec![edge(2, 0, 30.0), edge(0, 2, 20.0), edge(0, 1, 10.0)]),
        )
    }

    #[test]
    fn each_rank_lists_its_objects_and_their_communication() {
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
    fn facts_are_written_only_if_present() {
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
