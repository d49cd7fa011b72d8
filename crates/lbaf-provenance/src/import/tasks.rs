// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tasks of objects in each step.

use std::collections::BTreeMap;

use lbaf_vom::record::{Resource, Subphase, Task, UserDefined};
use serde_json::Value;

use super::TimeOf;
use super::carry::Load;
use super::executions::{Executions, ObjectKey, Occurrence};
use super::objects::Objects;

const SECONDS: f64 = 1e6;

/// Returns the tasks of each rank and step, in the order of their objects.
pub(super) fn of_steps<'a>(
    executions: &'a Executions<'a>,
    objects: &Objects<'_>,
    time: TimeOf,
    load: &mut Load<'a>,
) -> BTreeMap<(u16, u64), Vec<Task>> {
    let mut together = BTreeMap::<(u64, &'a ObjectKey<'a>), Vec<&Occurrence<'_>>>::new();
    for occurrence in &executions.occurrences {
        together.entry((occurrence.step, &occurrence.key)).or_default().push(occurrence);
    }
    let mut tasks = BTreeMap::<_, Vec<_>>::new();
    for ((step, key), mut occurrences) in together {
        occurrences.sort_by_key(|occurrence| occurrence.order);
        let task = task(key, &occurrences, objects, time, load.of_task(step, key));
        tasks.entry((key.rank, step)).or_default().push(task);
    }
    tasks
}

fn task(
    key: &ObjectKey<'_>,
    occurrences: &[&Occurrence<'_>],
    objects: &Objects<'_>,
    time: TimeOf,
    provenance: Option<Value>,
) -> Task {
    let spent = |occurrence: &Occurrence<'_>| match time {
        TimeOf::Exclusive => occurrence.exclusive,
        TimeOf::Total => occurrence.total,
    };
    let subphase =
        |(id, occurrence): (u64, &&Occurrence<'_>)| Subphase { id, time: spent(occurrence) / SECONDS };
    let is_gpu = occurrences.iter().any(|occurrence| occurrence.is_gpu);
    Task {
        attributes: Some(attributes(occurrences, provenance).into_iter().collect()),
        entity: objects.entity(key),
        node: u32::from(key.rank),
        resource: if is_gpu { Resource::Gpu } else { Resource::Cpu },
        subphases: (0..).zip(occurrences).map(subphase).collect(),
        // Summed in microseconds, because sums of integers are exact.
        time: occurrences.iter().map(|occurrence| spent(occurrence)).sum::<f64>() / SECONDS,
        user_defined: Some(UserDefined { other: numbers(key, occurrences), ..UserDefined::default() }),
    }
}

/// Returns the values for `user_defined` of a task. All are numbers: vt aborts if it finds a string there.
fn numbers(key: &ObjectKey<'_>, occurrences: &[&Occurrence<'_>]) -> BTreeMap<String, Value> {
    let anomalies = || occurrences.iter().filter(|occurrence| occurrence.is_anomaly);
    let anomalous_time: f64 =
        anomalies().map(|anomaly| anomaly.severity).fold(0.0, |sum, severity| sum + severity);
    let score = occurrences.iter().map(|occurrence| occurrence.score).fold(-1.0, f64::max);
    let mut numbers = BTreeMap::from([
        ("anomalous_time", Value::from(anomalous_time / SECONDS)),
        ("anomaly_count", anomalies().count().into()),
        ("event_count", occurrences.len().into()),
        ("fid", key.fid.into()),
        ("max_outlier_score", score.into()),
    ]);
    if let Some(tid) = key.tid {
        numbers.insert("tid", tid.into());
    }
    numbers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn attributes(occurrences: &[&Occurrence<'_>], provenance: Option<Value>) -> BTreeMap<String, Value> {
    let mut attributes = BTreeMap::new();
    let mut counters = BTreeMap::<&str, (f64, f64)>::new();
    for counter in occurrences.iter().flat_map(|occurrence| occurrence.counters) {
        let (sum, count) = counters.entry(&counter.counter_name).or_default();
        *sum += counter.counter_value;
        *count += 1.0;
    }
    for (name, (sum, count)) in counters {
        attributes.insert(format!("counter:{name}"), Value::from(sum / count));
    }
    if let Some(first) = occurrences.first() {
        attributes.insert("func".to_owned(), first.func.into());
    }
    if let Some(provenance) = provenance {
        attributes.insert("provenance".to_owned(), provenance);
    }
    attributes
}
