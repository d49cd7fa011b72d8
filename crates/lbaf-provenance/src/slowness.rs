// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks and nodes on which the same work takes longer.
//!
//! Loads of ranks say nothing of that, because ranks have different work. Times of the same task on several ranks do, and
//! times of tasks of one collection do if these are alike: each is taken in parts of what is usual for it, and a rank is as
//! slow as the median of its tasks is. The idea of slow-node detection by micro-benchmarks, without the benchmark; there, a
//! rank is slow if it is slower than the mean of all ranks by a tolerance, here than their median, which slow ranks do not
//! move. Siblings that are not as alike as one thinks make ranks look slow, so by them a rank is slow only if it also stands
//! out from the others.

use std::collections::BTreeMap;

use lbaf_model::{NodeId, ObjectIdx, RankId};
use rayon::prelude::*;

use crate::Labels;
use crate::median::median;

/// By so many robust standard deviations a rank stands out from others.
const STANDS_OUT: f64 = 3.0;

/// When a rank or a node is slow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// A rank is slow if it takes more than 1 + this times what the median rank does. Of a rank that is known by siblings of
    /// its tasks more than by tasks that migrated, this must also be three robust standard deviations from the others.
    pub slowdown: f64,
    /// A node is slow if as many of its ranks are slow as one of its sockets has.
    pub sockets_per_node: usize,
}

impl Default for Tolerance {
    fn default() -> Self {
        Tolerance { slowdown: 0.05, sockets_per_node: 2 }
    }
}

/// How slow ranks and nodes are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slowness {
    /// By rank.
    pub ranks: Vec<RankSlowness>,
    /// By node, ascending.
    pub nodes: Vec<NodeSlowness>,
    /// Tasks that say nothing: of objects that never migrated and have no siblings.
    pub n_incomparable: usize,
}

/// How slow a rank is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSlowness {
    /// The rank.
    pub rank: RankId,
    /// Its node.
    pub node: NodeId,
    /// The median of the times of its tasks in parts of what is usual for them, in parts of the same of the median rank;
    /// `None` if no task says anything.
    pub factor: Option<f64>,
    /// Tasks of objects that ran on several ranks.
    pub n_migrated: usize,
    /// Tasks that are compared with their siblings.
    pub n_siblings: usize,
    /// Whether it is slow.
    pub is_slow: bool,
}

/// How slow a node is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeSlowness {
    /// The node.
    pub node: NodeId,
    /// Its ranks.
    pub n_ranks: usize,
    /// Those that are slow.
    pub n_slow_ranks: usize,
    /// The median of its ranks.
    pub factor: Option<f64>,
    /// Whether it is slow.
    pub is_slow: bool,
}

/// What a task is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Usual {
    /// The median of the object's times, which ran on several ranks; seconds.
    OfObject(f64),
    /// The median of its collection's times.
    OfSiblings(f64),
    /// Nothing.
    Unknown,
}

impl Slowness {
    /// Compares the ranks of a run. O(tasks).
    pub fn of(labels: &Labels<'_>, tolerance: Tolerance) -> Self {
        let usual = usual(labels);
        let data = labels.data();
        let mut parts: Vec<Vec<f64>> = vec![Vec::new(); data.n_ranks()];
        let mut counts = vec![[0_usize; 2]; data.n_ranks()];
        let mut n_incomparable = 0;
        for (_, phase) in measured(labels) {
            for slot in phase.slots() {
                let rank = phase.recorded_assignment().rank_of(slot).index();
                let (usual, kind) = match usual[phase.object(slot).index()] {
                    Usual::OfObject(usual) => (usual, 0),
                    Usual::OfSiblings(usual) => (usual, 1),
                    Usual::Unknown => {
                        n_incomparable += 1;
                        continue;
                    }
                };
                counts[rank][kind] += 1;
                parts[rank].push(phase.load(slot) / usual);
            }
        }
        let medians: Vec<Option<f64>> = parts.into_par_iter().map(|mut parts| median(&mut parts)).collect();
        let mut known: Vec<f64> = medians.iter().flatten().copied().collect();
        // Where the median rank takes nothing, there is nothing to be slower than.
        let middle = median(&mut known).filter(|&middle| middle > 0.0);
        let node_of =
            |rank: usize| data.phases().first().map_or(NodeId(rank as u32), |phase| phase.ranks()[rank].node);
        let mut distances: Vec<f64> =
            known.iter().map(|known| (known - middle.unwrap_or(0.0)).abs()).collect();
        let spread = middle.and_then(|middle| Some(1.4826 * median(&mut distances)? / middle)).unwrap_or(0.0);
        let ranks: Vec<RankSlowness> = (medians.into_iter().zip(counts).enumerate())
            .map(|(rank, (median, [n_migrated, n_siblings]))| {
                let factor = median.zip(middle).map(|(median, middle)| median / middle);
                let stands_out = |factor: f64| n_migrated >= n_siblings || factor - 1.0 > STANDS_OUT * spread;
                let is_slow =
                    factor.is_some_and(|factor| factor > 1.0 + tolerance.slowdown && stands_out(factor));
                let node = node_of(rank);
                RankSlowness { rank: RankId::from(rank), node, factor, n_migrated, n_siblings, is_slow }
            })
            .collect();
        Slowness { nodes: nodes(&ranks, tolerance), ranks, n_incomparable }
    }

