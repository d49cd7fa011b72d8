// SPDX-License-Identifier: MIT OR Apache-2.0
//! Most severe anomalies of a dump.

use serde::Serialize;

use crate::dump::UniqueEvents;
use crate::record::Event;

/// Summary of an anomaly. Times are microseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventSummary {
    /// Program.
    pub pid: i64,
    /// Rank.
    pub rid: i64,
    /// Thread.
    pub tid: i64,
    /// Number of the function.
    pub fid: i64,
    /// Name of the function.
    pub func: String,
    /// Identity of the execution.
    pub event_id: String,
    /// Step in which the execution was judged.
    pub step: i64,
    /// Exclusive time, without called functions.
    pub exclusive_us: f64,
    /// Inclusive time, with called functions.
    pub total_us: f64,
    /// Score: how unlikely the time is; -1 if not scored.
    pub score: f64,
    /// Severity: the exclusive time.
    pub severity_us: f64,
}

impl EventSummary {
    fn of(event: &Event) -> Self {
        EventSummary {
            pid: event.pid,
            rid: event.rid,
            tid: event.tid,
            fid: event.fid,
            func: event.func.clone(),
            event_id: event.event_id.clone(),
            step: event.io_step,
            exclusive_us: event.runtime_exclusive,
            total_us: event.runtime_total,
            score: event.outlier_score,
            severity_us: event.outlier_severity,
        }
    }
}

/// Returns at most `most` anomalies by severity, then score, largest first.
pub(super) fn worst_events(events: &UniqueEvents, most: usize) -> Vec<EventSummary> {
    let mut worst = events.anomalies.clone();
    // The sort is stable: ties remain ordered by program, rank, step and time.
    worst.sort_by(|one, other| {
        let severities = other.outlier_severity.total_cmp(&one.outlier_severity);
        severities.then(other.outlier_score.total_cmp(&one.outlier_score))
    });
    worst.into_iter().take(most).map(EventSummary::of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dump;
    use crate::dump::made::event;

    #[test]
    fn the_worst_are_first() {
        let scored = |id: &str, rid: i64, step: i64, severity: f64, score: f64| Event {
            outlier_score: score,
            ..event(id, rid, step, 3, severity)
        };
        let events = [
            scored("tie on rank 1", 1, 0, 5.0, 2.0),
            scored("never scored", 0, 0, 5.0, -1.0),
            scored("tie in step 9", 0, 9, 5.0, 2.0),
            scored("tie in step 2", 0, 2, 5.0, 2.0),
            scored("score", 0, 0, 5.0, 9.0),
            scored("severity", 7, 7, 6.0, 0.0),
            scored("least", 0, 0, 4.0, 99.0),
        ];
        let normal = scored("normal", 0, 0, 100.0, 100.0);
        let dump = Dump { anomalies: events.iter().collect(), normalexecs: vec![&normal], ..Dump::default() };
        let ids = |most: usize| -> Vec<String> {
            let worst = worst_events(&dump.unique_events(), most);
            worst.into_iter().map(|event| event.event_id).collect()
        };
        let all =
            ["severity", "score", "tie in step 2", "tie in step 9", "tie on rank 1", "never scored", "least"];
        assert_eq!(ids(99), all);
        assert_eq!(ids(2), all[..2]);
        assert!(ids(0).is_empty());
    }

    #[test]
    fn summaries_copy_the_fields_of_the_record() {
        let event = Event { pid: 1, tid: 4, outlier_score: 8.5, ..event("2:3:9", 2, 3, 5, 250.0) };
        let expected = EventSummary {
            pid: 1,
            rid: 2,
            tid: 4,
            fid: 5,
            func: "f5".to_owned(),
            event_id: "2:3:9".to_owned(),
            step: 3,
            exclusive_us: 250.0,
            total_us: 500.0,
            score: 8.5,
            severity_us: 250.0,
        };
        assert_eq!(EventSummary::of(&event), expected);
    }
}
