// SPDX-License-Identifier: MIT OR Apache-2.0
//! Total times and anomalies of each function.

use std::collections::BTreeMap;

use lbaf_noise::{RunStats, microseconds};

use super::events::Events;
use super::{Export, PROGRAM, Place};
use crate::files::AnomalySums;
use crate::record::{AnomalyMetrics, FunctionStats, RuntimeProfile};

/// Sums over the executions of each function.
pub(super) struct Totals {
    times: Vec<RunStats>,
    /// Sums of functions with anomalies.
    anomalies: BTreeMap<u32, Anomalies>,
}

/// Sums over the anomalies of a function.
struct Anomalies {
    /// Statistics of the number of anomalies on a rank in a step, over all pairs of rank and step with anomalies.
    counts: RunStats,
    /// First and last step.
    steps: [i64; 2],
    /// Start of the first anomaly and end of the last one.
    timestamps: [i64; 2],
    scores: RunStats,
    severities: RunStats,
}

impl Totals {
    /// Computes the sums over all executions in measured phases, and over the anomalies in the order of `anomalies`,
    /// which is by phase and rank. O(tasks), plus O(log functions) for each anomaly.
    pub(super) fn of(export: &Export<'_>, events: &Events<'_>, anomalies: &[Place]) -> Self {
        let labels = export.labels;
        let functions = labels.functions();
        let mut times = vec![RunStats::keeping_sum(); functions.len()];
        for (at, phase) in labels.data().phases().iter().enumerate().filter(|(at, _)| labels.is_measured(*at))
        {
            debug_assert_eq!(labels.of_phase(at).len(), phase.n_objects());
            for slot in phase.slots() {
                times[functions.of_object(phase.object(slot))].push(microseconds(phase.load(slot)));
            }
        }
        let mut totals = Totals { times, anomalies: BTreeMap::new() };
        for of_step in anomalies.chunk_by(|a, b| (a.at, a.rank) == (b.at, b.rank)) {
            let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
            for &place in of_step {
                let function = export.function(place) as u32;
                *counts.entry(function).or_default() += 1;
                totals.anomalies.entry(function).or_default().add(export, events, place);
            }
            for (function, count) in counts {
                totals.anomalies.entry(function).or_default().counts.push(f64::from(count));
            }
        }
        totals
    }

    /// Returns the sums of severities and scores that order functions; `None` without anomalies.
    pub(super) fn severity(&self, function: usize) -> AnomalySums {
        let of = self.anomalies.get(&(function as u32))?;
        Some((of.severities.sum()?, of.scores.sum()?))
    }

    /// Creates the record of a function.
    pub(super) fn record(&self, export: &Export<'_>, function: usize) -> FunctionStats {
        let times = (&self.times[function]).into();
        FunctionStats {
            anomaly_metrics: self.anomalies.get(&(function as u32)).map(Anomalies::record),
            app: PROGRAM,
            fid: i64::from(function as u32),
            fname: export.labels.functions().keys()[function].to_string(),
            runtime_profile: Some(RuntimeProfile { exclusive_runtime: times, inclusive_runtime: times }),
        }
    }
}

impl Default for Anomalies {
    fn default() -> Self {
        Anomalies {
            counts: RunStats::keeping_sum(),
            steps: [i64::MAX, i64::MIN],
            timestamps: [i64::MAX, i64::MIN],
            scores: RunStats::keeping_sum(),
            severities: RunStats::keeping_sum(),
        }
    }
}

impl Anomalies {
    fn add(&mut self, export: &Export<'_>, events: &Events<'_>, place: Place) {
        let step = export.step(place.at());
        let [entry, exit] = events.times(place);
        self.steps = [self.steps[0].min(step), self.steps[1].max(step)];
        self.timestamps = [self.timestamps[0].min(entry), self.timestamps[1].max(exit)];
        let slot = export.task(place).slot;
        self.scores.push(export.labels.of_phase(place.at())[slot.index()].score);
        self.severities.push(microseconds(export.labels.data().phases()[place.at()].load(slot)));
    }

    fn record(&self) -> AnomalyMetrics {
        AnomalyMetrics {
            anomaly_count: (&self.counts).into(),
            first_io_step: self.steps[0],
            last_io_step: self.steps[1],
            max_timestamp: self.timestamps[1],
            min_timestamp: self.timestamps[0],
            score: (&self.scores).into(),
            severity: (&self.severities).into(),
        }
    }
}
