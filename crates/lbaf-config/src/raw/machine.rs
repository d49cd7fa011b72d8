// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section `simulation.machine`: an assumed machine.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct Machine {
    /// Change of the objects: `split` or `merge`.
    pub(in super::super) objects: Option<Objects>,
    /// Number of ranks of the assumed machine. Default: the recorded number.
    pub(in super::super) n_ranks: Option<usize>,
    /// Rule that places migratable objects on the assumed ranks. The default, `fold`, applies in every phase; the
    /// other rules place an object in the first phase that has it.
    pub(in super::super) first_placement: Option<FirstPlacement>,
    /// Number of consecutive ranks that share a node. Default: `ranks_per_node` of `from_data` or `from_samplers`.
    pub(in super::super) ranks_per_node: Option<u32>,
    /// Factors on the loads of individual ranks, by rank. They replace the recorded factors.
    pub(in super::super) rank_alpha: BTreeMap<u32, f64>,
    /// Ranks that are slow in a range of phases.
    pub(in super::super) slowed: Vec<Slowed>,
    /// Ranks that are lost from a phase on.
    pub(in super::super) lost: Vec<Lost>,
    /// Upper bound on the memory of all ranks of a node together, in bytes.
    pub(in super::super) node_memory: Option<f64>,
}

/// Regrouping of objects: either `split` or `merge`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct Objects {
    /// Number of parts into which each object is split.
    pub(in super::super) split: Option<u32>,
    /// Number of consecutive objects that are merged into one.
    pub(in super::super) merge: Option<u32>,
    /// Dimension of the `index` along which objects are split or merged, counted from 0. Default 0.
    pub(in super::super) along: usize,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum FirstPlacement {
    Fold,
    Blocks,
    RoundRobin,
    Lpt,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Slowed {
    /// The rank.
    pub(in super::super) rank: u32,
    /// First slow phase. Default 0.
    #[serde(default)]
    pub(in super::super) from_phase: u64,
    /// Last slow phase. Default: the last phase.
    pub(in super::super) to_phase: Option<u64>,
    /// Factor on the loads.
    pub(in super::super) factor: f64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Lost {
    /// The rank.
    pub(in super::super) rank: u32,
    /// First phase without the rank. Default 0.
    #[serde(default)]
    pub(in super::super) from_phase: u64,
}
