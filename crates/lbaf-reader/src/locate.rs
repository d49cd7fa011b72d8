// SPDX-License-Identifier: MIT OR Apache-2.0
//! Search for the files of all ranks, given a stem.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::ReadError;
use crate::file_name::FileName;

/// Files of one data set, by rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The path of the files up to the rank.
    pub stem: PathBuf,
    /// The part of the names after the rank.
    pub suffix: String,
    /// The file of each rank.
    pub files: Vec<PathBuf>,
}

/// Finds `<stem>.<rank>.<suffix>` for ranks 0, 1, ... without gaps.
///
/// Without `suffix`, an untypical suffix, as in `data.0.notes.txt`, counts only if no file has a typical one.
///
/// # Errors
/// If the directory cannot be listed, if no file or several suffixes match, if a rank below the last has no file, or
/// if a rank number has leading zeros.
pub fn locate(stem: &Path, suffix: Option<&str>) -> Result<Located, ReadError> {
    let mut found = list(stem, |parts| parts.is_data(suffix))?;
    if found.is_empty() && suffix.is_none() {
        found = list(stem, |_| true)?;
    }
    let mut found = found.into_iter();
    let (suffix, ranks) = match (found.next(), found.next()) {
        (None, _) => {
            return Err(ReadError::NoFiles {
                stem: stem.into(),
                suffix: suffix.unwrap_or("json").to_owned(),
            });
        }
        (Some(only), None) => only,
        (Some((first, _)), Some((second, _))) => {
            let more = found.map(|(suffix, _)| suffix);
            let suffixes = [first, second].into_iter().chain(more).collect::<Vec<_>>().join(", ");
            return Err(ReadError::SeveralSuffixes { stem: stem.into(), suffixes });
        }
    };
    let mut files = Vec::with_capacity(ranks.len());
    let last = ranks.keys().next_back().copied().unwrap_or(0);
    for (rank, path) in ranks {
        if rank != files.len() as u64 {
            let missing = file_of_rank(stem, files.len(), &suffix);
            return Err(ReadError::MissingRank { missing, rank: files.len(), last });
        }
        files.push(path);
    }
    Ok(Located { stem: stem.into(), suffix, files })
}

/// Returns the path of the file of a rank.
pub fn file_of_rank(stem: &Path, rank: usize, suffix: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(format!(".{rank}.{suffix}"));
    name.into()
}

type BySuffix = BTreeMap<String, BTreeMap<u64, PathBuf>>;

/// Lists the files of a stem whose names satisfy `is_wanted`.
fn list(stem: &Path, is_wanted: impl Fn(&FileName<'_>) -> bool) -> Result<BySuffix, ReadError> {
    let directory = match stem.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !directory.exists() {
        return Err(ReadError::NoDirectory { path: directory.into() });
    }
    let failed = |source| ReadError::Directory { path: directory.into(), source };
    let of_stem = stem.file_name().unwrap_or_default().as_encoded_bytes();
    let mut found = BySuffix::new();
    for entry in directory.read_dir().map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let parts = FileName::parse(name.as_encoded_bytes());
        let Some(parts) = parts.filter(|parts| parts.stem == of_stem && is_wanted(parts)) else {
            continue;
        };
        let Ok(suffix) = str::from_utf8(parts.suffix) else { continue };
        let path = stem.with_file_name(&name);
        if parts.is_padded() {
            return Err(ReadError::PaddedRank { path });
        }
        let Some(rank) = parts.rank() else { continue };
        found.entry(suffix.to_owned()).or_default().insert(rank, path);
    }
    Ok(found)
}
