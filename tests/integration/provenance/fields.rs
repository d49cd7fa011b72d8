// SPDX-License-Identifier: MIT OR Apache-2.0
//! Presence and type of every field of the schema page in exported databases.

use std::process::Command;

use serde_json::Value;

use super::{database, recorded};
use crate::peers::skip;
use crate::workspace::Workspace;

/// Paths and types of the fields of the schema page. `[]` is every element of an array, which has at least one.
const FIELDS: [(&str, &str); 104] = [
    ("anomalies[].__id", "integer"),
    ("anomalies[].call_stack", "array"),
    ("anomalies[].call_stack[].entry", "integer"),
    ("anomalies[].call_stack[].exit", "integer"),
    ("anomalies[].call_stack[].fid", "integer"),
    ("anomalies[].call_stack[].func", "string"),
    ("anomalies[].call_stack[].event_id", "string"),
    ("anomalies[].call_stack[].is_anomaly", "boolean"),
    ("anomalies[].counter_events", "array"),
    ("anomalies[].counter_events[].counter_idx", "integer"),
    ("anomalies[].counter_events[].counter_name", "string"),
    ("anomalies[].counter_events[].counter_value", "integer"),
    ("anomalies[].counter_events[].pid", "integer"),
    ("anomalies[].counter_events[].rid", "integer"),
    ("anomalies[].counter_events[].tid", "integer"),
    ("anomalies[].counter_events[].ts", "integer"),
    ("anomalies[].entry", "integer"),
    ("anomalies[].exit", "integer"),
    ("anomalies[].event_id", "string"),
    ("anomalies[].fid", "integer"),
    ("anomalies[].func", "string"),
    ("anomalies[].algo_params", "object"),
    ("anomalies[].is_gpu_event", "boolean"),
    ("anomalies[].gpu_location", "null"),
    ("anomalies[].gpu_parent", "null"),
    ("anomalies[].pid", "integer"),
    ("anomalies[].rid", "integer"),
    ("anomalies[].tid", "integer"),
    ("anomalies[].hostname", "string"),
    ("anomalies[].runtime_exclusive", "number"),
    ("anomalies[].runtime_total", "number"),
    ("anomalies[].io_step", "integer"),
    ("anomalies[].io_step_tstart", "integer"),
    ("anomalies[].io_step_tend", "integer"),
    ("anomalies[].outlier_score", "number"),
    ("anomalies[].outlier_severity", "number"),
    ("anomalies[].event_window", "object"),
    ("anomalies[].event_window.exec_window", "array"),
    ("anomalies[].event_window.exec_window[].entry", "integer"),
    ("anomalies[].event_window.exec_window[].exit", "integer"),
    ("anomalies[].event_window.exec_window[].fid", "integer"),
    ("anomalies[].event_window.exec_window[].func", "string"),
    ("anomalies[].event_window.exec_window[].event_id", "string"),
    ("anomalies[].event_window.exec_window[].parent_event_id", "string"),
    ("anomalies[].event_window.exec_window[].is_anomaly", "boolean"),
    ("anomalies[].event_window.comm_window", "array"),
    ("anomalies[].event_window.comm_window[].type", "string"),
    ("anomalies[].event_window.comm_window[].pid", "integer"),
    ("anomalies[].event_window.comm_window[].rid", "integer"),
    ("anomalies[].event_window.comm_window[].tid", "integer"),
    ("anomalies[].event_window.comm_window[].src", "integer"),
    ("anomalies[].event_window.comm_window[].tar", "integer"),
    ("anomalies[].event_window.comm_window[].bytes", "integer"),
    ("anomalies[].event_window.comm_window[].tag", "integer"),
    ("anomalies[].event_window.comm_window[].timestamp", "integer"),
    ("anomalies[].event_window.comm_window[].execdata_key", "string"),
    ("anomalies[].node_state", "object"),
    ("anomalies[].node_state.data", "array"),
    ("anomalies[].node_state.data[].field", "string"),
    ("anomalies[].node_state.data[].value", "number"),
    ("anomalies[].node_state.timestamp", "integer"),
    ("anomalies[].algo_params.accumulate", "number"),
    ("anomalies[].algo_params.count", "number"),
    ("anomalies[].algo_params.kurtosis", "number"),
    ("anomalies[].algo_params.maximum", "number"),
    ("anomalies[].algo_params.mean", "number"),
    ("anomalies[].algo_params.minimum", "number"),
    ("anomalies[].algo_params.skewness", "number"),
    ("anomalies[].algo_params.stddev", "number"),
    ("normalexecs[].event_id", "string"),
    ("normalexecs[].event_window.exec_window[].is_anomaly", "boolean"),
    ("metadata[].descr", "string"),
    ("metadata[].pid", "integer"),
    ("metadata[].rid", "integer"),
    ("metadata[].tid", "integer"),
    ("metadata[].value", "string"),
    ("metadata[].__id", "integer"),
    ("func_stats[].__id", "integer"),
    ("func_stats[].app", "integer"),
    ("func_stats[].fid", "integer"),
    ("func_stats[].fname", "string"),
    ("func_stats[0].anomaly_metrics", "object"),
    ("func_stats[0].anomaly_metrics.anomaly_count.accumulate", "number"),
    ("func_stats[0].anomaly_metrics.first_io_step", "integer"),
    ("func_stats[0].anomaly_metrics.last_io_step", "integer"),
    ("func_stats[0].anomaly_metrics.max_timestamp", "integer"),
    ("func_stats[0].anomaly_metrics.min_timestamp", "integer"),
    ("func_stats[0].anomaly_metrics.score.mean", "number"),
    ("func_stats[0].anomaly_metrics.severity.mean", "number"),
    ("func_stats[1].anomaly_metrics", "null"),
    ("func_stats[].runtime_profile.exclusive_runtime.accumulate", "number"),
    ("func_stats[].runtime_profile.exclusive_runtime.count", "number"),
    ("func_stats[].runtime_profile.exclusive_runtime.kurtosis", "number"),
    ("func_stats[].runtime_profile.exclusive_runtime.stddev", "number"),
    ("func_stats[].runtime_profile.inclusive_runtime.mean", "number"),
    ("counter_stats[].app", "integer"),
    ("counter_stats[].counter", "string"),
    ("counter_stats[].stats.count", "number"),
    ("counter_stats[].stats.mean", "number"),
    ("ad_model[].__id", "integer"),
    ("ad_model[].pid", "integer"),
    ("ad_model[].fid", "integer"),
    ("ad_model[].func_name", "string"),
    ("ad_model[].model", "object"),
];

