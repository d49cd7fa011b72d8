// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of functions, and their anomalies.

use std::collections::BTreeMap;

use serde::Serialize;

use super::largest_first;
use crate::dump::{Dump, UniqueEvents};
use crate::record::{FunctionStats, StatisticsRecord};

/// Summary of a function in a run. Times are microseconds.
///
/// Numbers come from `func_stats`, which covers the whole run. Missing numbers are computed from the events in the
/// dump. In a dump of Chimbuko before version 5.5, these are severities, scores and steps. In a dump that has only
/// events, they are all numbers except the number of executions and the frequency of anomalies, which remain unknown.
/// If only exclusive or only inclusive times are in `func_stats`, the other times are unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FunctionSummary {
    /// Program.
    pub pid: i64,
    /// Number of the function; can differ in another run.
    pub fid: i64,
    /// Name of the function.
    pub name: String,
    /// Sum of the severities of its anomalies; `None` if unknown or without anomalies.
    pub accumulated_severity_us: Option<f64>,
    /// Mean severity of its anomalies; `None` if unknown or without anomalies.
    pub mean_severity_us: Option<f64>,
    /// Sum of the scores of its anomalies; `None` if unknown or without anomalies.
    pub accumulated_score: Option<f64>,
    /// True if severities, scores and steps were computed from the events in the dump.
    pub severity_from_events: bool,
    /// Number of anomalies.
    pub anomaly_count: u64,
    /// Number of executions; `None` if unknown. Times then only cover the events in the dump, among which anomalies
    /// are more frequent than in the run.
    pub execution_count: Option<u64>,
    /// Number of events in the dump, anomalous and normal.
    pub recorded_count: u64,
    /// Anomalies per execution; `None` if the number of executions is unknown.
    pub anomaly_frequency: Option<f64>,
    /// Mean exclusive time of an execution, without called functions.
    pub mean_exclusive_us: Option<f64>,
    /// Exclusive time of all executions.
    pub total_exclusive_us: Option<f64>,
    /// Mean inclusive time of an execution, with called functions.
    pub mean_inclusive_us: Option<f64>,
    /// Inclusive time of all executions.
    pub total_inclusive_us: Option<f64>,
    /// First step with an anomaly.
    pub first_step: Option<i64>,
    /// Last step with an anomaly.
    pub last_step: Option<i64>,
}

/// Sums over the events of a function.
#[derive(Default)]
struct Recorded<'a> {
    name: &'a str,
    n_executions: u64,
    exclusive_us: f64,
    inclusive_us: f64,
    n_anomalies: u64,
    severity_us: f64,
    score: f64,
    steps: Option<(i64, i64)>,
}

/// Summarizes all functions in statistics or events, most severe first. The first of several records of a function
/// counts.
pub(super) fn function_summaries(dump: &Dump, events: &UniqueEvents) -> Vec<FunctionSummary> {
    let mut functions: BTreeMap<(i64, i64), (Option<&FunctionStats>, Recorded)> = BTreeMap::new();
    for record in &dump.func_stats {
        functions.entry((record.app, record.fid)).or_default().0.get_or_insert(record);
    }
    for (at, event) in events.all().enumerate() {
        let recorded = &mut functions.entry((event.pid, event.fid)).or_default().1;
        recorded.name = &event.func;
        recorded.n_executions += 1;
        recorded.exclusive_us += event.runtime_exclusive;
        recorded.inclusive_us += event.runtime_total;
        // Anomalies come first.
        if at < events.anomalies.len() {
            recorded.n_anomalies += 1;
            recorded.severity_us += event.outlier_severity;
            recorded.score += event.outlier_score;
            let (first, last) = recorded.steps.unwrap_or((event.io_step, event.io_step));
            recorded.steps = Some((first.min(event.io_step), last.max(event.io_step)));
        }
    }
    let summaries = functions.into_iter();
    let summaries = summaries.map(|((pid, fid), (statistics, recorded))| {
        let name = statistics.map_or(recorded.name, |statistics| &statistics.fname).to_owned();
        let mut summary = FunctionSummary { pid, fid, name, ..FunctionSummary::default() };
        summary.add_anomalies(statistics, &recorded);
        summary.add_executions(statistics, &recorded);
        summary
    });
    let mut summaries: Vec<FunctionSummary> = summaries.collect();
    // The sort is stable: ties remain ordered by program and number.
    summaries.sort_by(|one, other| {
        largest_first(one.accumulated_severity_us, other.accumulated_severity_us)
            .then(largest_first(one.accumulated_score, other.accumulated_score))
    });
    summaries
}

