// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finding and reading data sets, with progress.

use std::path::{Path, PathBuf};

use lbaf_reader::{Located, Recorded, Request};

use crate::error::Error;
use crate::progress::Messages;

/// Finds and reads the files of a stem.
pub(crate) fn read(located: &Located, request: &Request<'_>, messages: Messages) -> Result<Recorded, Error> {
    let bar = messages.bar("reading", located.files.len());
    Ok(lbaf_reader::read(&located.files, request, &|done| bar.set(done))?)
}

/// Finds the files of a stem, which a user may have given as the directory that holds them.
pub(crate) fn locate(stem: &Path, suffix: Option<&str>) -> Result<Located, Error> {
    lbaf_reader::locate(stem, suffix).map_err(|error| match error {
        lbaf_reader::ReadError::NoFiles { .. } if stem.is_dir() => Error::Input(format!(
            "{} is a directory; the stem goes on to the names of the files in it, like {}",
            stem.display(),
            example(stem).display()
        )),
        error => Error::Read(error),
    })
}

/// A stem that the files in a directory might have.
fn example(directory: &Path) -> PathBuf {
    let names = directory
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let mut stems: Vec<String> =
        names.filter_map(|name| Some(name.split_once(".0.")?.0.to_owned())).collect();
    stems.sort();
    directory.join(stems.first().map_or("data", String::as_str))
}
