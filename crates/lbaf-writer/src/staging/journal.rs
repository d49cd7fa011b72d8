// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replacement of single files in a directory that cannot be swapped as a whole. A journal lists all renames before the
//! first is made, so that the old files can be restored if the process is killed in between.

pub(super) mod trust;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::disk::Disk;
use super::hidden::{Hidden, JOURNAL, NEW, has_journal};
use crate::WriteError;
use crate::unfinished::Unfinished;

/// Name of the journal once all new files are in place. They are then kept.
const COMMITTED: &str = "committed.json";

/// Directory of old files, inside the hidden directory.
pub(super) const ASIDE: &str = "aside";

/// Renames, in order. Paths are relative to the output directory.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Journal {
    /// Missing directories to create, outermost first.
    pub(super) made: Vec<String>,
    /// Renames that move old files away.
    pub(super) aside: Vec<Rename>,
    /// Renames that move new files into place.
    pub(super) placed: Vec<Rename>,
    /// Rename of the list of files, which is placed last.
    pub(super) last: Vec<Rename>,
    /// Directories that are removed at the end if they are empty.
    pub(super) emptied: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rename {
    pub(super) from: String,
    pub(super) to: String,
}

impl Journal {
    /// Plans to place the files `names`, with `last` at the end, and to remove the `stale` ones.
    pub(super) fn new(
        output_dir: &Path,
        hidden: &Hidden,
        names: &BTreeSet<&str>,
        last: Option<&str>,
        stale: &BTreeSet<&str>,
    ) -> Self {
        let mut journal = Journal::default();
        let is_there = |name: &&str| output_dir.join(name).symlink_metadata().is_ok();
        // The old list of files is moved first.
        let last = names.iter().copied().filter(|name| Some(*name) == last);
        let others = stale.union(names).copied().filter(|name| !last.clone().any(|last| last == *name));
        for (number, name) in last.clone().chain(others).filter(is_there).enumerate() {
            let to = format!("{}/{ASIDE}/{number}", hidden.name());
            journal.aside.push(Rename { from: name.to_owned(), to });
        }
        let place =
            |name: &str| Rename { from: format!("{}/{NEW}/{name}", hidden.name()), to: name.to_owned() };
        let is_last = |name: &str| last.clone().any(|last| last == name);
        journal.placed = names.iter().filter(|name| !is_last(name)).map(|name| place(name)).collect();
        journal.last = last.clone().map(place).collect();
        let missing = |name: &str| {
            let mut missing: Vec<String> =
                directories_of(name).filter(|name| !is_there(&name.as_str())).collect();
            missing.reverse();
            missing
        };
        for directory in names.iter().flat_map(|name| missing(name)) {
            if !journal.made.contains(&directory) {
                journal.made.push(directory);
            }
        }
        journal.emptied = stale.difference(names).filter_map(|name| directories_of(name).next()).collect();
        journal
    }

    /// Returns the only rename, if it suffices for the whole replacement.
    pub(super) fn single(&self) -> Option<(&str, &str)> {
        let mut renames = self.placed.iter().chain(&self.last);
        let (only, more) = (renames.next()?, renames.next());
        let is_replaced = self.aside.iter().all(|aside| aside.from == only.to);
        (more.is_none() && is_replaced && self.made.is_empty()).then_some((&only.from, &only.to))
    }

    /// Makes all renames, or undoes those that were made. `unfinished_besides` finds a replacement by another process.
    ///
    /// # Errors
    /// If a rename fails, or if another process is replacing files.
    pub(super) fn carry_out(
        &self,
        output_dir: &Path,
        hidden: &Path,
        disk: &Disk,
        unfinished_besides: impl FnOnce() -> Option<Unfinished>,
    ) -> Result<(), WriteError> {
        let failed = |source| WriteError::Io { path: output_dir.into(), source };
        disk.make_directories(&hidden.join(ASIDE)).map_err(failed)?;
        let outcome = self
            .write(output_dir, hidden, disk)
            .map_err(failed)
            // On file systems without directory locks, two processes can arrive here. At least the later one finds
            // the journal of the other.
            .and_then(|()| match unfinished_besides() {
                Some(unfinished) => Err(WriteError::Unfinished(unfinished)),
                None => Ok(()),
            })
            .and_then(|()| self.rename_all(output_dir, disk))
            .and_then(|()| disk.rename(&hidden.join(JOURNAL), &hidden.join(COMMITTED)).map_err(failed));
        if let Err(error) = outcome {
            // The journal remains, so the next process restores files that cannot be restored now.
            let _ = self.take_back(output_dir, hidden, disk);
            return Err(error);
        }
        let in_place = |source| WriteError::InPlace { path: output_dir.into(), source };
        let outcome = disk.sync_directory(hidden).map_err(in_place);
        self.remove_emptied(output_dir, disk);
        outcome
    }

    /// Writes the journal into the hidden directory, completely and durably.
    fn write(&self, output_dir: &Path, hidden: &Path, disk: &Disk) -> io::Result<()> {
        let part = hidden.join("journal.part");
        disk.write(&part, &serde_json::to_vec_pretty(self)?)?;
        disk.sync_file(&part)?;
        disk.rename(&part, &hidden.join(JOURNAL))?;
        disk.sync_directory(hidden)?;
        disk.sync_directory(output_dir)
    }

