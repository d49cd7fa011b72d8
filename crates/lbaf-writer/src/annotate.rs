// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers added to what tasks carry as `user_defined`. Everything else of a record keeps its spelling and order.

use lbaf_model::{PhaseId, Slot};

use crate::compact::copy_compact;
use crate::layout::Members;
use crate::spelled::Spelled;

/// Numbers by name, of a task in a phase; they take the place of those of the same name.
pub type Annotations<'a> = dyn Fn(PhaseId, Slot) -> Vec<(&'static str, f64)> + Sync + 'a;

const USER_DEFINED: &str = "user_defined";

/// Prints the record of a task with numbers added. What is no object under `user_defined` gives way to one.
pub(crate) fn print_annotated(out: &mut Vec<u8>, record: &[u8], numbers: &[(&'static str, f64)]) {
    let Spelled(members) =
        serde_json::from_slice(record).expect("invariant: the records of tasks were parsed before");
    let is_there = members.iter().any(|(key, _)| key == USER_DEFINED);
    let mut printed = Members::default();
    out.push(b'{');
    for (key, value) in &members {
        printed.key(out, key);
        if key == USER_DEFINED {
            print_numbers(out, value.get(), numbers);
        } else {
            copy_compact(out, value.get().as_bytes());
        }
    }
    if !is_there {
        printed.key(out, USER_DEFINED);
        print_numbers(out, "{}", numbers);
    }
    out.push(b'}');
}

fn print_numbers(out: &mut Vec<u8>, user_defined: &str, numbers: &[(&'static str, f64)]) {
    let Spelled(members) = serde_json::from_str(user_defined).unwrap_or(Spelled(Vec::new()));
    let mut printed = Members::default();
    out.push(b'{');
    for (key, value) in members.iter().filter(|(key, _)| numbers.iter().all(|(name, _)| name != key)) {
        printed.key(out, key);
        copy_compact(out, value.get().as_bytes());
    }
    for (name, number) in numbers {
        printed.key(out, name);
        out.extend_from_slice(serde_json::Value::from(*number).to_string().as_bytes());
    }
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotated(record: &str) -> String {
        let mut out = Vec::new();
        print_annotated(&mut out, record.as_bytes(), &[("anomaly", 1.0), ("load", 0.25)]);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn everything_else_keeps_its_spelling() {
        let record =
            r#"{ "time": 1.50e-3, "user_defined": {"a b": 2.0E1, "load": 7, "t": "x y"}, "node": 3 }"#;
        let expected =
            r#"{"time":1.50e-3,"user_defined":{"a b":2.0E1,"t":"x y","anomaly":1.0,"load":0.25},"node":3}"#;
        assert_eq!(annotated(record), expected);
        assert_eq!(annotated(r#"{"time":1}"#), r#"{"time":1,"user_defined":{"anomaly":1.0,"load":0.25}}"#);
        assert_eq!(annotated(r#"{"user_defined":null}"#), r#"{"user_defined":{"anomaly":1.0,"load":0.25}}"#);
        assert_eq!(
            annotated(r#"{"k\"é":1,"user_defined":{}}"#),
            r#"{"k\"é":1,"user_defined":{"anomaly":1.0,"load":0.25}}"#
        );
    }
}
