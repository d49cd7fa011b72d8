// SPDX-License-Identifier: MIT OR Apache-2.0
//! Promises of claims: one winner, takeover only from owners that are gone, and no left-over files.
#![allow(clippy::unwrap_used, reason = "the functions shared by the tests are tests too")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use lbaf_claims::{Attempt, Claims, Intervals, leases, notice};
use tempfile::TempDir;

const FAST: Intervals = Intervals { renewal: Duration::from_millis(20), expiry: Duration::from_millis(400) };

fn directory() -> (TempDir, std::path::PathBuf) {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("claims");
    (parent, directory)
}

fn join(directory: &Path) -> Claims<u32> {
    Claims::join(directory, "test", FAST, 0).unwrap()
}

/// Writes the lease and the claim of a process on another machine that was killed.
fn killed_elsewhere(directory: &Path, work: &str) {
    fs::create_dir_all(directory).unwrap();
    let lease = r#"{"name": "x", "process": {"host": "elsewhere", "pid": 1, "scope": null, "started": null},
        "renewals": 7, "seconds": 70.0, "expiry": 60.0, "note": 0}"#;
    fs::write(directory.join("killed.lease"), lease).unwrap();
    fs::write(directory.join(format!("{work}-0.claim")), "killed\n").unwrap();
}

