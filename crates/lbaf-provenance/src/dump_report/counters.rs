// SPDX-License-Identifier: MIT OR Apache-2.0
//! Summary of counters over the whole run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::functions::rounded;
use crate::record::CounterStats;

/// Counter over the whole run, in the unit of the counter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CounterSummary {
    /// Program.
    pub pid: i64,
    /// Name of the counter.
    pub counter: String,
    /// Number of readings.
    pub count: u64,
    /// Smallest value; `None` without readings.
    pub minimum: Option<f64>,
    /// Largest value; `None` without readings.
    pub maximum: Option<f64>,
    /// Mean; `None` without readings.
    pub mean: Option<f64>,
}

/// Returns the summaries of all counters, by program and name. The first of several records of a counter counts.
pub(super) fn counter_summaries(counter_stats: &[&CounterStats]) -> Vec<CounterSummary> {
    let mut counters = BTreeMap::new();
    for record in counter_stats {
        counters.entry((record.app, record.counter.as_str())).or_insert(record.stats);
    }
    let summaries = counters.into_iter().map(|((pid, counter), stats)| {
        let known = |value: f64| (stats.count > 0.0).then_some(value);
        CounterSummary {
            pid,
            counter: counter.to_owned(),
            count: rounded(stats.count),
            minimum: known(stats.minimum),
            maximum: known(stats.maximum),
            mean: known(stats.mean),
        }
    });
    summaries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::StatisticsRecord;

    #[test]
    fn counters_are_ordered_by_program_and_name() {
        let counter = |app: i64, name: &str, count: f64| CounterStats {
            app,
            counter: name.to_owned(),
            stats: StatisticsRecord { count, minimum: 1.0, maximum: 9.0, mean: 3.5, ..Default::default() },
        };
        let records = [
            counter(1, "a", 2.0),
            counter(0, "b", 4.0),
            counter(0, "a", 0.0),
            counter(0, "b", 5.0),
            counter(0, "B", 1.0),
        ];
        let summaries = counter_summaries(&records.iter().collect::<Vec<_>>());
        let of = |pid: i64, counter: &str, count: u64| CounterSummary {
            pid,
            counter: counter.to_owned(),
            count,
            minimum: (count > 0).then_some(1.0),
            maximum: (count > 0).then_some(9.0),
            mean: (count > 0).then_some(3.5),
        };
        assert_eq!(summaries, [of(0, "B", 1), of(0, "a", 0), of(0, "b", 4), of(1, "a", 2)]);
    }
}
