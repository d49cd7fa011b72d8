// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reproducible random choices (`SplitMix64`).

use serde_json::{Value, json};

pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        let mut draw = Draw(seed.wrapping_mul(0xd134_2543_de82_ef95));
        draw.next();
        draw
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number below `n`.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// True once in `n` times on average.
    pub(super) fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Returns one of the choices.
    pub(super) fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize].clone()
    }

    /// Returns a load or a size: zero, a small multiple of 1/4, or a number with all its digits, in the
    /// spelling of an integer or of a float.
    pub(super) fn amount(&mut self, unit: f64) -> Value {
        match self.below(6) {
            0 => json!(0),
            1 | 2 => json!(self.below(40)),
            3 => json!(unit * self.below(40) as f64 / 4.0),
            _ => json!(unit * self.below(1 << 30) as f64 / f64::from(1 << 26)),
        }
    }
}
