// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf spec`: the meaning of vt's two file forms, and invalid files. `tests/data/malformed` has a file for
//! each error.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use serde_json::json;

use crate::workspace::Workspace;

/// The example of vt's documentation.
const SPECIFICATION: &str = "0 0 10\n%100 -3 3\n200 -5 5\n";

const CONFIGURATION: &str = "\
%10 GreedyLB min=0.9 # every ten
0 HierarchicalLB min=0.9 max=1.1 auto=false

% 5 RotateLB
22 NoLB
";

/// Returns the output of `lbaf spec` for a file with this content.
#[track_caller]
fn said(content: &str, arguments: &[&str]) -> String {
    let workspace = Workspace::new();
    workspace.write("vt.spec", content);
    workspace.succeed(&[&["spec", "vt.spec"], arguments].concat())
}

/// Returns the error of a malformed file. Expects exit code 3 and no other output.
#[track_caller]
fn refused(name: &str) -> String {
    let workspace = Workspace::new();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/malformed");
    workspace.write(name, fs::read(directory.join(name)).expect("the file can be read"));
    let said = workspace.lbaf(&["spec", name]);
    assert_eq!((said.code, said.stdout.as_str()), (3, ""), "{}", said.stderr);
    said.stderr
}

#[test]
fn phases_with_output_are_listed() {
    assert_snapshot!(said(SPECIFICATION, &["--phases", "0-500"]), @"
    vt.spec: specification of 3 lines that enables output
    phases 0-500: enabled in 47 of 501

    0-10, 97-103, 195-205, 297-303, 397-403, 497-500
    ");
    assert_snapshot!(said(SPECIFICATION, &["--phases", "100-196, 300"]), @"
    vt.spec: specification of 3 lines that enables output
    phases 100-196, 300: enabled in 7 of 98

    100-103, 195-196, 300
    ");
    assert_snapshot!(said(SPECIFICATION, &["--phases", "50 -1 50"]), @"
    vt.spec: specification of 3 lines that enables output
    phases 49-100: enabled in 4 of 52

    97-100
    ");
    assert_snapshot!(said(SPECIFICATION, &["--phases", "50"]), @"
    vt.spec: specification of 3 lines that enables output
    phase 50: enabled in 0 of 1

    none
    ");
}

#[test]
fn a_long_pattern_is_printed_once() {
    assert_snapshot!(said(SPECIFICATION, &["--phases", "0-100000"]), @"
    vt.spec: specification of 3 lines that enables output
    phases 0-100000: enabled in 7012 of 100001

    0-10, 97-103, 195-205, 297-303, 397-403, .., 99897-99903 (every 100), 99997-100000
    ");
    // Squares have no pattern.
    let squares: Vec<String> = (0..60).map(|n| format!("{} 0 0", n * n)).collect();
    assert_snapshot!(said(&squares.join("\n"), &[]), @"
    vt.spec: specification of 60 lines that enables output
    phases 0-3481: enabled in 60 of 3482

    0-1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361, 400, 441, 484,
    529, 576, 625, 676, 729, 784, 841, 900, 961, 1024, 1089, 1156, 1225, 1296, 1369, 1444, 1521,
    and 20 more (--json lists all)
    ");
}

#[test]
fn the_file_determines_the_default_range_of_phases() {
    let told = |content| said(content, &[]).lines().nth(1).map(ToOwned::to_owned).expect("a second line");
    assert_eq!(told("%100 -3 3"), "phases 0-203: enabled in 18 of 204");
    assert_eq!(told("7 0 1"), "phases 0-100: enabled in 2 of 101");
    assert_eq!(told("5000 -5 5"), "phases 0-5005: enabled in 11 of 5006");
    assert_eq!(told("%300 NoLB\n%400 GreedyLB"), "phases 0-800: a balancer runs in 2 of 801");
    assert_snapshot!(said("%1000000 0 9", &[]), @"
    vt.spec: specification of 1 line that enables output
    phases 0-999999: enabled in 10 of 1000000

    0-9

    note: the file continues at least to phase 2000009; select other phases with --phases
    ");
}

#[test]
fn balancers_are_listed_by_phase() {
    assert_snapshot!(said(CONFIGURATION, &["--phases", "0-25"]), @"
    vt.spec: LB configuration of 4 lines that selects balancers
    phases 0-25: a balancer runs in 6 of 26

     phases  balancer
     0       HierarchicalLB min=0.9 max=1.1 auto=false
     1-4     no balancer
     5       RotateLB
     6-9     no balancer
     10      GreedyLB min=0.9
     11-14   no balancer
     15      RotateLB
     16-19   no balancer
     20      GreedyLB min=0.9
     21      no balancer
     22      NoLB
     23-24   no balancer
     25      RotateLB
    ");
    assert_snapshot!(said("0 GreedyLB\n", &["--phases", "0-9"]), @"
    vt.spec: LB configuration of 1 line that selects balancers
    phases 0-9: a balancer runs in 1 of 10

     phases  balancer
     0       GreedyLB
     1-9     no balancer
    ");
    // Lines with the same balancer and arguments share a row.
    assert_snapshot!(said("GreedyLB\n50 GreedyLB\n", &["--phases", "0-99"]), @"
    vt.spec: LB configuration of 2 lines that selects balancers
    phases 0-99: a balancer runs in 100 of 100

     phases  balancer
     0-99    GreedyLB
    ");
}

#[test]
fn many_intervals_are_grouped_by_balancer() {
    assert_snapshot!(said(CONFIGURATION, &["--phases", "0-1000"]), @"
    vt.spec: LB configuration of 4 lines that selects balancers
    phases 0-1000: a balancer runs in 201 of 1001

     balancer                                   number  phases
     HierarchicalLB min=0.9 max=1.1 auto=false       1  0
     no balancer                                   799  1-4, 6-9, .., 16-19 (every 5), 21, 23-24, 26-29, 31-34, .., 996-999 (every 5)
     RotateLB                                      100  5, 15, .., 995 (every 10)
     GreedyLB min=0.9                              100  10, 20, .., 1000 (every 10)
     NoLB                                            1  22
    ");
}

#[test]
fn a_line_that_never_applies_is_reported() {
    assert_snapshot!(said("%5 GreedyLB\n%10 RotateLB\n0 NoLB\n", &["--phases", "0-4"]), @"
    vt.spec: LB configuration of 3 lines that selects balancers
    phases 0-4: a balancer runs in 0 of 5

     phases  balancer
     0       NoLB
     1-4     no balancer

    note: line 1 has no effect on these phases: other lines take precedence
    note: line 2 has no effect on these phases: other lines take precedence
    ");
    let told = said("%5 GreedyLB\n%10 RotateLB\n0 NoLB\n", &[]);
    assert_eq!(told.matches("note: ").count(), 1, "{told}");
    assert!(
        told.ends_with("\nnote: line 2 has no effect on these phases: other lines take precedence\n"),
        "{told}"
    );
}

#[test]
fn json_has_the_same_results() {
    let parsed = |content, phases| -> serde_json::Value {
        let told = said(content, &["--json", "--phases", phases]);
        serde_json::from_str(&told).expect("JSON")
    };
    assert_eq!(
        parsed(SPECIFICATION, "0-20, 100"),
        json!({
            "file": "vt.spec", "phases": [[0, 20], [100, 100]], "n_phases": 22, "format": "specification",
            "n_lines": 3, "n_enabled": 12, "enabled": [[0, 10], [100, 100]], "notes": [],
        })
    );
    let decided = |first, last, line, balancer, arguments| -> serde_json::Value {
        let (line, balancer): (Option<u32>, Option<&str>) = (line, balancer);
        json!({ "first": first, "last": last, "line": line, "balancer": balancer, "arguments": arguments })
    };
    assert_eq!(
        parsed(CONFIGURATION, "9-15"),
        json!({
            "file": "vt.spec", "phases": [[9, 15]], "n_phases": 7, "format": "lb_configuration", "n_lines": 4,
            "n_balanced": 2, "notes": [],
            "runs": [
                decided(9, 9, None, None, json!({})),
                decided(10, 10, Some(1), Some("GreedyLB"), json!({ "min": "0.9" })),
                decided(11, 14, None, None, json!({})),
                decided(15, 15, Some(4), Some("RotateLB"), json!({})),
            ],
        })
    );
}

#[test]
fn a_specification_that_is_malformed() {
    assert_snapshot!(refused("spec_empty.spec"), @"error: spec_empty.spec: line 1, column 1: the file has only blank lines and comments; expected lines like `%100 -3 3` (specification: phases with output) or `%10 GreedyLB` (LB configuration: phases with a balancer)");
    assert_snapshot!(refused("spec_not_utf8.spec"), @"error: spec_not_utf8.spec: line 3, column 12: this byte is not UTF-8; save the file as UTF-8 text");
    assert_snapshot!(refused("spec_negative_phase.spec"), @r#"error: spec_negative_phase.spec: line 2, column 1: expected a phase, as in `200 -5 5` or `%100 -3 3`, found "-5""#);
    assert_snapshot!(refused("spec_no_period.spec"), @r#"error: spec_no_period.spec: line 1, column 3: expected a whole number after `%`, as in `%100 -3 3`, found "-3""#);
    assert_snapshot!(refused("spec_zero_period.spec"), @"error: spec_zero_period.spec: line 2, column 3: the period 0 is invalid; write `%1` for every phase, or `0` without `%` for phase 0");
    assert_snapshot!(refused("spec_no_offsets.spec"), @"error: spec_no_offsets.spec: line 2, column 4: expected the offset of the first phase, as -3 in `100 -3 3`, found the end of the line");
    assert_snapshot!(refused("spec_no_second_offset.spec"), @"error: spec_no_second_offset.spec: line 1, column 8: expected the offset of the last phase, as 3 in `100 -3 3`, found the end of the line");
    assert_snapshot!(refused("spec_positive_first_offset.spec"), @"error: spec_positive_first_offset.spec: line 1, column 6: the first offset must be 0 or negative, not 3; did you mean -3?");
    assert_snapshot!(refused("spec_negative_second_offset.spec"), @"error: spec_negative_second_offset.spec: line 1, column 8: the second offset must be 0 or positive, not -5; did you mean 5?");
    assert_snapshot!(refused("spec_fourth_number.spec"), @r#"error: spec_fourth_number.spec: line 1, column 10: expected the end of the line after two offsets, as in `100 -3 3`, found "300""#);
    assert_snapshot!(refused("spec_balancer.spec"), @r#"error: spec_balancer.spec: line 2, column 5: expected the offset of the first phase, as -3 in `100 -3 3`, found "GreedyLB""#);
    assert_snapshot!(refused("spec_too_large.spec"), @"error: spec_too_large.spec: line 1, column 5: 4611686018427387905 is too large: phases and offsets are at most 2^62");
    assert_snapshot!(refused("spec_phase_twice.spec"), @"error: spec_phase_twice.spec: line 4, column 1: phase 100 already has a line (line 1); keep one of them");
    assert_snapshot!(refused("spec_period_twice.spec"), @"error: spec_period_twice.spec: line 3, column 1: `%100` already has a line (line 1); keep one of them");
}

#[test]
fn an_lb_configuration_that_is_malformed() {
    assert_snapshot!(refused("lb_unknown_balancer.conf"), @r#"error: lb_unknown_balancer.conf: line 1, column 5: vt has no balancer "GreedyLb"; did you mean `GreedyLB`?"#);
    assert_snapshot!(refused("lb_no_balancer.conf"), @"error: lb_no_balancer.conf: line 2, column 4: expected a balancer after the phase, as in `%10 GreedyLB`, found the end of the line");
    assert_snapshot!(refused("lb_offsets.conf"), @r#"error: lb_offsets.conf: line 2, column 5: expected a balancer after the phase, as in `%10 GreedyLB`, found "-3""#);
    assert_snapshot!(refused("lb_zero_period.conf"), @"error: lb_zero_period.conf: line 1, column 2: the period 0 is invalid; write `%1` for every phase, or `0` without `%` for phase 0");
    assert_snapshot!(refused("lb_glued.conf"), @r#"error: lb_glued.conf: line 2, column 2: expected a whole number or a balancer after `%`, as in `%10 GreedyLB`, found "10RotateLB""#);
    assert_snapshot!(refused("lb_no_value.conf"), @r#"error: lb_no_value.conf: line 1, column 22: expected an argument `key=value`, as in `%10 GreedyLB min=0.9`, found "auto""#);
    assert_snapshot!(refused("lb_unknown_key.conf"), @r#"error: lb_unknown_key.conf: line 1, column 24: TemperedLB takes no argument "trial"; did you mean `trials`?"#);
    assert_snapshot!(refused("lb_key_of_none.conf"), @r#"error: lb_key_of_none.conf: line 1, column 14: RotateLB takes no argument "seed"; it takes none"#);
    assert_snapshot!(refused("lb_key_twice.conf"), @"error: lb_key_twice.conf: line 1, column 30: the argument `min` occurs twice; keep one of them");
    assert_snapshot!(refused("lb_phase_twice.conf"), @"error: lb_phase_twice.conf: line 3, column 1: phase 7 already has a line (line 1); keep one of them");
    assert_snapshot!(refused("lb_every_phase_twice.conf"), @"error: lb_every_phase_twice.conf: line 2, column 1: every phase (`%1`) already has a line (line 1); keep one of them");
    assert_snapshot!(refused("lb_too_large.conf"), @"error: lb_too_large.conf: line 1, column 1: 18446744073709551616 is too large: phases and offsets are at most 2^62");
}

#[test]
fn ranges_of_phases_without_an_end() {
    let workspace = Workspace::new();
    workspace.write("vt.spec", SPECIFICATION);
    let refused = |phases| workspace.fail(&["spec", "vt.spec", "--phases", phases], 2);
    assert_snapshot!(refused("all"), @r#"error: --phases: "all" has no end; give a range such as 0-500"#);
    assert_snapshot!(refused("0-3, %10 0 0"), @r#"error: --phases: "0-3, %10 0 0" has no end; give a range such as 0-500"#);
    assert_snapshot!(refused("1-1000001"), @r#"error: --phases: "1-1000001" selects more than 1000000 phases; select fewer"#);
    assert_snapshot!(refused("0-18446744073709551615"), @r#"error: --phases: "0-18446744073709551615" selects more than 1000000 phases; select fewer"#);
    workspace.succeed(&["spec", "vt.spec", "--phases", "1-1000000"]);
    assert_snapshot!(workspace.fail(&["spec", "other.spec"], 3), @"error: cannot read other.spec: No such file or directory (os error 2)");
    assert_snapshot!(workspace.fail(&["spec", "."], 3), @"error: cannot read .: is a directory");
}
