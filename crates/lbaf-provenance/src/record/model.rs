// SPDX-License-Identifier: MIT OR Apache-2.0
//! Models of detectors in records.

use serde::{Deserialize, Serialize};

use super::number::or_default;

/// Statistics of values: `RunStats` of the schema. Without values, all fields are 0. In this case, Chimbuko writes the
/// largest floating-point number as the minimum and the smallest positive normal number as the maximum. It also writes
/// this maximum if all values are 0. Both limits are read as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "AnyStatistics")]
pub struct StatisticsRecord {
    /// Sum; 0 if it is not kept.
    pub accumulate: f64,
    /// Number of values.
    pub count: f64,
    /// Excess kurtosis.
    pub kurtosis: f64,
    /// Largest value.
    pub maximum: f64,
    /// Mean.
    pub mean: f64,
    /// Smallest value.
    pub minimum: f64,
    /// Skewness.
    pub skewness: f64,
    /// Sample standard deviation.
    pub stddev: f64,
}

/// Histogram. It is written with the keys of two formats: of the schema page, and of Chimbuko 6.5 and later. For
/// reading, the keys of one format suffice. Bins are open below and closed above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "AnyHistogram")]
pub struct HistogramRecord {
    /// Number of values in each bin.
    #[serde(rename = "Bin Counts")]
    pub counts: Vec<u64>,
    /// Width of a bin.
    #[serde(rename = "Bin width")]
    pub width: f64,
    /// Lower edge of the first bin.
    #[serde(rename = "First edge")]
    pub start: f64,
    /// The same counts, under the key of the schema page.
    #[serde(rename = "Histogram Bin Counts")]
    pub documented_counts: Vec<u64>,
    /// Lower edge of the first bin, then the upper edges of all bins. The last edge is the largest value.
    #[serde(rename = "Histogram Bin Edges")]
    pub edges: Vec<f64>,
    /// Largest value.
    #[serde(rename = "Max")]
    pub max: f64,
    /// Smallest value; the lower edge of the first bin if a read record lacks it.
    #[serde(rename = "Min")]
    pub min: f64,
}

/// Model by which a detector judges executions of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "AnyModel")]
pub enum ModelRecord {
    /// Model of HBOS and COPOD.
    Histogram {
        /// Histogram of all values so far.
        histogram: HistogramRecord,
        /// Lower bound on the threshold of every step. Executions whose score reaches the threshold are anomalies.
        internal_global_threshold: f64,
    },
    /// Model of the detector by median and MAD, which Chimbuko lacks.
    Robust {
        /// Median of the absolute deviations from the median.
        mad: f64,
        /// Median.
        median: f64,
        /// Statistics, as for SSTD.
        #[serde(flatten)]
        statistics: StatisticsRecord,
    },
    /// Model of SSTD.
    Statistics(StatisticsRecord),
}

/// Statistics as written; values that were not numbers are null.
#[derive(Deserialize)]
struct AnyStatistics {
    #[serde(default, deserialize_with = "or_default")]
    accumulate: f64,
    count: f64,
    #[serde(default, deserialize_with = "or_default")]
    kurtosis: f64,
    #[serde(default, deserialize_with = "or_default")]
    maximum: f64,
    #[serde(default, deserialize_with = "or_default")]
    mean: f64,
    #[serde(default, deserialize_with = "or_default")]
    minimum: f64,
    #[serde(default, deserialize_with = "or_default")]
    skewness: f64,
    #[serde(default, deserialize_with = "or_default")]
    stddev: f64,
}

/// Fields of a model of any algorithm. Statistics are listed one by one: a flattened field would hide the position and
/// kind of a fault.
#[derive(Deserialize)]
struct AnyModel {
    accumulate: Option<f64>,
    count: Option<f64>,
    histogram: Option<HistogramRecord>,
    internal_global_threshold: Option<f64>,
    kurtosis: Option<f64>,
    mad: Option<f64>,
    maximum: Option<f64>,
    mean: Option<f64>,
    median: Option<f64>,
    minimum: Option<f64>,
    skewness: Option<f64>,
    stddev: Option<f64>,
}

/// A histogram in either format.
#[derive(Deserialize)]
struct AnyHistogram {
    #[serde(rename = "Bin Counts")]
    counts: Option<Vec<f64>>,
    #[serde(rename = "Bin width")]
    width: Option<f64>,
    #[serde(rename = "First edge")]
    start: Option<f64>,
    #[serde(rename = "Histogram Bin Counts")]
    documented_counts: Option<Vec<f64>>,
    #[serde(rename = "Histogram Bin Edges")]
    edges: Option<Vec<f64>>,
    #[serde(rename = "Max")]
    max: Option<f64>,
    #[serde(rename = "Min")]
    min: Option<f64>,
}

impl From<AnyStatistics> for StatisticsRecord {
    fn from(read: AnyStatistics) -> Self {
        let AnyStatistics { accumulate, count, kurtosis, maximum, mean, minimum, skewness, stddev } = read;
        if count == 0.0 {
            return StatisticsRecord::default();
        }
        let maximum = if maximum == f64::MIN_POSITIVE { 0.0 } else { maximum };
        StatisticsRecord { accumulate, count, kurtosis, maximum, mean, minimum, skewness, stddev }
    }
}

impl TryFrom<AnyModel> for ModelRecord {
    type Error = &'static str;

