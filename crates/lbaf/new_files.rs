// SPDX-License-Identifier: MIT OR Apache-2.0
//! New files of a command: all or none are published, never over an input, and over other files only with `--force`.

use std::borrow::Cow;
use std::path::Path;

use lbaf_reader::FileName;
use lbaf_run::Steps;
use lbaf_vom::record::DataFile;
use lbaf_writer::{Staging, WriteError};
use rayon::prelude::*;

use crate::error::Error;
use crate::{directories, inputs, progress};

/// Staged new files.
pub(crate) struct NewFiles {
    staging: Staging,
    /// Existing files to replace or remove.
    present: Vec<String>,
    /// Name of the single file, or of the stem without its directory.
    name: String,
}

impl NewFiles {
    /// Prepares files `<stem>.<rank>.<suffix>`.
    ///
    /// # Errors
    /// If files of the stem exist and `force` is false, if one of them is an input or is not a regular file, if the
    /// name of the stem is missing or not UTF-8, or if the directory cannot be written.
    pub(crate) fn of_stem(stem: &Path, suffix: &str, force: bool) -> Result<Self, Error> {
        let (directory, name) = parts(stem)?;
        Self::new(stem, directory, name, || files_of(directory, name, suffix), force)
    }

    /// Prepares a single file.
    ///
    /// # Errors
    /// As for [`of_stem`](Self::of_stem).
    pub(crate) fn of_path(path: &Path, force: bool) -> Result<Self, Error> {
        let (directory, name) = parts(path)?;
        let is_present = || path.symlink_metadata().is_ok();
        let present = || if is_present() { vec![name.to_owned()] } else { Vec::new() };
        Self::new(path, directory, name, present, force)
    }

    fn new(
        path: &Path,
        directory: &Path,
        name: &str,
        present: impl Fn() -> Vec<String>,
        force: bool,
    ) -> Result<Self, Error> {
        // Restoring old files changes the list of existing files.
        directories::restore(directory)?;
        let present = present();
        // Refused even if no input would be overwritten: new files must not mix with inputs.
        let inputs = inputs::all().identified();
        if let Some(first) = present.iter().find(|name| inputs.contains(&directory.join(name))) {
            return Err(Error::AmongInputs(path.with_file_name(first)));
        }
        if let Some(first) = present.first().filter(|_| !force) {
            return Err(Error::Present(path.with_file_name(first)));
        }
        // All existing files will be replaced or removed, so all must be regular files.
        let is_file = |path: &Path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        if let Some(other) = present.iter().map(|name| directory.join(name)).find(|path| !is_file(path)) {
            return Err(WriteError::NotAFile { path: other }.into());
        }
        let staging = Staging::new(directory)?;
        Ok(NewFiles { staging, present, name: name.to_owned() })
    }

    /// Writes the documents of all ranks in parallel. Of several errors, returns that of the lowest rank.
    pub(crate) fn put_ranks(
        &self,
        suffix: &str,
        n_ranks: usize,
        make: impl Fn(usize) -> Result<Vec<u8>, Error> + Sync,
    ) -> Result<(), Error> {
        self.write_ranks(suffix, n_ranks, |name, rank| Ok(self.staging.put(name, &make(rank)?)?))
    }

    /// Writes the JSON files of all ranks in parallel, compressed with a brotli quality or as plain text.
    pub(crate) fn print_ranks<'a>(
        &self,
        n_ranks: usize,
        quality: Option<u32>,
        file: impl Fn(usize) -> Cow<'a, DataFile> + Sync,
    ) -> Result<(), Error> {
        self.write_ranks("json", n_ranks, |name, rank| {
            let file = file(rank);
            Ok(self.staging.print(name, quality, |out| lbaf_vom::print_to(out, &file))?)
        })
    }

    fn write_ranks(
        &self,
        suffix: &str,
        n_ranks: usize,
        write: impl Fn(&str, usize) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let steps = Steps::new(&progress::messages(), "writing", n_ranks);
        let one = |rank: usize| -> Result<(), Error> {
            write(&format!("{}.{rank}.{suffix}", self.name), rank)?;
            steps.advance();
            Ok(())
        };
        let outcomes: Vec<_> = (0..n_ranks).into_par_iter().map(one).collect();
        outcomes.into_iter().collect()
    }

    /// Writes the single file.
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.staging.put(&self.name, bytes)?)
    }

    /// Publishes all files, and removes the existing files that they do not replace. Returns the size of the new files
    /// in bytes.
    pub(crate) fn publish(self) -> Result<u64, Error> {
        let size = self.staging.written().values().map(|written| written.bytes).sum();
        self.staging.publish(None, &inputs::all(), &self.present)?;
        Ok(size)
    }
}

/// Returns the directory and the file name of a path.
///
/// # Errors
/// If the path has no file name, or the name is not UTF-8.
pub(crate) fn parts(path: &Path) -> Result<(&Path, &str), Error> {
    let Some(name) = path.file_name() else {
        return Err(Error::Input(format!("{} has no file name", path.display())));
    };
    let Some(name) = name.to_str() else {
        return Err(Error::Input(format!("{}: names of new files must be UTF-8", path.display())));
    };
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    Ok((directory, name))
}

/// Returns the existing files of a stem with this suffix or a usual suffix of data files.
fn files_of(directory: &Path, stem: &str, suffix: &str) -> Vec<String> {
    let is_one = |name: &String| {
        FileName::parse(name.as_bytes()).is_some_and(|parts| {
            parts.stem == stem.as_bytes() && (parts.is_data(None) || parts.is_data(Some(suffix)))
        })
    };
    let entries = directory.read_dir().into_iter().flatten().flatten();
    let mut files: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_one).collect();
    files.sort();
    files
}
