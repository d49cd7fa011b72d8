// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf validate --vt`: data that vt itself would crash on or misread.

use insta::assert_snapshot;

use crate::validate::found;

/// The schema accepts all these data.
#[test]
fn data_that_vt_crashes_on_or_misreads() {
    let for_vt = |name: &str| {
        let valid = found(name, &[]);
        let other_rank = "./data.1.json: warning: the metadata state rank 0; other commands use rank 1 of the file name\n\
                          2 files are valid, 1 warning\n";
        match name {
            "vt_rank_of_another_file" => assert_eq!(valid, other_rank),
            _ => assert!(valid == "1 file is valid\n" || valid == "2 files are valid\n", "{valid}"),
        }
        found(name, &["--vt"])
    };
    assert_snapshot!(for_vt("vt_bits_of_id"), @r"
    ./data.0.json: line 4, column 44, at /phases/0/tasks/1/entity/id: the lowest bits of 524290 mark the object as non-migratable, and vt uses them instead of `migratable`
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(for_vt("vt_home_of_id"), @r"
    ./data.0.json: line 4, column 37, at /phases/0/tasks/1/entity/home: warning: the home is 1 here but 0 in the id, which vt uses
    1 file is valid, 1 warning
    ");
    assert_snapshot!(for_vt("vt_sequence_without_collection"), @r"
    ./data.0.json: line 4, column 11, at /phases/0/tasks/1/entity: vt's reader needs `collection_id` in addition to `seq_id`, also for non-migratable objects
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(for_vt("vt_user_defined_of_phase"), @r"
    ./data.0.json: line 2, column 24, at /phases/0/user_defined: `user_defined` of a phase always crashes vt's reader; remove it
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(for_vt("vt_string_in_user_defined"), @r"
    ./data.0.json: line 3, column 158, at /phases/0/tasks/0/user_defined/name: warning: a string in `user_defined` of a task aborts vt's TemperedLB; remove it or write a number
    1 file is valid, 1 warning
    ");
    assert_snapshot!(for_vt("vt_gap_in_phases"), @r"
    ./data.0.json: line 1, column 145, at /phases: phases 0, 3 are missing and not declared in `metadata.phases`; vt requires phases 0 to 4 without gaps
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(for_vt("vt_nothing_migratable"), @r"
    ./data.0.json: line 5, column 1, at /phases/1: this rank has no migratable object in phase 1; vt's OfflineLB aborts on such a rank
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(for_vt("vt_nothing_migratable_at_first"), @r"
    ./data.0.json: line 2, column 1, at /phases/0: this rank has no migratable object in phase 0, so vt's OfflineLB ignores the objects that phase 1 places here
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(for_vt("vt_rank_of_another_file"), @r"
    ./data.1.json: line 1, column 21, at /metadata/rank: warning: the metadata state rank 0, but the file name states 1, which vt uses
    2 files are valid, 1 warning
    ");
    assert_snapshot!(for_vt("vt_byte_order_mark"), @r"
    ./data.0.json: line 1, column 1, at the top level of the document: the file begins with a byte order mark, which vt's reader cannot handle; remove it
    1 file: 1 invalid, 1 error
    ");
    // The schema does not detect this, but every command that reads a data set does.
    assert_snapshot!(found("vt_object_in_two_files", &["--vt"]), @r"
    ./data.1.json: line 4, column 1, at /phases/0/tasks/1: the object with vt's id 262147 already has a task in phase 0: task 0 of ./data.0.json
    2 files: 1 invalid, 1 error
    ");
    assert_snapshot!(for_vt("vt_migration_across_skipped_phases"), @r"
    ./data.0.json: line 6, column 1, at /phases/1/tasks/0: this object is on another rank than before phase 1, which is skipped; vt applies no migration across skipped phases
    ./data.1.json: line 6, column 1, at /phases/1/tasks/0: this object is on another rank than before phase 1, which is skipped; vt applies no migration across skipped phases
    2 files: 2 invalid, 2 errors
    ");
    assert_snapshot!(for_vt("missing_rank"), @r"
    ./data.2.json: the file of rank 1 is missing before this one; vt reads one file for each rank
    2 files: 1 invalid, 1 error
    ");
}
