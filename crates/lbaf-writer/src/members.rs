// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replacement or addition of members of JSON objects. Other members keep their text and order.

use lbaf_model::{PhaseId, RankId, Slot};
use serde_json::Value;

use crate::layout::Members;
use crate::object_text::members_of;

/// Returns members for the `user_defined` of a task, given its phase, its slot, and the rank of the output file. They
/// replace members of the same name.
pub type Annotations<'a> = dyn Fn(PhaseId, Slot, RankId) -> Vec<Member> + Sync + 'a;

/// A key and its new value.
pub type Member = (&'static str, Value);

const USER_DEFINED: &str = "user_defined";

/// Prints the record of a task with these members of `user_defined`. The record must have no white space between
/// tokens.
pub(crate) fn print_task(out: &mut Vec<u8>, record: &[u8], members: &[Member]) {
    // If the key is repeated, the last value counts, as for every reader.
    if let Some(recorded) = members_of(record).filter(|member| member.has_key(USER_DEFINED)).last() {
        out.extend_from_slice(&record[..recorded.at]);
        print_object(out, recorded.value, members);
        out.extend_from_slice(&record[recorded.at + recorded.value.len()..]);
    } else {
        out.extend_from_slice(&record[..record.len() - 1]);
        let mut printed = Members::after(members_of(record).next().is_some());
        printed.key(out, USER_DEFINED);
        print_object(out, b"{}", members);
        out.push(b'}');
    }
}

/// Prints an object with these members. Members with an existing key replace the old ones, others are appended. If
/// `object` is not an object, only these members are printed. `object` must have no white space between tokens.
pub(crate) fn print_object(out: &mut Vec<u8>, object: &[u8], members: &[Member]) {
    let mut printed = Members::default();
    let mut missing: Vec<&Member> = members.iter().collect();
    out.push(b'{');
    for recorded in members_of(object) {
        if let Some((name, new)) = members.iter().find(|(name, _)| recorded.has_key(name)) {
            missing.retain(|(other, _)| other != name);
            printed.key(out, name);
            print_value(out, new);
        } else {
            printed.next(out);
            recorded.print(out);
        }
    }
    for (name, new) in missing {
        printed.key(out, name);
        print_value(out, new);
    }
    out.push(b'}');
}

/// Prints a value compactly.
pub(crate) fn print_value(out: &mut Vec<u8>, value: &Value) {
    serde_json::to_writer(out, value).expect("invariant: writing to memory does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compact::copy_compact;

    fn printed(record: &str) -> String {
        let (mut compact, mut out) = (Vec::new(), Vec::new());
        copy_compact(&mut compact, record.as_bytes());
        print_task(&mut out, &compact, &[("home_rank", 1.into()), ("load", 0.25.into())]);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn all_other_members_keep_their_text() {
        let record =
            r#"{ "time": 1.50e-3, "user_defined": {"a b": 2.0E1, "load": 7, "t": "x y"}, "node": 3 }"#;
        let expected =
            r#"{"time":1.50e-3,"user_defined":{"a b":2.0E1,"load":0.25,"t":"x y","home_rank":1},"node":3}"#;
        assert_eq!(printed(record), expected);
        assert_eq!(printed(r#"{"time":1}"#), r#"{"time":1,"user_defined":{"home_rank":1,"load":0.25}}"#);
        assert_eq!(printed(r#"{"user_defined":null}"#), r#"{"user_defined":{"home_rank":1,"load":0.25}}"#);
        assert_eq!(
            printed(r#"{"k\"é":1,"user_defined":{}}"#),
            r#"{"k\"é":1,"user_defined":{"home_rank":1,"load":0.25}}"#
        );
    }

    #[test]
    fn escaped_keys_are_compared_unescaped() {
        let record = r#"{"user_defined":{"home\u005frank":7}}"#;
        assert_eq!(printed(record), r#"{"user_defined":{"home_rank":1,"load":0.25}}"#);
    }
}
