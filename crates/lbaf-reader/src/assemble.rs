// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assembly of the rows of all files into a phase of the model.

use std::sync::Arc;

use lbaf_model::{
    Assignment, CommGraph, Coordinates, Dictionary, NodeId, ObjectKey, ObjectMemory, Objects, Phase,
    PhaseColumns, PhaseId, Rank, RankId, Slot, Subphases,
};
use lbaf_vom::{Generation, NONE, PhaseRows};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::blocks::Blocks;
use crate::communications::{self, Resolved};
use crate::findings::PhaseFindings;
use crate::load::LoadedFile;
use crate::objects::{Entries, Entry, Lookup};
use crate::records::{CommunicationRecord, PhaseRecords, records_of};
use crate::temporary_file::Place;
use crate::{NodeRule, ReadError, Request, subphases};

/// Phase whose objects have no indices yet, because these depend on the objects of all phases.
pub(crate) struct Assembled {
    pub(crate) id: PhaseId,
    pub(crate) keys: Arc<Vec<ObjectKey>>,
    columns: PhaseColumns,
    /// Coordinates, if requested.
    coordinates: Option<Arc<Coordinates>>,
    /// Subphases, if requested and recorded.
    subphases: Option<Subphases>,
    pub(crate) findings: PhaseFindings,
    /// Records by rank; empty if records are not kept.
    pub(crate) records: Vec<PhaseRecords>,
    /// Places in the temporary file of the objects to which the records belong, by rank, if records leave memory.
    pub(crate) owners: Vec<Place>,
}

impl Assembled {
    /// Assembles the rows of all files for one phase. `rows` and `logged` are ordered by rank, and communications are
    /// taken from `logged` only.
    pub(crate) fn new(
        id: u64,
        rows: &[&PhaseRows],
        logged: Vec<communications::Logged<'_>>,
        files: &[LoadedFile],
        nodes: &[NodeId],
        request: &Request<'_>,
    ) -> Result<Self, ReadError> {
        check_counts(rows, files)?;
        let entries = Entries::new(rows);
        if let Some(slot) = entries.duplicate() {
            return Err(duplicate(id, slot, &entries, files));
        }
        let contradiction = |(rank, message): (usize, String)| ReadError::Contradiction {
            path: files[rank].path.clone(),
            message: format!("phase {id}: {message}"),
        };
        let blocks = Blocks::gather(rows).map_err(contradiction)?;
        let resolved = resolve(logged, &entries, &blocks, request);
        let mut warnings = Vec::new();
        if blocks.n_contradictory > 0 {
            let n = blocks.n_contradictory;
            warnings.push(format!(
                "phase {id}: tasks state different sizes or homes of the same memory block (number of such blocks: {n}); \
                 using the largest size and the first home"
            ));
        }
        // Older generations pack ids differently.
        let has_packed_ids = |(file, _): &(&LoadedFile, _)| file.rows.generation >= Generation::LbData;
        let packed = files.iter().zip(rows).filter(has_packed_ids);
        let n_home_disagreements: usize = packed.map(|(_, rows)| rows.n_home_disagreements).sum();
        let Resolved { edges, sends, counts, records: logged } = resolved;
        let records = if request.records { records(id, rows, &entries, logged) } else { Vec::new() };
        let graph = |edges| CommGraph::from_vec(entries.len(), rows.len(), edges);
        let (graph, sends) = (graph(edges), sends.map(graph));
        let ranks = ranks(rows, files, nodes, request);
        let columns = columns(rows, ranks, &entries, &blocks, graph);
        let coordinates = request.coordinates.then(|| coordinates(rows, &entries));
        let (subphases, oddities) = request.subphases.then(|| subphases::gather(rows, &entries)).unzip();
        let id = PhaseId(id);
        Ok(Assembled {
            id,
            keys: Arc::new(entries.into_keys()),
            columns,
            coordinates: coordinates.map(Arc::new),
            subphases: subphases.flatten(),
            findings: PhaseFindings { id, counts, sends, warnings, n_home_disagreements, oddities },
            records,
            owners: Vec::new(),
        })
    }

