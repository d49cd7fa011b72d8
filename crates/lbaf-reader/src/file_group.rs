// SPDX-License-Identifier: MIT OR Apache-2.0
//! From paths to data sets: which files belong together, told by their names.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::ReadError;

/// Files of one data set: the same directory, stem and suffix. A file without a rank in its name is alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileGroup {
    /// By rank.
    pub files: Vec<RankFile>,
}

/// A file and the rank in its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankFile {
    /// The file.
    pub path: PathBuf,
    /// The number in `<stem>.<rank>.<suffix>`, if the name is such.
    pub rank: Option<u64>,
    /// Whether the number has zeros before it, so that it is none of a rank.
    pub is_padded: bool,
}

/// Suffixes of data files that need no rank in their names.
const SUFFIXES: [&str; 3] = [".json", ".json.br", ".vom"];

/// The files of a directory that look like data, in the order of their names: those with a rank in the name,
/// and those with a usual suffix; or all that have the `suffix` that is wanted.
///
/// # Errors
/// When the directory cannot be listed.
pub fn data_files(directory: &Path, suffix: Option<&str>) -> Result<Vec<PathBuf>, ReadError> {
    let failed = |source| ReadError::Directory { path: directory.into(), source };
    let mut files = Vec::new();
    for entry in directory.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let parts = parts_of(&name);
        let looks_like_data = match (suffix, &parts) {
            (Some(wanted), Some(parts)) => parts.suffix == wanted,
            (Some(wanted), None) => name.ends_with(&format!(".{wanted}")),
            (None, parts) => parts.is_some() || SUFFIXES.iter().any(|suffix| name.ends_with(suffix)),
        };
        if looks_like_data && !name.starts_with('.') && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Puts files into groups, in the order in which the first of each comes. A file that is named twice counts
/// once.
pub fn group_files(paths: impl IntoIterator<Item = PathBuf>) -> Vec<FileGroup> {
    let mut groups: Vec<FileGroup> = Vec::new();
    let mut positions = FxHashMap::default();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let parts = parts_of(&name);
        let rank = parts.as_ref().map(|parts| parts.rank);
        let is_padded = rank.is_none() && has_padded_number(&name);
        let (stem, suffix) = parts.map_or((&*name, ""), |parts| (parts.stem, parts.suffix));
        let key = (path.with_file_name(stem), suffix.to_owned(), rank.is_some());
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

/// The parts of `<stem>.<rank>.<suffix>`.
struct NameParts<'a> {
    stem: &'a str,
    rank: u64,
    suffix: &'a str,
}

/// Splits a name at the last part that is a number and has something on both sides.
fn parts_of(name: &str) -> Option<NameParts<'_>> {
    let mut end = name.rfind('.')?;
    while let Some(dot) = name[..end].rfind('.') {
        let number = &name[dot + 1..end];
        // Padded numbers are not those of ranks.
        if dot > 0
            && let Ok(rank) = number.parse::<u64>()
            && number == rank.to_string()
        {
            return Some(NameParts { stem: &name[..dot], rank, suffix: &name[end + 1..] });
        }
        end = dot;
    }
    None
}

/// Whether a name is `<stem>.<number>.<suffix>` with zeros before the number.
fn has_padded_number(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    let inner = parts.get(1..parts.len().saturating_sub(1)).unwrap_or_default();
    let is_padded = |part: &&str| {
        part.len() > 1 && part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    inner.iter().any(is_padded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(name: &str) -> Option<(&str, u64, &str)> {
        parts_of(name).map(|NameParts { stem, rank, suffix }| (stem, rank, suffix))
    }

    #[test]
    fn the_last_number_is_the_rank() {
        assert_eq!(parts("data.0.json"), Some(("data", 0, "json")));
        assert_eq!(parts("data.12.json.br"), Some(("data", 12, "json.br")));
        assert_eq!(parts("run.2024.3.vom"), Some(("run.2024", 3, "vom")));
        for name in ["data.json", "data.0", ".0.json", "0.json", "data.00.json", "data.-1.json", "data"] {
            assert_eq!(parts(name), None, "{name}");
        }
    }

    #[test]
    fn files_of_a_data_set_come_together_by_rank() {
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
