// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs appear completely or not at all, whichever operation fails.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lbaf_writer::{Change, Disk, Inputs, Staging, WriteError, Written};
use tempfile::TempDir;

fn directory() -> TempDir {
    tempfile::tempdir().expect("a temporary directory can be created")
}

/// Returns the names below a directory, including hidden ones and directories, with the text of files.
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

/// Creates a disk that writes half of the file with this name and then fails, like a full disk.
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
fn all_files_are_published_at_once() {
    let directory = directory();
    let out = directory.path().join("deep/out");
    let staging = Staging::new(&out).expect("it can be created");
    staging.put("b.txt", b"bee").expect("the file can be written");
    staging.put("plots/a.svg", b"<svg/>").expect("the file can be written");
    let is_hidden = |name: &Path| name.to_str().is_some_and(|name| name.starts_with('.'));
    assert!(tree(&out).iter().all(|(name, _)| is_hidden(name)));
    staging.publish(None, &Inputs::none(), &[]).expect("there is no obstacle");
    assert_eq!(tree(&out), [file("b.txt", "bee"), ("plots".into(), None), file("plots/a.svg", "<svg/>")]);
}

#[test]
fn digests_equal_those_of_sha256sum() {
    let directory = directory();
    let staging = Staging::new(directory.path()).expect("it exists");
    staging.put("abc", b"abc").expect("the file can be written");
    // Example of FIPS 180-2, appendix B.1.
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned();
    assert_eq!(staging.written()["abc"], Written { bytes: 3, sha256 });
}

#[test]
fn a_file_written_in_pieces_equals_one_written_at_once() {
    let directory = directory();
    let staging = Staging::new(directory.path()).expect("it exists");
    staging.put("whole", b"abc").expect("the file can be written");
    let mut stream = staging.stream("pieces").expect("it can be created");
    stream.write_all(b"ab").expect("the file can be written");
    stream.write_all(b"c").expect("the file can be written");
    assert_eq!(stream.finish(), staging.written()["whole"]);
    assert_eq!(staging.written()["pieces"], staging.written()["whole"]);
    staging.publish(None, &Inputs::none(), &[]).expect("there is no obstacle");
    assert_eq!(tree(directory.path()), [file("pieces", "abc"), file("whole", "abc")]);
}

#[test]
fn an_unfinished_file_is_not_published() {
    let directory = directory();
    let staging = Staging::new(directory.path()).expect("it exists");
    let mut stream = staging.stream("pieces").expect("it can be created");
    stream.write_all(b"ab").expect("the file can be written");
    let failed = stream.failed(io::ErrorKind::StorageFull.into()).to_string();
    assert_eq!(
        failed,
        format!("cannot write {}: no storage space", directory.path().join("pieces").display())
    );
    drop(stream);
    staging.publish(None, &Inputs::none(), &[]).expect("there is no obstacle");
    assert_eq!(tree(directory.path()), []);
    let staging = Staging::new(directory.path()).expect("it exists");
    assert!(matches!(staging.stream("../pieces"), Err(WriteError::Outside { .. })));
}

#[test]
fn a_failed_write_reports_the_final_name_and_keeps_old_outputs() {
    let directory = directory();
    let out = directory.path();
    fs::write(out.join("a.txt"), "old a").expect("the file can be written");
    fs::write(out.join("b.txt"), "old b").expect("the file can be written");
    let before = tree(out);
    let staging = Staging::on(failing_at("b.txt"), out).expect("it exists");
    staging.put("a.txt", b"new a").expect("this one works");
    let error = staging.put("b.txt", b"new b").expect_err("the writer fails");
    assert!(matches!(&error, WriteError::Io { path, .. } if *path == out.join("b.txt")), "{error}");
    assert!(!staging.written().contains_key("b.txt"));
    drop(staging);
    assert_eq!(tree(out), before);
}

#[test]
fn a_failed_write_removes_the_new_output_directory() {
    let directory = directory();
    let staging = Staging::on(failing_at("a.txt"), &directory.path().join("deep/out"));
    let staging = staging.expect("it can be created");
    staging.put("a.txt", b"new a").expect_err("the writer fails");
    drop(staging);
    assert_eq!(tree(directory.path()), []);
}

#[test]
fn a_new_output_directory_with_a_foreign_file_is_kept() {
    let directory = directory();
    let out = directory.path().join("out");
    let staging = Staging::new(&out).expect("it can be created");
    fs::write(out.join("other.txt"), "other").expect("the file can be written");
    drop(staging);
    assert_eq!(tree(&out), [file("other.txt", "other")]);
}