    /// The slow nodes.
    pub fn slow_nodes(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.iter().filter(|node| node.is_slow).map(|node| node.node)
    }
}

fn measured<'l>(labels: &'l Labels<'_>) -> impl Iterator<Item = (usize, &'l lbaf_model::Phase)> {
    labels.data().phases().iter().enumerate().filter(|(at, _)| labels.is_measured(*at))
}

/// What each object is compared with.
fn usual(labels: &Labels<'_>) -> Vec<Usual> {
    let data = labels.data();
    let mut first_ranks: Vec<Option<RankId>> = vec![None; data.n_objects()];
    let mut has_migrated = vec![false; data.n_objects()];
    let mut collections: Vec<Option<u64>> = vec![None; data.n_objects()];
    for (_, phase) in measured(labels) {
        for slot in phase.slots() {
            let object = phase.object(slot).index();
            let rank = phase.recorded_assignment().rank_of(slot);
            has_migrated[object] |= *first_ranks[object].get_or_insert(rank) != rank;
            if collections[object].is_none() {
                collections[object] =
                    phase.coordinates().and_then(|coordinates| coordinates.collection(slot));
            }
        }
    }
    let mut of_objects: BTreeMap<ObjectIdx, Vec<f64>> = BTreeMap::new();
    let mut of_collections: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (_, phase) in measured(labels) {
        for slot in phase.slots() {
            let object = phase.object(slot);
            let times = match (has_migrated[object.index()], collections[object.index()]) {
                (true, _) => of_objects.entry(object).or_default(),
                (false, Some(collection)) => of_collections.entry(collection).or_default(),
                (false, None) => continue,
            };
            times.push(phase.load(slot));
        }
    }
    // Times in parts of nothing say nothing.
    let positive = |times: &mut Vec<f64>| median(times).filter(|&median| median > 0.0);
    let of_objects: BTreeMap<ObjectIdx, Option<f64>> =
        of_objects.into_iter().map(|(object, mut times)| (object, positive(&mut times))).collect();
    // Siblings that are all on one rank say nothing of others.
    let mut ranks_of: BTreeMap<u64, (Option<RankId>, bool)> = BTreeMap::new();
    for ((collection, rank), has_migrated) in collections.iter().zip(&first_ranks).zip(&has_migrated) {
        if let (Some(collection), Some(rank), false) = (collection, rank, has_migrated) {
            let (first, are_several) = ranks_of.entry(*collection).or_default();
            *are_several |= *first.get_or_insert(*rank) != *rank;
        }
    }
    let of_collections: BTreeMap<u64, Option<f64>> = of_collections
        .into_iter()
        .map(|(collection, mut times)| {
            (
                collection,
                positive(&mut times).filter(|_| ranks_of.get(&collection).is_some_and(|ranks| ranks.1)),
            )
        })
        .collect();
    (0..data.n_objects())
        .map(|object| {
            let of_siblings =
                || collections[object].and_then(|collection| *of_collections.get(&collection)?);
            match of_objects.get(&ObjectIdx::from(object)) {
                Some(usual) => usual.map_or(Usual::Unknown, Usual::OfObject),
                None => of_siblings().map_or(Usual::Unknown, Usual::OfSiblings),
            }
        })
        .collect()
}

fn nodes(ranks: &[RankSlowness], tolerance: Tolerance) -> Vec<NodeSlowness> {
    let mut by_node: BTreeMap<NodeId, Vec<&RankSlowness>> = BTreeMap::new();
    for rank in ranks {
        by_node.entry(rank.node).or_default().push(rank);
    }
    let node = |(node, ranks): (NodeId, Vec<&RankSlowness>)| {
        let n_slow_ranks = ranks.iter().filter(|rank| rank.is_slow).count();
        let of_socket = ranks.len().div_ceil(tolerance.sockets_per_node.max(1));
        let mut factors: Vec<f64> = ranks.iter().filter_map(|rank| rank.factor).collect();
        NodeSlowness {
            node,
            n_ranks: ranks.len(),
            n_slow_ranks,
            factor: median(&mut factors),
            is_slow: n_slow_ranks >= of_socket,
        }
    };
    by_node.into_iter().map(node).collect()
}
