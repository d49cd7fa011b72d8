// SPDX-License-Identifier: MIT OR Apache-2.0
//! Digest that identifies the balancing problem of a phase.

use crate::{Phase, RankId, Vertex};

impl Phase {
    /// Returns a digest of the data that determine works and bounds.
    ///
    /// It includes loads, memory, blocks, ranks, edges, and the ranks of non-migratable objects, but no ids
    /// of objects, numbers of messages, subphases or recorded ranks of migratable objects.
    ///
    /// The digest is the same in every version and on every machine. O(objects + edges).
    pub fn digest(&self) -> u64 {
        let mut digest = Digest(self.n_objects() as u64);
        for rank in self.ranks() {
            digest.add_all([rank.alpha, rank.working_bytes]);
            digest.add(u64::from(rank.node.0));
        }
        for slot in self.slots() {
            let memory = self.memory(slot);
            digest.add_all([
                self.load(slot),
                memory.footprint_bytes,
                memory.working_bytes,
                memory.serialized_bytes,
            ]);
            digest.add_rank((!self.is_migratable(slot)).then(|| self.recorded_assignment().rank_of(slot)));
            let block = memory.block.map(|block| &self.blocks()[block.index()]);
            digest.add(block.map_or(u64::MAX, |block| block.id));
            digest.add_all(block.map(|block| block.size_bytes));
            digest.add_rank(block.map(|block| block.home));
        }
        for (from, to, volume) in self.communication().edges() {
            for end in [from, to] {
                match end {
                    Vertex::Object(slot) => digest.add(slot.index() as u64),
                    Vertex::Rank(rank) => digest.add_rank(Some(rank)),
                }
            }
            digest.add_all([volume.bytes]);
        }
        digest.0
    }
}

struct Digest(u64);

impl Digest {
    /// Mixes a value into the digest with the finalizer of `SplitMix64` (Steele, Lea and Flood 2014,
    /// doi:10.1145/2714064.2660195).
    fn add(&mut self, value: u64) {
        let mut mixed = (self.0 ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = mixed ^ (mixed >> 31);
    }

    /// Adds 0 and -0 as the same number.
    fn add_all(&mut self, values: impl IntoIterator<Item = f64>) {
        values.into_iter().for_each(|value| self.add((value + 0.0).to_bits()));
    }

    /// Adds a rank, or the largest number for no rank. The highest bit distinguishes a rank from a slot.
    fn add_rank(&mut self, rank: Option<RankId>) {
        self.add(rank.map_or(u64::MAX, |rank| u64::from(rank.0) | 1 << 63));
    }
}
