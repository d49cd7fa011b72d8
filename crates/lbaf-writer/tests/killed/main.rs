// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of a process that is killed while it replaces a result, after any change to the file system. The complete
//! old or the complete new result remains, or a journal from which the next process restores the old one.

mod journals;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use lbaf_writer::{
    Change, Disk, Inputs, Staging, State, Unfinished, WriteError, restore, set_aside, unfinished,
};

const LAST: &str = "summary.json";
const OLD: [(&str, &str); 5] = [
    ("a.0.json", "old 0"),
    ("a.1.json", "old 1"),
    ("plots/a.svg", "old"),
    ("old/only.csv", "old"),
    (LAST, "old"),
];
const NEW: [(&str, &str); 5] = [
    ("a.0.json", "new 0"),
    ("plots/a.svg", "new"),
    ("plots/b.svg", "new"),
    ("new/deep/c.csv", "new"),
    (LAST, "new"),
];

type Tree = BTreeMap<PathBuf, String>;

/// Returns the files below a directory by name, and directories with a trailing slash, except hidden directories of
/// lbaf.
fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut directories = vec![root.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in directory.read_dir().into_iter().flatten() {
            let path = entry.expect("the directory can be listed").path();
            let name = path.strip_prefix(root).expect("it is below").to_path_buf();
            if name.to_str().is_some_and(|name| name.starts_with(".lbaf-")) {
                continue;
            }
            if path.is_dir() {
                found.insert(name.join(""), String::new());
                directories.push(path);
            } else {
                found.insert(name, fs::read_to_string(&path).expect("it is text"));
            }
        }
    }
    found
}

/// Returns a tree without its directories.
fn files(tree: &Tree) -> Tree {
    let is_file = |name: &Path| !name.to_string_lossy().ends_with('/');
    tree.iter().filter(|(name, _)| is_file(name)).map(|(name, text)| (name.clone(), text.clone())).collect()
}

fn hidden(directory: &Path) -> Vec<PathBuf> {
    let entries =
        directory.read_dir().expect("it exists").map(|entry| entry.expect("it can be listed").path());
    entries
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".lbaf-")))
        .collect()
}

/// Creates a disk that makes `n` changes and then fails.
fn cut_after(n: usize) -> (Disk, Arc<AtomicUsize>) {
    let seen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&seen);
    let watcher = move |_, _: &Path| {
        if count.fetch_add(1, Ordering::Relaxed) < n { Ok(()) } else { Err(io::Error::other("killed")) }
    };
    (Disk::watched(Box::new(watcher)), seen)
}

/// Stages and publishes. Returns true if all changes were made.
fn publish(
    disk: Disk,
    seen: &AtomicUsize,
    n: usize,
    out: &Path,
    files: &[(&str, &str)],
    stale: &[&str],
) -> bool {
    let stale: Vec<String> = stale.iter().map(|name| (*name).to_owned()).collect();
    if let Ok(staging) = Staging::on(disk, out) {
        let put = files.iter().try_for_each(|(name, text)| staging.put(name, text.as_bytes()));
        if put.is_ok() {
            let _ = staging.publish(Some(LAST), &Inputs::none(), &stale);
        }
    }
    seen.load(Ordering::Relaxed) <= n
}

/// Creates a directory with the old result, and with foreign files if given.
fn prepared(others: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory can be created");
    let out = directory.path().join("out");
    for (name, text) in OLD.iter().copied().chain(others.iter().map(|name| (*name, "theirs"))) {
        let path = out.join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("it can be created");
        fs::write(path, text).expect("the file can be written");
    }
    (directory, out)
}

const STALE: [&str; 5] = ["a.0.json", "a.1.json", "plots/a.svg", "old/only.csv", LAST];

