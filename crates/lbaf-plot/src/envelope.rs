// SPDX-License-Identifier: MIT OR Apache-2.0
//! Envelope of a line with too many values for a chart.

/// Range and mean of the values of each group of neighbours.
#[derive(Debug, PartialEq)]
pub(crate) struct Envelope {
    /// Number of values in a group; the last group may be smaller.
    pub(crate) size: usize,
    pub(crate) low: Vec<(f64, f64)>,
    pub(crate) mean: Vec<(f64, f64)>,
    pub(crate) high: Vec<(f64, f64)>,
}

/// Number of values above which a chart shows groups, and maximum number of groups.
const MOST_VALUES: usize = 512;
const MOST_GROUPS: usize = 128;

impl Envelope {
    /// Returns the envelope of values at positions `first`, `first + 1` ..., with a point in the middle of each group;
    /// `None` for at most [`MOST_VALUES`] values.
    pub(crate) fn of(values: &[f64], first: f64) -> Option<Self> {
        if values.len() <= MOST_VALUES {
            return None;
        }
        let size = values.len().div_ceil(MOST_GROUPS);
        let mut envelope = Self { size, low: Vec::new(), mean: Vec::new(), high: Vec::new() };
        for (at, group) in values.chunks(size).enumerate() {
            let n = group.len() as f64;
            let x = first + (at * size) as f64 + (n - 1.0) / 2.0;
            envelope.low.push((x, group.iter().copied().fold(f64::INFINITY, f64::min)));
            envelope.mean.push((x, group.iter().map(|value| value / n).sum()));
            envelope.high.push((x, group.iter().copied().fold(0.0, f64::max)));
        }
        Some(envelope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_need_no_envelope() {
        assert_eq!(Envelope::of(&[1.0; 512], 0.0), None);
    }

    /// 1024 values form 128 groups of 8. The second group has a spike up, and the last group has a spike down.
    #[test]
    fn contains_every_value() {
        let mut values = vec![2.0; 1024];
        (values[9], values[1023]) = (10.0, 0.0);
        let envelope = Envelope::of(&values, 0.0).unwrap();
        assert_eq!((envelope.size, envelope.mean.len()), (8, 128));
        assert_eq!(envelope.high[1], (11.5, 10.0));
        assert_eq!(envelope.mean[1], (11.5, 3.0));
        assert_eq!(envelope.low[127], (1019.5, 0.0));
        assert_eq!(envelope.low[1], (11.5, 2.0));
    }
}
