// SPDX-License-Identifier: MIT OR Apache-2.0
//! Grouping of files into data sets by their names.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::ReadError;
use crate::file_name::FileName;

/// Files of one data set, with the same directory, stem and suffix. A file without a rank in its name is its own
/// group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileGroup {
    /// The files, by rank.
    pub files: Vec<RankFile>,
}

/// A file and the rank in its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankFile {
    /// The file.
    pub path: PathBuf,
    /// Rank in `<stem>.<rank>.<suffix>`; `None` for other names and for numbers with leading zeros.
    pub rank: Option<u64>,
    /// True if the number has leading zeros and is therefore not a rank.
    pub is_padded: bool,
}

/// Suffixes of data files that need no rank in their names.
const SUFFIXES: [&str; 3] = [".json", ".json.br", ".vom"];

/// Entries of a directory, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Files that have the name of a data file.
    pub data: Vec<PathBuf>,
    /// All other entries: files with other names, hidden files and directories.
    pub others: Vec<PathBuf>,
}

/// Lists a directory, with data files identified by name. With `suffix`, data files have this suffix. Without it,
/// their names contain a rank and a typical suffix, or end with `.json`, `.json.br` or `.vom`. Devices, FIFOs and
/// sockets with such names count as data, although they cannot be read.
///
/// # Errors
/// If the directory cannot be listed.
pub fn list_directory(directory: &Path, suffix: Option<&str>) -> Result<Listing, ReadError> {
    let failed = |source| ReadError::Directory { path: directory.into(), source };
    let mut listing = Listing::default();
    for entry in directory.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let looks_like_data = looks_like_data(name_of(&path), suffix) && !path.is_dir();
        if looks_like_data { &mut listing.data } else { &mut listing.others }.push(path);
    }
    listing.data.sort();
    listing.others.sort();
    Ok(listing)
}

fn looks_like_data(name: &[u8], suffix: Option<&str>) -> bool {
    let has_name = match (suffix, FileName::parse(name)) {
        (wanted, Some(parts)) => parts.is_data(wanted),
        (Some(wanted), None) => name.ends_with(format!(".{wanted}").as_bytes()),
        (None, None) => false,
    };
    let has_name =
        has_name || suffix.is_none() && SUFFIXES.iter().any(|suffix| name.ends_with(suffix.as_bytes()));
    has_name && !name.starts_with(b".")
}

/// Returns the bytes of a file name, which need not be UTF-8.
fn name_of(path: &Path) -> &[u8] {
    path.file_name().unwrap_or_default().as_encoded_bytes()
}

/// Groups files by data set, in the order of first occurrence. Duplicate paths count once.
pub fn group_files(paths: impl IntoIterator<Item = PathBuf>) -> Vec<FileGroup> {
    let mut groups: Vec<FileGroup> = Vec::new();
    let mut positions = FxHashMap::default();
    for path in paths {
        let name = name_of(&path);
        let parts = FileName::parse(name);
        let rank = parts.and_then(|parts| parts.rank());
        let is_padded = parts.is_some_and(|parts| parts.is_padded());
        let parts = parts.filter(|_| rank.is_some());
        let (stem, suffix) = parts.map_or((name, &b""[..]), |parts| (parts.stem, parts.suffix));
        let directory = path.parent().map(Path::to_owned);
        let key = (directory, stem.to_owned(), suffix.to_owned(), rank.is_some());
        let position = *positions.entry(key).or_insert_with(|| {
            groups.push(FileGroup::default());
            groups.len() - 1
        });
        let files = &mut groups[position].files;
        let before = files.partition_point(|file| file.rank < rank);
        if files.get(before).is_none_or(|file| file.path != path) {
            files.insert(before, RankFile { path, rank, is_padded });
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_data_set_are_grouped_by_rank() {
        let names =
            ["a/d.10.json", "a/d.2.json", "a/x.json", "a/d.2.vom", "b/d.2.json", "a/d.2.json", "x.json"];
        let groups = group_files(names.map(PathBuf::from));
        let paths = |group: &FileGroup| -> Vec<String> {
            group.files.iter().map(|file| file.path.display().to_string()).collect()
        };
        let paths: Vec<Vec<String>> = groups.iter().map(paths).collect();
        let expected = [
            vec!["a/d.2.json", "a/d.10.json"],
            vec!["a/x.json"],
            vec!["a/d.2.vom"],
            vec!["b/d.2.json"],
            vec!["x.json"],
        ];
        assert_eq!(paths, expected);
    }
}