    fn try_from(read: AnyModel) -> Result<Self, Self::Error> {
        let AnyModel { mad, median, .. } = read;
        let internal_global_threshold = read.internal_global_threshold.unwrap_or_default();
        let histogram = read.histogram;
        let statistics = read.count.map(|count| {
            StatisticsRecord::from(AnyStatistics {
                accumulate: read.accumulate.unwrap_or_default(),
                count,
                kurtosis: read.kurtosis.unwrap_or_default(),
                maximum: read.maximum.unwrap_or_default(),
                mean: read.mean.unwrap_or_default(),
                minimum: read.minimum.unwrap_or_default(),
                skewness: read.skewness.unwrap_or_default(),
                stddev: read.stddev.unwrap_or_default(),
            })
        });
        match (histogram, statistics, mad, median) {
            (Some(histogram), ..) => Ok(ModelRecord::Histogram { histogram, internal_global_threshold }),
            (None, Some(statistics), Some(mad), Some(median)) => {
                Ok(ModelRecord::Robust { mad, median, statistics })
            }
            (None, Some(statistics), ..) => Ok(ModelRecord::Statistics(statistics)),
            (None, None, ..) => Err("a model needs either `histogram` or statistics with `count`"),
        }
    }
}

impl HistogramRecord {
    /// Creates a histogram with bins of equal width. `start` is the lower edge of the first bin.
    pub fn new(counts: Vec<u64>, start: f64, width: f64, [min, max]: [f64; 2]) -> Self {
        let n = counts.len();
        let edge = |bin: usize| if bin == n { max } else { start + bin as f64 * width };
        let edges = if n == 0 { Vec::new() } else { (0..=n).map(edge).collect() };
        HistogramRecord { documented_counts: counts.clone(), edges, counts, width, start, max, min }
    }
}

impl TryFrom<AnyHistogram> for HistogramRecord {
    type Error = String;

    fn try_from(read: AnyHistogram) -> Result<Self, String> {
        let counts = read.counts.or(read.documented_counts).ok_or("the histogram has no `Bin Counts`")?;
        if counts.iter().any(|count| !(0.0..1e18).contains(count)) {
            return Err("the histogram has a negative or too large count".to_owned());
        }
        #[expect(clippy::cast_sign_loss, reason = "no count is negative")]
        let counts: Vec<u64> = counts.into_iter().map(|count| count.round() as u64).collect();
        let edges = read.edges.unwrap_or_default();
        if !edges.is_empty() && edges.len() != counts.len() + 1 {
            return Err(format!("the histogram has {} bins, but {} edges", counts.len(), edges.len()));
        }
        let (first, last) = (edges.first().copied(), edges.last().copied());
        let Some(start) = read.start.or(first) else {
            if counts.is_empty() {
                return Ok(HistogramRecord::new(counts, 0.0, 0.0, [0.0, 0.0]));
            }
            return Err("the histogram has neither `First edge` nor `Histogram Bin Edges`".to_owned());
        };
        let derived_width = match (first, last) {
            (Some(first), Some(last)) if !counts.is_empty() => (last - first) / counts.len() as f64,
            _ => 0.0,
        };
        let width = read.width.unwrap_or(derived_width);
        let max = read.max.or(last).unwrap_or(start + counts.len() as f64 * width);
        Ok(HistogramRecord::new(counts, start, width, [read.min.unwrap_or(start), max]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_of_a_histogram_are_read() {
        let documented = r#"{"histogram": {"Histogram Bin Counts": [1, 2.0], "Histogram Bin Edges": [0, 2, 4]},
            "internal_global_threshold": 3.5}"#;
        let newer = r#"{"histogram": {"Bin Counts": [1, 2], "First edge": 0, "Bin width": 2.0, "Min": 0, "Max": 4},
            "internal_global_threshold": 3.5}"#;
        let histogram = HistogramRecord::new(vec![1, 2], 0.0, 2.0, [0.0, 4.0]);
        let expected = ModelRecord::Histogram { histogram, internal_global_threshold: 3.5 };
        for text in [documented, newer] {
            assert_eq!(serde_json::from_str::<ModelRecord>(text).expect("a model"), expected);
        }
        let written = serde_json::to_string(&expected).expect("plain data");
        assert_eq!(serde_json::from_str::<ModelRecord>(&written).expect("the written model"), expected);
    }

    #[test]
    fn empty_statistics_discard_the_limits_of_numbers() {
        let text = r#"{"accumulate":0,"count":0,"kurtosis":0,"maximum":2.2250738585072014e-308,"mean":0,
            "minimum":1.797e308,"skewness":0,"stddev":0}"#;
        let read = serde_json::from_str::<ModelRecord>(text).expect("statistics");
        assert_eq!(read, ModelRecord::Statistics(StatisticsRecord::default()));
    }

    #[test]
    fn invalid_models_are_refused() {
        for (text, complaint) in [
            ("{}", "either `histogram` or statistics"),
            (
                r#"{"count": 1,
 "mean": "2"}"#,
                "invalid type: string \"2\", expected f64 at line 2",
            ),
            (r#"{"histogram": {"Bin Counts": [1]}}"#, "`First edge`"),
            (r#"{"histogram": {"Bin Counts": [-1], "First edge": 0}}"#, "negative"),
            (r#"{"histogram": {"Bin Counts": [1], "Histogram Bin Edges": [0]}}"#, "1 bins, but 1 edges"),
        ] {
            let error = serde_json::from_str::<ModelRecord>(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
