// SPDX-License-Identifier: MIT OR Apache-2.0
//! Invalid data: each set of files in `tests/data/malformed` has one error.
//! A message about the content of a file names the file and the place.

use std::path::Path;

use insta::assert_snapshot;

use crate::workspace::{Workspace, compress};

const CONFIGURATION: &str = "
from_data: {data_stem: data}
algorithm: {name: Greedy}
output_dir: out
write_JSON: {compressed: false}
plots: none
";

/// Returns a workspace with the files of a case.
pub(crate) fn case(name: &str) -> Workspace {
    let workspace = Workspace::new();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/malformed");
    workspace.copy(&directory.join(name), ".");
    workspace
}

/// Returns the error of `lbaf info` on invalid data. Expects exit code 4, the same error from `lbaf run`, and no
/// output.
#[track_caller]
fn refusal(workspace: &Workspace) -> String {
    workspace.write("run.yaml", CONFIGURATION);
    let error = workspace.fail(&["info", "data"], 4);
    assert_eq!(workspace.fail(&["run", "run.yaml"], 4), error);
    assert!(!workspace.path("out").exists(), "an output directory was left");
    error
}

#[track_caller]
pub(crate) fn refused(name: &str) -> String {
    refusal(&case(name))
}

#[test]
fn a_rank_missing_in_the_middle() {
    assert_snapshot!(refused("missing_rank"), @"error: rank 1 has no file: data.1.json is missing, but rank 2 has a file; every rank must have one");
}

#[test]
fn a_padded_rank_number() {
    assert_snapshot!(refused("padded_rank"), @"error: data.00.json: the rank number has leading zeros; rename the file");
}

#[test]
fn two_suffixes() {
    assert_snapshot!(refused("two_suffixes"), @"error: files with several suffixes match data (json, vom); choose one with `suffix` under `from_data` or with --suffix");
}

#[test]
fn truncated_json() {
    assert_snapshot!(refused("truncated_json"), @"error: data.1.json: line 3, column 34: the document ends early; copy or write the file again");
}

#[test]
fn not_utf8() {
    assert_snapshot!(refused("not_utf8"), @"error: data.0.json: line 3, column 120: the text is not valid UTF-8");
}

#[test]
fn an_empty_file() {
    assert_snapshot!(refused("empty_file"), @"error: data.1.json: the file is empty");
}

#[test]
fn neither_json_nor_brotli() {
    assert_snapshot!(refused("neither_json_nor_brotli"), @"error: data.1.json: the file is neither JSON nor brotli nor lines of text (its first byte is 0x89); check that it is a complete LB data file");
}

#[test]
fn no_phases() {
    assert_snapshot!(refused("no_phases"), @"error: data.0.json: line 1, column 1, at the top level of the document: there is no `phases` array; is it an LB data file?");
}

#[test]
fn phases_that_are_not_an_array() {
    assert_snapshot!(refused("phases_not_an_array"), @"error: data.0.json: line 1, column 31, at /phases: expected an array, found an object");
}

#[test]
fn a_negative_phase() {
    assert_snapshot!(refused("negative_phase"), @"error: data.0.json: line 2, column 7, at /phases/0/id: expected a whole number from 0 to 2^64 - 1, found -1");
}

#[test]
fn a_phase_missing_on_one_rank() {
    assert_snapshot!(refused("phase_missing_on_one_rank"), @"error: data.1.json: phase 1 is missing on rank 1 but exists in data.0.json");
}

#[test]
fn a_phase_skipped_on_one_rank() {
    assert_snapshot!(refused("phase_skipped_on_one_rank"), @"error: data.1.json: phase 0 is listed as skipped on rank 1 but exists on other ranks");
}

#[test]
fn a_phase_twice_in_a_file() {
    assert_snapshot!(refused("phase_twice_in_a_file"), @"error: data.0.json: line 5, column 1, at /phases/1: phase 0 has two entries in this file");
}

#[test]
fn a_repetition_without_an_earlier_phase() {
    assert_snapshot!(refused("nothing_to_repeat"), @"error: data.0.json: phase 0 of rank 0 is listed as identical to the previous phase, but it is the first");
}

