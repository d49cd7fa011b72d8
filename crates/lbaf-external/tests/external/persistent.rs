// SPDX-License-Identifier: MIT OR Apache-2.0
//! Persistent commands: one process answers all problems.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lbaf_external::{External, ExternalError, ExternalStrategy, Processes};
use tempfile::TempDir;

use crate::made_phase::{Posed, in_directory, ranks, script, strategy};

/// Script that answers line n with `turn: n`, and with the second object on rank n mod 3. Each process appends its
/// number to the file `processes`.
const COUNTS: &str = "echo $$ >> processes; n=0; while read -r line; do n=$((n+1)); \
                      echo \"{\\\"placement\\\": [0, $((n % 3)), 1, 1], \\\"turn\\\": $n}\"; done";

fn persistent(lines: &str) -> External {
    External { persistent: true, ..script(lines) }
}

fn refused(lines: &str) -> String {
    Posed::default().ask(&strategy(persistent(lines))).unwrap_err().to_string()
}

#[test]
fn a_process_answers_problem_after_problem() {
    let directory = TempDir::new().unwrap();
    let strategy = in_directory(persistent(COUNTS), directory.path());
    let placements: Vec<Vec<u32>> =
        (0..4).map(|_| ranks(&Posed::default().ask(&strategy).unwrap())).collect();
    assert_eq!(placements, [[0, 1, 1, 1], [0, 2, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]);
    let began = Instant::now();
    drop(strategy);
    // The process exits at the end of its input, before it would be killed after 500 ms.
    assert!(began.elapsed() < Duration::from_millis(500));
    assert_eq!(fs::read_to_string(directory.path().join("processes")).unwrap().lines().count(), 1);
}

#[test]
fn simultaneous_problems_have_a_process_each() {
    let directory = TempDir::new().unwrap();
    let slow = COUNTS.replace("echo \"{", "sleep 0.3; echo \"{");
    let strategy = in_directory(persistent(&slow), directory.path());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert_eq!(ranks(&Posed::default().ask(&strategy).unwrap()), [0, 1, 1, 1]));
        }
    });
    assert_eq!(fs::read_to_string(directory.path().join("processes")).unwrap().lines().count(), 3);
    Posed::default().ask(&strategy).unwrap();
    assert_eq!(fs::read_to_string(directory.path().join("processes")).unwrap().lines().count(), 3);
}

#[test]
fn after_a_fault_another_process_is_started() {
    let directory = TempDir::new().unwrap();
    let lines = "read -r line; if [ -e failed ]; then echo '{\"placement\": [0, 0, 1, 1], \"turn\": 1}'; cat > /dev/null; \
                 else touch failed; exit 4; fi";
    let strategy = in_directory(persistent(lines), directory.path());
    let error = Posed::default().ask(&strategy).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`sh` failed (exit status: 4, before it answered); its standard error is empty"
    );
    Posed::default().ask(&strategy).unwrap();
}

#[test]
fn a_process_that_ends_between_problems_is_an_error() {
    let once = "read -r line; echo '{\"placement\": [0, 0, 1, 1], \"turn\": 1}'";
    let strategy = strategy(persistent(once));
    Posed::default().ask(&strategy).unwrap();
    let error = Posed::default().ask(&strategy).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`sh` failed (exit status: 0, before it answered); its standard error is empty"
    );
}

/// The second line may arrive before or after the next problem is sent.
#[test]
fn the_answer_to_a_problem_is_one_line() {
    let line = r#"{\"placement\": [0, 0, 1, 1], \"turn\": 1}"#;
    let strategy =
        strategy(persistent(&format!("while read -r l; do printf '%s\\n' \"{line}\" \"{line}\"; done")));
    let first = Posed::default().ask(&strategy);
    let error = first.and_then(|_| Posed::default().ask(&strategy)).unwrap_err();
    assert!(
        matches!(error, ExternalError::TooManyLines { .. } | ExternalError::Turn { expected: 2, .. }),
        "{error}"
    );
}

#[test]
fn the_answer_to_another_problem_is_refused() {
    let turn = |turn: &str| {
        refused(&format!("read -r line; echo '{{\"placement\": [0, 0, 1, 1]{turn}}}'; cat > /dev/null"))
    };
    let message = |given| {
        format!("the answer has `turn` {given}, but the problem had 1; repeat the number of the problem")
    };
    assert_eq!(turn(", \"turn\": 2"), message("2"));
    assert_eq!(turn(", \"turn\": null"), message("null"));
    assert_eq!(turn(""), message("null"));
}

#[test]
fn an_empty_line_is_not_an_answer() {
    assert!(refused("read -r line; echo; cat > /dev/null").starts_with("`sh` answered nothing"));
}

#[test]
fn a_process_that_does_not_end_is_killed() {
    let lines = "read -r line; echo '{\"placement\": [0, 0, 1, 1], \"turn\": 1}'; sleep 100";
    let strategy = strategy(persistent(lines));
    Posed::default().ask(&strategy).unwrap();
    let began = Instant::now();
    drop(strategy);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

/// A command that answers, but never reads the remainder of a long problem, exceeds the time limit.
#[test]
fn a_persistent_command_reads_the_whole_problem() {
    let lines = "head -c 10 > /dev/null; echo '{\"placement\": [], \"turn\": 1}'; sleep 100";
    let strategy = strategy(External { time_limit: 0.5, ..persistent(lines) });
    let error = crate::large::posed(20_000).ask(&strategy).unwrap_err();
    assert!(error.to_string().starts_with("`sh` gave no answer within 0.5 s and was killed"), "{error}");
}

/// Each cell of a study has its own strategy, but all of them use the same processes.
#[test]
fn strategies_share_processes_of_equal_commands() {
    let directory = TempDir::new().unwrap();
    let processes = Arc::new(Processes::new(directory.path()));
    let other = persistent(&format!("{COUNTS}; true"));
    for (parameters, n_processes, placement) in [
        (persistent(COUNTS), 1, [0, 1, 1, 1]),
        (persistent(COUNTS), 1, [0, 2, 1, 1]),
        (other, 2, [0, 1, 1, 1]),
    ] {
        let strategy = ExternalStrategy::new(parameters, &processes).unwrap();
        assert_eq!(ranks(&Posed::default().ask(&strategy).unwrap()), placement);
        let started = fs::read_to_string(directory.path().join("processes")).unwrap();
        assert_eq!(started.lines().count(), n_processes);
    }
}
