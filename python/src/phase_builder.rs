// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases from arrays.

use std::sync::Arc;

use lbaf_model::{
    Assignment, Block, BlockIdx, CommGraph, Communication, Coordinates, DataSet, Dictionary, NodeId,
    ObjectKey, ObjectMemory, Objects, PhaseColumns, PhaseId, Rank, RankId, Slot, Vertex, Volume,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::phase::Phase;

type Floats<'py> = PyReadonlyArray1<'py, f64>;
type Integers<'py> = PyReadonlyArray1<'py, i64>;

/// Builds a phase from columns. The columns of each group (objects, edges, blocks, ranks) have equal lengths, because
/// the Python side completes and checks them.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "groups of columns")]
pub(crate) fn build_phase(
    py: Python<'_>,
    id: u64,
    objects: (Floats<'_>, Integers<'_>, PyReadonlyArray1<'_, bool>, Option<PyReadonlyArray1<'_, u64>>),
    memory: Option<(Floats<'_>, Floats<'_>, Floats<'_>, Integers<'_>)>,
    edges: (Integers<'_>, Integers<'_>, Floats<'_>, Integers<'_>),
    blocks: (PyReadonlyArray1<'_, u64>, Floats<'_>, Integers<'_>),
    ranks: (Floats<'_>, Integers<'_>, Floats<'_>),
    coordinates: Option<PyReadonlyArray2<'_, i64>>,
) -> PyResult<Phase> {
    let (loads, recorded, migratable, ids) = objects;
    let load = loads.as_array().to_vec();
    let n = load.len();
    let (alphas, nodes, working) = ranks;
    let machine: Vec<Rank> = (alphas.as_array().iter().zip(nodes.as_array()).zip(working.as_array()))
        .map(|((&alpha, &node), &working_bytes)| {
            Ok(Rank { alpha, node: NodeId(index("nodes", node, "a node")?), working_bytes })
        })
        .collect::<Result<_, Failure>>()?;
    let recorded = recorded.as_array();
    let of_rank = |name: &'static str| {
        let n_ranks = machine.len();
        move |rank: i64| match u32::try_from(rank) {
            Ok(known) if (known as usize) < n_ranks => Ok(RankId(known)),
            _ => Err(Failure::input(format!(
                "{name} names rank {rank}; the phase has {n_ranks} ranks, numbered from 0"
            ))),
        }
    };
    let recorded = recorded.iter().copied().map(of_rank("ranks")).collect::<Result<Vec<_>, _>>()?;
    let (block_ids, sizes, homes) = blocks;
    let home = of_rank("block_homes");
    let blocks: Vec<Block> = (block_ids.as_array().iter().zip(sizes.as_array()).zip(homes.as_array()))
        .map(|((&id, &size_bytes), &rank)| Ok(Block { id, size_bytes, home: home(rank)? }))
        .collect::<Result<_, Failure>>()?;
    let memory = match memory {
        None => Dictionary::new(vec![ObjectMemory::default()], vec![0; n]),
        Some((footprints, working, serialized, of_blocks)) => {
            let columns =
                (footprints.as_array(), working.as_array(), serialized.as_array(), of_blocks.as_array());
            let at = |slot: usize| {
                let block = match columns.3[slot] {
                    -1 => None,
                    block => Some(BlockIdx(index("blocks", block, "a block, or -1")?)),
                };
                let (footprint_bytes, working_bytes) = (columns.0[slot], columns.1[slot]);
                Ok(ObjectMemory { footprint_bytes, working_bytes, serialized_bytes: columns.2[slot], block })
            };
            let values = (0..n).map(at).collect::<Result<Vec<_>, Failure>>()?;
            Dictionary::new(values, (0..n as u32).collect())
        }
    };
    let memory = memory.ok_or_else(|| Failure::input("there are more objects than 32-bit numbers"))?;
    let migratable = migratable.as_array().to_vec();
    let keys = keys(ids.as_ref(), &migratable, &recorded)?;
    let communications = communications(edges, n, machine.len())?;
    let coordinates = coordinates.map(|indices| {
        let rows: Vec<Vec<i64>> = indices.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
        rows.iter().map(|row| Some((None, &row[..]))).collect::<Coordinates>()
    });
    let phase = py.detach(|| {
        let columns = PhaseColumns {
            objects: Objects::All(n),
            load,
            memory,
            migratable: migratable.into(),
            recorded: Assignment::new(recorded).into(),
            communication: CommGraph::from_vec(n, machine.len(), communications),
            ranks: machine,
            blocks,
        };
        let phase = lbaf_model::Phase::new(PhaseId(id), columns)?;
        Ok::<_, Failure>(match coordinates {
            Some(coordinates) => phase.with_coordinates(coordinates)?,
            None => phase,
        })
    })?;
    let n_ranks = phase.n_ranks();
    Ok(Phase::of(Arc::new(DataSet::new(keys, n_ranks, vec![phase])), 0))
}

fn index(name: &str, number: i64, noun: &str) -> Result<u32, Failure> {
    u32::try_from(number)
        .map_err(|_| Failure::input(format!("{name} holds {number}; expected the number of {noun}")))
}

/// Returns the key of each object: its number in `ids`, by default its position, and for a non-migratable object also
/// its rank.
fn keys(
    ids: Option<&PyReadonlyArray1<'_, u64>>,
    migratable: &[bool],
    recorded: &[RankId],
) -> Result<Vec<ObjectKey>, Failure> {
    let ids: Vec<u64> = match ids {
        Some(ids) => ids.as_array().to_vec(),
        None => (0..migratable.len() as u64).collect(),
    };
    if let Some(at) = (1..ids.len()).find(|&at| ids[at - 1] >= ids[at]) {
        return Err(Failure::input(format!(
            "ids must ascend, but ids[{at}] is {} after {}; sort objects by number",
            ids[at],
            ids[at - 1]
        )));
    }
    let fixed = migratable.iter().zip(recorded).map(|(migratable, rank)| (!migratable).then_some(*rank));
    Ok(ids.into_iter().zip(fixed).map(|(id, rank)| ObjectKey::new(true, id, rank)).collect())
}

fn communications(
    edges: (Integers<'_>, Integers<'_>, Floats<'_>, Integers<'_>),
    n_objects: usize,
    n_ranks: usize,
) -> Result<Vec<Communication>, Failure> {
    let (from, to, bytes, messages) =
        (edges.0.as_array(), edges.1.as_array(), edges.2.as_array(), edges.3.as_array());
    let vertex = |edge: usize, number: i64| match usize::try_from(number) {
        Ok(object) if object < n_objects => Ok(Vertex::Object(Slot(object as u32))),
        Ok(rank) if rank < n_objects + n_ranks => Ok(Vertex::Rank(RankId((rank - n_objects) as u32))),
        _ => Err(Failure::input(format!(
            "edge {edge} names endpoint {number}; objects are 0 to {}, and ranks follow up to {}",
            n_objects.saturating_sub(1),
            (n_objects + n_ranks).saturating_sub(1)
        ))),
    };
    let edge = |at: usize| {
        let bytes = bytes[at];
        if !(0.0..f64::INFINITY).contains(&bytes) {
            return Err(Failure::input(format!(
                "edge {at} has {bytes} bytes; volumes are finite numbers from 0"
            )));
        }
        let messages = u64::try_from(messages[at]).map_err(|_| {
            Failure::input(format!("edge {at} has {} messages; numbers of messages start at 0", messages[at]))
        })?;
        let (from, to) = (vertex(at, from[at])?, vertex(at, to[at])?);
        Ok(Communication { from, to, volume: Volume { bytes, messages } })
    };
    (0..bytes.len()).map(edge).collect()
}
