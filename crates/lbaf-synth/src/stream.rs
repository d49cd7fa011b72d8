// SPDX-License-Identifier: MIT OR Apache-2.0
//! Independent streams of random numbers.
//!
//! Every part of a data set has its own stream. A setting therefore changes only the parts that depend on it, and the
//! order of creation does not matter.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Purposes of random numbers. Never change the discriminants: they determine the data of a seed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// Ranks on which migratable objects start.
    MappedRanks = 0,
    /// Start rank of each object.
    Placement = 1,
    /// Loads of the first phase.
    Loads = 2,
    /// Changes of loads, one stream per phase.
    Drift = 3,
    /// Receivers, one stream per sender.
    Receivers = 4,
    /// Volumes, one stream per sender.
    Volumes = 5,
    /// Sizes of the memory blocks.
    BlockSizes = 6,
    /// Block of each object.
    BlockUse = 7,
    /// Loads of sentinels, one stream per rank.
    SentinelLoads = 8,
}

/// Returns the stream for a purpose and an index: phase, rank or object; 0 for a single stream.
pub(crate) fn stream(seed: u64, purpose: Purpose, index: u32) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(((purpose as u64) << 32) | u64::from(index));
    rng
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    #[test]
    fn streams_differ_by_seed_purpose_and_index() {
        let mut first_words = vec![
            stream(1, Purpose::Loads, 0).next_u64(),
            stream(2, Purpose::Loads, 0).next_u64(),
            stream(1, Purpose::Drift, 0).next_u64(),
            stream(1, Purpose::Drift, 1).next_u64(),
        ];
        first_words.sort_unstable();
        first_words.dedup();
        assert_eq!(first_words.len(), 4);
    }

    #[test]
    fn stream_zero_is_plain_chacha() {
        assert_eq!(stream(42, Purpose::MappedRanks, 0).next_u64(), ChaCha8Rng::seed_from_u64(42).next_u64(),);
    }
}
