// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranges over all frames: extremes, counts and distinct values, which make frames comparable.

use std::collections::BTreeSet;

use crate::edges::{MOST_EDGES, between_ranks};
use crate::{Frame, PictureError};

/// Largest number of distinct values with a colour for each.
pub(crate) const MOST_VALUES: usize = 20;

/// Extremes of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// True if a rank or object has no value.
    pub(crate) lacks: bool,
}

/// Ranges over all frames of a picture. Add every frame before drawing the first one.
#[derive(Clone, Debug)]
pub struct Ranges {
    pub(crate) n_frames: usize,
    pub(crate) n_ranks: usize,
    pub(crate) last_phase: u64,
    /// Extent of the quantity of ranks.
    pub(crate) ranks: Extent,
    /// Extent of the quantity of objects.
    pub(crate) objects: Extent,
    /// Bits ([`ordered`]) of the distinct values of objects; at most one value more than [`MOST_VALUES`].
    values: BTreeSet<u64>,
    pub(crate) least_load: f64,
    pub(crate) most_load: f64,
    pub(crate) most_on_rank: usize,
    pub(crate) most_edges: usize,
    pub(crate) most_bytes: f64,
    /// Largest number of pairs of ranks that communicate in a frame, and largest volume between two ranks; `None` if a
    /// frame has more than [`MOST_EDGES`] pairs.
    pub(crate) rank_pairs: Option<(usize, f64)>,
    pub(crate) any_sentinel: bool,
    pub(crate) any_anomaly: bool,
}

impl Extent {
    const NONE: Extent = Extent { low: f64::INFINITY, high: f64::NEG_INFINITY, lacks: false };

    fn add(&mut self, values: &[f64]) {
        for &value in values {
            if value.is_nan() {
                self.lacks = true;
            } else {
                self.low = self.low.min(value);
                self.high = self.high.max(value);
            }
        }
    }

    /// True if no value was added.
    pub(crate) fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// Returns the place of a value between the extremes, from 0 to 1; 0.5 for equal extremes.
    pub(crate) fn place(self, value: f64) -> f64 {
        if self.low >= self.high {
            return 0.5;
        }
        // Halved, because the difference of two finite numbers may overflow.
        let place = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        place.clamp(0.0, 1.0)
    }
}

impl Default for Ranges {
    fn default() -> Self {
        Ranges {
            n_frames: 0,
            n_ranks: 0,
            last_phase: 0,
            ranks: Extent::NONE,
            objects: Extent::NONE,
            values: BTreeSet::new(),
            least_load: f64::INFINITY,
            most_load: 0.0,
            most_on_rank: 0,
            most_edges: 0,
            most_bytes: 0.0,
            rank_pairs: Some((0, 0.0)),
            any_sentinel: false,
            any_anomaly: false,
        }
    }
}

impl Ranges {
    /// Adds a frame.
    ///
    /// # Errors
    /// If its lists are inconsistent, a number is invalid, or its number of ranks differs from that of earlier frames.
    pub fn add(&mut self, frame: &Frame<'_>) -> Result<(), PictureError> {
        frame.check()?;
        let (objects, n_ranks) = (frame.objects, frame.n_ranks());
        if self.n_frames > 0 && n_ranks != self.n_ranks {
            let list = "rank_qoi".to_owned();
            return Err(PictureError::Length { list, found: n_ranks, expected: self.n_ranks });
        }
        self.n_frames += 1;
        self.n_ranks = n_ranks;
        self.last_phase = self.last_phase.max(frame.phase);
        self.ranks.add(&frame.rank_qoi);
        self.objects.add(&frame.object_qoi);
        self.add_values(&frame.object_qoi);
        self.least_load = objects.load.iter().copied().fold(self.least_load, f64::min);
        self.most_load = objects.load.iter().copied().fold(self.most_load, f64::max);
        let mut on_rank = vec![0; n_ranks];
        for &rank in &frame.rank_of {
            on_rank[rank as usize] += 1;
        }
        self.most_on_rank = on_rank.into_iter().fold(self.most_on_rank, usize::max);
        self.most_edges = self.most_edges.max(objects.edges.len());
        self.most_bytes = objects.edges.iter().map(|edge| edge.bytes).fold(self.most_bytes, f64::max);
        self.rank_pairs = self.rank_pairs.and_then(|(n, bytes)| {
            let pairs = between_ranks(frame, MOST_EDGES)?;
            Some((n.max(pairs.len()), pairs.iter().map(|pair| pair.bytes).fold(bytes, f64::max)))
        });
        self.any_sentinel |= objects.migratable.contains(&false);
        self.any_anomaly |= objects.anomalous.contains(&true);
        Ok(())
    }

