// SPDX-License-Identifier: MIT OR Apache-2.0
//! Facts of a phase, with an order and names that are comparable between data sets.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, Phase, Slot, Statistics, Volume};
use lbaf_reader::CommunicationCounts;
use serde::Serialize;

use super::name::Name;

/// Phase of a data set, with its counts of communication entries.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) data: &'a DataSet,
    pub(super) phase: &'a Phase,
    pub(super) counts: Option<&'a CommunicationCounts>,
}

/// Facts of an object in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct ObjectFacts {
    pub(super) rank: u32,
    /// Seconds.
    pub(super) load: f64,
    #[serde(flatten)]
    pub(super) memory: Memory,
}

/// Memory of an object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Memory {
    pub(super) footprint_bytes: f64,
    pub(super) working_bytes: f64,
    pub(super) serialized_bytes: f64,
    /// Number of the block in the files.
    pub(super) block: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct BlockFacts {
    pub(super) size_bytes: f64,
    pub(super) home: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct RankFacts {
    pub(super) alpha: f64,
    pub(super) working_bytes: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct EdgeFacts {
    pub(super) bytes: f64,
    pub(super) messages: u64,
}

/// Sender and receiver of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Edge {
    pub(super) from: Name,
    pub(super) to: Name,
}

/// Communication entries of one type and one use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Entries {
    /// Type in the files; `None` for all types.
    #[serde(rename = "type")]
    pub(super) kind: Option<&'static str>,
    #[serde(rename = "use")]
    pub(super) entry_use: EntryUse,
}

/// Use of communication entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EntryUse {
    /// Part of an edge.
    Edge,
    /// Unused: an endpoint is an object or block without a task in the phase, or an invalid rank.
    Absent,
    /// Unused: an endpoint is neither an object nor a rank, or the type is unknown.
    Other,
    /// Unused: both endpoints are the same.
    SelfEdge,
}

impl<'a> Side<'a> {
    /// Returns the statistics of the loads of ranks.
    pub(super) fn loads(self) -> Statistics {
        let mut loads = vec![0.0; self.phase.n_ranks()];
        for (load, rank) in self.phase.columns().load.iter().zip(self.phase.recorded_assignment().as_slice())
        {
            loads[rank.index()] += load;
        }
        Statistics::of(loads)
    }

    pub(super) fn objects(self) -> impl Iterator<Item = (Name, ObjectFacts)> + 'a {
        let Side { data, phase, .. } = self;
        phase.slots().map(move |slot| (Name::of_object(data, phase, slot), ObjectFacts::new(phase, slot)))
    }

    pub(super) fn blocks(self) -> impl Iterator<Item = (u64, BlockFacts)> + 'a {
        let facts = self.phase.blocks().iter();
        facts.map(|block| (block.id, BlockFacts { size_bytes: block.size_bytes, home: block.home.0 }))
    }

    pub(super) fn ranks(self) -> impl Iterator<Item = (usize, RankFacts)> + 'a {
        let facts = self.phase.ranks().iter().enumerate();
        facts
            .map(|(rank, facts)| (rank, RankFacts { alpha: facts.alpha, working_bytes: facts.working_bytes }))
    }

    pub(super) fn edges(self) -> impl Iterator<Item = (Edge, EdgeFacts)> + 'a {
        let Side { data, phase, .. } = self;
        let name = move |vertex| Name::of_vertex(data, phase, vertex);
        phase.communication().edges().map(move |(from, to, Volume { bytes, messages })| {
            (Edge { from: name(from), to: name(to) }, EdgeFacts { bytes, messages })
        })
    }

    pub(super) fn entries(self) -> BTreeMap<Entries, u64> {
        let n_self_edges = self.phase.communication().n_self_edges() as u64;
        let mut entries =
            BTreeMap::from([(Entries { kind: None, entry_use: EntryUse::SelfEdge }, n_self_edges)]);
        if let Some(counts) = self.counts {
            let by_use = [
                (EntryUse::Edge, &counts.counted),
                (EntryUse::Absent, &counts.absent),
                (EntryUse::Other, &counts.other_kinds),
            ];
            for (entry_use, counts) in by_use {
                entries.extend(
                    counts.iter().map(|(kind, &n)| (Entries { kind: Some(kind.name()), entry_use }, n)),
                );
            }
        }
        entries
    }
}

impl EdgeFacts {
    /// True if two edges are equal up to rounding: entries are summed in the order of the files, which depends on the
    /// placement.
    pub(super) fn is_rounded(self, other: Self) -> bool {
        const ROUNDING: f64 = 1e-12;
        let difference = (self.bytes - other.bytes).abs();
        self.messages == other.messages && difference <= ROUNDING * self.bytes.max(other.bytes)
    }
}

impl ObjectFacts {
    fn new(phase: &Phase, slot: Slot) -> Self {
        let memory = phase.memory(slot);
        ObjectFacts {
            rank: phase.recorded_assignment().rank_of(slot).0,
            load: phase.load(slot),
            memory: Memory {
                footprint_bytes: memory.footprint_bytes,
                working_bytes: memory.working_bytes,
                serialized_bytes: memory.serialized_bytes,
                block: memory.block.map(|block| phase.blocks()[block.index()].id),
            },
        }
    }
}
