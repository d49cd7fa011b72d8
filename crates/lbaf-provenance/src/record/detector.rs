// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of models of detectors to records.

use lbaf_noise::{Estimate, Histogram, Model, RunStats};

use super::{HistogramRecord, ModelRecord, StatisticsRecord};

impl From<&RunStats> for StatisticsRecord {
    /// Converts statistics. Without samples all fields are 0, whereas Chimbuko writes limits of floating-point numbers
    /// as minimum and maximum. A sum that is not kept is written as 0.
    fn from(stats: &RunStats) -> Self {
        StatisticsRecord {
            accumulate: stats.sum().unwrap_or(0.0),
            count: stats.count() as f64,
            kurtosis: stats.kurtosis(),
            maximum: stats.max(),
            mean: stats.mean(),
            minimum: stats.min(),
            skewness: stats.skewness(),
            stddev: stats.stddev(),
        }
    }
}

impl From<&Histogram> for HistogramRecord {
    fn from(histogram: &Histogram) -> Self {
        let extremes = [histogram.min(), histogram.max()];
        HistogramRecord::new(histogram.counts().to_vec(), histogram.start(), histogram.width(), extremes)
    }
}

impl ModelRecord {
    /// Converts a model; `None` if it learnt no samples.
    pub fn of(model: &Model) -> Option<Self> {
        Some(match model.estimate()? {
            Estimate::Robust { median, mad, moments } => {
                ModelRecord::Robust { mad, median, statistics: moments.into() }
            }
            Estimate::Moments(moments) => ModelRecord::Statistics(moments.into()),
            Estimate::Histogram { histogram, threshold } => {
                ModelRecord::Histogram { histogram: histogram.into(), internal_global_threshold: threshold }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_no_samples_are_all_zero() {
        for stats in [RunStats::default(), RunStats::keeping_sum()] {
            assert_eq!(StatisticsRecord::from(&stats), StatisticsRecord::default());
        }
    }

    #[test]
    fn a_sum_that_is_not_kept_is_zero() {
        let mut stats = RunStats::of(&[2.0, 4.0]);
        assert_eq!(StatisticsRecord::from(&stats).accumulate, 0.0);
        stats.merge(&RunStats::keeping_sum());
        assert_eq!(StatisticsRecord::from(&stats).accumulate, 6.0);
    }
}