/// Fields of histograms, in both spellings.
const HISTOGRAM_FIELDS: [(&str, &str); 9] = [
    ("ad_model[].model.histogram", "object"),
    ("ad_model[].model.histogram.Histogram Bin Counts[]", "integer"),
    ("ad_model[].model.histogram.Histogram Bin Edges[]", "number"),
    ("ad_model[].model.histogram.Bin Counts[]", "integer"),
    ("ad_model[].model.histogram.First edge", "number"),
    ("ad_model[].model.histogram.Bin width", "number"),
    ("ad_model[].model.histogram.Min", "number"),
    ("ad_model[].model.histogram.Max", "number"),
    ("ad_model[].model.internal_global_threshold", "number"),
];

/// Fields of executions on a GPU.
const GPU_FIELDS: [(&str, &str); 4] = [
    ("gpu_location.context", "integer"),
    ("gpu_location.device", "integer"),
    ("gpu_location.stream", "integer"),
    ("gpu_location.thread", "integer"),
];

/// Returns every value at a path.
pub(super) fn values<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    let mut found = vec![value];
    for step in path.split('.') {
        let (key, index) = step.split_once('[').map_or((step, None), |(key, index)| (key, Some(index)));
        found = found.into_iter().map(|value| &value[key]).collect();
        found = match index.map(|index| index.trim_end_matches(']')) {
            None => found,
            Some("") => found.into_iter().flat_map(|value| value.as_array().expect("an array")).collect(),
            Some(index) => {
                found.into_iter().map(|value| &value[index.parse::<usize>().expect("a number")]).collect()
            }
        };
    }
    found
}

#[track_caller]
fn check(value: &Value, (path, kind): (&str, &str)) {
    let values = values(value, path);
    assert!(!values.is_empty(), "{path}");
    for value in values {
        let fits = match kind {
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => value.is_null(),
        };
        assert!(fits, "{path} is {value}, no {kind}");
    }
}

#[test]
fn every_field_of_the_schema_page_is_exported_with_its_type() {
    let workspace = recorded();
    let said = workspace.succeed(&["provenance", "export", "set", "flat", "--flat"]);
    assert!(
        said.starts_with(
            "1 anomalous execution and 1 normal execution for comparison, 9 functions, in 6 files: flat"
        ),
        "{said}"
    );
    let found = database(&workspace, "flat");
    for field in FIELDS {
        check(&found, field);
    }
    for detector in ["hbos", "copod"] {
        workspace.succeed(&["provenance", "export", "set", detector, "--flat", "--detector", detector]);
        let found = database(&workspace, detector);
        for field in HISTOGRAM_FIELDS {
            check(&found, field);
        }
    }
    // HBOS labels the rarest times as anomalies. With `--min-relative 0`, the task on the GPU is one of the
    // anomalies.
    workspace.succeed(&[
        "provenance",
        "export",
        "set",
        "all",
        "--flat",
        "--detector",
        "hbos",
        "--min-relative",
        "0",
    ]);
    let found = database(&workspace, "all");
    let anomalies = found["anomalies"].as_array().expect("an array");
    let on_gpu = anomalies.iter().find(|event| event["is_gpu_event"] == true).expect("there is one");
    for field in GPU_FIELDS {
        check(on_gpu, field);
    }
    validated(&workspace, &["flat", "hbos", "copod", "all"]);
}

/// Validates databases with Python's jsonschema and a schema written independently from the schema page.
fn validated(workspace: &Workspace, directories: &[&str]) {
    let python = std::env::var("LBAF_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_module = Command::new(&python).args(["-c", "import jsonschema"]).output();
    if !has_module.is_ok_and(|done| done.status.success()) {
        return skip("Python has no module jsonschema");
    }
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/provenance/schema.json");
    for directory in directories {
        workspace.write("all.json", database(workspace, directory).to_string());
        let script = "import json, jsonschema, sys\n\
                      jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))";
        let done =
            Command::new(&python).args(["-c", script, schema]).arg(workspace.path("all.json")).output();
        let done = done.expect("it ran before");
        assert!(done.status.success(), "{directory}: {}", String::from_utf8_lossy(&done.stderr));
    }
}
