// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communication and migrations between ranks, as sparse matrices.

use serde::Serialize;

use super::PackedNumbers;

/// Pairs of ranks, or of groups of ranks, in one phase. A pair has the number `from * n + to` for `n` groups, and pairs
/// are ascending.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankPairs {
    /// Number of consecutive ranks in a group; the last group may have fewer.
    pub ranks_per_group: usize,
    /// Volumes; `None` if the run has none for this phase.
    pub volumes: Option<PairVolumes>,
    /// Migrations.
    pub migrations: PairMigrations,
}

/// Off-rank volume by pair of groups, in columns of equal length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairVolumes {
    /// Numbers of the pairs.
    pub pair: PackedNumbers,
    /// Bytes before.
    pub before: PackedNumbers,
    /// Bytes after.
    pub after: PackedNumbers,
}

/// Migrations by pair of groups, in columns of equal length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairMigrations {
    /// Numbers of the pairs.
    pub pair: PackedNumbers,
    /// Number of objects.
    pub count: PackedNumbers,
    /// Load of the objects, in seconds.
    pub load: PackedNumbers,
    /// Bytes on the wire.
    pub bytes: PackedNumbers,
}

impl RankPairs {
    /// Returns the approximate size in the page, in bytes.
    pub fn size(&self) -> usize {
        let PairMigrations { pair, count, load, bytes } = &self.migrations;
        let volumes =
            self.volumes.iter().flat_map(|volumes| [&volumes.pair, &volumes.before, &volumes.after]);
        volumes.chain([pair, count, load, bytes]).map(PackedNumbers::size).sum()
    }
}
