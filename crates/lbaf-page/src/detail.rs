// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is behind a rank: its objects and whom it communicates with.

use serde::Serialize;

use crate::Column;

/// Objects and neighbours of all ranks in one phase, the largest of each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Detail {
    /// Objects, those of all ranks in one list.
    pub objects: Objects,
    /// Neighbours before.
    pub before: Neighbours,
    /// Neighbours after.
    pub after: Neighbours,
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

/// Ranks that ranks communicate with, those with the largest volume first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Neighbours {
    /// How many each rank has in all, by rank.
    pub n_all: Column,
    /// How many of them are here, by rank.
    pub n: Column,
    /// The other rank; those of rank 0 first, then those of rank 1, and so on.
    pub rank: Column,
    /// Bytes sent to it.
    pub sent: Column,
    /// Bytes received from it.
    pub received: Column,
}

impl Detail {
    /// About how many bytes it takes in the page.
    pub fn size(&self) -> usize {
        let Objects { id, flags, load, from, to, .. } = &self.objects;
        let of_objects = [id, flags, load, from, to].into_iter().map(Column::size).sum::<usize>();
        let of_neighbours = [&self.before, &self.after].map(|side| {
            [&side.n_all, &side.n, &side.rank, &side.sent, &side.received]
                .map(Column::size)
                .iter()
                .sum::<usize>()
        });
        of_objects + of_neighbours.iter().sum::<usize>()
    }
}
