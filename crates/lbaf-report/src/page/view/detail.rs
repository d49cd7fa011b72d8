// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of ranks, and neighbours in communication.

use serde::Serialize;

use super::PackedNumbers;

/// Largest objects and neighbours of all ranks in one phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankDetails {
    /// Objects of all ranks in one list.
    pub objects: LargestObjects,
    /// Neighbours of all ranks in one list.
    pub neighbours: Neighbours,
}

/// Objects, in columns of equal length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LargestObjects {
    /// Maximum number of listed objects per rank before balancing, and also after it. The objects with the largest
    /// loads are listed.
    pub per_rank: usize,
    /// Numbers of the objects in the files.
    pub id: PackedNumbers,
    /// Bit 0: the object is migratable. Bit 1: the number is a `seq_id`.
    pub flags: PackedNumbers,
    /// Loads in seconds.
    pub load: PackedNumbers,
    /// Rank of each object before balancing.
    pub from: PackedNumbers,
    /// Rank of each object after balancing.
    pub to: PackedNumbers,
}

/// Neighbours of ranks with the largest volume before or after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Neighbours {
    /// Number of all neighbours before, by rank.
    pub n_before: PackedNumbers,
    /// Number of all neighbours after, by rank.
    pub n_after: PackedNumbers,
    /// Number of listed neighbours, by rank.
    pub n: PackedNumbers,
    /// Listed neighbours of rank 0, then of rank 1, and so on.
    pub rank: PackedNumbers,
    /// Bytes in both directions before.
    pub before: PackedNumbers,
    /// Bytes in both directions after.
    pub after: PackedNumbers,
    /// True if a rank has neighbours that are not listed.
    #[serde(skip)]
    pub is_partial: bool,
}

impl RankDetails {
    /// Returns the approximate size in the page, in bytes.
    pub fn size(&self) -> usize {
        let LargestObjects { id, flags, load, from, to, .. } = &self.objects;
        let Neighbours { n_before, n_after, n, rank, before, after, .. } = &self.neighbours;
        let columns = [id, flags, load, from, to, n_before, n_after, n, rank, before, after];
        columns.into_iter().map(PackedNumbers::size).sum()
    }
}
