// SPDX-License-Identifier: MIT OR Apache-2.0
//! Executions of functions in a program (`pid`), each once, and their objects.
//!
//! A window (`event_window`) of a recorded execution lists the executions before and after it on the same thread.

use rustc_hash::FxHashMap;

use super::{ImportOptions, Imported, ObjectOf};
use crate::event_label::EventLabel;
use crate::record::{CounterEvent, Event, Execution};
use crate::{Database, ProvenanceError};

/// Longest valid time, in microseconds; keeps sums finite.
const LONGEST: f64 = 1e18;

/// Identity of an object. Objects are numbered in the order of these keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectKey<'a> {
    pub(super) rank: u16,
    /// Thread; `None` if a function on all threads of a rank is one object.
    pub(super) tid: Option<i64>,
    pub(super) fid: u64,
    /// Name of the execution, if each execution is an object; with the step and index that it contains, if any.
    pub(super) event: Option<(Option<EventLabel>, &'a str)>,
}

/// Execution of a function. Times are microseconds.
pub(super) struct Occurrence<'a> {
    pub(super) key: ObjectKey<'a>,
    pub(super) step: u64,
    /// Sort key: start, then step and index in the name, then the name itself.
    pub(super) order: (i64, Option<EventLabel>, &'a str),
    pub(super) func: &'a str,
    pub(super) exclusive: f64,
    pub(super) total: f64,
    pub(super) is_gpu: bool,
    pub(super) is_anomaly: bool,
    /// Score; -1 if not scored.
    pub(super) score: f64,
    pub(super) severity: f64,
    pub(super) counters: &'a [CounterEvent],
}

/// Object and step to which an execution belongs.
pub(super) struct Origin<'a> {
    pub(super) key: ObjectKey<'a>,
    pub(super) step: u64,
    /// True if the execution is only in windows of other executions and was not imported from there.
    pub(super) is_in_window: bool,
}

/// Executions of functions in a program, each once.
pub(super) struct Executions<'a> {
    pub(super) pid: i64,
    pub(super) occurrences: Vec<Occurrence<'a>>,
    /// Object and step of each execution with valid rank, step and function, by name of the execution.
    pub(super) origins: FxHashMap<&'a str, Origin<'a>>,
    pub(super) counts: Imported,
}

/// Converts a rank to the type used in ids of objects.
pub(super) fn rank_of(pid: i64, rid: i64) -> Result<u16, ProvenanceError> {
    u16::try_from(rid).map_err(|_| ProvenanceError::RankTooLarge { pid, rid })
}

impl<'a> Executions<'a> {
    pub(super) fn of(
        database: &'a Database,
        pid: i64,
        options: &ImportOptions,
    ) -> Result<Self, ProvenanceError> {
        let mut executions = Executions {
            pid,
            occurrences: Vec::new(),
            origins: FxHashMap::default(),
            counts: Imported::default(),
        };
        for (events, are_anomalies) in [(&database.anomalies, true), (&database.normalexecs, false)] {
            for event in events {
                executions.take(&event.record, are_anomalies, options)?;
            }
        }
        executions.take_windows(database, options)?;
        executions.counts.n_unusable_times = executions.bound_times();
        Ok(executions)
    }

    fn take(
        &mut self,
        event: &'a Event,
        is_anomaly: bool,
        options: &ImportOptions,
    ) -> Result<(), ProvenanceError> {
        if event.pid != self.pid {
            self.counts.n_events_of_others += 1;
            return Ok(());
        }
        let label = EventLabel::of(&event.event_id);
        let place = place(event, event.fid, event.io_step, &event.event_id, options)?;
        let Some(Place { key, step }) = place else {
            self.counts.n_unplaced_events += 1;
            return Ok(());
        };
        if self.origins.contains_key(event.event_id.as_str()) {
            self.counts.n_repeated_events += 1;
            return Ok(());
        }
        self.counts.n_events += 1;
        self.counts.n_anomalies += usize::from(is_anomaly);
        self.origins.insert(&event.event_id, Origin { key: key.clone(), step, is_in_window: false });
        self.occurrences.push(Occurrence {
            key,
            step,
            order: (event.entry, label, &event.event_id),
            func: &event.func,
            exclusive: event.runtime_exclusive,
            total: event.runtime_total,
            is_gpu: event.is_gpu_event,
            is_anomaly,
            score: event.outlier_score,
            severity: event.outlier_severity,
            counters: &event.counter_events,
        });
        Ok(())
    }