#[test]
fn stale_files_and_emptied_directories_are_removed() {
    let directory = directory();
    let out = directory.path();
    fs::create_dir_all(out.join("plots")).expect("it can be created");
    for name in ["stale.txt", "kept.txt", "replaced.txt", "plots/stale.svg"] {
        fs::write(out.join(name), "old").expect("the file can be written");
    }
    let staging = Staging::new(out).expect("it exists");
    staging.put("replaced.txt", b"new").expect("the file can be written");
    let stale = ["stale.txt", "replaced.txt", "plots/stale.svg", "gone/before.txt"].map(str::to_owned);
    staging.publish(None, &Inputs::none(), &stale).expect("there is no obstacle");
    assert_eq!(tree(out), [file("kept.txt", "old"), file("replaced.txt", "new")]);
}

#[test]
fn stale_files_that_are_inputs_are_kept() {
    let directory = directory();
    let out = directory.path();
    fs::write(out.join("input.json"), "{}").expect("the file can be written");
    let staging = Staging::new(out).expect("it exists");
    staging.put("new.txt", b"new").expect("the file can be written");
    staging
        .publish(None, &[out.join("input.json")].into_iter().collect(), &["input.json".to_owned()])
        .expect("there is no obstacle");
    assert_eq!(tree(out), [file("input.json", "{}"), file("new.txt", "new")]);
}

/// A directory in the place of the second file is detected before the first file is moved.
#[test]
fn nothing_is_published_if_one_file_cannot_be() {
    let directory = directory();
    let out = directory.path();
    fs::create_dir(out.join("b.txt")).expect("it can be created");
    fs::write(out.join("last.txt"), "old").expect("the file can be written");
    fs::write(out.join("stale.txt"), "old").expect("the file can be written");
    let before = tree(out);
    let staging = Staging::new(out).expect("it exists");
    for name in ["a.txt", "b.txt", "last.txt"] {
        staging.put(name, b"new").expect("the file can be written");
    }
    let outcome = staging.publish(Some("last.txt"), &Inputs::none(), &["stale.txt".to_owned()]);
    assert!(matches!(outcome, Err(WriteError::InTheWay { path }) if path == out.join("b.txt")));
    assert_eq!(tree(out), before);
}

#[test]
fn names_outside_the_directory_are_refused_before_writing() {
    let directory = directory();
    let out = directory.path().join("out");
    let outside = directory.path().join("input.json");
    fs::write(&outside, "{}").expect("the file can be written");
    let staging = Staging::new(&out).expect("it can be created");
    for name in ["../input.json", outside.to_str().expect("a name in UTF-8"), "a/../../../input.json"] {
        assert!(matches!(staging.put(name, b"new"), Err(WriteError::Outside { .. })), "{name}");
    }
    assert_eq!(fs::read(&outside).expect("it exists"), b"{}");
}

/// A failed rename represents any failure half-way: files that were moved are moved back.
#[test]
fn a_failure_half_way_is_undone() {
    let directory = directory();
    let out = directory.path().join("out");
    fs::create_dir(&out).expect("it can be created");
    fs::write(out.join("a.last"), "old").expect("the file can be written");
    fs::write(out.join("stale.txt"), "old").expect("the file can be written");
    fs::write(out.join("others.txt"), "theirs").expect("the file can be written");
    let before = tree(&out);
    let fails = |change, path: &Path| match change {
        Change::Rename if path.ends_with("b.txt") => Err(io::ErrorKind::StorageFull.into()),
        _ => Ok(()),
    };
    let staging = Staging::on(Disk::watched(Box::new(fails)), &out).expect("it exists");
    for name in ["a.last", "a.txt", "b.txt"] {
        staging.put(name, b"new").expect("the file can be written");
    }
    let stale = ["stale.txt".to_owned()];
    let error = staging.publish(Some("a.last"), &Inputs::none(), &stale).expect_err("a rename fails");
    assert!(matches!(&error, WriteError::Io { path, .. } if *path == out.join("b.txt")), "{error}");
    assert_eq!(tree(&out), before);
}

/// The old directory is swapped with a new one, which gets the mode that the owner set on the old one. While a process
/// works in the old directory, files are replaced one by one instead: after a swap, the process would not find the new
/// files.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_keeps_its_mode_and_is_not_swapped_while_in_use() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let directory = directory();
    let out = directory.path().join("out");
    let publish = |text: &str| {
        let staging = Staging::new(&out).expect("it exists");
        staging.put("a.txt", text.as_bytes()).expect("the file can be written");
        staging.put("b.txt", text.as_bytes()).expect("the file can be written");
        staging.publish(Some("b.txt"), &Inputs::none(), &[]).expect("there is no obstacle");
        assert_eq!(tree(&out), [file("a.txt", text), file("b.txt", text)]);
        fs::metadata(&out).expect("it exists")
    };
    publish("first");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o750)).expect("the test owns it");
    let before = fs::metadata(&out).expect("it exists");
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
