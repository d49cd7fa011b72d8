// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registry of the files that the command reads, which outputs must not replace.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lbaf_reader::{read_file, read_file_or_pipe};
use lbaf_report::SavedRun;
use lbaf_writer::Inputs;

use crate::error::Error;

/// Input files of this process, which runs a single command.
static INPUTS: Mutex<Inputs> = Mutex::new(Inputs::none());

fn inputs() -> MutexGuard<'static, Inputs> {
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a whole regular file and registers it.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    note(path);
    read_file(path)
}

/// Reads a regular file, or a pipe that the process was started with, and registers it.
pub(crate) fn read_or_pipe(path: &Path) -> io::Result<Vec<u8>> {
    note(path);
    read_file_or_pipe(path)
}

/// Registers an input file.
pub(crate) fn note(path: &Path) {
    inputs().add(path);
}

/// Registers input files.
pub(crate) fn note_all<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) {
    paths.into_iter().for_each(|path| note(path));
}

/// Lets a library register the files that it reads. Returns its result.
pub(crate) fn noted<T>(read: impl FnOnce(&mut Inputs) -> T) -> T {
    read(&mut inputs())
}

pub(crate) fn all() -> Inputs {
    inputs().clone()
}

/// Reads saved runs and registers their summaries.
pub(crate) fn saved_runs(directories: &[&Path]) -> Result<Vec<SavedRun>, Error> {
    let read = |directory: &&Path| noted(|inputs| SavedRun::read(directory, inputs));
    Ok(directories.iter().map(read).collect::<Result<_, _>>()?)
}
