// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the global database: times of functions, counters, and models.

use serde::{Deserialize, Serialize};

use super::number::{whole, whole_or_null};
use super::{ModelRecord, StatisticsRecord};

/// Times of a function and its anomalies, in the collection `func_stats`.
///
/// Before version 5.5 of Chimbuko, records had the members `name`, `stats` (statistics of the number of anomalies in a
/// step), `inclusive` and `exclusive`. They are read too; of their anomalies, only the number is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "AnyFunctionStats")]
pub struct FunctionStats {
    /// Its anomalies; null if there were none.
    pub anomaly_metrics: Option<AnomalyMetrics>,
    /// Program.
    pub app: i64,
    /// Number of the function.
    pub fid: i64,
    /// Name of the function.
    pub fname: String,
    /// Its times; null if unknown.
    pub runtime_profile: Option<RuntimeProfile>,
}

/// Statistics of the anomalies of a function. Times are microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnomalyMetrics {
    /// Statistics of the number of anomalies on a rank in a step, over all pairs of rank and step with anomalies.
    pub anomaly_count: StatisticsRecord,
    /// First step with an anomaly.
    #[serde(deserialize_with = "whole_or_null")]
    pub first_io_step: i64,
    /// Last step with an anomaly.
    #[serde(deserialize_with = "whole_or_null")]
    pub last_io_step: i64,
    /// End of the last anomaly.
    #[serde(deserialize_with = "whole_or_null")]
    pub max_timestamp: i64,
    /// Start of the first anomaly.
    #[serde(deserialize_with = "whole_or_null")]
    pub min_timestamp: i64,
    /// Scores.
    pub score: StatisticsRecord,
    /// Severities.
    pub severity: StatisticsRecord,
}

/// Times of the executions of a function, in microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuntimeProfile {
    /// Exclusive times, without called functions.
    pub exclusive_runtime: StatisticsRecord,
    /// Inclusive times, with called functions.
    pub inclusive_runtime: StatisticsRecord,
}

/// Counter over the whole run, in the collection `counter_stats`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterStats {
    /// Program.
    #[serde(deserialize_with = "whole")]
    pub app: i64,
    /// Name of the counter.
    pub counter: String,
    /// Statistics of its values.
    pub stats: StatisticsRecord,
}

/// Model of a function, in the collection `ad_model`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdModel {
    /// Number of the function.
    #[serde(deserialize_with = "whole")]
    pub fid: i64,
    /// Name of the function.
    pub func_name: String,
    /// Model by which a detector judges its executions.
    pub model: ModelRecord,
    /// Program.
    #[serde(deserialize_with = "whole")]
    pub pid: i64,
}

/// Fields of the statistics of a function, in both formats.
#[derive(Deserialize)]
struct AnyFunctionStats {
    #[serde(default)]
    anomaly_metrics: Option<AnomalyMetrics>,
    #[serde(deserialize_with = "whole")]
    app: i64,
    #[serde(deserialize_with = "whole")]
    fid: i64,
    #[serde(alias = "name")]
    fname: String,
    #[serde(default)]
    runtime_profile: Option<RuntimeProfile>,
    #[serde(default)]
    stats: Option<StatisticsRecord>,
    #[serde(default)]
    inclusive: Option<StatisticsRecord>,
    #[serde(default)]
    exclusive: Option<StatisticsRecord>,
}

impl From<AnyFunctionStats> for FunctionStats {
    fn from(read: AnyFunctionStats) -> Self {
        let AnyFunctionStats { app, fid, fname, .. } = read;
        let legacy_metrics =
            read.stats.filter(|stats| stats.count > 0.0).map(|anomaly_count| AnomalyMetrics {
                anomaly_count,
                first_io_step: 0,
                last_io_step: 0,
                max_timestamp: 0,
                min_timestamp: 0,
                score: StatisticsRecord::default(),
                severity: StatisticsRecord::default(),
            });
        let legacy_profile = match (read.exclusive, read.inclusive) {
            (None, None) => None,
            (exclusive, inclusive) => Some(RuntimeProfile {
                exclusive_runtime: exclusive.unwrap_or_default(),
                inclusive_runtime: inclusive.unwrap_or_default(),
            }),
        };
        FunctionStats {
            anomaly_metrics: read.anomaly_metrics.or(legacy_metrics),
            app,
            fid,
            fname,
            runtime_profile: read.runtime_profile.or(legacy_profile),
        }
    }
}
