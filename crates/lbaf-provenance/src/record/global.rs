// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the global database: what functions took, counters, and what was learnt.

use serde::{Deserialize, Serialize};

use super::number::{whole, whole_or_null};
use super::{ModelRecord, StatisticsRecord};

/// What a function took and what was anomalous of that, in the collection `func_stats`.
///
/// Before version 5.5 records had the members `name`, `stats` (anomalies in steps), `inclusive` and `exclusive`. Those are
/// read too; nothing but the number of anomalies is known of these then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "AnyFunctionStats")]
pub struct FunctionStats {
    /// Its anomalies, null if there were none.
    pub anomaly_metrics: Option<AnomalyMetrics>,
    /// The program.
    pub app: i64,
    /// Number of the function.
    pub fid: i64,
    /// Its name.
    pub fname: String,
    /// What it took, null if nobody knows.
    pub runtime_profile: Option<RuntimeProfile>,
}

/// Statistics on the anomalies of a function. Times are microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnomalyMetrics {
    /// How many there were in each step and rank that had any.
    pub anomaly_count: StatisticsRecord,
    /// The first step that had any.
    #[serde(deserialize_with = "whole_or_null")]
    pub first_io_step: i64,
    /// The last one.
    #[serde(deserialize_with = "whole_or_null")]
    pub last_io_step: i64,
    /// When the last one ended.
    #[serde(deserialize_with = "whole_or_null")]
    pub max_timestamp: i64,
    /// When the first one began.
    #[serde(deserialize_with = "whole_or_null")]
    pub min_timestamp: i64,
    /// Their scores.
    pub score: StatisticsRecord,
    /// Their severities.
    pub severity: StatisticsRecord,
}

/// What executions of a function took, in microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuntimeProfile {
    /// Without functions it called.
    pub exclusive_runtime: StatisticsRecord,
    /// With them.
    pub inclusive_runtime: StatisticsRecord,
}

/// A counter over the whole run, in the collection `counter_stats`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterStats {
    /// The program.
    #[serde(deserialize_with = "whole")]
    pub app: i64,
    /// Its name.
    pub counter: String,
    /// Its values.
    pub stats: StatisticsRecord,
}

/// What was learnt of a function, in the collection `ad_model`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdModel {
    /// Number of the function.
    #[serde(deserialize_with = "whole")]
    pub fid: i64,
    /// Its name.
    pub func_name: String,
    /// What a detector judges its executions by.
    pub model: ModelRecord,
    /// The program.
    #[serde(deserialize_with = "whole")]
    pub pid: i64,
}

/// Both forms of statistics of a function.
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
