// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of two data sets.

use lbaf_model::PhaseId;
use lbaf_reader::Recorded;
use rayon::prelude::*;
use serde::Serialize;

use super::difference::{Difference, Pair, differences, joined};
use super::facts::Side;
use super::phase::PhaseDifference;
use super::totals::Totals;

/// All differences of two data sets.
#[derive(Debug, Serialize)]
pub(super) struct Comparison {
    pub(super) equal: bool,
    pub(super) a: DataSetFacts,
    pub(super) b: DataSetFacts,
    pub(super) phases_only_in: Pair<Vec<u64>>,
    /// Differences in the nodes of ranks that both data sets have.
    pub(super) nodes: Vec<Difference<usize, u64>>,
    /// Phases that both data sets have, ascending.
    pub(super) phases: Vec<PhaseDifference>,
}

/// Facts of one of the data sets.
#[derive(Debug, Serialize)]
pub(super) struct DataSetFacts {
    pub(super) stem: String,
    pub(super) suffix: String,
    pub(super) n_ranks: usize,
    pub(super) n_objects: usize,
    /// Phases that were read.
    pub(super) phases: Vec<u64>,
    /// Kind of the ids of objects; `None` for several kinds, or without objects.
    pub(super) id_kind: Option<&'static str>,
    pub(super) warnings: Vec<String>,
}

/// Data set, with its stem and suffix.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) stem: &'a str,
    pub(super) suffix: &'a str,
    pub(super) recorded: &'a Recorded,
}

impl Comparison {
    /// Compares phase by phase. Linear in both data sets.
    pub(super) fn new(a: Found<'_>, b: Found<'_>) -> Self {
        let mut only_in = Pair { a: Vec::new(), b: Vec::new() };
        let mut in_both = Vec::new();
        for Difference { key, a, b } in joined(a.phases(), b.phases()) {
            match (a, b) {
                (Some(a), Some(b)) => in_both.push((a, b)),
                (Some(_), None) => only_in.a.push(key.0),
                (None, _) => only_in.b.push(key.0),
            }
        }
        let phases: Vec<_> = in_both.into_par_iter().map(|(a, b)| PhaseDifference::new(a, b)).collect();
        let n_ranks = a.n_ranks().min(b.n_ranks());
        let nodes = differences(a.nodes(n_ranks), b.nodes(n_ranks));
        let equal = a.n_ranks() == b.n_ranks()
            && only_in.a.is_empty()
            && only_in.b.is_empty()
            && nodes.is_empty()
            && phases.iter().all(PhaseDifference::is_equal);
        Comparison { equal, a: a.facts(), b: b.facts(), phases_only_in: only_in, nodes, phases }
    }

    /// Returns the totals of differences over all phases.
    pub(super) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for PhaseDifference { n_objects, objects, edges, .. } in &self.phases {
            totals.add(n_objects.a, objects, edges);
        }
        totals
    }
}

impl<'a> Found<'a> {
    fn n_ranks(self) -> usize {
        self.recorded.data.n_ranks()
    }

    fn phases(self) -> impl Iterator<Item = (PhaseId, Side<'a>)> {
        let Recorded { data, findings, .. } = self.recorded;
        data.phases().iter().map(move |phase| {
            let counts = findings.communications.get(&phase.id());
            (phase.id(), Side { data, phase, counts })
        })
    }

    /// Returns each of the first `n_ranks` ranks whose file states a node, with the number of this node.
    fn nodes(self, n_ranks: usize) -> impl Iterator<Item = (usize, u64)> {
        let nodes = self.recorded.findings.shared_nodes.iter().enumerate().take(n_ranks);
        nodes.filter_map(|(rank, node)| Some((rank, node.as_ref()?.id)))
    }

    fn facts(self) -> DataSetFacts {
        let Recorded { data, findings, .. } = self.recorded;
        // Keys ascend, packed ids first.
        let id_kind = match data.keys() {
            [first, .., last] if first.is_sequence != last.is_sequence => None,
            [first, ..] if first.is_sequence => Some("seq_id"),
            [_, ..] => Some("id"),
            [] => None,
        };
        DataSetFacts {
            stem: self.stem.to_owned(),
            suffix: self.suffix.to_owned(),
            n_ranks: self.n_ranks(),
            n_objects: data.n_objects(),
            phases: data.phases().iter().map(|phase| phase.id().0).collect(),
            id_kind,
            warnings: findings.warnings.clone(),
        }
    }
}
