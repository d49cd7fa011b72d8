// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON Schemas of requests and answers in `schemas/`.

use std::path::Path;
use std::{env, fs};

use lbaf_external::{answer_schema, request_schema};
use serde_json::Value;

/// Compares a file of the workspace with its expected content; `INSTA_UPDATE=always` writes it.
pub(crate) fn check(file: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, expected).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == expected, "{file} is out of date: INSTA_UPDATE=always cargo test -p lbaf-external");
}

fn check_schema(name: &str, schema: &Value) {
    check(
        &format!("schemas/{name}.schema.json"),
        &format!("{}\n", serde_json::to_string_pretty(schema).unwrap()),
    );
}

#[test]
fn schemas_follow_the_types() {
    check_schema("external_problem", &request_schema());
    check_schema("external_answer", &answer_schema());
}
