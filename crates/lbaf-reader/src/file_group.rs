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

/// Entries of a directory, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Files that look like data.
    pub data: Vec<PathBuf>,
    /// All else: files of other names, hidden ones, and directories.
    pub others: Vec<PathBuf>,
}

/// Lists a directory. Names of data files have a rank in them or a usual suffix; or the `suffix` that is wanted. Something
/// that is no regular file looks like data too, and is refused when it is read.
///
/// # Errors
/// When the directory cannot be listed.
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
    let parts = parts_of(name);
    let has_name = match (suffix, &parts) {
        (Some(wanted), Some(parts)) => parts.suffix == wanted.as_bytes(),
        (Some(wanted), None) => name.ends_with(format!(".{wanted}").as_bytes()),
        (None, parts) => parts.is_some() || SUFFIXES.iter().any(|suffix| name.ends_with(suffix.as_bytes())),
    };
    has_name && !name.starts_with(b".")
}

/// The name of a file as it is, UTF-8 or not.
fn name_of(path: &Path) -> &[u8] {
    path.file_name().unwrap_or_default().as_encoded_bytes()
}

/// Puts files into groups, in the order in which the first of each comes. A file that is named twice counts
/// once.
pub fn group_files(paths: impl IntoIterator<Item = PathBuf>) -> Vec<FileGroup> {
    let mut groups: Vec<FileGroup> = Vec::new();
    let mut positions = FxHashMap::default();
    for path in paths {
        let name = name_of(&path);
        let parts = parts_of(name);
        let rank = parts.as_ref().map(|parts| parts.rank);
        let is_padded = rank.is_none() && has_padded_number(name);
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

/// The parts of `<stem>.<rank>.<suffix>`, in bytes, because only the rank is sure to be text.
struct NameParts<'a> {
    stem: &'a [u8],
    rank: u64,
    suffix: &'a [u8],
}

/// Splits a name at the last part that is a number and has something on both sides.
fn parts_of(name: &[u8]) -> Option<NameParts<'_>> {
    let mut end = memchr::memrchr(b'.', name)?;
    while let Some(dot) = memchr::memrchr(b'.', &name[..end]) {
        // Padded numbers are not those of ranks.
        if dot > 0
            && let Ok(number) = str::from_utf8(&name[dot + 1..end])
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
fn has_padded_number(name: &[u8]) -> bool {
    let parts: Vec<&[u8]> = name.split(|&byte| byte == b'.').collect();
    let inner = parts.get(1..parts.len().saturating_sub(1)).unwrap_or_default();
    let is_padded = |part: &&[u8]| part.len() > 1 && part[0] == b'0' && part.iter().all(u8::is_ascii_digit);
    inner.iter().any(is_padded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(name: &str) -> Option<(&str, u64, &str)> {
        let text = |bytes| str::from_utf8(bytes).unwrap();
        parts_of(name.as_bytes()).map(|NameParts { stem, rank, suffix }| (text(stem), rank, text(suffix)))
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
