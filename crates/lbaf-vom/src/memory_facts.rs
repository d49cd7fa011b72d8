// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory quantities of tasks; each combination is stored once.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::entity::walk_rank;
use crate::rows::{BlockRow, MemoryRow, NONE, PhaseRows};
use crate::walker::{Walked, Walker};

/// Memory quantities of a task, as stated under `user_defined`.
#[derive(Default)]
pub(crate) struct MemoryFacts {
    pub(crate) footprint_bytes: f64,
    pub(crate) working_bytes: f64,
    pub(crate) serialized_bytes: f64,
    pub(crate) rank_working_bytes: f64,
    pub(crate) block: Option<u64>,
    pub(crate) block_bytes: f64,
    pub(crate) home: Option<u32>,
}

impl MemoryFacts {
    pub(crate) fn walk<const PLACED: bool>(&mut self, walker: &mut Walker<'_, PLACED>) -> Walked<()> {
        walker.object(|walker, key| {
            match key {
                "rank_working_bytes" => self.rank_working_bytes = walker.magnitude()?,
                "shared_bytes" => self.block_bytes = walker.magnitude()?,
                // Older writers use `shared_block_id`; a negative number means no block.
                "shared_id" | "shared_block_id" => self.block = walk_block_id(walker)?,
                "task_footprint_bytes" => self.footprint_bytes = walker.magnitude()?,
                "task_serialized_bytes" => self.serialized_bytes = walker.magnitude()?,
                "task_working_bytes" => self.working_bytes = walker.magnitude()?,
                "home_rank" => self.home = Some(walk_rank(walker)?),
                _ => walker.skip(),
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// Positions of the distinct memory and block rows of a phase, except the first few, which are searched linearly.
#[derive(Default)]
pub(crate) struct Interned {
    memory: FxHashMap<[u64; 5], u32>,
    blocks: FxHashMap<(u64, u64, u32), u32>,
}

impl Interned {
    pub(crate) fn memory(&mut self, facts: &MemoryFacts, phase: &mut PhaseRows) -> u32 {
        let &MemoryFacts { footprint_bytes, working_bytes, serialized_bytes, rank_working_bytes, .. } = facts;
        let block = self.block(facts, &mut phase.blocks);
        let row = MemoryRow { footprint_bytes, working_bytes, serialized_bytes, rank_working_bytes, block };
        let bits = [footprint_bytes, working_bytes, serialized_bytes, rank_working_bytes].map(f64::to_bits);
        let key = [bits[0], bits[1], bits[2], bits[3], u64::from(block)];
        position(&mut phase.memory, row, &mut self.memory, key)
    }

    fn block(&mut self, facts: &MemoryFacts, rows: &mut Vec<BlockRow>) -> u32 {
        let Some(id) = facts.block else { return NONE };
        let row = BlockRow { id, size_bytes: facts.block_bytes, home: facts.home.unwrap_or(NONE) };
        position(rows, row, &mut self.blocks, (row.id, row.size_bytes.to_bits(), row.home))
    }
}

/// Returns the position of `row`, which is added if it is new. Most ranks have few different rows, which are searched
/// linearly; further rows are hashed.
#[inline]
fn position<Row: Copy + PartialEq, Key: Hash + Eq>(
    rows: &mut Vec<Row>,
    row: Row,
    index: &mut FxHashMap<Key, u32>,
    key: Key,
) -> u32 {
    const FEW: usize = 8;
    let first = &rows[..rows.len().min(FEW)];
    if let Some(found) = first.iter().position(|other| *other == row) {
        return found as u32;
    }
    let next = rows.len() as u32;
    if rows.len() < FEW {
        rows.push(row);
        return next;
    }
    *index.entry(key).or_insert_with(|| {
        rows.push(row);
        next
    })
}

fn walk_block_id<const PLACED: bool>(walker: &mut Walker<'_, PLACED>) -> Walked<Option<u64>> {
    if walker.number_ahead()? < 0.0 {
        walker.skip();
        return Ok(None);
    }
    walker.unsigned().map(Some)
}