fn won(attempt: Attempt) -> lbaf_claims::Claim {
    match attempt {
        Attempt::Won(claim) => claim,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_piece_of_work_has_one_winner() {
    let (_parent, directory) = directory();
    let winners = Mutex::new(BTreeMap::new());
    let all = Barrier::new(8);
    thread::scope(|threads| {
        for process in 0..8 {
            let (directory, winners, all) = (&directory, &winners, &all);
            threads.spawn(move || {
                let claims = join(directory);
                all.wait();
                for work in 0..200 {
                    // Processes begin at different pieces.
                    let work = (work + process * 25) % 200;
                    if let Attempt::Won(claim) = claims.claim(&format!("w{work}")).unwrap() {
                        *winners.lock().unwrap().entry(work).or_insert(0) += 1;
                        claim.done().unwrap();
                    }
                }
                all.wait();
            });
        }
    });
    assert_eq!(winners.into_inner().unwrap(), (0..200).map(|work| (work, 1)).collect());
    assert!(!directory.exists());
}

#[test]
fn of_processes_in_the_directory_at_the_same_time_exactly_one_wins() {
    let (_parent, directory) = directory();
    let claims: Vec<Claims<u32>> = (0..6).map(|_| join(&directory)).collect();
    for work in 0..100 {
        let name = format!("w{work}");
        let n_won = thread::scope(|threads| {
            let attempts: Vec<_> =
                claims.iter().map(|claims| threads.spawn(|| claims.claim(&name).unwrap())).collect();
            let attempts = attempts.into_iter().map(|attempt| attempt.join().unwrap());
            attempts.filter(|attempt| matches!(attempt, Attempt::Won(_))).count()
        });
        assert_eq!(n_won, 1);
    }
}

#[test]
fn a_lease_without_renewals_expires_by_the_clock_of_the_observer() {
    let (_parent, directory) = directory();
    killed_elsewhere(&directory, "w");
    let claims = join(&directory);
    let began = Instant::now();
    let claim = loop {
        match claims.claim("w").unwrap() {
            Attempt::Taken => thread::sleep(Duration::from_millis(10)),
            other => break won(other),
        }
    };
    assert!(began.elapsed() >= FAST.expiry);
    assert!(claim.is_taken_over);
    assert!(directory.join("w-1.claim").is_file() && !directory.join("killed.lease").exists());
    // Another process sees the new owner.
    assert!(matches!(join(&directory).claim("w").unwrap(), Attempt::Taken));
}

#[test]
fn only_one_process_takes_a_claim_over() {
    let (_parent, directory) = directory();
    killed_elsewhere(&directory, "w");
    let claims: Vec<Claims<u32>> = (0..4).map(|_| join(&directory)).collect();
    let began = Instant::now();
    let mut n_won = 0;
    while began.elapsed() < 3 * FAST.expiry {
        n_won += claims.iter().filter(|claims| matches!(claims.claim("w").unwrap(), Attempt::Won(_))).count();
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(n_won, 1);
}

#[test]
fn a_renewed_lease_does_not_expire() {
    let (_parent, directory) = directory();
    let (one, other) = (join(&directory), join(&directory));
    let claim = won(one.claim("w").unwrap());
    let began = Instant::now();
    while began.elapsed() < 3 * FAST.expiry {
        assert!(matches!(other.claim("w").unwrap(), Attempt::Taken));
        thread::sleep(Duration::from_millis(10));
    }
    claim.done().unwrap();
    assert!(matches!(other.claim("w").unwrap(), Attempt::Done));
}

#[test]
fn claims_of_a_process_that_left_are_free() {
    let (_parent, directory) = directory();
    let (one, other) = (join(&directory), join(&directory));
    let _unfinished = won(one.claim("a").unwrap());
    won(one.claim("b").unwrap()).done().unwrap();
    drop(one);
    assert!(won(other.claim("a").unwrap()).is_taken_over);
    assert!(matches!(other.claim("b").unwrap(), Attempt::Done));
}

/// The content of a lease may be visible late on a network file system.
#[test]
fn an_unreadable_lease_expires_only_after_its_time() {
    let (_parent, directory) = directory();
    killed_elsewhere(&directory, "w");
    fs::write(directory.join("killed.lease"), "").unwrap();
    let claims = join(&directory);
    assert!(matches!(claims.claim("w").unwrap(), Attempt::Taken));
    let began = Instant::now();
    while began.elapsed() < 3 * FAST.expiry && matches!(claims.claim("w").unwrap(), Attempt::Taken) {
        thread::sleep(Duration::from_millis(10));
    }
    assert!(began.elapsed() >= FAST.expiry && directory.join("w-1.claim").is_file());
}

#[test]
fn removed_leases_of_killed_processes_on_other_machines_do_not_keep_the_directory() {
    let (_parent, directory) = directory();
    killed_elsewhere(&directory, "w");
    let claims = join(&directory);
    let began = Instant::now();
    while directory.join("killed.lease").exists() {
        assert!(began.elapsed() < Duration::from_secs(10));
        claims.remove_expired();
        thread::sleep(Duration::from_millis(10));
    }
    assert!(began.elapsed() >= FAST.expiry);
    drop(claims);
    assert!(!directory.exists());
}

/// A process was killed after it had created the file and before it had written its name.
#[test]
fn an_empty_claim_expires() {
    let (_parent, directory) = directory();
    let claims = join(&directory);
    fs::write(directory.join("w-0.claim"), "").unwrap();
    assert!(matches!(claims.claim("w").unwrap(), Attempt::Taken));
    thread::sleep(FAST.expiry);
    won(claims.claim("w").unwrap());
}

#[test]
fn work_done_before_a_process_joined_can_be_claimed_again_if_its_owner_is_gone() {
    let (_parent, directory) = directory();
    let (_last, one) = (join(&directory), join(&directory));
    won(one.claim("w").unwrap()).done().unwrap();
    let other = join(&directory);
    // The process is still there, so its result is too.
    assert!(matches!(other.claim("w").unwrap(), Attempt::Done));
    drop(one);
    thread::sleep(FAST.expiry / 4);
    won(other.claim("w").unwrap()).done().unwrap();
    assert!(matches!(other.claim("w").unwrap(), Attempt::Done));
    assert!(directory.join("w-1.claim").is_file());
}

#[test]
fn notes_and_notices_are_visible_to_others() {
    let (_parent, directory) = directory();
    let claims = join(&directory);
    claims.note(|note| *note = 42);
    claims.notice("plan", "first").unwrap();
    claims.notice("plan", "second").unwrap();
    assert_eq!(notice(&directory, "plan").as_deref(), Some("second"));
    let began = Instant::now();
    while leases::<u32>(&directory)[0].note != 42 {
        assert!(began.elapsed() < Duration::from_secs(10));
        thread::sleep(Duration::from_millis(10));
    }
    let lease = &leases::<u32>(&directory)[0];
    assert!(lease.renewals > 0 && !lease.process.has_ended() && lease.name == "test");
    assert!(lease.age.unwrap() < Duration::from_mins(1) && lease.expiry == FAST.expiry.as_secs_f64());
    // Work is left, so the next process finds the notice.
    drop(claims);
    assert_eq!(notice(&directory, "plan").as_deref(), Some("second"));
    join(&directory).complete();
    assert!(!directory.exists());
}

/// While a process is suspended, others do all work and remove the directory.
#[test]
fn a_process_whose_directory_was_removed_joins_again() {
    let (_parent, directory) = directory();
    let claims = join(&directory);
    fs::remove_dir_all(&directory).unwrap();
    won(claims.claim("w").unwrap()).done().unwrap();
    assert!(matches!(join(&directory).claim("w").unwrap(), Attempt::Done));
    drop(claims);
    assert!(!directory.exists());
}

/// A file of another program keeps the directory; the files of claims are removed.
#[test]
fn files_of_others_are_kept() {
    let (_parent, directory) = directory();
    let claims = join(&directory);
    won(claims.claim("w").unwrap()).done().unwrap();
    fs::write(directory.join("foreign.txt"), "").unwrap();
    drop(claims);
    let left: Vec<_> = directory.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["foreign.txt"]);
}
