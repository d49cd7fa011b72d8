// SPDX-License-Identifier: MIT OR Apache-2.0
//! Journals of replacements that were cut off: of other machines and users, of processes that live, and damaged ones.

use super::*;

/// A process on another machine may live: its journal stays until the user says otherwise.
#[test]
fn what_another_machine_has_begun_is_restored_only_when_told() {
    let (_directory, out) = torn();
    let lock = hidden(&out)[0].join(".lock");
    fs::write(lock, "another").expect("it can be written");
    let before = tree(&out);
    let state = State::On("another".to_owned());
    let directory = out.clone();
    assert_eq!(unfinished(&out), Some(Unfinished { directory, state }));
    let error = Staging::new(&out).err().expect("it may live").to_string();
    assert!(error.contains("on another started to replace the files there"), "{error}");
    assert!(restore(&out, false).is_err());
    assert_eq!(tree(&out), before);
    assert!(restore(&out, true).expect("it is told to"));
    assert_eq!(tree(&out), tree(&prepared(&["their.txt"]).1));
}

#[test]
fn a_process_that_lives_is_not_disturbed() {
    let (_directory, out) = torn();
    let lock = fs::File::open(hidden(&out)[0].join(".lock")).expect("it is there");
    lock.lock().expect("it is free");
    let before = tree(&out);
    assert_eq!(unfinished(&out).map(|unfinished| unfinished.state), Some(State::Running));
    assert!(Staging::new(&out).is_err() && restore(&out, false).is_err());
    assert_eq!(tree(&out), before);
    drop(lock);
    assert!(restore(&out, false).expect("it is free"));
    assert!(!restore(&out, false).expect("there is no more"));
    assert_eq!(tree(&out), tree(&prepared(&["their.txt"]).1));
}

/// A file that its owner has put there since is not replaced by an old one.
#[test]
fn a_new_file_of_others_in_the_way_of_an_old_one_stays() {
    let (_directory, out) = torn();
    fs::write(out.join(LAST), "theirs").expect("it fits");
    let error = restore(&out, false).expect_err("there is a file in the way");
    assert!(matches!(&error, WriteError::Taken { path, .. } if *path == out.join(LAST)), "{error}");
    assert_eq!(fs::read_to_string(out.join(LAST)).expect("it is there"), "theirs");
    fs::remove_file(out.join(LAST)).expect("it is there");
    assert!(restore(&out, false).expect("nothing is in the way"));
    assert_eq!(tree(&out), tree(&prepared(&["their.txt"]).1));
}

/// A journal may have come with files of others.
#[test]
fn a_journal_renames_nothing_outside_its_directory() {
    let step = |aside: (&str, &str), placed: (&str, &str)| {
        format!(
            r#"{{"made": [], "emptied": [], "last": [], "aside": [{{"from": "{}", "to": "{}"}}],
                "placed": [{{"from": "{}", "to": "{}"}}]}}"#,
            aside.0, aside.1, placed.0, placed.1
        )
    };
    let (kept, staged) = (("old", ".lbaf-evil/aside/0"), (".lbaf-evil/new/b", "b"));
    for journal in [
        step(("taken", "../secret"), staged),
        step(("taken", ".lbaf-evil/aside/../../../secret"), staged),
        step(("taken", "theirs"), staged),
        step(("../taken", ".lbaf-evil/aside/0"), staged),
        step(("taken", ".lbaf-evil/aside"), staged),
        step(kept, (".lbaf-evil/new/b", "../secret")),
        step(kept, ("b", "theirs")),
        step(kept, (".lbaf-evil/new/b", "link/secret")),
        step(("taken", ".lbaf-evil/aside/link/secret"), staged),
        r#"{"made": ["../empty"], "aside": [], "placed": [], "last": [], "emptied": []}"#.to_owned(),
        r#"{"made": ["a"], "aside": ["#.to_owned(),
        String::new(),
    ] {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let out = directory.path().join("out");
        fs::create_dir_all(out.join(".lbaf-evil/aside")).expect("it can be made");
        fs::create_dir(directory.path().join("empty")).expect("it can be made");
        fs::write(directory.path().join("secret"), "secret").expect("it fits");
        fs::write(out.join("theirs"), "theirs").expect("it fits");
        fs::write(out.join(".lbaf-evil/journal.json"), &journal).expect("it fits");
        #[cfg(unix)]
        for link in ["link", ".lbaf-evil/aside/link"] {
            std::os::unix::fs::symlink(directory.path(), out.join(link)).expect("it can be made");
        }
        let names = || {
            let names = |directory: &Path| -> Vec<PathBuf> {
                let mut names: Vec<PathBuf> = directory
                    .read_dir()
                    .expect("it is there")
                    .map(|entry| entry.expect("it is").path())
                    .collect();
                names.sort();
                names
            };
            [names(directory.path()), names(&out)]
        };
        let before = names();
        for outcome in
            [Staging::new(&out.clone()).err(), restore(&out, false).err(), restore(&out, true).err()]
        {
            let Some(WriteError::Unfinished(found)) = outcome else { panic!("{journal}: {outcome:?}") };
            assert!(matches!(found.state, State::Damaged { .. }), "{journal}: {found:?}");
            assert_eq!(unfinished(&out), Some(found), "{journal}: readers learn the same");
        }
        assert_eq!(names(), before, "{journal}");
        let seen = set_aside(&out).expect("it can be renamed").expect("it is damaged");
        assert_eq!(seen, out.join("lbaf-damaged-evil"));
        assert_eq!(fs::read_to_string(seen.join("journal.json")).expect("it is there"), journal);
        assert_eq!(set_aside(&out).expect("there is none"), None);
        Staging::new(&out).expect("nothing is in the way");
        assert_eq!(fs::read_to_string(directory.path().join("secret")).expect("it is there"), "secret");
    }
}

