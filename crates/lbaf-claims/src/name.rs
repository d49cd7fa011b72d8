// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of files in a shared directory.

use std::path::Path;

pub(crate) const LEASE: &str = ".lease";
pub(crate) const CLAIM: &str = ".claim";
pub(crate) const NOTICE: &str = ".notice";
/// Prefix of the names of incomplete files.
pub(crate) const PART: &str = ".part-";

/// True for the name of a piece of work.
pub(crate) fn is_work(work: &str) -> bool {
    !work.is_empty() && work.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

pub(crate) fn lease(owner: &str) -> String {
    format!("{owner}{LEASE}")
}

pub(crate) fn claim(work: &str, generation: u32) -> String {
    format!("{work}-{generation}{CLAIM}")
}

pub(crate) fn notice(name: &str) -> String {
    format!("{name}{NOTICE}")
}

/// Returns the names of the files in a directory that this crate writes; none if the directory cannot be read.
pub(crate) fn listed(directory: &Path) -> Vec<String> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_ours = |name: &String| {
        [LEASE, CLAIM, NOTICE].iter().any(|end| name.ends_with(end)) || name.starts_with(PART)
    };
    names.filter(is_ours).collect()
}
