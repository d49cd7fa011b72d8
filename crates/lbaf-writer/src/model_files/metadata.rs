// SPDX-License-Identifier: MIT OR Apache-2.0
//! Metadata of the file of a rank: its node, phases without data, and its memory in phases without objects.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, Rank, RankId};
use lbaf_vom::OWN;
use lbaf_vom::record::{PhaseGaps, PhaseSet, SharedNode};
use serde_json::{Map, Value};

use super::phase::PhaseFiles;
use crate::metadata::with_rank_bytes;

/// If there are at least this many phases without data, none of them are listed, because readers refuse lists with more
/// than this number of phases.
const MOST_SKIPPED: u64 = 1_000_000;

/// Returns the node of each rank.
pub(super) fn nodes(ranks: &[Rank]) -> Vec<SharedNode> {
    let mut sizes: BTreeMap<u32, u32> = BTreeMap::new();
    let mut nodes: Vec<SharedNode> = Vec::with_capacity(ranks.len());
    for rank in ranks {
        let size = sizes.entry(rank.node.0).or_insert(0);
        nodes.push(SharedNode { id: rank.node.0, rank: *size, ..SharedNode::default() });
        *size += 1;
    }
    for node in &mut nodes {
        (node.num_nodes, node.size) = (sizes.len() as u32, sizes[&node.id]);
    }
    nodes
}

/// Returns the phases without data before the last phase. vt requires their declaration. If there are too many, the
/// list stays empty, and lbaf still finds the gaps.
pub(super) fn gaps(data: &DataSet) -> PhaseGaps {
    let mut skipped = PhaseSet::default();
    let (mut next, mut n) = (0, 0);
    for phase in data.phases() {
        let id = phase.id().0;
        match id - next {
            0 => {}
            1 => skipped.list.push(next),
            _ => skipped.range.push([next, id - 1]),
        }
        n += id - next;
        next = id + 1;
    }
    if n >= MOST_SKIPPED {
        skipped = PhaseSet::default();
    }
    PhaseGaps { skipped, ..PhaseGaps::default() }
}

/// Returns the attributes with the working memory of a rank in phases in which it has no objects; `None` if it has no
/// memory in such phases.
pub(super) fn attributes(rank: u32, phases: &[PhaseFiles<'_>]) -> Option<Map<String, Value>> {
    let without_objects = phases.iter().filter(|phase| !phase.has_objects(rank));
    let bytes = without_objects
        .map(|files| (files.phase().id().0, files.phase().ranks()[RankId(rank).index()].working_bytes));
    let bytes: BTreeMap<u64, f64> = bytes.filter(|&(_, bytes)| bytes != 0.0).collect();
    (!bytes.is_empty()).then(|| Map::from_iter([(OWN.to_owned(), with_rank_bytes(None, &bytes))]))
}
