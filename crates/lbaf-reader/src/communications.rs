// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of recorded communications to edges of the model.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lbaf_model::{Communication, RankId, Slot, Vertex, Volume};
use lbaf_vom::{CommunicationKind, CommunicationRow, Endpoint, EndpointKind};
use rayon::prelude::*;

use crate::blocks::Blocks;
use crate::coverage::PhaseSources;
use crate::load::LoadedFile;
use crate::objects::{Found, Lookup, home_of};
use crate::records::CommunicationRecord;
use crate::{AbsentEndpoints, Request};

/// Counts of the communication entries of a phase, by use in the model and by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommunicationCounts {
    /// Entries that count as volume. The graph sums parallel edges and omits self-edges.
    pub counted: BTreeMap<CommunicationKind, u64>,
    /// Entries of a kind that does not count as volume, or with an endpoint of unknown type.
    pub other_kinds: BTreeMap<CommunicationKind, u64>,
    /// Entries with an absent endpoint, left out of the model: an object or block without a task in the phase, or an
    /// invalid rank.
    pub absent: BTreeMap<CommunicationKind, u64>,
}

impl CommunicationCounts {
    /// Returns the number of all entries.
    pub fn n_entries(&self) -> u64 {
        [&self.counted, &self.other_kinds, &self.absent].into_iter().flat_map(BTreeMap::values).sum()
    }

    /// Adds the counts of another phase.
    pub fn add(&mut self, other: &CommunicationCounts) {
        let pairs = [
            (&mut self.counted, &other.counted),
            (&mut self.other_kinds, &other.other_kinds),
            (&mut self.absent, &other.absent),
        ];
        for (sum, part) in pairs {
            for (&kind, count) in part {
                *sum.entry(kind).or_insert(0) += count;
            }
        }
    }
}

/// Entries of one file in a phase. They use most of the memory, so they are freed once resolved, unless another phase
/// repeats them.
pub(crate) type Logged<'a> = Cow<'a, [CommunicationRow]>;

/// Moves the communications out of the files. Returns them by phase, then by rank; `None` if several phases share the
/// entry.
pub(crate) fn take(
    files: &mut [LoadedFile],
    sources: &[&PhaseSources],
) -> Vec<Vec<Option<Vec<CommunicationRow>>>> {
    let mut taken: Vec<Vec<_>> = sources.iter().map(|_| Vec::with_capacity(files.len())).collect();
    for (rank, file) in files.iter_mut().enumerate() {
        let mut n_uses = vec![0; file.rows.phases.len()];
        for source in sources {
            n_uses[source.entries[rank]] += 1;
        }
        for (source, taken) in sources.iter().zip(&mut taken) {
            let entry = source.entries[rank];
            let logged = &mut file.rows.phases[entry].communications;
            taken.push((n_uses[entry] == 1).then(|| std::mem::take(logged)));
        }
    }
    taken
}

/// Edges, counts and records of the communications of a phase.
#[derive(Default)]
pub(crate) struct Resolved {
    pub(crate) edges: Vec<Communication>,
    pub(crate) counts: CommunicationCounts,
    /// Edges of `SendRecv` alone, if other kinds also count as volume.
    pub(crate) sends: Option<Vec<Communication>>,
    /// By rank, then by entry; no entries if records are not kept.
    pub(crate) records: Vec<Vec<CommunicationRecord>>,
}

/// Resolves the endpoints of all entries, by rank and then in the order of the file. `rank_of` returns the recorded
/// rank of an object. An endpoint that is a block becomes the home rank of the block.
pub(crate) fn resolve(
    files: Vec<Logged<'_>>,
    lookup: &Lookup<'_>,
    blocks: &Blocks,
    request: &Request<'_>,
    rank_of: impl Fn(Slot) -> RankId + Sync,
) -> Resolved {
    let n_ranks = files.len();
    let of_file = |(rank, entries): (usize, Logged<'_>)| {
        let mut resolved = OfFile { edges: Vec::with_capacity(entries.len()), ..OfFile::default() };
        let mut ends = LastEnds::default();
        for row in &*entries {
            let ends = ends.find(row, lookup, rank as u32);
            if request.records {
                let logger = ends.logger(RankId::from(rank), &rank_of);
                resolved.records.push(CommunicationRecord { logger, record: row.record });
            }
            resolved.count(row, ends.vertices(row, n_ranks, blocks, request.absent_endpoints), request);
        }
        resolved
    };
    let resolved: Vec<OfFile> = files.into_par_iter().enumerate().map(of_file).collect();
    let n_edges = resolved.iter().map(|file| file.edges.len()).sum();
    let sends = has_other_kinds(request).then(Vec::new);
    let mut all = Resolved { edges: Vec::with_capacity(n_edges), sends, ..Resolved::default() };
    for file in resolved {
        all.edges.extend(file.edges);
        if let Some(sends) = &mut all.sends {
            sends.extend(file.sends);
        }
        all.counts.add(&file.counts);
        all.records.push(file.records);
    }
    all
}

