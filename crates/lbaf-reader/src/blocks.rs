// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory blocks as described by the tasks of all ranks.

use std::collections::BTreeMap;

use lbaf_model::{Block, BlockIdx, RankId};
use lbaf_vom::{BlockRow, NONE, PhaseRows};
use rustc_hash::FxHashMap;

/// Blocks of a phase, ascending by id, and the block of each row in the files.
pub(crate) struct Blocks {
    pub(crate) ascending: Vec<Block>,
    /// By rank, then by position of the row in the file.
    pub(crate) index: Vec<Vec<BlockIdx>>,
    /// Number of blocks for which tasks state different sizes or homes.
    pub(crate) n_contradictory: usize,
}

impl Blocks {
    /// Collects the blocks of a phase. The home of a block is the first `home_rank` that a task states, in the order of
    /// ranks, or else the lowest rank with a task of the block in this phase. The largest stated size counts.
    ///
    /// The error contains the rank of the file and a message.
    pub(crate) fn gather(files: &[&PhaseRows]) -> Result<Self, (usize, String)> {
        let mut facts: BTreeMap<u64, Facts> = BTreeMap::new();
        for (rank, file) in files.iter().enumerate() {
            for row in &file.blocks {
                if row.home != NONE && row.home as usize >= files.len() {
                    let message = format!(
                        "block {} has `home_rank` {}, but the last rank is {}",
                        row.id,
                        row.home,
                        files.len() - 1
                    );
                    return Err((rank, message));
                }
                facts.entry(row.id).or_insert_with(|| Facts::new(row, rank)).add(row);
            }
        }
        let position: FxHashMap<u64, BlockIdx> =
            facts.keys().enumerate().map(|(position, &id)| (id, BlockIdx::from(position))).collect();
        let index =
            files.iter().map(|file| file.blocks.iter().map(|row| position[&row.id]).collect()).collect();
        Ok(Blocks {
            ascending: facts.iter().map(|(&id, facts)| facts.block(id)).collect(),
            index,
            n_contradictory: facts.values().filter(|facts| facts.contradictory).count(),
        })
    }

    /// Returns the home of a block; `None` if no task refers to the block.
    pub(crate) fn home(&self, id: u64) -> Option<RankId> {
        let position = self.ascending.binary_search_by_key(&id, |block| block.id).ok()?;
        Some(self.ascending[position].home)
    }
}

struct Facts {
    size_bytes: f64,
    first_holder: usize,
    home: u32,
    contradictory: bool,
}

impl Facts {
    fn new(row: &BlockRow, rank: usize) -> Self {
        Facts { size_bytes: row.size_bytes, first_holder: rank, home: row.home, contradictory: false }
    }

    fn add(&mut self, row: &BlockRow) {
        let other_home = row.home != NONE && self.home != NONE && row.home != self.home;
        self.contradictory |= other_home || row.size_bytes != self.size_bytes;
        self.size_bytes = self.size_bytes.max(row.size_bytes);
        if self.home == NONE {
            self.home = row.home;
        }
    }

    fn block(&self, id: u64) -> Block {
        let home = if self.home == NONE { RankId::from(self.first_holder) } else { RankId(self.home) };
        Block { id, size_bytes: self.size_bytes, home }
    }
}