    fn rename_all(&self, output_dir: &Path, disk: &Disk) -> Result<(), WriteError> {
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |source| WriteError::Io { path, source }
        };
        for directory in &self.made {
            let directory = output_dir.join(directory);
            disk.make_directories(&directory).map_err(at(&directory))?;
        }
        for directory in parents(output_dir, self.made.iter()) {
            disk.sync_directory(&directory).map_err(at(&directory))?;
        }
        for (renames, is_aside) in [(&self.aside, true), (&self.placed, false), (&self.last, false)] {
            for Rename { from, to } in renames {
                let (from, to) = (output_dir.join(from), output_dir.join(to));
                disk.rename(&from, &to).map_err(at(if is_aside { &from } else { &to }))?;
            }
            // Each step is durable before the next one.
            let names = renames.iter().flat_map(|rename| [&rename.from, &rename.to]);
            for directory in parents(output_dir, names) {
                disk.sync_directory(&directory).map_err(at(&directory))?;
            }
        }
        Ok(())
    }

    /// Undoes the renames from this hidden directory, whose process was killed or failed.
    ///
    /// # Errors
    /// If the journal cannot be read or followed, a file cannot be moved back, or another file has taken its place.
    pub(super) fn restore(output_dir: &Path, hidden: &Path, disk: &Disk) -> Result<(), WriteError> {
        match Self::check(output_dir, hidden) {
            Ok(Some(journal)) => journal.take_back(output_dir, hidden, disk),
            Ok(None) => Ok(()),
            Err(source) => Err(WriteError::Io { path: hidden.join(JOURNAL), source }),
        }
    }

    /// Returns the reason why a damaged journal cannot be followed.
    pub(super) fn fault(output_dir: &Path, hidden: &Path) -> Option<String> {
        let error = Self::check(output_dir, hidden).err()?;
        matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
            .then(|| error.to_string())
    }

    /// Returns the journal in a hidden directory, if it exists and is valid.
    fn check(output_dir: &Path, hidden: &Path) -> io::Result<Option<Self>> {
        let journal = Self::read(&hidden.join(JOURNAL))?;
        let fault = journal.as_ref().and_then(|journal| trust::fault(journal, output_dir, hidden));
        fault.map_or(Ok(journal), |fault| Err(io::Error::new(io::ErrorKind::InvalidData, fault)))
    }

    /// Undoes the renames, and then removes the journal.
    fn take_back(&self, output_dir: &Path, hidden: &Path, disk: &Disk) -> Result<(), WriteError> {
        let path = hidden.join(JOURNAL);
        if !has_journal(hidden) {
            return Ok(());
        }
        let failed = |path: &Path, source| WriteError::Io { path: path.into(), source };
        let is_there = |path: &Path| path.symlink_metadata().is_ok();
        let placed = self.placed.iter().chain(&self.last).rev().map(|rename| (rename, false));
        let aside = self.aside.iter().rev().map(|rename| (rename, true));
        for (Rename { from, to }, is_aside) in placed.chain(aside) {
            let (from, to) = (output_dir.join(from), output_dir.join(to));
            match (is_there(&from), is_there(&to)) {
                (false, true) => disk.rename(&to, &from).map_err(|source| failed(&from, source))?,
                (true, true) if is_aside => {
                    return Err(WriteError::Taken { directory: output_dir.into(), path: from });
                }
                // The file was not renamed, or was already moved back.
                _ => {}
            }
        }
        for directory in self.made.iter().rev() {
            // Other processes may have put files there.
            let _ = disk.remove_directory(&output_dir.join(directory));
        }
        for directory in parents(output_dir, self.aside.iter().map(|rename| &rename.from)) {
            disk.sync_directory(&directory).map_err(|source| failed(&directory, source))?;
        }
        disk.remove_file(&path).map_err(|source| failed(&path, source))
    }

    /// Finishes a replacement whose new files are in place: removes the directories that are empty now.
    pub(super) fn finish(output_dir: &Path, hidden: &Path, disk: &Disk) {
        match Self::read(&hidden.join(COMMITTED)) {
            Ok(Some(journal)) if trust::fault(&journal, output_dir, hidden).is_none() => {
                journal.remove_emptied(output_dir, disk);
            }
            _ => {}
        }
    }

    fn remove_emptied(&self, output_dir: &Path, disk: &Disk) {
        for directory in &self.emptied {
            // Only directories that the stale files leave empty can be removed.
            let _ = disk.remove_directory(&output_dir.join(directory));
        }
    }

    fn read(path: &Path) -> io::Result<Option<Self>> {
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not a regular file"));
        }
        match fs::read(path) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Returns the directories in a name, innermost first.
fn directories_of(name: &str) -> impl Iterator<Item = String> {
    let directories = Path::new(name).ancestors().skip(1).filter(|directory| *directory != Path::new(""));
    directories.map(|directory| directory.to_string_lossy().into_owned())
}

/// Returns the directories that contain these names.
fn parents<'a>(output_dir: &Path, names: impl Iterator<Item = &'a String>) -> BTreeSet<PathBuf> {
    names.filter_map(|name| Some(output_dir.join(Path::new(name).parent()?))).collect()
}
