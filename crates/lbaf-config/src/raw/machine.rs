// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section `simulation.machine`: an assumed machine.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct Machine {
    pub(in super::super) objects: Option<Objects>,
    pub(in super::super) n_ranks: Option<usize>,
    pub(in super::super) first_placement: Option<FirstPlacement>,
    pub(in super::super) ranks_per_node: Option<u32>,
    pub(in super::super) rank_alpha: BTreeMap<u32, f64>,
    pub(in super::super) slowed: Vec<Slowed>,
    pub(in super::super) lost: Vec<Lost>,
    pub(in super::super) node_memory: Option<f64>,
}

/// Regrouping of objects: either `split` or `merge`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct Objects {
    pub(in super::super) split: Option<u32>,
    pub(in super::super) merge: Option<u32>,
    pub(in super::super) along: usize,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum FirstPlacement {
    Fold,
    Blocks,
    RoundRobin,
    Lpt,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Slowed {
    pub(in super::super) rank: u32,
    #[serde(default)]
    pub(in super::super) from_phase: u64,
    pub(in super::super) to_phase: Option<u64>,
    pub(in super::super) factor: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Lost {
    pub(in super::super) rank: u32,
    #[serde(default)]
    pub(in super::super) from_phase: u64,
}
