// SPDX-License-Identifier: MIT OR Apache-2.0
//! Atomic replacement of a whole directory, if none of its files would remain.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::hidden::Hidden;
use crate::WriteError;

/// Swaps the directory of the new files `names` with the output directory, if the latter contains only files among
/// `names` or `stale`. Returns false, with the output directory unchanged, if it contains other files, is in use or
/// has properties that cannot be copied, or if the system does not support the swap.
pub(super) fn swap(
    output_dir: &Path,
    hidden: &mut Hidden,
    (names, stale): (&BTreeSet<&str>, &BTreeSet<&str>),
    (disk, unpublished): (&Disk, &mut Vec<PathBuf>),
) -> Result<bool, WriteError> {
    let failed = |source| WriteError::Io { path: output_dir.into(), source };
    let in_place = |source| WriteError::InPlace { path: output_dir.into(), source };
    let replaced = names.union(stale).copied().collect();
    let holds_only = |directory: &Path, names: &BTreeSet<&str>, besides: &str| {
        holds_only(directory, Path::new(""), names, besides).unwrap_or(false)
    };
    let new = hidden.new_files();
    let Ok(place) = output_dir.canonicalize() else { return Ok(false) };
    let Some(parent) = place.parent() else { return Ok(false) };
    let is_whole = || holds_only(&new, names, "") && holds_only(&place, &replaced, hidden.name());
    if !is_whole() || is_in_use(&place) || !dress(&new, &place) {
        return Ok(false);
    }
    // Fails if the parent cannot be written or is on another file system.
    if hidden.move_into(parent, disk, unpublished).is_err() {
        return Ok(false);
    }
    let new = hidden.new_files();
    let is_empty = place.read_dir().is_ok_and(|mut entries| entries.next().is_none());
    let swapped = if is_empty { disk.rename(&new, &place) } else { disk.exchange(&new, &place) };
    if swapped.is_ok() && (is_empty || holds_only(&new, &replaced, "")) {
        disk.sync_directory(parent).map_err(in_place)?;
        return Ok(true);
    }
    if swapped.is_ok() {
        // Another program has just written there.
        if let Err(source) = disk.exchange(&new, &place) {
            hidden.keep(disk, unpublished);
            return Err(WriteError::Kept { path: output_dir.into(), kept: hidden.new_files(), source });
        }
    }
    hidden.move_into(&place, disk, unpublished).map_err(failed)?;
    Ok(false)
}

/// True if a directory contains only these files and the entry `besides`, and each of its subdirectories contains at
/// least one of the files.
fn holds_only(root: &Path, below: &Path, names: &BTreeSet<&str>, besides: &str) -> io::Result<bool> {
    let mut is_empty = true;
    for entry in root.join(below).read_dir()? {
        let entry = entry?;
        let name = below.join(entry.file_name());
        if name == Path::new(besides) {
            continue;
        }
        is_empty = false;
        let kind = entry.file_type()?;
        let is_one = name.to_str().is_some_and(|name| names.contains(name));
        if !(kind.is_file() && is_one || kind.is_dir() && holds_only(root, &name, names, "")?) {
            return Ok(false);
        }
    }
    Ok(!is_empty || below == Path::new(""))
}

/// True if the directory or one below it is known to be the working directory of a process, which would remain in the
/// old directory after a swap.
fn is_in_use(place: &Path) -> bool {
    let processes = Path::new("/proc").read_dir().into_iter().flatten().flatten();
    let mut others = processes.filter_map(|process| process.path().join("cwd").read_link().ok());
    let own = Path::new(".").canonicalize().ok();
    own.into_iter().any(|directory| directory.starts_with(place))
        || others.any(|directory| directory.starts_with(place))
}

/// Copies the permissions of an old directory to a new one. Returns false if the two directories, or two
/// subdirectories of the same name, differ in a property that is not copied: owner, group, file system, names of
/// extended attributes (access control lists, stripes), and for subdirectories also permissions.
#[cfg(unix)]
fn dress(new: &Path, old: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(is), Ok(was)) = (new.metadata(), old.metadata()) else { return false };
    is_alike(new, old)
        && directories_are_alike(new, old).unwrap_or(false)
        && (is.mode() == was.mode() || std::fs::set_permissions(new, was.permissions()).is_ok())
}

/// True if subdirectories with the same name have the same properties, including permissions.
#[cfg(unix)]
fn directories_are_alike(new: &Path, old: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    for entry in new.read_dir()? {
        let entry = entry?;
        let (new, old) = (entry.path(), old.join(entry.file_name()));
        if !entry.file_type()?.is_dir() || !old.is_dir() {
            continue;
        }
        let has_mode = new.metadata()?.mode() == old.metadata()?.mode();
        if !has_mode || !is_alike(&new, &old) || !directories_are_alike(&new, &old)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// True for directories with the same owner, group, file system and names of extended attributes.
#[cfg(unix)]
fn is_alike(new: &Path, old: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let attributes = |path: &Path| {
        let mut names = vec![0; 1 << 16];
        let n = rustix::fs::listxattr(path, &mut names[..]).unwrap_or(0);
        names.truncate(n);
        names
    };
    let (Ok(is), Ok(was)) = (new.metadata(), old.metadata()) else { return false };
    (is.uid(), is.gid(), is.dev()) == (was.uid(), was.gid(), was.dev()) && attributes(new) == attributes(old)
}

#[cfg(not(unix))]
fn dress(_: &Path, _: &Path) -> bool {
    true
}
