// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs appear whole or not at all, whatever fails on the way.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lbaf_writer::{Change, Disk, Inputs, Staging, WriteError, Written};
use tempfile::TempDir;

fn directory() -> TempDir {
    tempfile::tempdir().expect("a temporary directory can be made")
}

/// Names below a directory, hidden ones and directories included, with the text of files.
fn tree(root: &Path) -> Vec<(PathBuf, Option<String>)> {
    let mut found = Vec::new();
    let mut directories = vec![root.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in directory.read_dir().expect("the directory can be listed") {
            let path = entry.expect("the directory can be listed").path();
            let name = path.strip_prefix(root).expect("it is below").to_path_buf();
            if path.is_dir() {
                directories.push(path);
                found.push((name, None));
            } else {
                found.push((name, Some(fs::read_to_string(&path).expect("it is text"))));
            }
        }
    }
    found.sort();
    found
}

fn file(name: &str, text: &str) -> (PathBuf, Option<String>) {
    (name.into(), Some(text.to_owned()))
}

/// Writes half of the file of this name and fails, as a full disk does; other files are written.
fn failing_at(name: &'static str) -> Disk {
    Disk::watched(Box::new(move |change, path| {
        if change == Change::Write && path.ends_with(name) {
            fs::write(path, "ne")?;
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }))
}

#[test]
fn publishes_all_files_at_once_and_nothing_else() {
    let directory = directory();
    let out = directory.path().join("deep/out");
    let staging = Staging::new(&out).expect("it can be made");
    staging.put("b.txt", b"bee").expect("it fits");
    staging.put("plots/a.svg", b"<svg/>").expect("it fits");
    let is_hidden = |name: &Path| name.to_str().is_some_and(|name| name.starts_with('.'));
    assert!(tree(&out).iter().all(|(name, _)| is_hidden(name)));
    staging.publish(None, &Inputs::none(), &[]).expect("nothing is in the way");
    assert_eq!(tree(&out), [file("b.txt", "bee"), ("plots".into(), None), file("plots/a.svg", "<svg/>")]);
}

#[test]
fn digests_are_those_of_sha256sum() {
    let directory = directory();
    let staging = Staging::new(directory.path()).expect("it is there");
    staging.put("abc", b"abc").expect("it fits");
    // The example of FIPS 180-2, appendix B.1.
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned();
    assert_eq!(staging.written()["abc"], Written { bytes: 3, sha256 });
}

#[test]
fn a_file_written_in_pieces_is_the_same_as_one_written_at_once() {
    let directory = directory();
    let staging = Staging::new(directory.path()).expect("it is there");
    staging.put("whole", b"abc").expect("it fits");
    let mut stream = staging.stream("pieces").expect("it can be made");
    stream.write_all(b"ab").expect("it fits");
    stream.write_all(b"c").expect("it fits");
    assert_eq!(stream.finish(), staging.written()["whole"]);
    assert_eq!(staging.written()["pieces"], staging.written()["whole"]);
    staging.publish(None, &Inputs::none(), &[]).expect("nothing is in the way");
    assert_eq!(tree(directory.path()), [file("pieces", "abc"), file("whole", "abc")]);
}

#[test]
fn a_file_that_was_not_finished_does_not_appear() {
    let directory = directory();
    let staging = Staging::new(directory.path()).expect("it is there");
    let mut stream = staging.stream("pieces").expect("it can be made");
    stream.write_all(b"ab").expect("it fits");
    let failed = stream.failed(io::ErrorKind::StorageFull.into()).to_string();
    assert_eq!(
        failed,
        format!("cannot write {}: no storage space", directory.path().join("pieces").display())
    );
    drop(stream);
    staging.publish(None, &Inputs::none(), &[]).expect("nothing is in the way");
    assert_eq!(tree(directory.path()), []);
    let staging = Staging::new(directory.path()).expect("it is there");
    assert!(matches!(staging.stream("../pieces"), Err(WriteError::Outside { .. })));
}

#[test]
fn a_failing_write_names_the_final_file_and_leaves_old_outputs() {
    let directory = directory();
    let out = directory.path();
    fs::write(out.join("a.txt"), "old a").expect("it fits");
    fs::write(out.join("b.txt"), "old b").expect("it fits");
    let before = tree(out);
    let staging = Staging::on(failing_at("b.txt"), out).expect("it is there");
    staging.put("a.txt", b"new a").expect("this one works");
    let error = staging.put("b.txt", b"new b").expect_err("the writer fails");
    assert!(matches!(&error, WriteError::Io { path, .. } if *path == out.join("b.txt")), "{error}");
    assert!(!staging.written().contains_key("b.txt"));
    drop(staging);
    assert_eq!(tree(out), before);
}

#[test]
fn a_failing_write_takes_the_new_output_directory_with_it() {
    let directory = directory();
    let staging = Staging::on(failing_at("a.txt"), &directory.path().join("deep/out"));
    let staging = staging.expect("it can be made");
    staging.put("a.txt", b"new a").expect_err("the writer fails");
    drop(staging);
    assert_eq!(tree(directory.path()), []);
}

#[test]
fn another_ones_file_keeps_the_new_output_directory() {
    let directory = directory();
    let out = directory.path().join("out");
    let staging = Staging::new(&out).expect("it can be made");
    fs::write(out.join("other.txt"), "other").expect("it fits");
    drop(staging);
    assert_eq!(tree(&out), [file("other.txt", "other")]);
}

#[test]
fn stale_files_and_directories_that_they_leave_empty_disappear() {
    let directory = directory();
    let out = directory.path();
    fs::create_dir_all(out.join("plots")).expect("it can be made");
    for name in ["stale.txt", "kept.txt", "replaced.txt", "plots/stale.svg"] {
        fs::write(out.join(name), "old").expect("it fits");
    }
    let staging = Staging::new(out).expect("it is there");
    staging.put("replaced.txt", b"new").expect("it fits");
    let stale = ["stale.txt", "replaced.txt", "plots/stale.svg", "gone/before.txt"].map(str::to_owned);
    staging.publish(None, &Inputs::none(), &stale).expect("nothing is in the way");
    assert_eq!(tree(out), [file("kept.txt", "old"), file("replaced.txt", "new")]);
}

#[test]
fn stale_files_that_are_inputs_stay() {
    let directory = directory();
    let out = directory.path();
    fs::write(out.join("input.json"), "{}").expect("it fits");
    let staging = Staging::new(out).expect("it is there");
    staging.put("new.txt", b"new").expect("it fits");
    staging
        .publish(None, &[out.join("input.json")].into_iter().collect(), &["input.json".to_owned()])
        .expect("nothing is in the way");
    assert_eq!(tree(out), [file("input.json", "{}"), file("new.txt", "new")]);
}

/// A directory in the way of the second file is found before the first one is moved.
#[test]
fn nothing_is_published_if_one_file_cannot_be() {
    let directory = directory();
    let out = directory.path();
    fs::create_dir(out.join("b.txt")).expect("it can be made");
    fs::write(out.join("last.txt"), "old").expect("it fits");
    fs::write(out.join("stale.txt"), "old").expect("it fits");
    let before = tree(out);
    let staging = Staging::new(out).expect("it is there");
    for name in ["a.txt", "b.txt", "last.txt"] {
        staging.put(name, b"new").expect("it fits");
    }
    let outcome = staging.publish(Some("last.txt"), &Inputs::none(), &["stale.txt".to_owned()]);
    assert!(matches!(outcome, Err(WriteError::InTheWay { path }) if path == out.join("b.txt")));
    assert_eq!(tree(out), before);
}

#[test]
fn names_that_lead_elsewhere_are_refused_before_anything_is_written() {
    let directory = directory();
    let out = directory.path().join("out");
    let outside = directory.path().join("input.json");
    fs::write(&outside, "{}").expect("it fits");
    let staging = Staging::new(&out).expect("it can be made");
    for name in ["../input.json", outside.to_str().expect("a name in UTF-8"), "a/../../../input.json"] {
        assert!(matches!(staging.put(name, b"new"), Err(WriteError::Outside { .. })), "{name}");
    }
    assert_eq!(fs::read(&outside).expect("it is there"), b"{}");
}

/// A rename that fails stands for any failure half-way: what had been moved by then goes back.
#[test]
fn a_failure_half_way_is_taken_back() {
    let directory = directory();
    let out = directory.path().join("out");
    fs::create_dir(&out).expect("it can be made");
    fs::write(out.join("a.last"), "old").expect("it fits");
    fs::write(out.join("stale.txt"), "old").expect("it fits");
    fs::write(out.join("others.txt"), "theirs").expect("it fits");
    let before = tree(&out);
    let fails = |change, path: &Path| match change {
        Change::Rename if path.ends_with("b.txt") => Err(io::ErrorKind::StorageFull.into()),
        _ => Ok(()),
    };
    let staging = Staging::on(Disk::watched(Box::new(fails)), &out).expect("it is there");
    for name in ["a.last", "a.txt", "b.txt"] {
        staging.put(name, b"new").expect("it fits");
    }
    let stale = ["stale.txt".to_owned()];
    let error = staging.publish(Some("a.last"), &Inputs::none(), &stale).expect_err("a rename fails");
    assert!(matches!(&error, WriteError::Io { path, .. } if *path == out.join("b.txt")), "{error}");
    assert_eq!(tree(&out), before);
}

/// A new directory would lack what is its owner's, and a shell in the old one would not see the new files.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_keeps_its_mode_and_stays_where_a_process_is_in_it() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let directory = directory();
    let out = directory.path().join("out");
    let publish = |text: &str| {
        let staging = Staging::new(&out).expect("it is there");
        staging.put("a.txt", text.as_bytes()).expect("it fits");
        staging.put("b.txt", text.as_bytes()).expect("it fits");
        staging.publish(Some("b.txt"), &Inputs::none(), &[]).expect("nothing is in the way");
        assert_eq!(tree(&out), [file("a.txt", text), file("b.txt", text)]);
        fs::metadata(&out).expect("it is there")
    };
    publish("first");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o750)).expect("it is ours");
    let before = fs::metadata(&out).expect("it is there");
    let exchanged = publish("second");
    assert_eq!(exchanged.mode() & 0o7777, 0o750);
    assert_ne!(exchanged.ino(), before.ino());
    let process = std::process::Command::new("sleep").arg("60").current_dir(&out).spawn();
    let mut process = process.expect("it starts");
    let used = publish("third");
    process.kill().expect("it runs");
    process.wait().expect("it was killed");
    assert_eq!(used.ino(), exchanged.ino());
}
