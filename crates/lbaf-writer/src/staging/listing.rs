// SPDX-License-Identifier: MIT OR Apache-2.0
//! List of published files with their digests, by which a later command recognizes an untouched result.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::Written;
use super::hidden::HIDDEN;
use super::sha256_of_file;

/// Name of the list, which has the format of `sha256sum`.
pub(super) const LISTING: &str = ".lbaf.sha256";

/// File that distinguishes a directory from an untouched result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    /// A file that was changed after it was published.
    Changed(PathBuf),
    /// A file that was not published.
    Foreign(PathBuf),
}

/// Returns the first file in a directory that was changed after publication or is not in the list of published files.
/// Without a list, all files are foreign. Files for which `is_apart` returns true do not count, nor do published files
/// that no longer exist.
pub fn touched(directory: &Path, is_apart: impl Fn(&Path) -> bool) -> Option<Touched> {
    let listed = read(directory);
    let mut present = Vec::new();
    list(directory, Path::new(""), &mut present);
    present.retain(|file| file != Path::new(LISTING) && !is_apart(file));
    present.into_iter().find_map(|file| match file.to_str().and_then(|name| listed.get(name)) {
        None => Some(Touched::Foreign(file)),
        Some(digest) if is_as_listed(directory, &file, digest) => None,
        Some(_) => Some(Touched::Changed(file)),
    })
}

/// Returns the listed files that are as published.
pub(super) fn untouched(directory: &Path) -> Vec<String> {
    let listed = read(directory).into_iter();
    let untouched = listed.filter(|(name, digest)| is_as_listed(directory, Path::new(name), digest));
    untouched.map(|(name, _)| name).collect()
}

/// True if a directory has a list.
pub(super) fn is_listed(directory: &Path) -> bool {
    directory.join(LISTING).is_file()
}

/// Returns the list of a directory after the publication of new files.
pub(super) fn with(directory: &Path, written: BTreeMap<String, Written>) -> Vec<u8> {
    let mut listed = read(directory);
    listed.retain(|name, _| directory.join(name).is_file());
    listed.extend(written.into_iter().map(|(name, written)| (name, written.sha256)));
    let lines: Vec<String> = listed.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect();
    lines.concat().into_bytes()
}

/// Returns the listed digests by name; empty without a list.
fn read(directory: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(directory.join(LISTING)).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once("  "));
    lines.map(|(digest, name)| (name.to_owned(), digest.to_owned())).collect()
}

fn is_as_listed(directory: &Path, file: &Path, digest: &str) -> bool {
    let path = directory.join(file);
    super::is_file(&path) && sha256_of_file(&path).is_ok_and(|found| found == digest)
}

/// Lists the files below a directory, relative to it, ascending within each directory, except those in hidden
/// directories of lbaf.
fn list(directory: &Path, below: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory.join(below)).into_iter().flatten().flatten();
    let mut entries: Vec<_> = entries.map(|entry| (entry.file_name(), entry.file_type())).collect();
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    for (name, kind) in entries {
        let path = below.join(&name);
        match kind.is_ok_and(|kind| kind.is_dir()) {
            true if name.as_encoded_bytes().starts_with(HIDDEN.as_bytes()) => {}
            true => list(directory, &path, files),
            false => files.push(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Inputs, Staging};
    use super::*;

    /// Publishes files with their names as contents.
    fn publish(directory: &Path, names: &[&str], lists: bool) {
        let mut staging = Staging::new(directory).unwrap();
        for name in names {
            staging.put(name, name.as_bytes()).unwrap();
        }
        if lists {
            staging.list_files();
        }
        staging.publish(None, &Inputs::none(), &[]).unwrap();
    }

    #[test]
    fn only_changed_and_foreign_files_are_touched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let touched = || touched(path, |file| file.starts_with("cells"));
        assert_eq!(touched(), None, "an empty directory");
        publish(path, &["a", "plots/b"], true);
        fs::create_dir_all(path.join("cells")).unwrap();
        fs::write(path.join("cells/1"), "").unwrap();
        assert_eq!(touched(), None);
        // Files that are added without a request for a list are listed too.
        publish(path, &["c"], false);
        assert_eq!(touched(), None);
        fs::write(path.join("plots/b"), "edited").unwrap();
        assert_eq!(touched(), Some(Touched::Changed("plots/b".into())));
        fs::remove_file(path.join("plots/b")).unwrap();
        fs::write(path.join("d"), "").unwrap();
        assert_eq!(touched(), Some(Touched::Foreign("d".into())));
    }

    #[test]
    fn a_new_list_replaces_all_untouched_files_of_the_old_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        publish(path, &["a", "b", "c"], true);
        fs::write(path.join("b"), "edited").unwrap();
        publish(path, &["a"], true);
        assert!(path.join("b").exists() && !path.join("c").exists());
        assert_eq!(touched(path, |_| false), Some(Touched::Changed("b".into())));
    }

    #[test]
    fn directories_without_a_list_get_none_unless_it_is_requested() {
        let directory = tempfile::tempdir().unwrap();
        publish(directory.path(), &["a"], false);
        assert!(!is_listed(directory.path()));
        assert_eq!(touched(directory.path(), |_| false), Some(Touched::Foreign("a".into())));
    }
}
