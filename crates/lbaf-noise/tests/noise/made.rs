// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs built by hand.

use lbaf_model::{Coordinates, DataSet, ObjectIdx, ObjectKey, Phase, PhaseId};

/// A run in which object `o` takes `loads[p][o]` seconds on rank `ranks[p][o]` in phase `p`, with two ranks per node.
/// All objects are in collection 7.
pub(crate) fn run(n_ranks: usize, loads: &[Vec<f64>], ranks: &[Vec<u32>]) -> DataSet {
    run_on_nodes(n_ranks, 2, |_| 7, loads, ranks)
}

/// Like [`run`], with another number of ranks per node and a collection for each object.
pub(crate) fn run_on_nodes(
    n_ranks: usize,
    ranks_per_node: usize,
    collection: impl Fn(i64) -> u64,
    loads: &[Vec<f64>],
    ranks: &[Vec<u32>],
) -> DataSet {
    let n_objects = loads.first().map_or(0, Vec::len);
    let keys = (0..n_objects as u64).map(|number| ObjectKey::new(false, number, None)).collect();
    let phase = |(id, (loads, ranks)): (u64, (&Vec<f64>, &Vec<u32>))| {
        let index: Vec<[i64; 1]> = (0..).take(n_objects).map(|number| [number]).collect();
        let coordinates: Coordinates =
            index.iter().map(|index| Some((Some(collection(index[0])), &index[..]))).collect();
        let phase = Phase::builder(n_ranks).id(PhaseId(id)).ranks_per_node(ranks_per_node);
        let phase = phase.objects(loads.iter().copied().zip(ranks.iter().copied()));
        phase.coordinates(coordinates).build().expect("a phase")
    };
    DataSet::new(keys, n_ranks, (0..).zip(loads.iter().zip(ranks)).map(phase).collect())
}

/// A run with one object in each phase, under another id each time but at the same index.
pub(crate) fn rebuilt(loads: &[f64]) -> DataSet {
    let keys = (0..loads.len() as u64).map(|number| ObjectKey::new(false, number, None)).collect();
    let phase = |(id, &load): (usize, &f64)| {
        let phase = Phase::builder(1).id(PhaseId(id as u64)).objects([(load, 0)]);
        let phase = phase.indices([ObjectIdx::from(id)]);
        phase.coordinates([Some((Some(7), &[0][..]))].into_iter().collect()).build().expect("a phase")
    };
    DataSet::new(keys, 1, loads.iter().enumerate().map(phase).collect())
}

/// Like [`run`], with the same placement in all phases.
pub(crate) fn resting(n_ranks: usize, loads: &[Vec<f64>], ranks: &[u32]) -> DataSet {
    run(n_ranks, loads, &vec![ranks.to_vec(); loads.len()])
}
