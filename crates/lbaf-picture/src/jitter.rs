// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random displacement of objects, so that edges between them do not hide each other.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Random displacements of objects, as fractions of the distance between objects. The seed, [`PURPOSE`] and the number
/// of an object identify its stream of random numbers, so an object has the same displacement in every phase and
/// iteration, independently of other objects.
pub(crate) struct Jitter {
    all: ChaCha8Rng,
    /// Width of the range of displacements, as a fraction of the distance between objects.
    amount: f64,
}

/// Part of the key of all streams; a change would change all pictures.
const PURPOSE: &[u8; 8] = b"jitter\0\0";

impl Jitter {
    pub(crate) fn new(seed: u64, amount: f64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(PURPOSE);
        Jitter { all: ChaCha8Rng::from_seed(key), amount }
    }

    /// Returns the displacement of an object along each axis, as a fraction of the distance between objects: at most
    /// half of the magnitude of `amount` in either direction.
    pub(crate) fn of(&self, number: u64) -> [f64; 3] {
        if self.amount == 0.0 {
            return [0.0; 3];
        }
        let mut stream = self.all.clone();
        stream.set_stream(number);
        std::array::from_fn(|_| {
            let uniform = f64::from(stream.next_u32()) / (1_u64 << 32) as f64;
            self.amount * (uniform - 0.5)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_within_half_the_amount_and_spread_evenly() {
        let jitter = Jitter::new(7, 0.5);
        let moved: Vec<f64> = (0..4000).flat_map(|number| jitter.of(number)).collect();
        assert!(moved.iter().all(|by| by.abs() <= 0.25));
        let mean = moved.iter().sum::<f64>() / moved.len() as f64;
        // Uniform values on [-0.25, 0.25] have the standard deviation 0.1443, and the mean of 12,000 values has 0.0013.
        assert!(mean.abs() < 0.006, "{mean}");
        let variance = moved.iter().map(|by| by * by).sum::<f64>() / moved.len() as f64;
        assert!((variance - 0.25 / 12.0).abs() < 0.001, "{variance}");
    }

    #[test]
    fn depends_only_on_seed_and_number() {
        assert_eq!(Jitter::new(7, 0.5).of(3), Jitter::new(7, 0.5).of(3));
        assert_ne!(Jitter::new(7, 0.5).of(3), Jitter::new(8, 0.5).of(3));
        assert_ne!(Jitter::new(7, 0.5).of(3), Jitter::new(7, 0.5).of(4));
        assert_eq!(Jitter::new(7, 0.0).of(3), [0.0; 3]);
    }
}