    /// Returns the phase. Its keys, columns, coordinates and graph of `SendRecv` share the memory of `earlier` if they
    /// are equal to those of `earlier`.
    pub(crate) fn sharing(self, earlier: &Assembled) -> Self {
        let sends = match (self.findings.sends, &earlier.findings.sends) {
            (Some(sends), Some(earlier)) => Some(sends.sharing(earlier)),
            (sends, _) => sends,
        };
        let has_same_places = self.coordinates == earlier.coordinates;
        Assembled {
            keys: if self.keys == earlier.keys { Arc::clone(&earlier.keys) } else { self.keys },
            columns: self.columns.sharing(&earlier.columns),
            coordinates: if has_same_places { earlier.coordinates.clone() } else { self.coordinates },
            findings: PhaseFindings { sends, ..self.findings },
            ..self
        }
    }

    /// Returns the phase, given the index of every object.
    pub(crate) fn finish(self, objects: Objects) -> Result<Phase, ReadError> {
        let phase = Phase::new(self.id, PhaseColumns { objects, ..self.columns })?;
        let phase = match self.coordinates {
            Some(coordinates) => phase.with_coordinates(coordinates)?,
            None => phase,
        };
        Ok(match self.subphases {
            Some(subphases) => phase.with_subphases(subphases)?,
            None => phase,
        })
    }
}

fn columns(
    rows: &[&PhaseRows],
    ranks: Vec<Rank>,
    entries: &Entries,
    blocks: &Blocks,
    communication: CommGraph,
) -> PhaseColumns {
    let n = entries.len();
    let (values, first_of_rank) = memory_values(rows, blocks);
    let (mut load, mut memory) = (vec![0.0; n], vec![0; n]);
    let (mut migratable, mut recorded) = (vec![false; n], vec![RankId(0); n]);
    // One pass over the rows, which are scattered in memory, fills all columns.
    let columns = (&mut load, &mut memory, &mut migratable, &mut recorded);
    (columns.into_par_iter(), entries.as_slice()).into_par_iter().for_each(|(columns, entry)| {
        let (load, memory, migratable, recorded) = columns;
        let rank = entry.rank() as usize;
        let task = rows[rank].tasks[entry.position as usize];
        *load = task.load;
        *memory = first_of_rank[rank] + task.memory;
        *migratable = task.migratable;
        *recorded = RankId::from(rank);
    });
    PhaseColumns {
        objects: Objects::All(0),
        load,
        memory: Dictionary::new(values, memory).expect("invariant: tasks refer to memory rows of their file"),
        migratable: migratable.into(),
        recorded: Assignment::new(recorded).into(),
        ranks,
        blocks: blocks.ascending.clone(),
        communication,
    }
}

/// Returns the positions of the objects in their collections.
fn coordinates(rows: &[&PhaseRows], entries: &Entries) -> Coordinates {
    let of_entry = |entry: &Entry| rows[entry.rank() as usize].indices.of(entry.position as usize);
    entries.as_slice().iter().map(of_entry).collect()
}

/// Returns the memory quantities of all files in sequence, and the start of each rank's values.
fn memory_values(rows: &[&PhaseRows], blocks: &Blocks) -> (Vec<ObjectMemory>, Vec<u32>) {
    let mut values = Vec::with_capacity(rows.iter().map(|file| file.memory.len()).sum());
    let mut first_of_rank = Vec::with_capacity(rows.len());
    for (file, blocks) in rows.iter().zip(&blocks.index) {
        first_of_rank.push(values.len() as u32);
        values.extend(file.memory.iter().map(|memory| ObjectMemory {
            footprint_bytes: memory.footprint_bytes,
            working_bytes: memory.working_bytes,
            serialized_bytes: memory.serialized_bytes,
            block: (memory.block != NONE).then(|| blocks[memory.block as usize]),
        }));
    }
    (values, first_of_rank)
}

