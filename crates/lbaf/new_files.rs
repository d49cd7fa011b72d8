// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that a command makes: all of them or none, never over an input, and over others only when told so.

use std::path::Path;

use lbaf_reader::FileName;
use lbaf_writer::{Staging, WriteError};
use rayon::prelude::*;

use crate::error::Error;
use crate::{directories, inputs};

/// The place of new files.
pub(crate) struct NewFiles {
    staging: Staging,
    /// Files that are there already and will be replaced.
    present: Vec<String>,
    name: String,
}

impl NewFiles {
    /// Prepares for the files of a stem, `<stem>.<rank>.<suffix>`.
    ///
    /// # Errors
    /// If there are files of the stem already and `force` does not say to replace them, or they are read.
    pub(crate) fn of_stem(stem: &Path, suffix: &str, force: bool) -> Result<Self, Error> {
        let (directory, name) = parts(stem)?;
        Self::new(stem, directory, name, || files_of(directory, name, suffix), force)
    }

    /// Prepares for one file.
    ///
    /// # Errors
    /// If it is there already and `force` does not say to replace it, or it is read.
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
        // Only then it is known what is there.
        directories::restore(directory)?;
        let present = present();
        // Also where none would be overwritten: new files must not mix with those that they are made of.
        let inputs = inputs::all().identified();
        if let Some(first) = present.iter().find(|name| inputs.contains(&directory.join(name))) {
            return Err(Error::AmongInputs(path.with_file_name(first)));
        }
        if let Some(first) = present.first().filter(|_| !force) {
            return Err(Error::Present(path.with_file_name(first)));
        }
        // Those of further ranks will be removed.
        let is_file = |path: &Path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        if let Some(other) = present.iter().map(|name| directory.join(name)).find(|path| !is_file(path)) {
            return Err(WriteError::NotAFile { path: other }.into());
        }
        let staging = Staging::new(directory)?;
        Ok(NewFiles { staging, present, name: name.to_owned() })
    }

    /// Makes the file of every rank, in parallel. Of several errors, that of the lowest rank is returned.
    pub(crate) fn put_ranks(
        &self,
        suffix: &str,
        n_ranks: usize,
        make: impl Fn(usize) -> Result<Vec<u8>, Error> + Sync,
    ) -> Result<(), Error> {
        let put = |rank: usize| -> Result<(), Error> {
            Ok(self.staging.put(&format!("{}.{rank}.{suffix}", self.name), &make(rank)?)?)
        };
        let outcomes: Vec<_> = (0..n_ranks).into_par_iter().map(put).collect();
        outcomes.into_iter().collect()
    }

    /// Makes the only file.
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.staging.put(&self.name, bytes)?)
    }

    /// Puts everything in its place; how many bytes that are.
    pub(crate) fn publish(self) -> Result<u64, Error> {
        let size = self.staging.written().values().map(|written| written.bytes).sum();
        self.staging.publish(None, &inputs::all(), &self.present)?;
        Ok(size)
    }
}

/// The directory and the name of what a path names.
pub(crate) fn parts(path: &Path) -> Result<(&Path, &str), Error> {
    let Some(name) = path.file_name() else {
        return Err(Error::Input(format!("{} does not name files", path.display())));
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

/// Files of ranks that a stem has already, of this suffix or of any that data have.
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