/// Returns the tree expected after the new result is published.
fn expected_new(others: &[&str]) -> Tree {
    let directory = tempfile::tempdir().expect("a temporary directory can be created");
    for (name, text) in NEW.iter().copied().chain(others.iter().map(|name| (*name, "theirs"))) {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("it can be created");
        fs::write(path, text).expect("the file can be written");
    }
    tree(directory.path())
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Outcomes {
    old: usize,
    new: usize,
    restored: usize,
}

/// Interrupts a replacement after each of its changes, and each recovery after each of its changes.
fn cut_everywhere(others: &[&str]) -> Outcomes {
    let mut outcomes = Outcomes::default();
    let (old, new) = (tree(&prepared(others).1), expected_new(others));
    for n in 0.. {
        let (directory, out) = prepared(others);
        let (disk, seen) = cut_after(n);
        let is_complete = publish(disk, &seen, n, &out, &NEW, &STALE);
        let torn = unfinished(&out);
        let found = tree(&out);
        let is_new = torn.is_none() && files(&found) == files(&new);
        match &torn {
            None if found == old => outcomes.old += 1,
            // Directories that the old files left empty may remain.
            None if is_new => outcomes.new += 1,
            None => panic!("cut after {n} changes: {found:#?}"),
            Some(Unfinished { state, .. }) => {
                assert_eq!(*state, State::Killed);
                assert_eq!(tree(&out), found, "readers change nothing");
                outcomes.restored += 1;
            }
        }
        // The next processes are killed too, each one change later than the previous one, until one completes.
        for m in (0..).take_while(|_| torn.is_some()) {
            let (disk, seen) = cut_after(m);
            drop(Staging::on(disk, &out));
            if seen.load(Ordering::Relaxed) <= m {
                break;
            }
        }
        if n % 2 == 0 {
            drop(Staging::new(&out).expect("the old result can be restored"));
        } else {
            restore(&out, false).expect("the old result can be restored");
        }
        assert_eq!(unfinished(&out), None);
        let expected = if is_new { &new } else { &old };
        assert_eq!(&tree(&out), expected, "restored after {n} changes");
        assert_eq!(hidden(&out), [""; 0].map(PathBuf::from), "after {n} changes");
        assert_eq!(hidden(directory.path()), [""; 0].map(PathBuf::from), "after {n} changes");
        if is_complete {
            assert_eq!(tree(&out), new);
            return outcomes;
        }
    }
    unreachable!("every replacement ends");
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_without_foreign_files_is_replaced_in_one_step() {
    let outcomes = cut_everywhere(&[]);
    assert_eq!(outcomes.restored, 0, "{outcomes:?}");
    assert!(outcomes.old >= 15 && outcomes.new >= 10, "{outcomes:?}");
}

#[test]
fn files_next_to_foreign_ones_are_replaced_or_restored() {
    let outcomes = cut_everywhere(&["plots/theirs.svg", "their.txt"]);
    assert!(outcomes.old >= 15 && outcomes.new >= 10 && outcomes.restored >= 15, "{outcomes:?}");
}

#[test]
fn a_first_result_appears_completely_or_not_at_all() {
    for n in 0.. {
        let directory = tempfile::tempdir().expect("a temporary directory can be created");
        let out = directory.path().join("deep/out");
        let (disk, seen) = cut_after(n);
        let is_complete = publish(disk, &seen, n, &out, &NEW, &[]);
        assert_eq!(unfinished(&out), None);
        let found = tree(&out);
        assert!(found.is_empty() || found == expected_new(&[]), "cut after {n} changes: {found:#?}");
        if is_complete {
            assert!(!found.is_empty());
            return;
        }
    }
}

#[test]
fn a_single_file_is_the_old_one_or_the_new_one() {
    let mut texts = Vec::new();
    for n in 0.. {
        let (_directory, out) = prepared(&["their.txt"]);
        let (disk, seen) = cut_after(n);
        let is_complete = publish(disk, &seen, n, &out, &[("a.0.json", "new 0")], &["a.0.json"]);
        assert_eq!(unfinished(&out), None);
        texts.push(fs::read_to_string(out.join("a.0.json")).expect("the file exists at any time"));
        if is_complete {
            break;
        }
    }
    assert!(texts.is_sorted_by(|a, b| a == b || (a == "old 0" && b == "new 0")), "{texts:?}");
    assert_eq!(texts.last().map(String::as_str), Some("new 0"));
}

/// Creates a directory in which a replacement was interrupted between its renames.
fn torn() -> (tempfile::TempDir, PathBuf) {
    for n in 0.. {
        let (directory, out) = prepared(&["their.txt"]);
        let (disk, seen) = cut_after(n);
        publish(disk, &seen, n, &out, &NEW, &STALE);
        if unfinished(&out).is_some() && !out.join(LAST).exists() {
            return (directory, out);
        }
    }
    unreachable!("renames begin at some time");
}

/// Without locks between two processes, as on NFS, the other's journal is detected before the first rename.
#[test]
fn files_that_another_process_is_replacing_are_not_replaced() {
    let begin = |out: &Path| {
        fs::create_dir(out.join(".lbaf-other"))?;
        fs::write(out.join(".lbaf-other/.lock"), "another")?;
        let journal = r#"{"made": [], "aside": [], "placed": [], "last": [], "emptied": []}"#;
        fs::write(out.join(".lbaf-other/journal.json"), journal)
    };
    for (change, name) in
        [(Change::Sync, ""), (Change::Write, "journal.part"), (Change::Rename, "journal.json")]
    {
        let (_directory, out) = prepared(&["their.txt"]);
        let before = tree(&out);
        let (place, has_begun) = (out.clone(), AtomicBool::new(false));
        let disk = Disk::watched(Box::new(move |seen, path| {
            let is_now = seen == change && (name.is_empty() || path.ends_with(name));
            if is_now && !has_begun.swap(true, Ordering::Relaxed) { begin(&place) } else { Ok(()) }
        }));
        let error = publish_new(disk, &out).expect_err("another is at work");
        assert!(matches!(error, WriteError::Unfinished(_)), "{change:?} of {name}: {error}");
        assert_eq!(tree(&out), before, "{change:?} of {name}");
        assert_eq!(hidden(&out), [out.join(".lbaf-other")], "{change:?} of {name}");
    }
}

/// Creates a disk on which one sync fails: the first after a change that satisfies `begun`.
fn failing_sync(begun: impl Fn(Change, &Path) -> bool + Send + Sync + 'static) -> Disk {
    let (is_begun, has_failed) = (AtomicBool::new(false), AtomicBool::new(false));
    Disk::watched(Box::new(move |change, path| {
        if change == Change::Sync
            && is_begun.load(Ordering::Relaxed)
            && !has_failed.swap(true, Ordering::Relaxed)
        {
            return Err(io::Error::other("no disk"));
        }
        is_begun.fetch_or(begun(change, path), Ordering::Relaxed);
        Ok(())
    }))
}

fn publish_new(disk: Disk, out: &Path) -> Result<(), WriteError> {
    let staging = Staging::on(disk, out)?;
    NEW.iter().try_for_each(|(name, text)| staging.put(name, text.as_bytes()))?;
    staging.publish(Some(LAST), &Inputs::none(), &STALE.map(str::to_owned))
}

#[test]
fn a_journal_that_is_not_durable_is_undone() {
    let (_directory, out) = prepared(&["their.txt"]);
    let before = tree(&out);
    let disk = failing_sync(|change, path| change == Change::Rename && path.ends_with("journal.json"));
    assert!(matches!(publish_new(disk, &out), Err(WriteError::Io { .. })));
    assert_eq!(unfinished(&out), None);
    assert_eq!(tree(&out), before);
    assert!(hidden(&out).is_empty());
}

/// The message states which of the two results exists.
#[test]
fn errors_after_publication_state_that_the_new_files_are_in_place() {
    let expected = |others: &[&str]| files(&expected_new(others));
    let (_directory, out) = prepared(&["their.txt"]);
    let disk = failing_sync(|change, path| change == Change::Rename && path.ends_with("committed.json"));
    let error = publish_new(disk, &out).expect_err("a sync fails");
    assert!(error.to_string().contains("are in place, but may be lost"), "{error}");
    assert_eq!(files(&tree(&out)), expected(&["their.txt"]));
    assert!(hidden(&out).is_empty());
    if cfg!(target_os = "linux") {
        let (_directory, out) = prepared(&[]);
        let error = publish_new(failing_sync(|change, _| change == Change::Exchange), &out)
            .expect_err("a sync fails");
        assert!(matches!(error, WriteError::InPlace { .. }), "{error}");
        assert_eq!(tree(&out), expected_new(&[]));
    }
}

/// Another program writes between the last check and the exchange, which then cannot be undone.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_another_program_writes_during_the_exchange_is_kept() {
    for can_be_renamed in [true, false] {
        let (directory, out) = prepared(&[]);
        let (place, n_exchanges) = (out.clone(), AtomicUsize::new(0));
        let disk = Disk::watched(Box::new(move |change, path| {
            let is_renamed = change == Change::Rename && path.to_string_lossy().contains("lbaf-kept-");
            match change {
                Change::Exchange if n_exchanges.fetch_add(1, Ordering::Relaxed) == 0 => {
                    fs::write(place.join("theirs.txt"), "theirs")
                }
                Change::Exchange => Err(io::Error::other("no exchange")),
                Change::Rename if is_renamed && !can_be_renamed => Err(io::Error::other("no rename")),
                _ => Ok(()),
            }
        }));
        let error = publish_new(disk, &out).expect_err("the second exchange fails");
        let said = error.to_string();
        let WriteError::Kept { path, kept, .. } = error else { panic!("{said}") };
        assert_eq!((path, tree(&out)), (out.clone(), expected_new(&[])));
        assert!(said.contains(&format!("the old ones are in {} and", kept.display())), "{said}");
        let beside = out.canonicalize().expect("it exists");
        let name = kept.strip_prefix(beside.parent().expect("it has one")).expect("it is beside");
        assert_eq!(name.to_string_lossy().starts_with("lbaf-kept-"), can_be_renamed, "{name:?}");
        // Later commands do not change the kept directory.
        for _ in 0..2 {
            publish_new(Disk::default(), &out).expect("there is no obstacle");
            assert!(hidden(&out).is_empty());
        }
        let expected = tree(&prepared(&["theirs.txt"]).1);
        assert_eq!(tree(&kept), expected, "{name:?}");
        assert_eq!(hidden(directory.path()).is_empty(), can_be_renamed);
    }
}

/// New directories and the removal of old files are durable before new files are placed.
#[test]
fn each_step_is_durable_before_the_next() {
    let (_directory, out) = prepared(&["their.txt"]);
    let seen: Arc<Mutex<Vec<(Change, PathBuf)>>> = Arc::default();
    let log = Arc::clone(&seen);
    let disk = Disk::watched(Box::new(move |change, path| {
        log.lock().expect("no thread panics").push((change, path.to_path_buf()));
        Ok(())
    }));
    publish_new(disk, &out).expect("there is no obstacle");
    let seen = seen.lock().expect("no thread panics");
    let at = |change, path: PathBuf| seen.iter().rposition(|found| *found == (change, path.clone()));
    let first_placed = at(Change::Rename, out.join("a.0.json"));
    let synced_between = |begin: Option<usize>, directory: PathBuf| {
        let (begin, end) = (begin.expect("it was made"), first_placed.expect("it was placed"));
        seen[begin..end].contains(&(Change::Sync, directory))
    };
    for (made, parent) in [("new/deep", "new"), ("new", "")] {
        assert!(
            synced_between(at(Change::MakeDirectory, out.join(made)), out.join(parent)),
            "{made}: {seen:#?}"
        );
    }
    let is_aside = |(change, path): &(Change, PathBuf)| {
        *change == Change::Rename && path.parent().is_some_and(|parent| parent.ends_with("aside"))
    };
    let last_aside = seen.iter().rposition(is_aside);
    for emptied in ["", "old", "plots"] {
        assert!(synced_between(last_aside, out.join(emptied)), "{emptied}: {seen:#?}");
    }
}

#[cfg(unix)]
#[test]
fn permissions_of_subdirectories_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let (_directory, out) = prepared(&[]);
    let plots = out.join("plots");
    fs::set_permissions(&plots, fs::Permissions::from_mode(0o700)).expect("the test owns it");
    publish_new(Disk::default(), &out).expect("there is no obstacle");
    assert_eq!(fs::metadata(&plots).expect("it exists").permissions().mode() & 0o777, 0o700);
    assert_eq!(tree(&out), expected_new(&[]));
}
