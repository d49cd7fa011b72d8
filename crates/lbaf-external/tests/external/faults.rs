// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands that fail, and invalid answers.

use lbaf_external::{External, ExternalError};
use lbaf_strategies::StrategyError;

use crate::made_phase::{Posed, answering, refusal, script, strategy};

#[test]
fn a_missing_program_is_an_error_of_the_parameter_command() {
    let error = Posed::default().run(&strategy(External::of(["no-such-program"]))).unwrap_err();
    let StrategyError::Parameter { strategy, key, message } = error else { panic!("{error}") };
    assert_eq!((strategy, &*key), ("External", "command"));
    assert!(message.starts_with("cannot start `no-such-program`: No such file or directory"), "{message}");
    assert!(
        message.ends_with("; name a program on the search path, or a path of an executable file"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_not_executable_cannot_be_started() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let error = Posed::default().ask(&strategy(External::of([manifest]))).unwrap_err();
    assert!(matches!(error, ExternalError::Start { .. }), "{error}");
}

#[test]
fn an_incomplete_answer_is_an_error_of_the_command() {
    let error = Posed::default().run(&strategy(answering("{}"))).unwrap_err();
    assert!(matches!(error, StrategyError::Outside { strategy: "External", .. }), "{error}");
}

#[test]
fn the_standard_error_of_a_failed_command_is_quoted() {
    assert_eq!(
        refusal(script("cat > /dev/null; echo first >&2; echo 'no licence' >&2; exit 3")),
        "`sh` failed (exit status: 3); its standard error ends with: first | no licence"
    );
    assert_eq!(refusal(script("exit 3")), "`sh` failed (exit status: 3); its standard error is empty");
}

#[test]
fn an_answer_of_a_command_that_fails_is_ignored() {
    assert_eq!(
        refusal(script("cat > /dev/null; echo '{\"placement\": [0, 0, 1, 1]}'; exit 1")),
        "`sh` failed (exit status: 1); its standard error is empty"
    );
}

#[test]
fn a_signal_is_named() {
    let refusal = refusal(script("echo caught >&2; kill -9 $$"));
    assert_eq!(refusal, "`sh` failed (signal: 9 (SIGKILL)); its standard error ends with: caught");
}

#[test]
fn only_the_end_of_a_long_standard_error_is_quoted() {
    let refusal =
        refusal(script("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done >&2; exit 1"));
    let last = "line 19995 | line 19996 | line 19997 | line 19998 | line 19999";
    assert_eq!(refusal, format!("`sh` failed (exit status: 1); its standard error ends with: {last}"));
}

#[test]
fn a_missing_answer_differs_from_a_wrong_one() {
    assert_eq!(
        refusal(script("cat > /dev/null; echo 'nothing to do' >&2")),
        "`sh` answered nothing; it must print {\"placement\": [..]} on standard output; its standard error ends with: \
         nothing to do"
    );
}

#[test]
fn invalid_json_is_shown() {
    assert_eq!(
        refusal(answering("Reading the problem ...")),
        "the answer is not of the form {\"placement\": [rank of each object]}: expected value at line 1 column 1; it begins \
         with `Reading the problem ...`"
    );
}

/// Regression: a list of the values of the keys was accepted.
#[test]
fn a_list_is_not_an_answer() {
    let form = "the answer is not of the form {\"placement\": [rank of each object]}: invalid type: sequence, expected an \
                object with keys at line 1 column";
    let iteration = r#"{"placement": [0, 0, 1, 1], "iterations": [[[0, 0, 1, 1], 4, 5, 0.5]]}"#;
    for answer in ["[0, 0, 1, 1]", "[[0, 0, 1, 1]]", " [[0, 0, 1, 1], [], [], null]", iteration] {
        let refusal = refusal(answering(answer));
        assert!(refusal.starts_with(form), "{refusal}");
    }
}

#[test]
fn half_an_answer_is_refused() {
    let refusal = refusal(answering("{\"placement\": [0, 0,\n 1"));
    assert!(refusal.contains("EOF while parsing a list at line 3 column 0; it begins with"), "{refusal}");
}

#[test]
fn a_second_answer_is_refused() {
    let refusal = refusal(answering("{\"placement\": [0, 0, 1, 1]}\n{\"placement\": [0, 0, 1, 1]}"));
    assert!(refusal.contains("trailing characters at line 2 column 1"), "{refusal}");
}

#[test]
fn nan_is_not_a_rank() {
    let refusal = refusal(answering(r#"{"placement": [0, NaN, 1, 1]}"#));
    assert!(
        refusal.contains("expected value at line 1 column 19; it begins with `{\"placement\": [0, NaN"),
        "{refusal}"
    );
}

#[test]
fn invalid_utf_8_is_refused() {
    let refusal = refusal(script(r"cat > /dev/null; printf '\377\376\000'"));
    assert!(
        refusal.contains("expected value at line 1 column 1; it begins with `\u{fffd}\u{fffd}\0`"),
        "{refusal}"
    );
}

#[test]
fn the_beginning_of_a_long_wrong_answer_is_shown() {
    let refusal = refusal(answering(&"é".repeat(10_000)));
    assert!(refusal.ends_with(&format!("it begins with `{}`", "é".repeat(80))), "{refusal}");
}

#[test]
fn keys_are_those_of_the_schema() {
    let keys = |answer| refusal(answering(answer));
    assert!(
        keys(r#"{"placements": [0]}"#).contains("unknown field `placements`, expected one of `placement`")
    );
    assert!(keys("{}").contains("missing field `placement`"));
    assert!(keys(r#"{"placement": {"10": 0}}"#).contains("invalid type: map, expected a sequence"));
    let iteration =
        r#"{"placement": [0, 0, 1, 1], "iterations": [{"placement": [0, 0, 1, 1], "n_messages": -1}]}"#;
    assert!(keys(iteration).contains("invalid value: integer `-1`, expected u64"));
}

#[test]
fn each_object_has_one_rank() {
    assert_eq!(
        refusal(answering(r#"{"placement": [0, 0, 1]}"#)),
        "the length of placement is 3 instead of 4; it needs one rank for each object, in the order of `objects`"
    );
    assert_eq!(
        refusal(answering(r#"{"placement": [0, 0, 1, 1, 1]}"#)),
        "the length of placement is 5 instead of 4; it needs one rank for each object, in the order of `objects`"
    );
}

#[test]
fn a_rank_is_a_number_of_the_problem() {
    for given in ["3", "-1", "1.0", "1.5", "4294967296", "\"1\"", "null", "true", "[1]", "{\"rank\":1}"] {
        assert_eq!(
            refusal(answering(&format!("{{\"placement\": [0, 0, {given}, 1]}}"))),
            format!("placement[2] puts object id 12 on `{given}`; ranks are whole numbers from 0 to 2")
        );
    }
    assert_eq!(
        refusal(answering(r#"{"placement": [0, 0, 1, 9]}"#)),
        "placement[3] puts object seq_id 13 on `9`; ranks are whole numbers from 0 to 2"
    );
}

#[test]
fn moved_non_migratable_objects_are_refused() {
    assert_eq!(
        refusal(answering(r#"{"placement": [2, 0, 1, 1]}"#)),
        "placement[0] moves object id 10 of rank 0, which is not migratable, from rank 0 to 2; leave objects with \
         `migratable` false on their `rank`"
    );
}

#[test]
fn placements_of_iterations_are_checked_like_the_final_one() {
    let refused = |iteration: &str| {
        refusal(answering(&format!("{{\"placement\": [0, 0, 1, 1], \"iterations\": [{iteration}]}}")))
    };
    assert!(
        refused(r#"{"placement": [0, 0, 1]}"#)
            .starts_with("the length of iterations[0].placement is 3 instead of 4")
    );
    assert!(
        refused(r#"{"placement": [0, 0, 1, 3]}"#)
            .starts_with("iterations[0].placement[3] puts object seq_id 13")
    );
    assert!(
        refused(r#"{"placement": [1, 0, 1, 1]}"#)
            .starts_with("iterations[0].placement[0] moves object id 10")
    );
    assert_eq!(
        refused(r#"{"placement": [0, 0, 1, 1], "knowledge": 1.5}"#),
        "iterations[0].knowledge is 1.5; it must be a number from 0 to 1, or absent"
    );
}

#[test]
fn the_final_placement_must_be_that_of_an_iteration() {
    assert_eq!(
        refusal(answering(r#"{"placement": [0, 2, 1, 1], "iterations": [{"placement": [0, 1, 1, 1]}]}"#)),
        "`placement` is neither the start nor the placement of an iteration; use that of the best iteration, or add an iteration"
    );
}