    /// Adds the object and step of each execution that is only in windows, and the execution itself if requested.
    fn take_windows(
        &mut self,
        database: &'a Database,
        options: &ImportOptions,
    ) -> Result<(), ProvenanceError> {
        // An execution can be in several windows, and only the latest may have its end.
        let mut seen = FxHashMap::<&str, (&Event, &Execution)>::default();
        let mut names = Vec::new();
        for event in super::events(database).filter(|event| event.pid == self.pid) {
            for execution in &event.event_window.exec_window {
                let look = seen.entry(&execution.event_id).or_insert_with(|| {
                    names.push(execution.event_id.as_str());
                    (event, execution)
                });
                if execution.exit > look.1.exit {
                    *look = (event, execution);
                }
            }
        }
        let mut in_children = FxHashMap::<&str, f64>::default();
        for name in &names {
            let (_, execution) = seen[name];
            *in_children.entry(&execution.parent_event_id).or_default() += duration(execution).unwrap_or(0.0);
        }
        for name in names {
            if self.origins.contains_key(name) {
                continue;
            }
            let (event, execution) = seen[name];
            let label = EventLabel::of(name);
            let step = label.map_or(-1, |label| label.step);
            let place = place(event, execution.fid, step, name, options)?;
            let duration = duration(execution);
            let is_unused = options.use_windows && (place.is_none() || duration.is_none());
            self.counts.n_unused_executions += usize::from(is_unused);
            let Some(Place { key, step }) = place else { continue };
            let taken = duration.filter(|_| options.use_windows);
            self.origins.insert(name, Origin { key: key.clone(), step, is_in_window: taken.is_none() });
            let Some(total) = taken else { continue };
            self.counts.n_window_executions += 1;
            let exclusive = total - in_children.get(name).copied().unwrap_or(0.0);
            self.occurrences.push(Occurrence {
                key,
                step,
                order: (execution.entry, label, name),
                func: &execution.func,
                exclusive,
                total,
                is_gpu: event.is_gpu_event,
                is_anomaly: execution.is_anomaly,
                score: -1.0,
                severity: exclusive,
                counters: &[],
            });
        }
        Ok(())
    }

    /// Sets invalid times to 0 and returns their number.
    fn bound_times(&mut self) -> usize {
        let mut n_unusable = 0;
        for Occurrence { exclusive, total, severity, .. } in &mut self.occurrences {
            for time in [exclusive, total, severity] {
                if !(0.0..=LONGEST).contains(time) {
                    *time = 0.0;
                    n_unusable += 1;
                }
            }
        }
        n_unusable
    }
}

struct Place<'a> {
    key: ObjectKey<'a>,
    step: u64,
}

/// Returns the object and step of an execution on the thread of an event; `None` if rank, step or function is
/// negative.
fn place<'a>(
    event: &Event,
    fid: i64,
    step: i64,
    name: &'a str,
    options: &ImportOptions,
) -> Result<Option<Place<'a>>, ProvenanceError> {
    let (Ok(fid), Ok(step), 0..) = (u64::try_from(fid), u64::try_from(step), event.rid) else {
        return Ok(None);
    };
    let key = ObjectKey {
        rank: rank_of(event.pid, event.rid)?,
        tid: (options.object != ObjectOf::Rank).then_some(event.tid),
        fid,
        event: (options.object == ObjectOf::Event).then(|| (EventLabel::of(name), name)),
    };
    Ok(Some(Place { key, step }))
}

/// Returns the time of an execution, if it has ended.
fn duration(execution: &Execution) -> Option<f64> {
    (execution.exit > 0).then_some(execution.exit as f64 - execution.entry as f64)
}
