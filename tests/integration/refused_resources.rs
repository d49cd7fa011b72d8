// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads and memory that the system refuses: the command ends with a message and an exit code, without a
//! panic.
#![cfg(target_os = "linux")]

use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

const REFUSED: i32 = 71;

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let tasks: Vec<_> = (1..=4).map(|sequence| task(packed(sequence, 0), 0, 1.0)).collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &[]));
    workspace
}

#[allow(clippy::print_stderr, reason = "a test that checks nothing must say so")]
fn skipped(reason: &str) {
    eprintln!("skipped: {reason}");
}

/// The limit `--nproc` counts all processes of a user and does not apply to root. The test uses a user without
/// other processes.
#[test]
fn a_thread_that_is_not_started_is_an_error() {
    let workspace = workspace();
    let nobody =
        workspace.shell("setpriv --reuid 65534 --clear-groups prlimit --nproc=1 \"$LBAF\" --version");
    if nobody.code != 0 {
        return skipped("the binary cannot be run as another user");
    }
    for n_threads in [1, 2] {
        let said = workspace.shell(&format!(
            "setpriv --reuid 65534 --clear-groups prlimit --nproc=1 \"$LBAF\" info set --threads {n_threads}"
        ));
        assert_eq!(said.code, REFUSED, "{}", said.stderr);
        assert!(said.stderr.starts_with("error: cannot start a thread: "), "{}", said.stderr);
        assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
    }
}

/// Threads are started one after the other. Regression: they were started together, and a thread that was refused
/// memory during its start could abort the process without a message.
#[test]
fn a_pool_that_is_not_started_is_an_error() {
    let said = workspace().shell("ulimit -v 262144; \"$LBAF\" info set --threads 1000");
    assert_eq!(said.code, REFUSED, "{}", said.stderr);
    assert!(said.stderr.starts_with("error: cannot start a thread: "), "{}", said.stderr);
}

/// For limits from too low to sufficient, every command ends with a result or a specific exit code.
#[test]
fn memory_that_is_refused_ends_with_a_message_and_an_exit_code() {
    let workspace = workspace();
    let load = "load_sampler: {name: constant, parameters: [1.0]}";
    workspace
        .write("spec.yaml", format!("from_samplers: {{n_ranks: 1, n_objects: 2000, n_phases: 20, {load}}}"));
    workspace.succeed(&["make", "spec.yaml", "data"]);
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: data}\nalgorithm: {name: Greedy}\noutput_dir: out\nplots: none\n",
    );
    // Limits so low that the system kills the program while loading it are not tested.
    let loads =
        |mib: &u64| workspace.shell(&format!("ulimit -v {}; \"$LBAF\" --version", mib << 10)).code == 0;
    let first = (16..).step_by(8).find(loads).expect("it loads");
    let mut n_refused = 0;
    for mib in (first + 16..first + 112).step_by(16) {
        for command in ["info data", "run run.yaml", "make spec.yaml new --force"] {
            let said = workspace
                .shell(&format!("ulimit -v {}; RUST_BACKTRACE=1 \"$LBAF\" {command} --threads 1", mib << 10));
            // A synthetic data set that needs too much memory is an error of the specification, at the key `n_objects`.
            let refused = if said.stderr.contains("n_objects") { 3 } else { REFUSED };
            assert!([0, refused].contains(&said.code), "{command}, {mib} MiB: {}", said.stderr);
            let says_so = ["memory", "cannot start a thread"].iter().any(|text| said.stderr.contains(text));
            assert!(said.code == 0 || says_so, "{command}, {mib} MiB: {}", said.stderr);
            assert!(!said.stderr.contains("stack backtrace"), "{command}, {mib} MiB: {}", said.stderr);
            n_refused += usize::from(said.code != 0);
        }
    }
    assert!(n_refused > 0, "no limit is too low");
}

/// Regression: the exit code was that of invalid input.
#[test]
fn memory_that_is_refused_for_a_plain_file() {
    let workspace = Workspace::new();
    let padding = " ".repeat(600_000_000);
    workspace.write("data.0.json", format!(r#"{{"phases":[{{"id":0,"tasks":[]}}]{padding}}}"#));
    let said = workspace.shell("ulimit -v 500000; \"$LBAF\" info data --threads 1");
    assert_eq!(said.code, REFUSED, "{}", said.stderr);
    assert!(said.stderr.contains("data.0.json: ") && said.stderr.contains("memory"), "{}", said.stderr);
}

/// The user requests these sizes, so the exit code is that of a wrong configuration.
#[test]
fn a_data_set_larger_than_memory_is_refused_before_it_is_drawn() {
    let workspace = Workspace::new();
    let load = "load_sampler: {name: constant, parameters: [1.0]}";
    for (sizes, code) in [("n_objects: 4000000000, n_phases: 4000000000", 3), ("n_objects: 1000000000000", 3)]
    {
        workspace.write("spec.yaml", format!("from_samplers: {{n_ranks: 2, {sizes}, {load}}}"));
        let error = workspace.fail(&["make", "spec.yaml", "new"], code);
        assert!(error.contains("n_objects"), "{error}");
    }
    workspace.write(
        "run.yaml",
        format!(
            "from_samplers: {{n_ranks: 2, n_objects: 4000000000, n_phases: 4000000000, {load}}}\n\
             algorithm: {{name: Greedy}}\noutput_dir: out\n"
        ),
    );
    let error = workspace.fail(&["run", "run.yaml"], 3);
    assert!(error.contains("of memory, which the system refuses; make a smaller data set"), "{error}");
}
