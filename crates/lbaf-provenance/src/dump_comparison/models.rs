// SPDX-License-Identifier: MIT OR Apache-2.0
//! Difference of the models of a function in two runs.

use serde::Serialize;

use super::HistogramDifference;
use crate::record::{ModelRecord, StatisticsRecord};

/// Difference of two models of the same kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelDifference {
    /// Models of HBOS and COPOD.
    Histogram(HistogramDifference),
    /// Models of SSTD, and of the detector by median and MAD.
    Statistics(MomentsDifference),
}

/// Difference of mean and standard deviation. Times are microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MomentsDifference {
    /// Moments of the first run.
    pub first: Moments,
    /// Moments of the second run.
    pub second: Moments,
    /// Second mean minus the first.
    pub mean_difference_us: f64,
    /// Difference of the means divided by the first mean; `None` if that is 0.
    pub relative_mean_difference: Option<f64>,
    /// Second standard deviation minus the first.
    pub stddev_difference_us: f64,
    /// Difference of the standard deviations divided by the first one; `None` if that is 0.
    pub relative_stddev_difference: Option<f64>,
}

/// Mean and standard deviation of executions. Times are microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moments {
    /// Number of executions.
    pub count: f64,
    /// Mean.
    pub mean_us: f64,
    /// Sample standard deviation.
    pub stddev_us: f64,
}

impl ModelDifference {
    /// Compares two models; `None` if they are of different kinds, one has no samples, or histograms cannot be
    /// compared.
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
    /// Extracts the moments; `None` without samples.
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
    fn differences_are_second_minus_first() {
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
    fn models_of_different_kinds_are_not_compared() {
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
