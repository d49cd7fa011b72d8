// SPDX-License-Identifier: MIT OR Apache-2.0
//! LB statistics files: checked, refused and shown.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::bad_data::case;
use crate::validate::{found, two_ranks, unreadable};

#[test]
fn statistics_files() {
    assert_snapshot!(found("statistics_integer_for_count", &[]), @r"
    ./lb_statistics.json: line 7, column 30, at /phases/0/pre-LB/Rank_comm/car: expected a float, found the integer 4; write 4.0
    ./lb_statistics.json: line 7, column 78, at /phases/0/pre-LB/Rank_comm/npr: expected a float, found the integer 3; write 3.0
    1 file: 1 invalid, 2 errors
    ");
    assert_snapshot!(found("statistics_without_group", &["--vt", "--strict-links"]), @r"
    ./lb_statistics.json: line 3, column 10, at /phases/0/pre-LB: expected the key `Rank_comm` with an object, found no such key
    1 file: 1 invalid, 1 error
    ");
}

/// Reading is lenient, but not in what it needs.
#[test]
fn statistics_files_that_cannot_be_read() {
    case("statistics_integer_for_count").succeed(&["info", "lb_statistics.json"]);
    assert_snapshot!(unreadable("statistics_without_group"), @"error: lb_statistics.json: line 3, column 10, at /phases/0/pre-LB: there is no group `Rank_comm`");
    assert_snapshot!(unreadable("statistics_without_moment"), @"error: lb_statistics.json: line 7, column 13, at /phases/0/pre-LB/Rank_comm: the group has no `max`");
    assert_snapshot!(unreadable("statistics_string_for_moment"), @r#"error: lb_statistics.json: line 7, column 20, at /phases/0/pre-LB/Rank_comm/avg: expected a number, found the string "0.5""#);
    assert_snapshot!(unreadable("statistics_without_phases"), @"error: lb_statistics.json: line 1, column 1, at the top of the document: the statistics file has no `phases`");
    assert_snapshot!(unreadable("statistics_phase_without_id"), @"error: lb_statistics.json: line 2, column 1, at /phases/0: the phase has no `id`");
    assert_snapshot!(unreadable("statistics_phase_without_pre_lb"), @"error: lb_statistics.json: line 2, column 1, at /phases/0: the phase has no `pre-LB`");
}

#[test]
fn the_statistics_of_a_run_as_a_table() {
    let workspace = two_ranks();
    workspace.succeed(&["run", "run.yaml"]);
    assert_snapshot!(workspace.succeed(&["info", "out/lb_statistics.json"]), @r"
    out/lb_statistics.json: LB statistics of 1 phase

    Phase 0, 2 migrations
                                  number  sum  mean  max  imbalance  deviation  skewness
     Object_comm          before       1    8     8    8          0          0         0
                           after       1    8     8    8          0          0         0
     Object_load_modeled  before       2    2     1  1.5        0.5        0.5         0
                           after       2    2     1  1.5        0.5        0.5         0
     Object_load_raw      before       2    2     1  1.5        0.5        0.5         0
                           after       2    2     1  1.5        0.5        0.5         0
     Rank_comm            before       2    8     4    8          1          4         0
                           after       2    8     4    8          1          4         0
     Rank_load_modeled    before       2    2     1  1.5        0.5        0.5         0
                           after       2    2     1  1.5        0.5        0.5         0
     Rank_load_raw        before       2    2     1  1.5        0.5        0.5         0
                           after       2    2     1  1.5        0.5        0.5         0
    ");
    // The same content as the file, whole numbers as floats.
    let printed = workspace.succeed(&["info", "out/lb_statistics.json", "--json"]);
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(printed, workspace.json("out/lb_statistics.json"));
    let before = &printed["phases"][0]["pre-LB"]["Rank_load_raw"];
    assert_eq!((before["car"].to_string(), before["npr"].to_string()), ("2.0".to_owned(), "2.0".to_owned()));
    assert_eq!((&before["sum"], &before["max"], &before["imb"]), (&json!(2.0), &json!(1.5), &json!(0.5)));
    let phases = workspace.fail(&["info", "out/lb_statistics.json", "--phases", "3"], 3);
    assert_snapshot!(phases, @"error: --phases: phase 3 is not in the file, which holds 0");
    // A file of data is no statistics file, and `info` wants its stem.
    workspace.fail(&["info", "data.0.json"], 4);
}