    fn add_values(&mut self, values: &[f64]) {
        for &value in values.iter().filter(|value| !value.is_nan()) {
            if self.values.len() > MOST_VALUES {
                return;
            }
            self.values.insert(ordered(value));
        }
    }

    /// Returns the distinct values of objects, ascending; `None` for no values or more than [`MOST_VALUES`].
    pub(crate) fn values(&self) -> Option<Vec<f64>> {
        let few = (1..=MOST_VALUES).contains(&self.values.len());
        few.then(|| self.values.iter().map(|&bits| unordered(bits)).collect())
    }
}

const SIGN: u64 = 1 << 63;

/// Returns bits that are ordered like the numbers; -0 has the bits of 0.
fn ordered(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn unordered(bits: u64) -> f64 {
    f64::from_bits(if bits & SIGN == 0 { !bits } else { bits & !SIGN })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Moment, Objects};

    #[test]
    fn numbers_keep_their_order_as_bits() {
        let numbers = [f64::MIN, -1.5, -1e-300, 0.0, 1e-300, 2.0, f64::MAX];
        assert!(numbers.windows(2).all(|pair| ordered(pair[0]) < ordered(pair[1])));
        assert!(numbers.iter().all(|&number| unordered(ordered(number)) == number));
        assert_eq!(ordered(-0.0), ordered(0.0));
    }

    #[test]
    fn places_are_between_the_extremes() {
        let extent = |values: &[f64]| {
            let mut extent = Extent::NONE;
            extent.add(values);
            extent
        };
        let wide = extent(&[-2.0, 6.0, f64::NAN]);
        assert!(wide.lacks && !wide.is_empty());
        assert_eq!([wide.place(-2.0), wide.place(0.0), wide.place(6.0)], [0.0, 0.25, 1.0]);
        assert_eq!(extent(&[3.0, 3.0]).place(3.0), 0.5);
        assert_eq!(extent(&[f64::MIN, f64::MAX]).place(0.0), 0.5);
        assert!(extent(&[f64::NAN]).is_empty());
    }

    #[test]
    fn frames_share_their_extremes() {
        let objects = Objects {
            number: vec![1, 2, 3],
            load: vec![1.0, 4.0, 0.0],
            migratable: vec![true, true, false],
            edges: vec![Edge { ends: [0, 1], bytes: 5.0 }, Edge { ends: [1, 2], bytes: 7.0 }],
            ..Objects::default()
        };
        let frame = |rank_of: [u32; 3], load| Frame {
            phase: 4,
            moment: Moment::Start,
            load_imbalance: 0.0,
            rank_qoi: vec![load, 5.0 - load],
            rank_attributes: &[],
            objects: &objects,
            rank_of: rank_of.into(),
            object_qoi: vec![2.0, 2.0, -1.0],
        };
        let mut ranges = Ranges::default();
        ranges.add(&frame([0, 1, 1], 1.0)).unwrap();
        ranges.add(&frame([0, 0, 0], 5.0)).unwrap();
        assert_eq!((ranges.ranks.low, ranges.ranks.high), (0.0, 5.0));
        assert_eq!(ranges.values(), Some(vec![-1.0, 2.0]));
        assert_eq!((ranges.most_on_rank, ranges.most_load, ranges.most_bytes), (3, 4.0, 7.0));
        // Only the first pair in the first frame is off-rank.
        assert_eq!(ranges.rank_pairs, Some((1, 5.0)));
        assert!(ranges.any_sentinel && !ranges.any_anomaly);
        let other = Frame { rank_qoi: vec![1.0; 3], ..frame([0, 1, 1], 1.0) };
        assert!(ranges.add(&other).is_err());
    }
}
