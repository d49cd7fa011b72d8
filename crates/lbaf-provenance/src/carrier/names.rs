// SPDX-License-Identifier: MIT OR Apache-2.0
//! Classification of the files of a directory by their names.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::complaint::{Ignored, IgnoredReason};
use crate::record::Collection;

/// Maximum depth of a directory below the given one. Chimbuko's tree has two levels below `<out>` (`<pid>/<rid>`), so
/// the given directory can be up to three levels above `<out>`.
const DEEPEST: usize = 5;

/// Extension of the database itself.
const BINARY_EXTENSION: &str = "unqlite";

/// File that may contain records.
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    /// Collection according to the name.
    pub(super) collection: Option<Collection>,
}

/// Returns the collection whose name is part of the name of a file; `None` if none or several match.
pub(super) fn name_collection(path: &Path) -> Option<Collection> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let mut named = Collection::ALL.into_iter().filter(|collection| name.contains(collection.name()));
    named.next().filter(|_| named.next().is_none())
}

/// True for the binary database itself, according to the extension or the first bytes of a file.
pub(super) fn is_binary(path: &Path, text: &[u8]) -> bool {
    extension(path) == BINARY_EXTENSION || text.starts_with(b"unqlite")
}

fn extension(path: &Path) -> String {
    path.extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase()
}

fn reason_to_ignore(path: &Path) -> Option<IgnoredReason> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let extension = extension(path);
    if extension == BINARY_EXTENSION {
        return Some(IgnoredReason::BinaryDatabase);
    }
    if name.starts_with("global_model") {
        return Some(IgnoredReason::ServerModel);
    }
    if name.starts_with("pserver_output_stats") {
        return Some(IgnoredReason::VisualizationStream);
    }
    let is_json = matches!(extension.as_str(), "json" | "jsonl" | "ndjson");
    let is_text = matches!(extension.as_str(), "" | "txt" | "log" | "out" | "dump");
    let may_be = is_json || is_text && name_collection(path).is_some();
    (!may_be).then_some(IgnoredReason::Name)
}

/// Returns the files below a directory that may contain records, and the skipped files and directories, both in the
/// order of their paths. Hidden files and directories are in neither list.
pub(super) fn walk(directory: &Path) -> io::Result<(Vec<Candidate>, Vec<Ignored>)> {
    let mut candidates = Vec::new();
    let mut ignored = Vec::new();
    // A subdirectory without read permission is noticed when it is opened, and skipped.
    let mut waiting = vec![(directory.to_owned(), 0)];
    while let Some((directory, depth)) = waiting.pop() {
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if depth == 0 => return Err(error),
            Err(_) => {
                ignored.push(Ignored { file: directory, reason: IgnoredReason::Directory });
                continue;
            }
        };
        for entry in entries {
            let entry = entry?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = entry.path();
            if entry.file_type()?.is_dir() && depth < DEEPEST {
                waiting.push((path, depth + 1));
                continue;
            }
            let reason = match fs::metadata(&path) {
                Ok(found) if found.is_dir() => Some(IgnoredReason::Directory),
                Ok(found) if !found.is_file() => Some(IgnoredReason::Special),
                // The reader reports a dangling link.
                Ok(_) | Err(_) => reason_to_ignore(&path),
            };
            match reason {
                Some(reason) => ignored.push(Ignored { file: path, reason }),
                None => candidates.push(Candidate { collection: name_collection(&path), path }),
            }
        }
    }
    candidates.sort_by(|a, b| a.path.cmp(&b.path));
    ignored.sort_by(|a, b| a.file.cmp(&b.file));
    Ok((candidates, ignored))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_identify_the_collection() {
        for (name, expected) in [
            ("0/3/12.normalexecs.json", Some(Collection::Normalexecs)),
            ("global_func_stats.json", Some(Collection::FuncStats)),
            ("run7_AD_MODEL_dump.txt", Some(Collection::AdModel)),
            ("anomalies_and_metadata.json", None),
            ("all.json", None),
        ] {
            assert_eq!(name_collection(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn other_files_are_recognized_by_their_names() {
        for (name, expected) in [
            ("global_model.json", Some(IgnoredReason::ServerModel)),
            ("pserver_output_stats_3.json", Some(IgnoredReason::VisualizationStream)),
            ("provdb.0.unqlite", Some(IgnoredReason::BinaryDatabase)),
            ("notes.txt", Some(IgnoredReason::Name)),
            ("anomalies.txt", None),
            ("x.jsonl", None),
        ] {
            assert_eq!(reason_to_ignore(Path::new(name)), expected, "{name}");
        }
    }
}
