// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading and writing of LB statistics files.

use lbaf_vom::{Scratch, StatisticsFile, StatisticsGroup, StatisticsGroups, StatisticsPhase, compress};
use serde_json::{Value, json};

use crate::document::{MOMENTS, removed, set, statistics_file};
use crate::verdict;

fn parse(document: &Value) -> Result<StatisticsFile, String> {
    let raw = document.to_string();
    StatisticsFile::parse(raw.as_bytes(), &mut Scratch::default()).map_err(|error| error.to_string())
}

/// Returns a group in which all values differ, so that swapped values are detected.
fn group(offset: u32) -> StatisticsGroup {
    let number = |position: u32| f64::from(offset * 100 + position);
    StatisticsGroup {
        avg: number(0),
        car: number(1),
        imb: number(2),
        kur: number(3),
        max: number(4),
        min: number(5),
        npr: number(6),
        skw: number(7),
        std: number(8),
        sum: number(9),
        var: number(10),
    }
}

fn groups(offset: u32) -> StatisticsGroups {
    StatisticsGroups {
        object_comm: group(offset),
        object_load_modeled: group(offset + 1),
        object_load_raw: group(offset + 2),
        object_strategy_specific: (offset > 0).then(|| group(offset + 3)),
        rank_comm: group(offset + 4),
        rank_load_modeled: group(offset + 5),
        rank_load_raw: group(offset + 6),
        rank_strategy_specific: (offset > 0).then(|| group(offset + 7)),
    }
}

fn written() -> StatisticsFile {
    let balanced =
        StatisticsPhase { id: 3, migration_count: Some(4), post_lb: Some(groups(10)), pre_lb: groups(0) };
    let alone = StatisticsPhase { id: 4, migration_count: None, post_lb: None, pre_lb: groups(20) };
    StatisticsFile::new(vec![balanced, alone])
}

#[test]
fn written_files_are_valid_and_read_back_equal() {
    let bytes = written().to_bytes();
    let document: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(verdict(&document), (true, String::new()));
    assert_eq!(StatisticsFile::parse(&bytes, &mut Scratch::default()), Ok(written()));
    assert_eq!(StatisticsFile::parse(&compress(&bytes, 5), &mut Scratch::default()), Ok(written()));
}

/// Names in the file are those of the format, and all values of groups are floats.
#[test]
fn names_and_numbers_are_those_of_the_format() {
    let text = String::from_utf8(written().to_bytes()).expect("text");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    for (position, moment) in MOMENTS.iter().enumerate() {
        assert_eq!(document["phases"][0]["post-LB"]["Rank_comm"][moment], json!(1400.0 + position as f64));
    }
    assert!(text.contains(r#""car":1401.0"#), "{text}");
    assert_eq!(document["phases"][0]["migration count"], 4);
    assert!(document["phases"][1].get("migration count").is_none());
    let names: Vec<&str> = groups(1).named().map(|(name, _)| name).collect();
    let keys = statistics_file();
    let keys: Vec<&String> = keys["phases"][0]["pre-LB"].as_object().expect("an object").keys().collect();
    assert_eq!(names, keys);
    assert_eq!(groups(0).named().count(), 6);
}

/// The reader accepts integers as values of groups, and unknown keys; the schema does not.
#[test]
fn reading_is_lenient() {
    let document = set(&statistics_file(), "/phases/0/pre-LB/Rank_comm/car", json!(4));
    let document = set(&document, "/phases/0/unknown", json!([1]));
    assert!(!verdict(&document).0);
    assert_eq!(parse(&document).map(|file| file.phases[0].pre_lb.rank_comm.car), Ok(4.0));
}

#[test]
fn errors_have_a_place() {
    let document = statistics_file();
    let refusal = |document: &Value| parse(document).expect_err("the document is invalid");
    let error = refusal(&set(&document, "/phases/0/pre-LB/Rank_comm/max", json!("much")));
    let expected = "at /phases/0/pre-LB/Rank_comm/max: expected a number, found the string \"much\"";
    assert!(error.ends_with(expected), "{error}");
    for (pointer, expected) in [
        ("/phases", "at the top level of the document: the statistics file has no `phases`"),
        ("/phases/0/id", "at /phases/0: the phase has no `id`"),
        ("/phases/0/pre-LB", "at /phases/0: the phase has no `pre-LB`"),
        ("/phases/0/post-LB/Rank_comm", "at /phases/0/post-LB: the group `Rank_comm` is missing"),
        ("/phases/0/post-LB/Rank_comm/sum", "at /phases/0/post-LB/Rank_comm: the group has no `sum`"),
    ] {
        let error = refusal(&removed(&document, pointer));
        assert!(error.starts_with("line 1, column ") && error.ends_with(expected), "{error}");
    }
}