fn ranks(rows: &[&PhaseRows], files: &[LoadedFile], nodes: &[NodeId], request: &Request<'_>) -> Vec<Rank> {
    let facts = (0_u32..).zip(rows.iter().zip(files));
    facts
        .map(|(rank, (rows, file))| {
            let recorded = file.rows.metadata.rank_alpha;
            let alpha = request.rank_alpha.get(&rank).copied().or(recorded).unwrap_or(1.0);
            Rank { alpha, node: nodes[rank as usize], working_bytes: rows.rank_working_bytes }
        })
        .collect()
}

/// Returns the node of each rank, densely numbered in the order of first occurrence.
pub(crate) fn nodes(files: &[LoadedFile], rule: NodeRule) -> Vec<NodeId> {
    match rule {
        NodeRule::RanksPerNode(n) => {
            (0..files.len()).map(|rank| NodeId::from(rank / n.max(1) as usize)).collect()
        }
        NodeRule::FromFiles => {
            let mut known: FxHashMap<Result<u64, &str>, NodeId> = FxHashMap::default();
            let mut nodes: Vec<NodeId> = Vec::with_capacity(files.len());
            let mut next = NodeId(0);
            for file in files {
                let metadata = &file.rows.metadata;
                let id = metadata.shared_node.map(|node| Ok(node.id));
                let host = id.or_else(|| metadata.hostname.as_deref().map(Err));
                let node = host.and_then(|host| known.get(&host).copied()).unwrap_or(next);
                if node == next {
                    known.extend(host.map(|host| (host, next)));
                    next = NodeId(next.0 + 1);
                }
                nodes.push(node);
            }
            nodes
        }
    }
}

/// Returns an error if there are too many tasks or ranks. Indices have 32 bits, and some use one bit as a flag.
fn check_counts(rows: &[&PhaseRows], files: &[LoadedFile]) -> Result<(), ReadError> {
    const MOST: usize = (u32::MAX / 2) as usize;
    let n_tasks: usize = rows.iter().map(|file| file.tasks.len()).sum();
    if n_tasks < MOST && rows.len() < MOST {
        return Ok(());
    }
    let message = format!(
        "a phase has {n_tasks} tasks on {} ranks; the limits are 2^31 - 2 tasks and 2^31 - 2 ranks",
        rows.len()
    );
    Err(ReadError::Contradiction { path: files[0].path.clone(), message })
}

fn resolve(
    logged: Vec<communications::Logged<'_>>,
    entries: &Entries,
    blocks: &Blocks,
    request: &Request<'_>,
) -> Resolved {
    if logged.iter().all(|entries| entries.is_empty()) {
        let records = logged.iter().map(|_| Vec::new()).collect();
        return Resolved { records, ..Resolved::default() };
    }
    let rank_of = |slot: Slot| RankId(entries.as_slice()[slot.index()].rank());
    communications::resolve(logged, &Lookup::new(entries), blocks, request, rank_of)
}

fn records(
    id: u64,
    rows: &[&PhaseRows],
    entries: &Entries,
    logged: Vec<Vec<CommunicationRecord>>,
) -> Vec<PhaseRecords> {
    let mut slots: Vec<Vec<Slot>> = rows.iter().map(|file| vec![Slot(0); file.tasks.len()]).collect();
    for (slot, entry) in entries.as_slice().iter().enumerate() {
        slots[entry.rank() as usize][entry.position as usize] = Slot::from(slot);
    }
    let of_file = |(file, (slots, logged)): (&&PhaseRows, (Vec<Slot>, Vec<CommunicationRecord>))| {
        records_of(PhaseId(id), file, slots, logged)
    };
    rows.iter().zip(slots.into_iter().zip(logged)).map(of_file).collect()
}

fn duplicate(id: u64, slot: usize, entries: &Entries, files: &[LoadedFile]) -> ReadError {
    let place = |slot: usize| {
        let entry = entries.as_slice()[slot];
        format!("task {} of {}", entry.position, files[entry.rank() as usize].path.display())
    };
    let second = entries.as_slice()[slot];
    ReadError::Contradiction {
        path: files[second.rank() as usize].path.clone(),
        message: format!(
            "phase {id}: the object with {} has two tasks: {} and {}",
            entries.key(slot),
            place(slot - 1),
            place(slot)
        ),
    }
}
