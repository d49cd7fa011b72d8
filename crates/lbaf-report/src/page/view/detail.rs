// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of a rank, and ranks that it communicates with.

use serde::Serialize;

use super::PackedNumbers;

/// Objects and neighbours of all ranks in one phase, the largest of each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankDetails {
    /// Objects, those of all ranks in one list.
    pub objects: LargestObjects,
    /// Neighbours, those of all ranks in one list.
    pub neighbours: Neighbours,
}

/// Objects, in columns of equal length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LargestObjects {
    /// Number of objects of each rank, before and after: the largest by load.
    pub per_rank: usize,
    /// Numbers in the files.
    pub id: PackedNumbers,
    /// Bit 0: may migrate. Bit 1: the number is a `seq_id`.
    pub flags: PackedNumbers,
    /// Seconds of load.
    pub load: PackedNumbers,
    /// The rank before.
    pub from: PackedNumbers,
    /// The rank after.
    pub to: PackedNumbers,
}

/// Ranks that ranks communicate with: those with the largest volume before, and those with the largest after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Neighbours {
    /// Number of all neighbours before, by rank.
    pub n_before: PackedNumbers,
    /// Number of all neighbours after, by rank.
    pub n_after: PackedNumbers,
    /// Number of neighbours listed here, by rank.
    pub n: PackedNumbers,
    /// The other rank; those of rank 0 first, then those of rank 1, and so on.
    pub rank: PackedNumbers,
    /// Bytes in both directions before.
    pub before: PackedNumbers,
    /// Bytes in both directions after.
    pub after: PackedNumbers,
}

impl RankDetails {
    /// About how many bytes it takes in the page.
    pub fn size(&self) -> usize {
        let LargestObjects { id, flags, load, from, to, .. } = &self.objects;
        let Neighbours { n_before, n_after, n, rank, before, after } = &self.neighbours;
        let columns = [id, flags, load, from, to, n_before, n_after, n, rank, before, after];
        columns.into_iter().map(PackedNumbers::size).sum()
    }
}
