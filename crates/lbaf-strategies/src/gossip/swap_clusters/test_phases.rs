// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small random phases with blocks and communication, in which only some ranks have objects.

use lbaf_model::{Block, BlockIdx, Object, ObjectMemory, Phase, RankId, Slot, Vertex};
use proptest::prelude::*;

/// Number of ranks of a phase.
pub(super) const N_RANKS: u32 = 70;

/// Ranks with objects. The set of the ranks of partners does not distinguish ranks that are equal modulo 64.
pub(super) const OWNERS: [u32; 4] = [0, 1, 64, 65];

/// Number of blocks, enough for more clusters on a rank than are compared at once.
const N_BLOCKS: u32 = 24;

/// Generates a rank with objects.
fn owner() -> impl Strategy<Value = u32> {
    prop::sample::select(&OWNERS[..])
}

prop_compose! {
    /// Some objects are non-migratable, and some edges end at a rank. Loads and volumes are whole numbers, so sums are
    /// exact in any order.
    pub(super) fn phases()(
        objects in prop::collection::vec((0_u8..9, owner(), prop::option::weighted(0.8, 0..N_BLOCKS), 0_u8..6), 1..60),
        edges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1_u8..9, 0_u8..20), 0..90),
    ) -> Phase {
        let object = |&(load, rank, block, kind): &(u8, u32, Option<u32>, u8)| {
            let memory = ObjectMemory { block: block.map(BlockIdx), footprint_bytes: 1.0, ..ObjectMemory::default() };
            Object { memory, migratable: kind > 0, ..Object::new(f64::from(load), RankId(rank)) }
        };
        let object_at = |at: &prop::sample::Index| Vertex::Object(Slot::from(at.index(objects.len())));
        let edges = edges.iter().map(|(from, to, bytes, kind)| {
            let rank = Vertex::Rank(RankId(OWNERS[usize::from(*kind) % OWNERS.len()]));
            let (from, to) = match kind {
                0..3 => (rank, object_at(to)),
                3..6 => (object_at(from), rank),
                _ => (object_at(from), object_at(to)),
            };
            (from, to, f64::from(*bytes))
        });
        let homes = OWNERS.into_iter().cycle();
        let blocks = (0..u64::from(N_BLOCKS)).zip(homes).map(|(id, home)| Block { id, size_bytes: 8.0, home: RankId(home) });
        let builder = Phase::builder(N_RANKS as usize).blocks(blocks).objects(objects.iter().map(object));
        builder.communications(edges).build().unwrap()
    }
}