/// A journal is not followed over links, so none is written: otherwise a kill would lose the old result.
#[cfg(unix)]
#[test]
fn files_beyond_a_link_are_neither_replaced_nor_removed() {
    let (directory, out) = prepared(&["their.txt"]);
    let store = directory.path().join("store");
    fs::rename(out.join("plots"), &store).expect("it is ours");
    std::os::unix::fs::symlink("../store", out.join("plots")).expect("it can be made");
    let before = (tree(&out), tree(&store));
    let error = publish_new(Disk::default(), &out).expect_err("a link is in the way");
    assert!(matches!(&error, WriteError::NotADirectory { path } if *path == out.join("plots")), "{error}");
    assert_eq!((tree(&out), tree(&store)), before);
    // Old files there are no part of the result, whenever the process is killed.
    let new = [("a.0.json", "new 0"), (LAST, "new")];
    for n in 0.. {
        let (disk, seen) = cut_after(n);
        let is_complete = publish(disk, &seen, n, &out, &new, &STALE);
        assert_eq!(tree(&store), before.1, "{n}");
        if is_complete {
            break;
        }
        restore(&out, false).expect("what was written can be followed");
        assert!(tree(&out) == before.0 || !out.join("a.1.json").exists(), "{n}");
    }
    assert_eq!(fs::read_to_string(out.join("a.0.json")).expect("it is there"), "new 0");
}

/// A journal of another directory says nothing of this one.
#[cfg(unix)]
#[test]
fn a_hidden_directory_that_is_a_link_is_damaged() {
    let (directory, out) = torn();
    let before = tree(&out);
    let elsewhere = directory.path().join("elsewhere");
    fs::rename(&hidden(&out)[0], &elsewhere).expect("it is ours");
    std::os::unix::fs::symlink(&elsewhere, out.join(".lbaf-link")).expect("it is free");
    for force in [false, true] {
        let error = restore(&out, force).expect_err("it is a link").to_string();
        assert!(error.contains("is damaged (its directory is a symbolic link)"), "{error}");
    }
    assert_eq!(tree(&out), before);
}

/// Two users share a directory of a third.
#[cfg(unix)]
#[test]
fn a_journal_of_another_user_is_followed_only_when_forced() {
    use std::os::unix::fs::chown;
    let (_directory, out) = torn();
    let before = tree(&out);
    // Only root gives directories away.
    if chown(&hidden(&out)[0], Some(4711), None).is_err() {
        return;
    }
    assert_eq!(unfinished(&out).map(|unfinished| unfinished.state), Some(State::KilledOf { user: 4711 }));
    assert!(Staging::new(&out).is_err() && restore(&out, false).is_err());
    assert_eq!(set_aside(&out).expect("there is nothing to do"), None);
    assert_eq!(tree(&out), before);
    // A user may replace files in directories of their own anyway.
    chown(&out, Some(4711), None).expect("root may");
    assert_eq!(unfinished(&out).map(|unfinished| unfinished.state), Some(State::Killed));
    chown(&out, Some(4712), None).expect("root may");
    assert!(restore(&out, true).expect("it is told to"));
    assert_eq!(tree(&out), tree(&prepared(&["their.txt"]).1));
}

/// Only damaged journals are given up.
#[test]
fn a_whole_journal_is_not_set_aside() {
    let (_directory, out) = torn();
    assert_eq!(set_aside(&out).expect("there is nothing to do"), None);
    assert!(restore(&out, false).expect("nothing is in the way"));
}
