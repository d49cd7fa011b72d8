// SPDX-License-Identifier: MIT OR Apache-2.0
//! How what was learnt of a function differs between two runs.

use serde::Serialize;

use super::HistogramDifference;
use crate::record::{ModelRecord, StatisticsRecord};

/// How models of the same kind differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelDifference {
    /// Of HBOS and COPOD.
    Histogram(HistogramDifference),
    /// Of SSTD, and of the detector by median and MAD.
    Statistics(MomentsDifference),
}

/// How mean and standard deviation differ. Times are microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MomentsDifference {
    /// Of the first run.
    pub first: Moments,
    /// Of the second one.
    pub second: Moments,
    /// The second mean without the first.
    pub mean_difference_us: f64,
    /// That divided by the first mean, none where it is 0.
    pub relative_mean_difference: Option<f64>,
    /// The second standard deviation without the first.
    pub stddev_difference_us: f64,
    /// That divided by the first standard deviation, none where it is 0.
    pub relative_stddev_difference: Option<f64>,
}

/// Mean and standard deviation of executions. Times are microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moments {
    /// Executions.
    pub count: f64,
    /// Their mean.
    pub mean_us: f64,
    /// Standard deviation of a sample.
    pub stddev_us: f64,
}

impl ModelDifference {
    /// None where models are of different kinds, or one has learnt nothing.
    pub(super) fn of(first: &ModelRecord, second: &ModelRecord) -> Option<Self> {
        use ModelRecord::{Histogram, Robust, Statistics};
        match (first, second) {
            (Histogram { histogram: first, .. }, Histogram { histogram: second, .. }) => {
                HistogramDifference::of(first, second).map(ModelDifference::Histogram)
            }
            (
                Robust { statistics: first, .. } | Statistics(first),
                Robust { statistics: second, .. } | Statistics(second),
            ) => MomentsDifference::of(first, second).map(ModelDifference::Statistics),
            _ => None,
        }
    }
}

impl MomentsDifference {
    fn of(first: &StatisticsRecord, second: &StatisticsRecord) -> Option<Self> {
        let [first, second] = [Moments::of(first)?, Moments::of(second)?];
        let relative = |difference: f64, base: f64| (base != 0.0).then_some(difference / base);
        let mean = second.mean_us - first.mean_us;
        let stddev = second.stddev_us - first.stddev_us;
        Some(MomentsDifference {
            first,
            second,
            mean_difference_us: mean,
            relative_mean_difference: relative(mean, first.mean_us),
            stddev_difference_us: stddev,
            relative_stddev_difference: relative(stddev, first.stddev_us),
        })
    }
}

impl Moments {
    /// None of nothing.
    fn of(statistics: &StatisticsRecord) -> Option<Self> {
        let StatisticsRecord { count, mean, stddev, .. } = *statistics;
        (count > 0.0).then_some(Moments { count, mean_us: mean, stddev_us: stddev })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::HistogramRecord;

    fn statistics(count: f64, mean: f64, stddev: f64) -> StatisticsRecord {
        StatisticsRecord { count, mean, stddev, ..StatisticsRecord::default() }
    }

    #[test]
    fn means_and_deviations_differ_by_their_difference() {
        let plain = ModelRecord::Statistics(statistics(4.0, 10.0, 0.0));
        let robust = ModelRecord::Robust { mad: 1.0, median: 9.0, statistics: statistics(6.0, 8.0, 3.0) };
        let expected = MomentsDifference {
            first: Moments { count: 4.0, mean_us: 10.0, stddev_us: 0.0 },
            second: Moments { count: 6.0, mean_us: 8.0, stddev_us: 3.0 },
            mean_difference_us: -2.0,
            relative_mean_difference: Some(-0.2),
            stddev_difference_us: 3.0,
            relative_stddev_difference: None,
        };
        assert_eq!(ModelDifference::of(&plain, &robust), Some(ModelDifference::Statistics(expected)));
        let Some(ModelDifference::Statistics(same)) = ModelDifference::of(&robust, &robust) else {
            panic!("statistics")
        };
        assert_eq!((same.mean_difference_us, same.relative_stddev_difference), (0.0, Some(0.0)));
    }

    #[test]
    fn what_cannot_be_compared_is_not() {
        let plain = ModelRecord::Statistics(statistics(4.0, 10.0, 1.0));
        let empty = ModelRecord::Statistics(StatisticsRecord::default());
        let histogram = HistogramRecord::new(vec![1], 0.0, 1.0, [0.0, 1.0]);
        let histogram = ModelRecord::Histogram { histogram, internal_global_threshold: 0.0 };
        assert_eq!(ModelDifference::of(&plain, &histogram), None);
        assert_eq!(ModelDifference::of(&histogram, &plain), None);
        assert_eq!(ModelDifference::of(&plain, &empty), None);
        assert_eq!(ModelDifference::of(&empty, &plain), None);
    }
}
