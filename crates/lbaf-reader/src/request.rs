// SPDX-License-Identifier: MIT OR Apache-2.0
//! What to read, and how to read it.

use std::collections::BTreeMap;

use lbaf_vom::CommunicationKind;

/// What to take from the files of a data set.
pub struct Request<'a> {
    /// Whether a phase is wanted.
    pub phases: &'a (dyn Fn(u64) -> bool + Sync),
    /// Which communication counts as volume.
    pub communication_kinds: &'a [CommunicationKind],
    /// What becomes of communication with an object that has no task in the phase.
    pub absent_endpoints: AbsentEndpoints,
    /// Which ranks share a node.
    pub nodes: NodeRule,
    /// Speeds that override those of the files, by rank.
    pub rank_alpha: &'a BTreeMap<u32, f64>,
    /// Whether records are kept for writing.
    pub records: bool,
    /// Whether phases have the coordinates of their objects.
    pub coordinates: bool,
    /// Whether phases have what their objects took in each subphase.
    pub subphases: bool,
    /// Documents beyond this many bytes in total are read again at writing time instead of being kept.
    pub record_memory_bytes: u64,
}

impl Default for Request<'_> {
    fn default() -> Self {
        static NONE: BTreeMap<u32, f64> = BTreeMap::new();
        Request {
            phases: &|_| true,
            communication_kinds: &[CommunicationKind::SendRecv],
            absent_endpoints: AbsentEndpoints::Drop,
            nodes: NodeRule::RanksPerNode(1),
            rank_alpha: &NONE,
            records: false,
            coordinates: false,
            subphases: false,
            record_memory_bytes: 4 << 30,
        }
    }
}

/// What becomes of communication with an object that has no task in the phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AbsentEndpoints {
    /// It is left out of the model, counted and reported.
    #[default]
    Drop,
    /// The object is taken to sit on its home rank.
    Home,
}

/// Which ranks share a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRule {
    /// Consecutive ranks in groups of this size.
    RanksPerNode(u32),
    /// As `metadata.shared_node` of each file says, or else the `Hostname` among the attributes there; each rank without
    /// either is a node of its own.
    FromFiles,
}