/// True if kinds other than `SendRecv` count as volume.
fn has_other_kinds(request: &Request<'_>) -> bool {
    request.communication_kinds.iter().any(|&kind| kind != CommunicationKind::SendRecv)
}

/// Edges and counts of one file.
#[derive(Default)]
struct OfFile {
    edges: Vec<Communication>,
    /// Edges of `SendRecv`, if other kinds also count.
    sends: Vec<Communication>,
    counts: CommunicationCounts,
    records: Vec<CommunicationRecord>,
}

impl OfFile {
    fn count(&mut self, row: &CommunicationRow, ends: Option<(Vertex, Vertex)>, request: &Request<'_>) {
        let counts = &mut self.counts;
        let known = |end: &Endpoint| end.kind != EndpointKind::Other;
        let counts_as_volume =
            request.communication_kinds.contains(&row.kind) && known(&row.from) && known(&row.to);
        let tally = match ends {
            _ if !counts_as_volume => &mut counts.other_kinds,
            None => &mut counts.absent,
            Some((from, to)) => {
                let volume = Volume { bytes: row.bytes, messages: row.messages };
                let edge = Communication { from, to, volume };
                self.edges.push(edge);
                if row.kind == CommunicationKind::SendRecv && has_other_kinds(request) {
                    self.sends.push(edge);
                }
                &mut counts.counted
            }
        };
        *tally.entry(row.kind).or_insert(0) += 1;
    }
}

/// Objects at the endpoints of an entry, if they have tasks.
struct Ends {
    from: Found,
    to: Found,
}

/// Endpoints of the last entry with their objects, because consecutive entries often share the sender or receiver.
#[derive(Default)]
struct LastEnds {
    from: Option<(Endpoint, Found)>,
    to: Option<(Endpoint, Found)>,
}

impl LastEnds {
    fn find(&mut self, row: &CommunicationRow, lookup: &Lookup<'_>, rank: u32) -> Ends {
        let find = |end: &Endpoint, last: &mut Option<(Endpoint, Found)>| match last {
            Some((known, found)) if known == end => *found,
            _ => {
                let is_object = end.kind == EndpointKind::Object;
                let found = if is_object { lookup.find(end, rank) } else { Found::default() };
                last.insert((*end, found)).1
            }
        };
        Ends { from: find(&row.from, &mut self.from), to: find(&row.to, &mut self.to) }
    }
}

impl Ends {
    /// Returns the object with which the entry migrates: the sender if the rank of the file owns it, or else the
    /// receiver if the rank of the file owns that. `None` if the rank owns neither, or if an endpoint could mean
    /// another object in another file.
    fn logger(&self, file: RankId, rank_of: &impl Fn(Slot) -> RankId) -> Option<Slot> {
        let ends = [self.from, self.to];
        if ends.iter().any(|end| end.depends_on_logger) {
            return None;
        }
        ends.into_iter().filter_map(|end| end.slot).find(|&slot| rank_of(slot) == file)
    }

    fn vertices(
        &self,
        row: &CommunicationRow,
        n_ranks: usize,
        blocks: &Blocks,
        absent: AbsentEndpoints,
    ) -> Option<(Vertex, Vertex)> {
        let vertex = |end: &Endpoint, found: Found| {
            let rank = match (end.kind, found.slot) {
                (_, Some(slot)) => return Some(Vertex::Object(slot)),
                (EndpointKind::Node, None) => u32::try_from(end.id).ok(),
                (EndpointKind::SharedBlock, None) => blocks.home(end.id).map(|home| home.0),
                (EndpointKind::Object, None) if absent == AbsentEndpoints::Home => home_of(end),
                _ => None,
            };
            rank.filter(|&rank| (rank as usize) < n_ranks).map(|rank| Vertex::Rank(RankId(rank)))
        };
        Some((vertex(&row.from, self.from)?, vertex(&row.to, self.to)?))
    }
}
