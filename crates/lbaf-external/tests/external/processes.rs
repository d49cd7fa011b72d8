// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes of commands: time limit, descendants, standard error, working directory.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use lbaf_external::{External, ExternalError};
use tempfile::TempDir;

use crate::made_phase::{Posed, heard, in_directory, listener, script, strategy};

/// True if the process whose number a command wrote to the file `pid` exists, even as a zombie.
fn is_there(pid: &Path) -> bool {
    let pid = fs::read_to_string(pid).expect("the command wrote its number");
    Path::new("/proc").join(pid.trim()).exists()
}

/// True if a process is gone within 5 s: the system needs a short time to reap descendants of a command.
fn is_gone(pid: &Path) -> bool {
    let began = Instant::now();
    while is_there(pid) && began.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
    !is_there(pid)
}

#[test]
#[cfg(target_os = "linux")]
fn a_command_that_hangs_is_killed_with_its_descendants() {
    let directory = TempDir::new().unwrap();
    let hangs = "echo $$ > own; echo 'thinking' >&2; sleep 100 & echo $! > started; wait";
    let strategy = in_directory(External { time_limit: 0.3, ..script(hangs) }, directory.path());
    let began = Instant::now();
    let error = Posed::default().ask(&strategy).unwrap_err();
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert_eq!(
        error.to_string(),
        "`sh` gave no answer within 0.3 s and was killed; raise `time_limit` if it needs longer; its standard error ends \
         with: thinking"
    );
    assert!(!is_there(&directory.path().join("own")));
    assert!(is_gone(&directory.path().join("started")));
}

#[test]
fn a_command_that_closes_its_output_and_hangs_is_killed() {
    let hangs = "cat > /dev/null; echo '{\"placement\": [0, 0, 1, 1]}'; exec >&-; sleep 100";
    let error = Posed::default().ask(&strategy(External { time_limit: 0.3, ..script(hangs) })).unwrap_err();
    assert!(matches!(error, ExternalError::Late { .. }), "{error}");
}

/// If `sleep` were not killed, standard output would stay open for 100 s.
#[test]
#[cfg(target_os = "linux")]
fn processes_that_a_command_leaves_running_are_killed() {
    let directory = TempDir::new().unwrap();
    let leaves = "cat > /dev/null; sleep 100 & echo $! > started; echo '{\"placement\": [0, 0, 1, 1]}'";
    let strategy = in_directory(External { time_limit: 20.0, ..script(leaves) }, directory.path());
    let began = Instant::now();
    Posed::default().ask(&strategy).unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(is_gone(&directory.path().join("started")));
}

#[test]
fn a_command_need_not_read_the_problem() {
    Posed::default().ask(&strategy(script("echo '{\"placement\": [0, 0, 1, 1]}'"))).unwrap();
}

#[test]
fn endless_output_is_stopped() {
    let error = Posed::default().ask(&strategy(External::of(["yes"]))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`yes` answered more than 268435456 bytes and was killed; leave out iterations"
    );
}

#[test]
fn standard_error_is_passed_on_line_by_line() {
    let (listener, lines) = listener();
    let talks =
        "cat > /dev/null; printf 'one\\ntwo\\r\\n\\n\\377half' >&2; echo '{\"placement\": [0, 0, 1, 1]}'";
    let strategy = heard(script(talks), "", listener);
    Posed::default().ask(&strategy).unwrap();
    assert_eq!(*lines.lock().unwrap(), ["one", "two", "", "\u{fffd}half"]);
}

#[test]
fn a_long_line_of_standard_error_comes_in_pieces() {
    let (listener, lines) = listener();
    let talks =
        "head -c 20000 /dev/zero | tr '\\0' x >&2; cat > /dev/null; echo '{\"placement\": [0, 0, 1, 1]}'";
    let strategy = heard(script(talks), "", listener);
    Posed::default().ask(&strategy).unwrap();
    let lengths: Vec<usize> = lines.lock().unwrap().iter().map(String::len).collect();
    assert_eq!(lengths, [8192, 8192, 3616]);
}

#[test]
fn relative_paths_start_at_the_directory() {
    let directory = TempDir::new().unwrap();
    let answer = "#!/bin/sh\ncat > /dev/null\ncat answer.json\n";
    fs::write(directory.path().join("answer.json"), "{\"placement\": [0, 2, 2, 2]}").unwrap();
    fs::write(directory.path().join("solve"), answer).unwrap();
    let outcome =
        Posed::default().ask(&in_directory(External::of(["sh", "solve"]), directory.path())).unwrap();
    assert_eq!(outcome.assignment.rank_of(lbaf_model::Slot(1)).0, 2);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let program = directory.path().join("solve");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Posed::default().ask(&in_directory(External::of(["./solve"]), directory.path())).unwrap();
    }
}

#[test]
fn a_command_may_take_longer_to_end_than_to_answer() {
    let late = "cat > /dev/null; echo '{\"placement\": [0, 0, 1, 1]}'; exec >&-; sleep 0.3";
    Posed::default().ask(&strategy(script(late))).unwrap();
}
