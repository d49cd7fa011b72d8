// SPDX-License-Identifier: MIT OR Apache-2.0
//! Journals of interrupted replacements: of other machines and users, of running processes, and damaged ones.

use super::*;

/// A process on another machine may be running, so its journal stays until the user decides otherwise.
#[test]
fn a_replacement_of_another_machine_is_restored_only_when_forced() {
    let (_directory, out) = torn();
    let lock = hidden(&out)[0].join(".lock");
    fs::write(lock, "another").expect("it can be written");
    let before = tree(&out);
    let state = State::On("another".to_owned());
    let directory = out.clone();
    assert_eq!(unfinished(&out), Some(Unfinished { directory, state }));
    let error = Staging::new(&out).err().expect("the process may be running").to_string();
    assert!(error.contains("on another started to replace the files there"), "{error}");
    assert!(restore(&out, false).is_err());
    assert_eq!(tree(&out), before);
    assert!(restore(&out, true).expect("restoring is forced"));
    assert_eq!(tree(&out), tree(&prepared(&["their.txt"]).1));
}

#[test]
fn a_running_process_is_not_disturbed() {
    let (_directory, out) = torn();
    let lock = fs::File::open(hidden(&out)[0].join(".lock")).expect("it exists");
    lock.lock().expect("there is no lock");
    let before = tree(&out);
    assert_eq!(unfinished(&out).map(|unfinished| unfinished.state), Some(State::Running));
    assert!(Staging::new(&out).is_err() && restore(&out, false).is_err());
    assert_eq!(tree(&out), before);
    drop(lock);
    assert!(restore(&out, false).expect("there is no lock"));
    assert!(!restore(&out, false).expect("there is no further journal"));
    assert_eq!(tree(&out), tree(&prepared(&["their.txt"]).1));
}

/// A file created by the owner in the meantime is not replaced by an old one.
#[test]
fn a_foreign_file_in_the_place_of_an_old_one_stays() {
    let (_directory, out) = torn();
    fs::write(out.join(LAST), "theirs").expect("the file can be written");
    let error = restore(&out, false).expect_err("there is a file in the way");
    assert!(matches!(&error, WriteError::Taken { path, .. } if *path == out.join(LAST)), "{error}");
    assert_eq!(fs::read_to_string(out.join(LAST)).expect("it exists"), "theirs");
    fs::remove_file(out.join(LAST)).expect("it exists");
    assert!(restore(&out, false).expect("there is no obstacle"));
    assert_eq!(tree(&out), tree(&prepared(&["their.txt"]).1));
}

/// A journal may have been copied into the directory with files of another program, so its paths are not trusted.
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
        let directory = tempfile::tempdir().expect("a temporary directory can be created");
        let out = directory.path().join("out");
        fs::create_dir_all(out.join(".lbaf-evil/aside")).expect("it can be created");
        fs::create_dir(directory.path().join("empty")).expect("it can be created");
        fs::write(directory.path().join("secret"), "secret").expect("the file can be written");
        fs::write(out.join("theirs"), "theirs").expect("the file can be written");
        fs::write(out.join(".lbaf-evil/journal.json"), &journal).expect("the file can be written");
        #[cfg(unix)]
        for link in ["link", ".lbaf-evil/aside/link"] {
            std::os::unix::fs::symlink(directory.path(), out.join(link)).expect("it can be created");
        }
        let names = || {
            let names = |directory: &Path| -> Vec<PathBuf> {
                let mut names: Vec<PathBuf> = directory
                    .read_dir()
                    .expect("it exists")
                    .map(|entry| entry.expect("it can be listed").path())
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
            assert_eq!(unfinished(&out), Some(found), "{journal}: readers report the same state");
        }
        assert_eq!(names(), before, "{journal}");
        let seen = set_aside(&out).expect("it can be renamed").expect("it is damaged");
        assert_eq!(seen, out.join("lbaf-damaged-evil"));
        assert_eq!(fs::read_to_string(seen.join("journal.json")).expect("it exists"), journal);
        assert_eq!(set_aside(&out).expect("there is none"), None);
        Staging::new(&out).expect("there is no obstacle");
        assert_eq!(fs::read_to_string(directory.path().join("secret")).expect("it exists"), "secret");
    }
}

