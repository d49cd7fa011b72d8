// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of a phase in two data sets.

use serde::Serialize;

use super::difference::{Difference, Pair, differences};
use super::facts::{BlockFacts, Edge, EdgeFacts, Entries, EntryUse, ObjectFacts, RankFacts, Side};
use super::name::Name;
use super::totals::Totals;

/// All differences of a phase.
#[derive(Debug, Serialize)]
pub(super) struct PhaseDifference {
    pub(super) phase: u64,
    pub(super) n_objects: Pair<usize>,
    pub(super) totals: Totals,
    /// Seconds, summed over all objects.
    pub(super) load_sum: Pair<f64>,
    pub(super) load_imbalance: Pair<f64>,
    pub(super) objects: Vec<Difference<Name, ObjectFacts>>,
    pub(super) blocks: Vec<Difference<u64, BlockFacts>>,
    /// Differences of ranks that both data sets have.
    pub(super) ranks: Vec<Difference<usize, RankFacts>>,
    pub(super) edges: Vec<Difference<Edge, EdgeFacts>>,
    /// Differences in the numbers of communication entries, by type and use.
    pub(super) entries: Vec<Difference<Entries, u64>>,
    /// Communication entries of A outside edges, of which only the number is compared.
    pub(super) n_only_counted: u64,
}

impl PhaseDifference {
    /// Compares a phase. Linear in its objects, blocks, ranks and edges.
    pub(super) fn new(a: Side<'_>, b: Side<'_>) -> Self {
        let n_ranks = a.phase.n_ranks().min(b.phase.n_ranks());
        let loads = Pair { a: a.loads(), b: b.loads() };
        let mut edges = differences(a.edges(), b.edges());
        edges.retain(|edge| !edge.a.zip(edge.b).is_some_and(|(a, b)| a.is_rounded(b)));
        let objects = differences(a.objects(), b.objects());
        let mut totals = Totals::default();
        totals.add(a.phase.n_objects(), &objects, &edges);
        PhaseDifference {
            phase: a.phase.id().0,
            n_objects: Pair { a: a.phase.n_objects(), b: b.phase.n_objects() },
            totals,
            load_sum: Pair { a: loads.a.sum, b: loads.b.sum },
            load_imbalance: Pair { a: loads.a.imbalance(), b: loads.b.imbalance() },
            objects,
            blocks: differences(a.blocks(), b.blocks()),
            ranks: differences(a.ranks().take(n_ranks), b.ranks().take(n_ranks)),
            edges,
            entries: differences(a.entries().into_iter(), b.entries().into_iter()),
            n_only_counted: a
                .entries()
                .into_iter()
                .filter(|(entries, _)| entries.entry_use != EntryUse::Edge)
                .map(|(_, n)| n)
                .sum(),
        }
    }

    pub(super) fn is_equal(&self) -> bool {
        self.objects.is_empty()
            && self.blocks.is_empty()
            && self.ranks.is_empty()
            && self.edges.is_empty()
            && self.entries.is_empty()
    }
}
