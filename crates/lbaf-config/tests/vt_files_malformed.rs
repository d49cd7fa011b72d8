// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages for malformed texts of each kind of error. A message states place and fault, and the expected word or a
//! remedy.

use lbaf_config::vt_files::{BalancerSchedule, ScheduleError, ScheduleFile, Specification, Window};

/// Checks the message of each text.
#[track_caller]
fn refused<T: std::fmt::Debug>(parse: impl Fn(&str) -> Result<T, ScheduleError>, cases: &[(&str, &str)]) {
    for (text, message) in cases {
        let error = parse(text).expect_err(text);
        assert_eq!(error.to_string(), *message, "{text:?}");
    }
}

#[test]
fn specifications() {
    refused(
        Specification::parse,
        &[
            (
                "first 0 0",
                "line 1, column 1: expected a phase, as in `200 -5 5` or `%100 -3 3`, found \"first\"",
            ),
            (
                "0 0 1\n -5 0 0",
                "line 2, column 2: expected a phase, as in `200 -5 5` or `%100 -3 3`, found \"-5\"",
            ),
            (
                "100-3 3",
                "line 1, column 1: expected a phase, as in `200 -5 5` or `%100 -3 3`, found \"100-3\"",
            ),
            (
                "%",
                "line 1, column 2: expected a whole number after `%`, as in `%100 -3 3`, found the end of the line",
            ),
            (
                "% -3 3",
                "line 1, column 3: expected a whole number after `%`, as in `%100 -3 3`, found \"-3\"",
            ),
            (
                "%%100 -3 3",
                "line 1, column 2: expected a whole number after `%`, as in `%100 -3 3`, found \"%100\"",
            ),
            (
                "100 # all",
                "line 1, column 4: expected the offset of the first phase, as -3 in `100 -3 3`, found the end of the line",
            ),
            (
                "100 x 3",
                "line 1, column 5: expected the offset of the first phase, as -3 in `100 -3 3`, found \"x\"",
            ),
            (
                "100 - 3",
                "line 1, column 5: expected the offset of the first phase, as -3 in `100 -3 3`, found \"-\"",
            ),
            (
                "100 -3\t\r\n",
                "line 1, column 7: expected the offset of the last phase, as 3 in `100 -3 3`, found the end of the line",
            ),
            (
                "100 -3 +3",
                "line 1, column 8: expected the offset of the last phase, as 3 in `100 -3 3`, found \"+3\"",
            ),
            (
                "100 -3 3 4",
                "line 1, column 10: expected the end of the line after two offsets, as in `100 -3 3`, found \"4\"",
            ),
            (
                "\n100 3 3",
                "line 2, column 5: the first offset must be 0 or negative, not 3; did you mean -3?",
            ),
            (
                "100 -3 -4",
                "line 1, column 8: the second offset must be 0 or positive, not -4; did you mean 4?",
            ),
            (
                "%0 0 0",
                "line 1, column 2: the period 0 is invalid; write `%1` for every phase, or `0` without `%` for phase 0",
            ),
            (
                "4611686018427387905 0 0",
                "line 1, column 1: 4611686018427387905 is too large: phases and offsets are at most 2^62",
            ),
            (
                "1 -99999999999999999999 0",
                "line 1, column 3: -99999999999999999999 is too large: phases and offsets are at most 2^62",
            ),
            (
                "7 0 0\n8 0 0\n07 0 1",
                "line 3, column 1: phase 7 already has a line (line 1); keep one of them",
            ),
            ("%7 0 0\n\n % 7 0 1", "line 3, column 2: `%7` already has a line (line 1); keep one of them"),
        ],
    );
}