#[test]
fn a_range_that_goes_backwards() {
    assert_snapshot!(refused("range_backwards"), @"error: data.0.json: line 1, column 54, at /metadata/phases/skipped/range/0: expected a pair of phases, the smaller first, less than 10^6 apart, found an array");
}

#[test]
fn a_duplicate_object_in_one_file() {
    assert_snapshot!(refused("duplicate_object_in_one_file"), @"error: data.0.json: phase 0: the object with id 262147 has two tasks: task 0 of data.0.json and task 2 of data.0.json");
}

#[test]
fn a_duplicate_object_in_two_files() {
    assert_snapshot!(refused("duplicate_object_in_two_files"), @"error: data.1.json: phase 0: the object with id 524291 has two tasks: task 1 of data.0.json and task 1 of data.1.json");
}

#[test]
fn a_negative_time() {
    assert_snapshot!(refused("negative_time"), @"error: data.0.json: line 4, column 131, at /phases/0/tasks/1/time: expected a non-negative number, found -0.25");
}

#[test]
fn a_time_that_is_nan() {
    assert_snapshot!(refused("nan_time"), @"error: data.0.json: line 4, column 131: expected value");
}

#[test]
fn a_time_that_overflows() {
    assert_snapshot!(refused("overflowing_time"), @"error: data.0.json: line 4, column 131: the number 1e400 does not fit into 64 bits");
}

