// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small random phases with blocks and communication.

use lbaf_model::{Block, BlockIdx, Object, ObjectMemory, Phase, RankId};
use proptest::prelude::*;

/// Number of ranks of a phase.
pub(super) const N_RANKS: u32 = 3;

prop_compose! {
    /// Loads and volumes are whole numbers, so sums are exact in any order.
    pub(super) fn phases()(
        objects in prop::collection::vec((0_u8..9, 0..N_RANKS, prop::option::of(0_u32..5)), 1..14),
        edges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1_u8..9), 0..20),
    ) -> Phase {
        let object = |&(load, rank, block): &(u8, u32, Option<u32>)| {
            let memory = ObjectMemory { block: block.map(BlockIdx), footprint_bytes: 1.0, ..ObjectMemory::default() };
            Object { memory, ..Object::new(f64::from(load), RankId(rank)) }
        };
        let end = |at: &prop::sample::Index| at.index(objects.len()) as u32;
        let edges = edges.iter().map(|(from, to, bytes)| (end(from), end(to), f64::from(*bytes)));
        let blocks = (0..5).map(|block| Block { id: u64::from(block), size_bytes: 8.0, home: RankId(block % N_RANKS) });
        let builder = Phase::builder(N_RANKS as usize).blocks(blocks).objects(objects.iter().map(object));
        builder.communications(edges).build().unwrap()
    }
}
