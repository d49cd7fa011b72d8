// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the global database.

use std::collections::BTreeMap;

use super::{Export, PROGRAM};
use crate::RunStats;
use crate::record::{AdModel, AnomalyMetrics, Event, FunctionStats, RuntimeProfile};
use crate::samples::microseconds;

/// What each function took, and its anomalies.
pub(super) fn function_stats(export: &Export<'_>, anomalies: &[Event]) -> Vec<FunctionStats> {
    let labels = export.labels;
    let functions = labels.functions();
    let mut times = vec![RunStats::keeping_sum(); functions.len()];
    for (at, phase) in labels.data().phases().iter().enumerate().filter(|(at, _)| labels.is_measured(*at)) {
        debug_assert_eq!(labels.of_phase(at).len(), phase.n_objects());
        for slot in phase.slots() {
            times[functions.of_object(phase.object(slot))].push(microseconds(phase.load(slot)));
        }
    }
    let mut of_functions: BTreeMap<i64, Vec<&Event>> = BTreeMap::new();
    for anomaly in anomalies {
        of_functions.entry(anomaly.fid).or_default().push(anomaly);
    }
    let record = |(function, times): (usize, &RunStats)| {
        let fid = i64::from(function as u32);
        let times = times.record();
        FunctionStats {
            anomaly_metrics: of_functions.get(&fid).map(|anomalies| metrics(anomalies)),
            app: PROGRAM,
            fid,
            fname: functions.keys()[function].to_string(),
            runtime_profile: Some(RuntimeProfile { exclusive_runtime: times, inclusive_runtime: times }),
        }
    };
    times.iter().enumerate().map(record).collect()
}

/// Statistics of the anomalies of a function, of which there is at least one.
fn metrics(anomalies: &[&Event]) -> AnomalyMetrics {
    let mut by_step: BTreeMap<(i64, i64), u32> = BTreeMap::new();
    for event in anomalies {
        *by_step.entry((event.io_step, event.rid)).or_default() += 1;
    }
    let stats = |values: &mut dyn Iterator<Item = f64>| {
        let mut stats = RunStats::keeping_sum();
        values.for_each(|value| stats.push(value));
        stats.record()
    };
    let steps = || anomalies.iter().map(|event| event.io_step);
    AnomalyMetrics {
        anomaly_count: stats(&mut by_step.values().map(|&count| f64::from(count))),
        first_io_step: steps().min().unwrap_or(0),
        last_io_step: steps().max().unwrap_or(0),
        max_timestamp: anomalies.iter().map(|event| event.exit).max().unwrap_or(0),
        min_timestamp: anomalies.iter().map(|event| event.entry).min().unwrap_or(0),
        score: stats(&mut anomalies.iter().map(|event| event.outlier_score)),
        severity: stats(&mut anomalies.iter().map(|event| event.outlier_severity)),
    }
}

/// What was learnt of each function.
pub(super) fn models(export: &Export<'_>) -> Vec<AdModel> {
    let functions = export.labels.models().iter().zip(export.labels.functions().keys());
    let record = |(fid, (model, key)): (i64, (&crate::Model, &crate::FunctionKey))| {
        let model = model.record()?;
        Some(AdModel { fid, func_name: key.to_string(), model, pid: PROGRAM })
    };
    (0..).zip(functions).filter_map(record).collect()
}