impl FunctionSummary {
    fn add_anomalies(&mut self, statistics: Option<&FunctionStats>, recorded: &Recorded) {
        let metrics = statistics.and_then(|statistics| statistics.anomaly_metrics.as_ref());
        let counted = metrics.map(|metrics| total(&metrics.anomaly_count));
        self.anomaly_count = counted.map_or(recorded.n_anomalies, rounded);
        if let Some(metrics) = metrics.filter(|metrics| metrics.severity.count > 0.0) {
            self.accumulated_severity_us = Some(total(&metrics.severity));
            self.mean_severity_us = Some(metrics.severity.mean);
            self.accumulated_score = Some(total(&metrics.score));
            self.first_step = Some(metrics.first_io_step);
            self.last_step = Some(metrics.last_io_step);
        } else if recorded.n_anomalies > 0 {
            self.severity_from_events = true;
            self.accumulated_severity_us = Some(recorded.severity_us);
            self.mean_severity_us = Some(recorded.severity_us / recorded.n_anomalies as f64);
            self.accumulated_score = Some(recorded.score);
            self.first_step = recorded.steps.map(|(first, _)| first);
            self.last_step = recorded.steps.map(|(_, last)| last);
        }
    }

    fn add_executions(&mut self, statistics: Option<&FunctionStats>, recorded: &Recorded) {
        let recorded_mean = |sum: f64| sum / recorded.n_executions as f64;
        let profile = statistics.and_then(|statistics| statistics.runtime_profile.as_ref());
        let [exclusive, inclusive] = match profile {
            Some(profile) => [Some(profile.exclusive_runtime), Some(profile.inclusive_runtime)],
            None => [None, None],
        }
        .map(|times| times.filter(|times| times.count > 0.0));
        self.recorded_count = recorded.n_executions;
        if let Some(known) = exclusive.or(inclusive) {
            self.execution_count = Some(rounded(known.count));
            self.anomaly_frequency = Some(self.anomaly_count as f64 / known.count);
            self.mean_exclusive_us = exclusive.map(|times| times.mean);
            self.total_exclusive_us = exclusive.as_ref().map(total);
            self.mean_inclusive_us = inclusive.map(|times| times.mean);
            self.total_inclusive_us = inclusive.as_ref().map(total);
        } else if recorded.n_executions > 0 {
            self.mean_exclusive_us = Some(recorded_mean(recorded.exclusive_us));
            self.total_exclusive_us = Some(recorded.exclusive_us);
            self.mean_inclusive_us = Some(recorded_mean(recorded.inclusive_us));
            self.total_inclusive_us = Some(recorded.inclusive_us);
        }
    }
}

/// Returns the sum of values. Sums are not always kept: a recorded 0 is replaced by mean times count.
fn total(statistics: &StatisticsRecord) -> f64 {
    if statistics.accumulate == 0.0 { statistics.mean * statistics.count } else { statistics.accumulate }
}

