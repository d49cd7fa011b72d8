// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data of a function in one of two runs.

use serde::Serialize;

use crate::FunctionSummary;

/// Data of a function in one of two runs. All fields are `None` if only a model is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RunOfFunction {
    /// Sum of the severities of its anomalies, in microseconds; `None` if unknown or without anomalies.
    pub accumulated_severity_us: Option<f64>,
    /// Number of anomalies.
    pub anomaly_count: Option<u64>,
    /// Number of executions; `None` if the dump has no statistics of the times of the function.
    pub execution_count: Option<u64>,
    /// Exclusive time of all executions, without called functions, in microseconds; `None` if the dump has no
    /// statistics of these times: recorded executions are not representative.
    pub total_exclusive_us: Option<f64>,
    /// Anomalies in percent of executions; `None` if the number of executions is unknown or 0.
    pub anomaly_frequency_percent: Option<f64>,
    /// Sum of severities divided by the exclusive time of all executions: 1 if anomalies took all of it. `None` if
    /// either is unknown, or the exclusive time is 0.
    pub relative_anomalous_time: Option<f64>,
}

impl RunOfFunction {
    /// Adds the data of a function of this name. Only in an invalid dump do several functions of a program have one
    /// name.
    pub(super) fn add(&mut self, summary: &FunctionSummary) {
        let is_first = self.anomaly_count.is_none();
        let n_anomalies = self.anomaly_count.unwrap_or(0).saturating_add(summary.anomaly_count);
        self.anomaly_count = Some(n_anomalies);
        let severities = [self.accumulated_severity_us, summary.accumulated_severity_us];
        self.accumulated_severity_us =
            severities.into_iter().flatten().reduce(|sum, severity| sum + severity);
        // The sum is known only if all summands are.
        let all = |before: Option<f64>, next: Option<f64>| {
            if is_first { next } else { before.zip(next).map(|(before, next)| before + next) }
        };
        let profiled_us = summary.execution_count.and(summary.total_exclusive_us);
        self.total_exclusive_us = all(self.total_exclusive_us, profiled_us);
        self.execution_count = if is_first {
            summary.execution_count
        } else {
            let counts = self.execution_count.zip(summary.execution_count);
            counts.map(|(before, next)| before.saturating_add(next))
        };
        let executions = self.execution_count.filter(|&count| count > 0);
        self.anomaly_frequency_percent = executions.map(|count| 100.0 * n_anomalies as f64 / count as f64);
        // Without anomalies the anomalous time is 0; without their severities it is unknown.
        let severity = self.accumulated_severity_us.or((n_anomalies == 0).then_some(0.0));
        let time = self.total_exclusive_us.filter(|&time| time > 0.0);
        self.relative_anomalous_time = severity.zip(time).map(|(severity, time)| severity / time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(severity: Option<f64>, n_anomalies: u64, executions: Option<u64>) -> FunctionSummary {
        FunctionSummary {
            accumulated_severity_us: severity,
            anomaly_count: n_anomalies,
            execution_count: executions,
            total_exclusive_us: Some(200.0),
            ..FunctionSummary::default()
        }
    }

    fn run(summaries: &[FunctionSummary]) -> RunOfFunction {
        let mut run = RunOfFunction::default();
        for summary in summaries {
            run.add(summary);
        }
        run
    }

    #[test]
    fn functions_of_one_name_are_summed() {
        let expected = RunOfFunction {
            accumulated_severity_us: Some(100.0),
            anomaly_count: Some(3),
            execution_count: Some(20),
            total_exclusive_us: Some(400.0),
            anomaly_frequency_percent: Some(15.0),
            relative_anomalous_time: Some(0.25),
        };
        assert_eq!(run(&[summary(None, 0, Some(8)), summary(Some(100.0), 3, Some(12))]), expected);
        let partly = run(&[summary(Some(60.0), 1, Some(8)), summary(Some(40.0), 2, None)]);
        assert_eq!((partly.accumulated_severity_us, partly.anomaly_count), (Some(100.0), Some(3)));
        assert_eq!((partly.execution_count, partly.relative_anomalous_time), (None, None));
        let partly = run(&[summary(None, 1, None), summary(None, 2, Some(8))]);
        assert_eq!((partly.execution_count, partly.total_exclusive_us), (None, None));
    }

    #[test]
    fn unknown_severities_are_not_zero() {
        assert_eq!(run(&[summary(None, 3, Some(8))]).relative_anomalous_time, None);
        assert_eq!(run(&[summary(None, 0, Some(8))]).relative_anomalous_time, Some(0.0));
        let instant = FunctionSummary { total_exclusive_us: Some(0.0), ..summary(Some(1.0), 1, Some(8)) };
        assert_eq!(run(&[instant]).relative_anomalous_time, None);
    }
}
