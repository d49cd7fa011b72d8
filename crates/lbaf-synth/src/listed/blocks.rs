// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory blocks of listed objects.

use crate::SynthError;
use crate::by_id::ById;
use crate::error::require_magnitude;
use crate::listed::{BlockSpec, stated_rank};
use crate::population::Object;

/// Records with each object the block that it uses. `used` has the id of this block for each object, or `None`.
///
/// # Errors
/// For the first block with an invalid size or home, even if unused.
pub(super) fn add_blocks(
    blocks: &ById<BlockSpec>,
    used: &[Option<u64>],
    objects: &mut [Object],
    n_ranks: u32,
) -> Result<(), SynthError> {
    let position =
        |block: u64| blocks.position(block).expect("invariant: only blocks of the list own objects");
    let mut lowest_ranks = vec![u32::MAX; blocks.len()];
    for (object, block) in objects.iter().zip(used) {
        let Some(block) = block else { continue };
        let lowest = &mut lowest_ranks[position(*block)];
        *lowest = object.rank().min(*lowest);
    }
    let mut homes = Vec::with_capacity(blocks.len());
    for ((id, block), lowest) in blocks.iter().zip(lowest_ranks) {
        require_magnitude(&format!("shared_blocks.{id}.size"), block.size)?;
        let home = stated_rank(&format!("shared_blocks.{id}.home_rank"), block.home_rank, n_ranks)?;
        homes.push((block.size, home.unwrap_or(lowest)));
    }
    for (object, block) in objects.iter_mut().zip(used) {
        let Some(id) = *block else { continue };
        let (size_bytes, home) = homes[position(id)];
        object.use_block(id, size_bytes, home);
    }
    Ok(())
}