#[test]
fn lb_configurations() {
    refused(
        BalancerSchedule::parse,
        &[
            (
                "=1 GreedyLB",
                "line 1, column 1: expected a phase or a balancer, as in `%10 GreedyLB`, found \"=1\"",
            ),
            (
                "-1 GreedyLB",
                "line 1, column 1: expected a phase or a balancer, as in `%10 GreedyLB`, found \"-1\"",
            ),
            (
                "%10GreedyLB",
                "line 1, column 2: expected a whole number or a balancer after `%`, as in `%10 GreedyLB`, found \
             \"10GreedyLB\"",
            ),
            (
                "%10",
                "line 1, column 4: expected a balancer after the phase, as in `%10 GreedyLB`, found the end of the line",
            ),
            (
                "7 8 GreedyLB",
                "line 1, column 3: expected a balancer after the phase, as in `%10 GreedyLB`, found \"8\"",
            ),
            (
                "0 GreedyLB\u{a0}min=1",
                "line 1, column 3: vt has no balancer \"GreedyLB\\u{a0}min=1\"; did you mean `GreedyLB`?",
            ),
            ("0 greedylb", "line 1, column 3: vt has no balancer \"greedylb\"; did you mean `GreedyLB`?"),
            (
                "0 GossipLB f=2",
                "line 1, column 3: vt has no balancer \"GossipLB\"; known are `NoLB`, `GreedyLB`, \
             `HierarchicalLB`, `RotateLB`, `TemperedLB`, `TemperedWMin`, `RandomLB`, `OfflineLB`, `ZoltanLB`, \
             `TestSerializationLB`, `LoadSamplerLB`",
            ),
            (
                "%2 GreedyLB min",
                "line 1, column 13: expected an argument `key=value`, as in `%10 GreedyLB min=0.9`, found \"min\"",
            ),
            (
                "%2 GreedyLB min=",
                "line 1, column 13: expected an argument `key=value`, as in `%10 GreedyLB min=0.9`, found \"min=\"",
            ),
            (
                "%2 GreedyLB =1",
                "line 1, column 13: expected an argument `key=value`, as in `%10 GreedyLB min=0.9`, found \"=1\"",
            ),
            (
                "%2 GreedyLB min=max=1",
                "line 1, column 13: expected an argument `key=value`, as in `%10 GreedyLB min=0.9`, found \"min=max=1\"",
            ),
            ("GreedyLB Min=1", "line 1, column 10: GreedyLB takes no argument \"Min\"; did you mean `min`?"),
            (
                "RandomLB min=1",
                "line 1, column 10: RandomLB takes no argument \"min\"; known are `seed`, `randomize_seed`",
            ),
            (
                "TemperedLB homeward=false",
                "line 1, column 12: TemperedLB takes no argument \"homeward\"; vt does not support it; use \
                 `algorithm.name` and `parameters` instead",
            ),
            ("RotateLB min=1", "line 1, column 10: RotateLB takes no argument \"min\"; it takes none"),
            (
                "GreedyLB min=1 max=2 min=3",
                "line 1, column 22: the argument `min` occurs twice; keep one of them",
            ),
            (
                "%0 GreedyLB",
                "line 1, column 2: the period 0 is invalid; write `%1` for every phase, or `0` without `%` for phase 0",
            ),
            (
                "9223372036854775808 NoLB",
                "line 1, column 1: 9223372036854775808 is too large: phases and offsets are at most 2^62",
            ),
            ("3 NoLB\n3 GreedyLB", "line 2, column 1: phase 3 already has a line (line 1); keep one of them"),
            (
                "%1 NoLB\nGreedyLB",
                "line 2, column 1: every phase (`%1`) already has a line (line 1); keep one of them",
            ),
        ],
    );
}

#[test]
fn files_in_either_format() {
    const EMPTY: &str = "line 1, column 1: the file has only blank lines and comments; expected lines like \
                         `%100 -3 3` (specification: phases with output) or `%10 GreedyLB` (LB configuration: phases \
                         with a balancer)";
    const NOT_UTF8: &str = "this byte is not UTF-8; save the file as UTF-8 text";
    let parse = |bytes: &[u8]| ScheduleFile::parse(bytes).expect_err("no file").to_string();
    assert_eq!(parse(b""), EMPTY);
    assert_eq!(parse(b"\xef\xbb\xbf# 0 0 10\n\n"), EMPTY);
    assert_eq!(parse(b"\xff 0 0"), format!("line 1, column 1: {NOT_UTF8}"));
    assert_eq!(parse(b"\xef\xbb\xbf0 0 1\n # \xc3\xbc \xc3"), format!("line 2, column 6: {NOT_UTF8}"));
}

#[test]
fn long_words_are_cut_short() {
    let (long, shown) = ("é".repeat(1000), "é".repeat(40));
    let parse = |text: String| ScheduleFile::parse(text.as_bytes()).expect_err("no file").to_string();
    assert!(
        parse(format!("0 {long}"))
            .starts_with(&format!("line 1, column 3: vt has no balancer \"{shown}..\";"))
    );
    assert!(parse(format!("GreedyLB {long}=1")).contains(&format!("no argument \"{shown}..\";")));
    assert!(parse(format!("GreedyLB {long}")).ends_with(&format!("found \"{shown}..\"")));
    let digits = "9".repeat(40);
    assert!(parse(format!("{digits}9 0 0")).contains(&format!(": {digits}.. is too large")));
}

#[test]
fn single_windows() {
    refused(
        str::parse::<Window>,
        &[
            ("", "line 1, column 1: expected a phase, as in `200 -5 5` or `%100 -3 3`, found nothing"),
            ("1 0 0\n2 0 0", "line 2, column 1: expected a single line, found \"2\""),
            (
                "%100",
                "line 1, column 5: expected the offset of the first phase, as -3 in `100 -3 3`, found the end of the line",
            ),
        ],
    );
}
