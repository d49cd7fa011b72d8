// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs by hand.

use lbaf_model::{
    Assignment, CommGraph, Coordinates, DataSet, Dictionary, NodeId, ObjectIdx, ObjectKey, ObjectMemory,
    Objects, Phase, PhaseColumns, PhaseId, Rank, RankId,
};

/// A run in which object `o` takes `loads[p][o]` seconds on rank `ranks[p][o]`, two ranks to a node. All objects are in
/// collection 7.
pub(crate) fn run(n_ranks: usize, loads: &[Vec<f64>], ranks: &[Vec<u32>]) -> DataSet {
    run_on_nodes(n_ranks, 2, |_| 7, loads, ranks)
}

/// The same with another number of ranks to a node, and the collection of each object.
pub(crate) fn run_on_nodes(
    n_ranks: usize,
    ranks_per_node: u32,
    collection: impl Fn(i64) -> u64,
    loads: &[Vec<f64>],
    ranks: &[Vec<u32>],
) -> DataSet {
    let n_objects = loads.first().map_or(0, Vec::len);
    let keys = (0..n_objects as u64).map(|number| ObjectKey::new(false, number, None)).collect();
    let phase = |(id, (loads, ranks)): (u64, (&Vec<f64>, &Vec<u32>))| {
        let recorded = ranks.iter().map(|&rank| RankId(rank)).collect();
        let rank = |rank: u32| Rank { alpha: 1.0, node: NodeId(rank / ranks_per_node), working_bytes: 0.0 };
        let columns = PhaseColumns {
            objects: Objects::All(n_objects),
            load: loads.clone(),
            memory: Dictionary::from_iter(vec![ObjectMemory::default(); n_objects]),
            migratable: vec![true; n_objects],
            recorded: Assignment::new(recorded),
            ranks: (0..n_ranks as u32).map(rank).collect(),
            blocks: Vec::new(),
            communication: CommGraph::new(n_objects, n_ranks, &[]),
        };
        let index: Vec<[i64; 1]> = (0..).take(n_objects).map(|number| [number]).collect();
        let coordinates: Coordinates =
            index.iter().map(|index| Some((Some(collection(index[0])), &index[..]))).collect();
        let phase = Phase::new(PhaseId(id), columns).expect("a phase");
        phase.with_coordinates(coordinates).expect("coordinates of all objects")
    };
    DataSet::new(keys, n_ranks, (0..).zip(loads.iter().zip(ranks)).map(phase).collect())
}

/// A run with one object in each phase, each time under another id and at the same index.
pub(crate) fn rebuilt(loads: &[f64]) -> DataSet {
    let keys = (0..loads.len() as u64).map(|number| ObjectKey::new(false, number, None)).collect();
    let phase = |(id, &load): (usize, &f64)| {
        let columns = PhaseColumns {
            objects: Objects::Listed(vec![ObjectIdx::from(id)]),
            load: vec![load],
            memory: Dictionary::from_iter([ObjectMemory::default()]),
            migratable: vec![true],
            recorded: Assignment::new(vec![RankId(0)]),
            ranks: vec![Rank { alpha: 1.0, node: NodeId(0), working_bytes: 0.0 }],
            blocks: Vec::new(),
            communication: CommGraph::new(1, 1, &[]),
        };
        let coordinates: Coordinates = [Some((Some(7), &[0][..]))].into_iter().collect();
        let phase = Phase::new(PhaseId(id as u64), columns).expect("a phase");
        phase.with_coordinates(coordinates).expect("coordinates of all objects")
    };
    DataSet::new(keys, 1, loads.iter().enumerate().map(phase).collect())
}

/// The same with one placement for all phases.
pub(crate) fn resting(n_ranks: usize, loads: &[Vec<f64>], ranks: &[u32]) -> DataSet {
    run(n_ranks, loads, &vec![ranks.to_vec(); loads.len()])
}