/// A journal whose paths lead over a link would not be followed, so the old result would be lost if the process were
/// interrupted. Therefore a new file over a link is refused, and a stale file over a link stays.
#[cfg(unix)]
#[test]
fn files_reached_over_a_link_are_neither_replaced_nor_removed() {
    let (directory, out) = prepared(&["their.txt"]);
    let store = directory.path().join("store");
    fs::rename(out.join("plots"), &store).expect("the test owns it");
    std::os::unix::fs::symlink("../store", out.join("plots")).expect("it can be created");
    let before = (tree(&out), tree(&store));
    let error = publish_new(Disk::default(), &out).expect_err("a link is in the way");
    assert!(matches!(&error, WriteError::NotADirectory { path } if *path == out.join("plots")), "{error}");
    assert_eq!((tree(&out), tree(&store)), before);
    // Stale files over the link are disregarded, and the process is killed after any number of changes.
    let new = [("a.0.json", "new 0"), (LAST, "new")];
    for n in 0.. {
        let (disk, seen) = cut_after(n);
        let is_complete = publish(disk, &seen, n, &out, &new, &STALE);
        assert_eq!(tree(&store), before.1, "{n}");
        if is_complete {
            break;
        }
        restore(&out, false).expect("the journal can be followed");
        assert!(tree(&out) == before.0 || !out.join("a.1.json").exists(), "{n}");
    }
    assert_eq!(fs::read_to_string(out.join("a.0.json")).expect("it exists"), "new 0");
}

/// A journal of another directory does not apply to this one.
#[cfg(unix)]
#[test]
fn a_journal_in_a_linked_hidden_directory_counts_as_damaged() {
    let (directory, out) = torn();
    let before = tree(&out);
    let elsewhere = directory.path().join("elsewhere");
    fs::rename(&hidden(&out)[0], &elsewhere).expect("the test owns it");
    std::os::unix::fs::symlink(&elsewhere, out.join(".lbaf-link")).expect("it can be created");
    for force in [false, true] {
        let error = restore(&out, force).expect_err("it is a link").to_string();
        assert!(error.contains("is damaged (its directory is a symbolic link)"), "{error}");
    }
    assert_eq!(tree(&out), before);
}

/// Without force, the journal of another user is followed only if that user owns the output directory.
#[cfg(unix)]
#[test]
fn a_journal_of_another_user_is_followed_only_when_forced() {
    use std::os::unix::fs::chown;
    let (_directory, out) = torn();
    let before = tree(&out);
    // Only root can change the owner of a directory.
    if chown(&hidden(&out)[0], Some(4711), None).is_err() {
        return;
    }
    assert_eq!(unfinished(&out).map(|unfinished| unfinished.state), Some(State::KilledOf { user: 4711 }));
    assert!(Staging::new(&out).is_err() && restore(&out, false).is_err());
    assert_eq!(set_aside(&out).expect("there is nothing to do"), None);
    assert_eq!(tree(&out), before);
    // The owner of the output directory may replace its files anyway.
    chown(&out, Some(4711), None).expect("root can change the owner");
    assert_eq!(unfinished(&out).map(|unfinished| unfinished.state), Some(State::Killed));
    chown(&out, Some(4712), None).expect("root can change the owner");
    assert!(restore(&out, true).expect("restoring is forced"));
    assert_eq!(tree(&out), tree(&prepared(&["their.txt"]).1));
}

/// Only damaged journals are set aside.
#[test]
fn an_undamaged_journal_is_not_set_aside() {
    let (_directory, out) = torn();
    assert_eq!(set_aside(&out).expect("there is nothing to do"), None);
    assert!(restore(&out, false).expect("there is no obstacle"));
}