/// Rounds a count that is written as a floating-point number; 0 if it is negative or not a number.
#[expect(clippy::cast_sign_loss, reason = "the cast saturates negative numbers at 0")]
pub(super) fn rounded(count: f64) -> u64 {
    count.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dump::made::{event, function};
    use crate::record::{AnomalyMetrics, Event, RuntimeProfile};

    fn summaries(dump: &Dump) -> Vec<FunctionSummary> {
        function_summaries(dump, &dump.unique_events())
    }

    /// Creates a function with one anomaly of this severity and score, in step 1.
    fn with_metrics(app: i64, fid: i64, severity: f64, score: f64) -> FunctionStats {
        let once = |value: f64| crate::dump::made::statistics(1.0, value);
        let anomaly_metrics = Some(AnomalyMetrics {
            anomaly_count: once(1.0),
            first_io_step: 1,
            last_io_step: 1,
            max_timestamp: 0,
            min_timestamp: 0,
            score: once(score),
            severity: once(severity),
        });
        FunctionStats { anomaly_metrics, app, fid, fname: format!("f{fid}"), runtime_profile: None }
    }

    #[test]
    fn numbers_are_those_of_func_stats() {
        // Two pairs of rank and step with 3 and 1 anomalies; the severities sum to 400.
        let record = function(
            r#"{"app": 1, "fid": 7, "fname": "solve", "runtime_profile": {
                "exclusive_runtime": {"accumulate": 2000, "count": 50, "mean": 40},
                "inclusive_runtime": {"accumulate": 0, "count": 50, "mean": 60}},
              "anomaly_metrics": {"anomaly_count": {"accumulate": 4, "count": 2, "mean": 2},
                "first_io_step": 3, "last_io_step": 8, "max_timestamp": 0, "min_timestamp": 0,
                "score": {"accumulate": 20, "count": 4, "mean": 5},
                "severity": {"accumulate": 400, "count": 4, "mean": 100}}}"#,
        );
        let seen = Event { pid: 1, ..event("0:9:0", 0, 9, 7, 1e6) };
        let dump = Dump { func_stats: vec![&record], anomalies: vec![&seen], ..Dump::default() };
        let expected = FunctionSummary {
            pid: 1,
            fid: 7,
            name: "solve".to_owned(),
            accumulated_severity_us: Some(400.0),
            mean_severity_us: Some(100.0),
            accumulated_score: Some(20.0),
            severity_from_events: false,
            anomaly_count: 4,
            execution_count: Some(50),
            recorded_count: 1,
            anomaly_frequency: Some(0.08),
            mean_exclusive_us: Some(40.0),
            total_exclusive_us: Some(2000.0),
            mean_inclusive_us: Some(60.0),
            // The sum is not kept: 50 executions of 60 each.
            total_inclusive_us: Some(3000.0),
            first_step: Some(3),
            last_step: Some(8),
        };
        assert_eq!(summaries(&dump), [expected]);
    }

    #[test]
    fn the_most_severe_are_first() {
        let calm =
            |app: i64, fid: i64| FunctionStats { anomaly_metrics: None, ..with_metrics(app, fid, 0.0, 0.0) };
        let records = [
            calm(0, 1),
            with_metrics(1, 2, 5.0, 1.0),
            with_metrics(0, 9, 5.0, 1.0),
            with_metrics(0, 3, 5.0, 1.0),
            calm(0, 0),
            with_metrics(0, 8, 5.0, 2.0),
            with_metrics(2, 7, 6.0, 0.0),
            // A severity of 0 precedes an unknown one.
            with_metrics(3, 3, 0.0, 0.0),
            // The same function again, which does not count.
            with_metrics(0, 3, 99.0, 1.0),
        ];
        let dump = Dump { func_stats: records.iter().collect(), ..Dump::default() };
        let order: Vec<(i64, i64)> =
            summaries(&dump).iter().map(|summary| (summary.pid, summary.fid)).collect();
        assert_eq!(order, [(2, 7), (0, 8), (0, 3), (0, 9), (1, 2), (3, 3), (0, 0), (0, 1)]);
    }

    #[test]
    fn events_replace_missing_statistics() {
        let anomalies =
            [event("0:4:0", 0, 4, 2, 30.0), event("1:2:0", 1, 2, 2, 50.0), event("x", 0, 3, 1, 70.0)];
        let normal = event("0:4:1", 0, 4, 2, 10.0);
        let dump = Dump {
            anomalies: anomalies.iter().chain(&anomalies[..1]).collect(),
            normalexecs: vec![&normal],
            ..Dump::default()
        };
        let expected = FunctionSummary {
            pid: 0,
            fid: 2,
            name: "f2".to_owned(),
            accumulated_severity_us: Some(80.0),
            mean_severity_us: Some(40.0),
            accumulated_score: Some(2.0),
            severity_from_events: true,
            anomaly_count: 2,
            execution_count: None,
            recorded_count: 3,
            anomaly_frequency: None,
            mean_exclusive_us: Some(30.0),
            total_exclusive_us: Some(90.0),
            mean_inclusive_us: Some(60.0),
            total_inclusive_us: Some(180.0),
            first_step: Some(2),
            last_step: Some(4),
        };
        let summaries = summaries(&dump);
        assert_eq!(summaries[0], expected);
        assert_eq!((summaries[1].fid, summaries[1].accumulated_severity_us), (1, Some(70.0)));
    }

    #[test]
    fn normal_executions_alone_have_no_severity() {
        let normal = event("0:4:1", 0, 4, 2, 10.0);
        let dump = Dump { normalexecs: vec![&normal], ..Dump::default() };
        let [summary] = &summaries(&dump)[..] else { panic!("one function") };
        assert_eq!((summary.anomaly_count, summary.accumulated_severity_us), (0, None));
        assert_eq!((summary.first_step, summary.severity_from_events), (None, false));
    }

    #[test]
    fn legacy_statistics_have_no_severity() {
        // Two steps with 1.5 anomalies on average are three anomalies.
        let record = function(
            r#"{"app": 0, "fid": 2, "name": "old", "stats": {"count": 2, "mean": 1.5},
                "inclusive": {"count": 6, "mean": 10, "accumulate": 60}}"#,
        );
        let dump = Dump { func_stats: vec![&record], ..Dump::default() };
        let [alone] = &summaries(&dump)[..] else { panic!("one function") };
        assert_eq!((alone.name.as_str(), alone.anomaly_count), ("old", 3));
        assert_eq!((alone.accumulated_severity_us, alone.first_step), (None, None));
        assert_eq!((alone.execution_count, alone.anomaly_frequency), (Some(6), Some(0.5)));
        assert_eq!((alone.total_exclusive_us, alone.total_inclusive_us), (None, Some(60.0)));

        let seen = event("0:4:0", 0, 4, 2, 30.0);
        let dump = Dump { func_stats: vec![&record], anomalies: vec![&seen], ..Dump::default() };
        let [both] = &summaries(&dump)[..] else { panic!("one function") };
        assert_eq!((both.anomaly_count, both.execution_count), (3, Some(6)));
        assert_eq!((both.accumulated_severity_us, both.first_step), (Some(30.0), Some(4)));
        assert!(both.severity_from_events);
    }

    #[test]
    fn invalid_statistics_do_not_cause_a_panic() {
        let nonsense = crate::dump::made::statistics(-3.0, f64::NAN);
        let profile = RuntimeProfile { exclusive_runtime: nonsense, inclusive_runtime: nonsense };
        let record = FunctionStats { runtime_profile: Some(profile), ..with_metrics(0, 1, f64::NAN, 1.0) };
        let dump = Dump { func_stats: vec![&record], ..Dump::default() };
        let [summary] = &summaries(&dump)[..] else { panic!("one function") };
        assert_eq!((summary.execution_count, summary.total_exclusive_us), (None, None));
        assert_eq!([rounded(-1.0), rounded(f64::NAN), rounded(2.5)], [0, 0, 3]);
    }
}