#[test]
fn a_string_for_a_time() {
    assert_snapshot!(refused("string_for_time"), @r#"error: data.0.json: line 4, column 131, at /phases/0/tasks/1/time: expected a number, found the string "0.25""#);
}

#[test]
fn a_string_for_bytes() {
    assert_snapshot!(refused("string_for_bytes"), @r#"error: data.0.json: line 7, column 10, at /phases/0/communications/1/bytes: expected a number, found the string "8""#);
}

#[test]
fn a_string_for_working_bytes() {
    assert_snapshot!(refused("string_for_working_bytes"), @r#"error: data.0.json: line 4, column 172, at /phases/0/tasks/1/user_defined/task_working_bytes: expected a number, found the string "many""#);
}

#[test]
fn a_task_without_entity() {
    assert_snapshot!(refused("task_without_entity"), @"error: data.0.json: line 4, column 1, at /phases/0/tasks/1: the task has no `entity`");
}

#[test]
fn a_task_without_time() {
    assert_snapshot!(refused("task_without_time"), @"error: data.0.json: line 4, column 1, at /phases/0/tasks/1: the task has no `time`");
}

#[test]
fn a_task_without_id() {
    assert_snapshot!(refused("task_without_id"), @"error: data.0.json: line 4, column 11, at /phases/0/tasks/1/entity: the entity has neither `id` nor `seq_id`");
}

#[test]
fn a_task_of_a_node() {
    assert_snapshot!(refused("task_of_a_node"), @r#"error: data.0.json: line 4, column 1, at /phases/0/tasks/1: the entity of a task must be of type "object""#);
}

#[test]
fn a_communication_without_bytes() {
    assert_snapshot!(refused("communication_without_bytes"), @"error: data.0.json: line 7, column 1, at /phases/0/communications/1: the communication has no `bytes`");
}

#[test]
fn a_communication_without_sender() {
    assert_snapshot!(refused("communication_without_sender"), @"error: data.0.json: line 6, column 1, at /phases/0/communications/0: the communication has no `from`");
}

#[test]
fn an_id_beyond_64_bits() {
    assert_snapshot!(refused("id_beyond_64_bits"), @"error: data.0.json: line 4, column 44: the number 18446744073709551616 does not fit into 64 bits");
}

#[test]
fn a_fractional_id() {
    assert_snapshot!(refused("fractional_id"), @"error: data.0.json: line 4, column 44, at /phases/0/tasks/1/entity/id: expected a whole number from 0 to 2^64 - 1, found 524291.5");
}

#[test]
fn a_negative_rank_alpha() {
    assert_snapshot!(refused("negative_rank_alpha"), @"error: data.0.json: line 1, column 27, at /metadata/rank_alpha: expected a non-negative number, found -1");
}

#[test]
fn a_block_whose_home_is_not_a_rank() {
    assert_snapshot!(refused("home_of_block_beyond_ranks"), @"error: data.1.json: phase 0: block 4 has `home_rank` 2, but the last rank is 1");
}

#[test]
fn no_file_for_the_stem() {
    assert_snapshot!(refusal(&Workspace::new()), @"error: no file for the stem data: expected data.0.json, data.1.json, ...; the stem is the path up to the rank");
}

#[test]
fn a_directory_with_two_stems() {
    let workspace = Workspace::new();
    workspace.write("data/machine.0.json", "{}");
    workspace.write("data/other.0.json", "{}");
    assert_snapshot!(refusal(&workspace), @"error: data is a directory, not a stem; did you mean data/machine or data/other?");
}

#[test]
fn a_directory_without_data_files() {
    let workspace = Workspace::new();
    workspace.write("data/notes.txt", "");
    assert_snapshot!(refusal(&workspace), @"error: data is a directory without data files, and there are no files data.0.json, data.1.json, ..");
}

#[test]
fn a_stem_in_a_missing_directory() {
    assert_snapshot!(Workspace::new().fail(&["info", "nowhere/data"], 4), @"error: the directory nowhere does not exist; the stem is the path of the files up to the rank");
}

#[test]
fn trailing_data_after_the_brotli_stream() {
    assert_snapshot!(refused("behind_brotli"), @"error: data.0.json: trailing data after the brotli stream (9 B); data may have been appended to the file; copy or write the file again");
}

#[test]
fn truncated_brotli() {
    assert_snapshot!(refused("truncated_brotli"), @"error: data.0.json: the brotli stream is damaged or ends early; copy the file again");
}

#[test]
fn brotli_cut_off_anywhere() {
    let whole = case("missing_rank").read("data.0.json");
    let whole = compress(&whole);
    let workspace = Workspace::new();
    workspace.write("data.0.json", &whole);
    workspace.succeed(&["info", "data"]);
    for length in [1, 2, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        workspace.write("data.0.json", &whole[..length]);
        let error = refusal(&workspace);
        assert!(error.starts_with("error: data.0.json: the "), "{length}: {error}");
    }
}

/// LBAF also warns and continues.
#[test]
fn another_number_of_ranks_than_expected_is_a_warning() {
    let workspace = case("two_suffixes");
    workspace.write("run.yaml", CONFIGURATION);
    let run = |expected: &str| {
        workspace.lbaf(&[
            "run",
            "run.yaml",
            "--suffix",
            "vom",
            "--set",
            &format!("from_data.expected_ranks={expected}"),
        ])
    };
    let said = run("4");
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_snapshot!(said.stderr, @"warning: data: there are files of 1 rank, but `from_data.expected_ranks` is 4; the run continues with these files");
    assert_eq!(workspace.json("out/summary.json")["input"]["n_ranks"], 1);
    assert_eq!(run("1").stderr, "");
}

#[test]
fn a_brotli_stream_that_expands_more_than_data() {
    assert_snapshot!(refused("brotli_bomb"), @"error: data.0.json: the brotli stream of 178 B expands to 4194304 B or more and contains hardly any values; it is damaged or was made to exhaust memory; write the file again");
}

#[test]
fn values_that_are_nested_too_deep() {
    assert_snapshot!(refused("nested_too_deep"), @"error: data.0.json: line 1, column 1041: values are nested more than 1024 levels deep");
}

#[test]
fn statistics_instead_of_data() {
    assert_snapshot!(refused("statistics_as_data"), @"error: data.0.json: line 1, column 9, at /type: this is an LB statistics file, which holds no objects; `lbaf info FILE` shows it");
}

/// Only commands that list iterations check them.
#[test]
fn iterations_of_another_shape() {
    let workspace = case("iterations_of_another_shape");
    workspace.succeed(&["info", "data"]);
    assert_snapshot!(workspace.fail(&["tasks", "data"], 4), @"error: data.0.json: phase 0: `lb_iterations`: missing field `entity` at line 1 column 30");
}
