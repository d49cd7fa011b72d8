// SPDX-License-Identifier: MIT OR Apache-2.0
//! Classification of objects by their keys: a record of some collection, or a holder of records.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use super::scan::{skip_space, string_end, value_extent};
use crate::record::{Collection, Event};

/// Keys in records, except keys whose value is an array.
#[rustfmt::skip]
const RECORD_KEYS: [&[u8]; 36] = [
    b"__id", b"algo_params", b"anomaly_metrics", b"app", b"counter",
    b"descr", b"entry", b"event_id", b"event_window", b"exclusive",
    b"exit", b"fid", b"fname", b"func", b"func_name",
    b"gpu_location", b"gpu_parent", b"hostname", b"inclusive", b"io_step",
    b"io_step_tend", b"io_step_tstart", b"is_gpu_event", b"model", b"name",
    b"node_state", b"outlier_score", b"outlier_severity", b"pid", b"rid",
    b"runtime_exclusive", b"runtime_profile", b"runtime_total", b"stats", b"tid",
    b"value",
];

/// True if the members of the object at `at` are arrays of records: a database as one object, or the output of a shard
/// of a database.
///
/// An object with a key of a record is a record. An object with an array that is named after a collection holds
/// records. The first such key decides. An object without such a key is scanned to its end: it holds records if the
/// first element of one of its arrays is an object, or if it has no members except empty arrays.
pub(super) fn holds_records(text: &[u8], at: usize) -> bool {
    let mut at = at + 1;
    let (mut any_objects, mut all_empty) = (false, true);
    loop {
        at = skip_space(text, at);
        match text.get(at) {
            Some(b',') => at += 1,
            Some(b'}') => return any_objects || all_empty,
            Some(b'"') => {
                let Some((key, value)) = member_at(text, at) else { return any_objects };
                if text.get(value) == Some(&b'[') {
                    match key {
                        b"call_stack" | b"counter_events" => return false,
                        _ if key_collection(key).is_some() => return true,
                        _ => {}
                    }
                    let first = text.get(skip_space(text, value + 1));
                    any_objects |= first == Some(&b'{');
                    all_empty &= first == Some(&b']');
                } else if RECORD_KEYS.contains(&key) {
                    return false;
                } else {
                    all_empty = false;
                }
                let Ok(extent) = value_extent(text, value, None) else { return any_objects };
                at = extent.end;
            }
            _ => return any_objects,
        }
    }
}

/// Returns the key whose opening quote is at `at`, as spelled, and the offset of its value; `None` if the key does not
/// end or has no colon.
pub(super) fn member_at(text: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let end = string_end(text, at).ok()?;
    let colon = skip_space(text, end);
    (text.get(colon) == Some(&b':')).then(|| (&text[at + 1..end - 1], skip_space(text, colon + 1)))
}

/// Returns the collection with the name of a key.
pub(super) fn key_collection(key: &[u8]) -> Option<Collection> {
    std::str::from_utf8(key).ok().and_then(Collection::from_name)
}

/// Returns the collection of a record according to its fields; `None` if they do not identify one. Returns `Anomalies`
/// for all events; [`event_collection`] distinguishes normal ones.
///
/// # Errors
/// If the text is not a JSON object.
pub(super) fn collection_of(text: &str) -> Result<Option<Collection>, serde_json::Error> {
    /// Returns true for any value.
    fn present<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
        IgnoredAny::deserialize(value).map(|IgnoredAny| true)
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    #[expect(clippy::struct_excessive_bools, reason = "each is true if its key is present")]
    struct Keys {
        #[serde(deserialize_with = "present")]
        counter: bool,
        #[serde(deserialize_with = "present")]
        descr: bool,
        #[serde(deserialize_with = "present")]
        event_id: bool,
        #[serde(deserialize_with = "present")]
        exclusive: bool,
        #[serde(deserialize_with = "present")]
        fname: bool,
        #[serde(deserialize_with = "present")]
        inclusive: bool,
        #[serde(deserialize_with = "present")]
        model: bool,
        #[serde(deserialize_with = "present")]
        name: bool,
        #[serde(deserialize_with = "present")]
        outlier_score: bool,
        #[serde(deserialize_with = "present")]
        runtime_profile: bool,
        #[serde(deserialize_with = "present")]
        stats: bool,
        #[serde(deserialize_with = "present")]
        value: bool,
    }
    let keys: Keys = serde_json::from_str(text)?;
    let is_legacy_profile = keys.name && (keys.inclusive || keys.exclusive);
    Ok(if keys.outlier_score && keys.event_id {
        Some(Collection::Anomalies)
    } else if keys.descr && keys.value {
        Some(Collection::Metadata)
    } else if keys.fname || keys.runtime_profile || is_legacy_profile {
        Some(Collection::FuncStats)
    } else if keys.counter && keys.stats {
        Some(Collection::CounterStats)
    } else if keys.model {
        Some(Collection::AdModel)
    } else {
        None
    })
}

/// Returns the collection of an event according to its call stack, otherwise according to its window. An event in
/// neither counts as an anomaly, because anomalies are recorded by default.
pub(super) fn event_collection(event: &Event) -> Collection {
    let in_window = || {
        let window = &event.event_window.exec_window;
        window.iter().find(|execution| execution.event_id == event.event_id).map(|found| found.is_anomaly)
    };
    match event.call_stack.first().map(|frame| frame.is_anomaly).or_else(in_window) {
        Some(false) => Collection::Normalexecs,
        Some(true) | None => Collection::Anomalies,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holders_are_distinguished_from_records() {
        for (text, expected) in [
            (r#"{"anomalies": [], "x": 1}"#, true),
            (r#"{"version": 1, "ad_model": [{}]}"#, true),
            (r#"{"out": [{"pid": 0}]}"#, true),
            (r#"{"stats": [{"app": 0}]}"#, true),
            (r#"{"out": []}"#, true),
            ("{}", true),
            (r#"{"call_stack": [{}], "pid": 0}"#, false),
            (r#"{"extra": [], "pid": 0}"#, false),
            (r#"{"extra": [1], "pid": 0}"#, false),
            (r#"{"metadata": {}, "pid": 0}"#, false),
            (r#"{"out": ["#, false),
            (r#"{"out": [{"pid": 0}"#, true),
            (r#"{"other": [{}], "pid": 0}"#, false),
        ] {
            assert_eq!(holds_records(text.as_bytes(), 0), expected, "{text}");
        }
    }
}
