// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is behind a rank: its objects and whom it communicates with.

use serde::Serialize;

use crate::Column;

/// Objects and neighbours of all ranks in one phase, the largest of each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Detail {
    /// Objects, those of all ranks in one list.
    pub objects: Objects,
    /// Neighbours, those of all ranks in one list.
    pub neighbours: Neighbours,
}

/// Objects, in columns of equal length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Objects {
    /// How many of each rank are here at least, if it has as many: the largest by load, before and after.
    pub per_rank: usize,
    /// Numbers in the files.
    pub id: Column,
    /// Bit 0: may migrate. Bit 1: the number is a `seq_id`.
    pub flags: Column,
    /// Seconds of load.
    pub load: Column,
    /// The rank before.
    pub from: Column,
    /// The rank after.
    pub to: Column,
}

/// Ranks that ranks communicate with: those with the largest volume before, and those with the largest after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Neighbours {
    /// How many each rank has in all before, by rank.
    pub n_before: Column,
    /// How many each rank has in all after, by rank.
    pub n_after: Column,
    /// How many of them are here, by rank.
    pub n: Column,
    /// The other rank; those of rank 0 first, then those of rank 1, and so on.
    pub rank: Column,
    /// Bytes in both directions before.
    pub before: Column,
    /// Bytes in both directions after.
    pub after: Column,
}

impl Detail {
    /// About how many bytes it takes in the page.
    pub fn size(&self) -> usize {
        let Objects { id, flags, load, from, to, .. } = &self.objects;
        let Neighbours { n_before, n_after, n, rank, before, after } = &self.neighbours;
        let columns = [id, flags, load, from, to, n_before, n_after, n, rank, before, after];
        columns.into_iter().map(Column::size).sum()
    }
}
