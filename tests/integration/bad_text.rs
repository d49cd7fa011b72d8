// SPDX-License-Identifier: MIT OR Apache-2.0
//! Invalid lines in files of the text form: a set of files in `tests/data/malformed` for each error.

use insta::assert_snapshot;

use crate::bad_data::refused;

#[test]
fn text_wrong_number_of_fields() {
    assert_snapshot!(refused("text_wrong_number_of_fields"), @"error: data.0.vom: line 2, column 1: expected 3 fields (phase, object, seconds), 5 (phase, receiver, sender, bytes, type) or subphases in brackets, found 4");
}

#[test]
fn text_phase_not_a_number() {
    assert_snapshot!(refused("text_phase_not_a_number"), @"error: data.0.vom: line 2, column 1: expected a phase, found `x`");
}

#[test]
fn text_phase_too_large() {
    assert_snapshot!(refused("text_phase_too_large"), @"error: data.0.vom: line 2, column 1: expected a phase of at most 2^62, found 4611686018427387905");
}

#[test]
fn text_object_not_a_number() {
    assert_snapshot!(refused("text_object_not_a_number"), @"error: data.0.vom: line 2, column 3: expected the number of an object, found `1.5`");
}

#[test]
fn text_object_beyond_64_bits() {
    assert_snapshot!(refused("text_object_beyond_64_bits"), @"error: data.0.vom: line 2, column 3: the number 18446744073709551616 does not fit into 64 bits");
}

#[test]
fn text_without_time() {
    assert_snapshot!(refused("text_without_time"), @"error: data.0.vom: line 2, column 5: expected a time in seconds (at least 0), found the end of the line");
}

#[test]
fn text_negative_time() {
    assert_snapshot!(refused("text_negative_time"), @"error: data.0.vom: line 2, column 5: expected a time in seconds (at least 0), found `-0.5`");
}

#[test]
fn text_nan_time() {
    assert_snapshot!(refused("text_nan_time"), @"error: data.0.vom: line 2, column 5: expected a time in seconds (at least 0), found `nan`");
}

#[test]
fn text_overflowing_time() {
    assert_snapshot!(refused("text_overflowing_time"), @"error: data.0.vom: line 2, column 5: the number 1e400 does not fit into 64 bits");
}

#[test]
fn text_trailing_data_after_the_time() {
    assert_snapshot!(refused("text_more_behind_the_time"), @"error: data.0.vom: line 2, column 9: expected the end of the line, found `7`");
}

#[test]
fn text_without_number_of_subphases() {
    assert_snapshot!(refused("text_without_number_of_subphases"), @"error: data.0.vom: line 2, column 9: expected the number of subphases, found `[0.5]`");
}

#[test]
fn text_subphases_not_closed() {
    assert_snapshot!(refused("text_subphases_not_closed"), @"error: data.0.vom: line 2, column 15: expected `]` after the subphases, found the end of the line");
}

#[test]
fn text_trailing_data_after_the_subphases() {
    assert_snapshot!(refused("text_more_behind_subphases"), @"error: data.0.vom: line 2, column 17: expected the end of the line, found `3`");
}

#[test]
fn text_other_number_of_subphases() {
    assert_snapshot!(refused("text_other_number_of_subphases"), @"error: data.0.vom: line 2, column 9: the number of subphases is 3, but the brackets contain 2");
}

#[test]
fn text_subphase_not_a_number() {
    assert_snapshot!(refused("text_subphase_not_a_number"), @"error: data.0.vom: line 2, column 12: expected the time of a subphase in seconds (at least 0), found `x`");
}

#[test]
fn text_sender_not_a_number() {
    assert_snapshot!(refused("text_sender_not_a_number"), @"error: data.0.vom: line 2, column 5: expected the number of the sender, found `0.5`");
}

#[test]
fn text_bytes_not_a_number() {
    assert_snapshot!(refused("text_bytes_not_a_number"), @"error: data.0.vom: line 2, column 7: expected a number of bytes (at least 0), found `many`");
}

#[test]
fn text_unknown_communication_type() {
    assert_snapshot!(refused("text_unknown_communication_type"), @"error: data.0.vom: line 2, column 9: unknown communication type 7; the text form has types 1 to 6");
}

#[test]
fn text_communication_type_by_name() {
    assert_snapshot!(refused("text_communication_type_by_name"), @"error: data.0.vom: line 2, column 9: expected a communication type, found `SendRecv`");
}

#[test]
fn text_rank_beyond_32_bits() {
    assert_snapshot!(refused("text_rank_beyond_32_bits"), @"error: data.0.vom: line 2, column 3: this endpoint of a communication of type CollectionToNode must be a rank, but 4294967295 is not a valid rank");
}

#[test]
fn text_without_comma() {
    assert_snapshot!(refused("text_without_comma"), @"error: data.0.vom: line 2, column 3: expected `,`, found `1,2,3`");
}

#[test]
fn text_several_lines() {
    assert_snapshot!(refused("text_several_lines"), @"error: data.0.vom: line 2, column 5: expected a time in seconds (at least 0), found `x`");
}

#[test]
fn text_object_twice_in_a_phase() {
    assert_snapshot!(refused("text_object_twice_in_a_phase"), @"error: data.0.vom: phase 0: the object with id 7 has two tasks: task 0 of data.0.vom and task 1 of data.0.vom");
}
