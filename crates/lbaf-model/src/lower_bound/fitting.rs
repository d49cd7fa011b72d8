// SPDX-License-Identifier: MIT OR Apache-2.0
//! Number of blocks that fit into a bin.

use super::level::ROUNDING;

/// Weights of blocks, to count the blocks that fit into a bin, smallest first.
pub(super) struct Fitting {
    /// Weights, ascending; `sums` contains their prefix sums.
    pub(super) weights: Vec<f64>,
    sums: Vec<f64>,
}

impl Fitting {
    pub(super) fn new(mut weights: Vec<f64>) -> Self {
        weights.sort_unstable_by(f64::total_cmp);
        let mut sum = 0.0;
        let sums = weights.iter().map(|weight| {
            sum += weight;
            sum
        });
        Fitting { sums: sums.collect(), weights }
    }

    /// Returns the largest number of blocks that fit into `capacity` if each block may occur `times` times.
    /// O(log blocks + times).
    pub(super) fn n_in(&self, times: usize, capacity: f64) -> usize {
        let capacity = capacity * (1.0 + ROUNDING);
        let whole = self.sums.partition_point(|sum| sum * times as f64 <= capacity);
        let filled = if whole == 0 { 0.0 } else { self.sums[whole - 1] * times as f64 };
        let in_part = self.weights.get(whole).map_or(0, |weight| {
            (1..times).take_while(|&more| filled + weight * more as f64 <= capacity).count()
        });
        whole * times + in_part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_blocks_fill_a_bin_first() {
        let fitting = Fitting::new(vec![3.0, 1.0, 2.0]);
        let n_in = |times, capacity| fitting.n_in(times, capacity);
        assert_eq!([n_in(1, 0.5), n_in(1, 1.0), n_in(1, 5.9), n_in(1, 6.0), n_in(1, 99.0)], [0, 1, 2, 3, 3]);
        // 1 + 1 + 2 = 4 fit into 5; with another 2, the sum would be 6.
        assert_eq!([n_in(2, 5.0), n_in(2, 6.0), n_in(2, 9.0), n_in(2, 12.0)], [3, 4, 5, 6]);
        assert_eq!(n_in(2, -1.0), 0);
    }
}
