// SPDX-License-Identifier: MIT OR Apache-2.0
//! Location of data files by their stem, and reading with progress.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use lbaf_model::DataSet;
use lbaf_reader::{FileName, Located, PhaseFindings, ReadError, Recorded, Request, Visited};

use crate::Messages;
use crate::RunError;
use crate::summary;

/// Reads the files of a stem.
///
/// # Errors
/// If a file cannot be read, or the files contradict each other.
pub fn read(located: &Located, request: &Request<'_>, messages: &dyn Messages) -> Result<Recorded, RunError> {
    let bar = messages.progress("reading", located.files.len());
    Ok(lbaf_reader::read(&located.files, request, &|done| bar.set(done))?)
}

/// Reads the files of a stem, and visits the phases one by one: see [`lbaf_reader::visit`].
///
/// # Errors
/// If a file cannot be read, or the files contradict each other.
pub fn visit<T: Send>(
    located: &Located,
    request: &Request<'_>,
    messages: &dyn Messages,
    visit: &(dyn Fn(&DataSet, &PhaseFindings) -> T + Sync),
) -> Result<Visited<T>, RunError> {
    let bar = messages.progress("reading", located.files.len());
    Ok(lbaf_reader::visit(&located.files, request, &|done| bar.set(done), visit)?)
}

/// Finds the files `<stem>.<rank>.<suffix>` of all ranks. Without a suffix, detects it from the files. A directory with
/// a single stem, such as the output directory of a run, stands for this stem.
///
/// # Errors
/// If there are no such files (the error lists stems or suffixes in the directory, if any), a rank lacks a file,
/// several suffixes match, or a command is replacing files in the directory or was interrupted while it did so.
pub fn locate(stem: &Path, suffix: Option<&str>) -> Result<Located, RunError> {
    let found = only_stem(stem);
    let stem = found.as_deref().unwrap_or(stem);
    let directory = stem.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Some(unfinished) = lbaf_writer::unfinished(directory) {
        return Err(RunError::Unfinished(unfinished));
    }
    lbaf_reader::locate(stem, suffix).map_err(|error| {
        let is_directory = stem.is_dir();
        let directory = if is_directory { stem } else { stem.parent().unwrap_or(Path::new("")) };
        let others = stems(directory);
        match (error, suffix) {
            (ReadError::NoFiles { .. }, Some(wanted)) if !suffixes(stem).is_empty() => {
                let found = suffixes(stem).join(" or ");
                RunError::Input(format!(
                    "{}.<rank>.{wanted} has no file for rank 0; there are files with the suffix {found}",
                    stem.display()
                ))
            }
            (ReadError::NoFiles { .. }, _) if !others.is_empty() => {
                let what = if is_directory {
                    " is a directory, not a stem"
                } else {
                    ".<rank>.* has no file for rank 0"
                };
                let others: Vec<String> = others.iter().map(|other| other.display().to_string()).collect();
                RunError::Input(format!("{}{what}; did you mean {}?", stem.display(), others.join(" or ")))
            }
            (ReadError::NoFiles { .. }, _) if is_directory && stem.join(summary::FILE).is_file() => {
                RunError::Input(format!(
                    "{} is the output directory of a run that wrote no data files; `--set write_JSON={{}}` \
                     makes a run write them",
                    stem.display()
                ))
            }
            (ReadError::NoFiles { suffix, .. }, _) if is_directory => RunError::Input(format!(
                "{0} is a directory without data files, and there are no files {0}.0.{suffix}, {0}.1.{suffix}, ..",
                stem.display()
            )),
            (error, _) => RunError::Read(error),
        }
    })
}

/// Returns the only stem in a directory; `None` if the path is no directory, or the directory has several stems or
/// none. Files next to the directory with its name as their stem take precedence: the result is `None`.
fn only_stem(path: &Path) -> Option<PathBuf> {
    if !path.is_dir() || !suffixes(path).is_empty() {
        return None;
    }
    let mut stems = stems(path);
    if stems.len() == 1 { stems.pop() } else { None }
}

/// Returns the stems of up to four data sets in a directory, as paths.
fn stems(directory: &Path) -> Vec<PathBuf> {
    let mut stems: Vec<PathBuf> = first_files(directory)
        .filter_map(|name| {
            let parts = FileName::parse(name.as_encoded_bytes()).filter(FileName::has_data_suffix)?;
            Some(directory.join(named(parts.stem)?))
        })
        .collect();
    stems.sort();
    stems.dedup();
    stems.truncate(4);
    stems
}

/// Returns the suffixes of the files of rank 0 of a stem.
fn suffixes(stem: &Path) -> Vec<String> {
    let directory = stem.parent().unwrap_or(Path::new(""));
    let of_stem = stem.file_name().unwrap_or_default().as_encoded_bytes();
    let mut suffixes: Vec<String> = first_files(directory)
        .filter_map(|name| {
            let parts = FileName::parse(name.as_encoded_bytes()).filter(|parts| parts.stem == of_stem)?;
            Some(str::from_utf8(parts.suffix).ok()?.to_owned())
        })
        .collect();
    suffixes.sort();
    suffixes
}

/// Returns the names in a directory that have the form of a file of rank 0.
fn first_files(directory: &Path) -> impl Iterator<Item = OsString> {
    let listed = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let entries = listed.read_dir().into_iter().flatten().flatten();
    let is_first =
        |name: &OsString| FileName::parse(name.as_encoded_bytes()).is_some_and(|parts| parts.number == "0");
    entries.map(|entry| entry.file_name()).filter(is_first)
}

/// Converts a part of a file name to text of the system; `None` if the system cannot represent it.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems do not allow all bytes in names")]
fn named(bytes: &[u8]) -> Option<&OsStr> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn named(bytes: &[u8]) -> Option<&OsStr> {
    str::from_utf8(bytes).ok().map(OsStr::new)
}
