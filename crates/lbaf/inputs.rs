// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that the command reads, all in one place: no output replaces one of them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lbaf_reader::{read_file, read_file_or_pipe};
use lbaf_report::SavedRun;
use lbaf_writer::Inputs;

use crate::error::Error;

/// A process runs one command, and whatever reads a file for it says so here.
static INPUTS: Mutex<Inputs> = Mutex::new(Inputs::none());

fn inputs() -> MutexGuard<'static, Inputs> {
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a regular file whole.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    note(path);
    read_file(path)
}

/// Reads a regular file, or a pipe that the process was started with.
pub(crate) fn read_or_pipe(path: &Path) -> io::Result<Vec<u8>> {
    note(path);
    read_file_or_pipe(path)
}

/// Notes a file that is read.
pub(crate) fn note(path: &Path) {
    inputs().add(path);
}

/// Notes files that are read.
pub(crate) fn note_all<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) {
    paths.into_iter().for_each(|path| note(path));
}

/// Notes what a library has read. Returns its result.
pub(crate) fn noted<T>(read: impl FnOnce(&mut Inputs) -> T) -> T {
    read(&mut inputs())
}

/// All files that have been read so far, or will be.
pub(crate) fn all() -> Inputs {
    inputs().clone()
}

/// Reads runs, and notes their summaries.
pub(crate) fn saved_runs(directories: &[&Path]) -> Result<Vec<SavedRun>, Error> {
    let read = |directory: &&Path| noted(|inputs| SavedRun::read(directory, inputs));
    Ok(directories.iter().map(read).collect::<Result<_, _>>()?)
}
