// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of commands as users write them.

use std::sync::Arc;

use lbaf_external::{External, ExternalStrategy, Processes, Promise};
use lbaf_strategies::StrategyError;
use serde_json::json;

fn refused(parameters: External) -> (String, String) {
    let Err(error) = ExternalStrategy::new(parameters, &Arc::new(Processes::new(""))) else {
        panic!("it is taken")
    };
    match error.into() {
        StrategyError::Parameter { key, message, .. } => (key, message),
        error => panic!("{error}"),
    }
}

#[test]
fn only_the_command_is_required() {
    let parameters: External = serde_json::from_value(json!({"command": ["solve", "--fast"]})).unwrap();
    assert_eq!(parameters, External::of(["solve", "--fast"]));
    assert_eq!((parameters.time_limit, parameters.persistent), (60.0, false));
    let error = serde_json::from_value::<External>(json!({})).unwrap_err();
    assert_eq!(error.to_string(), "missing field `command`");
    let error = serde_json::from_value::<External>(json!({"command": [], "timeout": 1})).unwrap_err();
    assert!(error.to_string().starts_with("unknown field `timeout`"), "{error}");
}

#[test]
fn written_parameters_can_be_read_again() {
    let written = json!({
        "command": ["solve"], "time_limit": 0.5, "persistent": true, "promises": ["bounds", "seed_ignored"],
        "indices": true, "subphases": true, "parameters": {"depth": 3, "names": ["a"]}
    });
    let parameters: External = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(parameters.promises, [Promise::Bounds, Promise::SeedIgnored]);
    assert_eq!(serde_json::to_value(&parameters).unwrap(), written);
}

#[test]
fn a_command_needs_a_program() {
    let (key, message) = refused(External::default());
    assert_eq!(key, "command");
    assert_eq!(message, "it is empty; name a program and its arguments, as in `command: [python3, lpt.py]`");
    assert_eq!(refused(External::of([""])).0, "command");
}

#[test]
fn a_time_limit_is_a_positive_number_of_seconds() {
    for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
        let (key, message) = refused(External { time_limit: seconds, ..External::of(["solve"]) });
        assert_eq!(key, "time_limit");
        assert_eq!(message, format!("it must be a positive number of seconds, not {seconds}"));
    }
}
