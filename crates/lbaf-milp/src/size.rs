// SPDX-License-Identifier: MIT OR Apache-2.0
//! Estimated size of a program, before it is built.

use std::collections::BTreeSet;
use std::fmt;

use lbaf_model::{Phase, WorkModel};

use crate::form::Form;

/// Size of a program: sizes of the problem, and an upper limit on the number of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramSize {
    /// Number of migratable objects. If objects of a block stay together, all objects of a block count as one.
    pub n_units: usize,
    /// Number of ranks.
    pub n_ranks: usize,
    /// Number of edges; 0 if the work model does not count communication.
    pub n_edges: usize,
    /// Number of blocks; 0 if the work model counts neither memory nor homing.
    pub n_blocks: usize,
    /// Largest possible number of variables. There can be about three times as many constraints.
    pub n_variables: u64,
}

impl ProgramSize {
    /// Computes the size of the program of a problem. O(objects log blocks).
    pub fn of(phase: &Phase, model: &dyn WorkModel, form: Form, whole_clusters: bool) -> Self {
        let aspects = model.aspects();
        let mut clusters = BTreeSet::new();
        let is_unit = |slot: &lbaf_model::Slot| {
            let cluster = phase.memory(*slot).block.filter(|_| whole_clusters);
            phase.is_migratable(*slot) && cluster.is_none_or(|block| clusters.insert(block))
        };
        let n_units = phase.slots().filter(is_unit).count();
        let n_ranks = phase.n_ranks();
        let n_edges = if aspects.communication { phase.communication().n_edges() } else { 0 };
        let counts_blocks = aspects.homing || aspects.memory;
        let n_blocks = if counts_blocks { phase.blocks().len() } else { 0 };
        let per_edge = if form == Form::Fwmp { n_ranks } else { 1 };
        let [units, ranks, edges, blocks, per_edge] =
            [n_units, n_ranks, n_edges, n_blocks, per_edge].map(|n| n as u64);
        // Two variables per rank, for the largest working memory and the largest serialized size.
        let largest = if aspects.memory { 2 } else { 0 };
        // The sum cannot overflow: each count has 32 bits.
        let per_rank = units + blocks + largest + edges.saturating_mul(per_edge);
        let n_variables = ranks.saturating_mul(per_rank).saturating_add(1);
        ProgramSize { n_units, n_ranks, n_edges, n_blocks, n_variables }
    }
}

/// Prints `9 objects or clusters, 4 ranks, 8 edges and 5 blocks need up to 89 columns`.
impl fmt::Display for ProgramSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProgramSize { n_units, n_ranks, n_edges, n_blocks, n_variables } = self;
        write!(
            f,
            "{n_units} objects or clusters, {n_ranks} ranks, {n_edges} edges and {n_blocks} blocks need up to \
             {n_variables} columns"
        )
    }
}
