// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in the arguments of commands, in `--set`, and in files that the arguments name.

use insta::assert_snapshot;

use crate::bad_configuration::workspace;
use crate::workspace::Workspace;

#[test]
fn a_setting_on_the_command_line_that_is_wrong() {
    let workspace = workspace("from_data: {data_stem: data}\nalgorithm: {name: Greedy}\n");
    let set = |setting| workspace.fail(&["run", "run.yaml", "--set", setting], 3);
    assert_snapshot!(set("algorithm.parameters.pool=half"), @r"
    error: --set:1:27: algorithm.parameters.pool: unknown value `half`; expected one of `all`, `excess`
      |
    1 | algorithm.parameters.pool=half
      |                           ^^^^
    ");
    assert_snapshot!(set("algorithm.parameters.pool"), @r"
    error: --set:1:1: expected `key.path=value`, found no `=`
      |
    1 | algorithm.parameters.pool
      | ^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    assert_snapshot!(set("algorithm.phase_id=3"), @r"
    error: --set:1:20: algorithm.phase_id: phase 3 is not in the data, which hold phases 0-1
      |
    1 | algorithm.phase_id=3
      |                    ^
    ");
}

#[test]
fn an_error_in_the_second_of_two_files_is_shown_there() {
    let workspace = workspace("from_data: {data_stem: data}\nalgorithm: {name: Greedy}\n");
    workspace.write("more.yaml", "seed: 1\n\nplots: some\n");
    assert_snapshot!(workspace.fail(&["run", "run.yaml", "more.yaml"], 3), @r#"
    error: more.yaml:3:8: plots: expected `none`, or a mapping with the keys `formats`, `charts`, `phases`, `width`, `dpi`, `pgfplots` and `style`, found the string "some"
      |
    3 | plots: some
      |        ^^^^
    "#);
}

#[test]
fn phases_on_the_command_line_that_the_data_lack() {
    let workspace = workspace("from_data: {data_stem: data}\nalgorithm: {name: Greedy}\n");
    assert_snapshot!(workspace.fail(&["run", "run.yaml", "--phases", "0-x"], 2), @r#"error: --phases: expected phases like 3, "0-10", "0-3, 7", "%100 -3 3" or `all`, found "0-x""#);
    assert_snapshot!(workspace.fail(&["run", "run.yaml", "--phases", "9"], 3), @"error: --phases: phase 9 is not in the data, which hold phases 0-1");
    assert_snapshot!(workspace.fail(&["info", "data", "--phases", "9"], 3), @"error: --phases: phase 9 is not in the data, which hold phases 0-1");
}

#[test]
fn an_invalid_specification() {
    let workspace = Workspace::new();
    workspace.write(
        "spec.yaml",
        "from_samplers:\n  n_ranks: 0\n  n_objects: 1\n  load_sampler: {name: uniform, parameters: [0, 1]}\n",
    );
    assert_snapshot!(workspace.fail(&["make", "spec.yaml", "made"], 3), @r"
    error: spec.yaml:2:12: from_samplers: `n_ranks` is 0, but a data set must have at least one rank
      |
    2 |   n_ranks: 0
      |            ^
    ");
    assert_eq!(workspace.names("."), ["spec.yaml"]);
}

#[test]
fn wrong_usage() {
    let workspace = Workspace::new();
    for arguments in [
        &["balance"][..],
        &["run"],
        &["run", "run.yaml", "--unknown"],
        &["info"],
        &["info", "data", "--threads", "many"],
        &["make", "spec.yaml", "made", "--quality", "12"],
        &["-c"],
        &[],
    ] {
        let error = workspace.fail(arguments, 2);
        assert!(error.contains("--help"), "{arguments:?}: {error}");
    }
}

/// A wrong value of an option is wrong usage, whichever command has the option. `--set` changes the configuration, and a
/// phase that the data lack may exist in other data.
#[test]
fn wrong_values_of_options_have_one_exit_code() {
    let workspace = workspace("from_data: {data_stem: data}\nalgorithm: {name: Greedy}\noutput_dir: out\n");
    workspace.succeed(&["run", "run.yaml", "--set", "plots=none"]);
    for (arguments, said) in [
        ("strategies Nope", "there is no strategy `Nope`"),
        ("run --data data --strategy Nope", "--strategy: there is no strategy `Nope`"),
        ("compare --data data --strategies Nope", "--strategies: there is no strategy `Nope`"),
        ("compare --data data --seeds x", "--seeds: expected numbers and ranges"),
        ("compare --data data --seeds -1", "--seeds: expected numbers and ranges"),
        ("run run.yaml --seed -1", "'--seed <N>': expected a whole number from 0 to 18446744073709551615"),
        (
            "make run.yaml new --seed -1",
            "'--seed <N>': expected a whole number from 0 to 18446744073709551615",
        ),
        ("run run.yaml --threads -1", "'--threads <N>'"),
        ("compare --data data --time-limit -1", "--time-limit: the time limit must be"),
        ("compare --data data --time-limit 0", "--time-limit: the time limit must be"),
        ("plot out --charts bogus", "--charts: there is no chart `bogus`"),
        ("plot out --formats bogus", "'bogus'"),
        ("plot out --font-size 1", "--font-size: "),
        ("plot out out", "charts of several runs need an output directory"),
        ("plot out out --names a --output-dir both", "--names: 1 name for 2 runs"),
        ("plot out out --names a,a --output-dir both", "--names: two runs have the name `a`"),
        ("run run.yaml --phases x", "--phases: expected phases"),
        ("-c run.yaml --phases x", "--phases: expected phases"),
        ("simulate run.yaml --phases x", "--phases: expected phases"),
        ("milp run.yaml --phases x", "--phases: expected phases"),
        ("info data --phases x", "--phases: expected phases"),
        ("diff data data --phases x", "--phases: expected phases"),
        ("plot out --phases x", "--phases: expected phases"),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let error = workspace.fail(&arguments, 2);
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
    workspace.fail(&["run", "run.yaml", "--set", "algorithm.name=Nope"], 3);
    workspace.fail(&["run", "run.yaml", "--phases", "9"], 3);
    workspace.fail(&["plot", "out", "--phases", "9"], 3);
}

#[test]
fn a_configuration_without_a_command() {
    assert_snapshot!(Workspace::new().fail(&["study/greedy.yaml"], 2), @r"
    error: 'study/greedy.yaml' is a configuration; did you mean `lbaf run study/greedy.yaml`?

    Usage: lbaf [OPTIONS]
           lbaf <COMMAND>

    For more information, try '--help'.
    ");
}

#[test]
fn a_suffix_that_no_file_of_the_stem_has() {
    let workspace = workspace("from_data: {data_stem: data}\nalgorithm: {name: Greedy}\n");
    assert_snapshot!(workspace.fail(&["info", "data", "--suffix", "br"], 4), @"error: data.<rank>.br has no file for rank 0; there are files with the suffix json");
}
