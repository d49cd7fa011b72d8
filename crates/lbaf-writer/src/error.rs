// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of writing outputs.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use lbaf_reader::ReadError;
use thiserror::Error;

use crate::model_files::ModelFilesError;
use crate::unfinished::{State, Unfinished};

/// Reason why outputs could not be written, or old files could not be restored. If only some outputs were published,
/// this is undone, by the next command if necessary.
#[derive(Debug, Error)]
pub enum WriteError {
    /// A file or directory cannot be created, written, renamed, removed or synchronized.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A file or link is in the place of a directory in the path of an output.
    #[error("cannot write into {}: it is {}", path.display(), no_directory(path))]
    NotADirectory {
        /// The file or link, or the output directory if a file is above it.
        path: PathBuf,
    },
    /// A directory has the name of a file to be written.
    #[error("cannot write {}: a directory of this name is in the way", path.display())]
    InTheWay {
        /// The directory.
        path: PathBuf,
    },
    /// The name of a file to be written belongs to something other than a regular file.
    #[error("cannot write {}: it is {}; only regular files are replaced", path.display(), kind(path))]
    NotAFile {
        /// The link, device, FIFO or socket.
        path: PathBuf,
    },
    /// A replacement of files is running, or was interrupted and cannot be undone automatically.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// Another file exists in the place of an old file that a killed command had moved away.
    #[error("cannot restore {}: another file was created there since", path.display())]
    Taken {
        /// The directory whose files are restored.
        directory: PathBuf,
        /// Place of the old file.
        path: PathBuf,
    },
    /// The new files are in place, but could be lost if the machine crashes.
    #[error("the new files in {} are in place, but may be lost if the machine crashes now: {source}", path.display())]
    InPlace {
        /// The directory.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The new files are in place, and files that another program wrote at the same time were moved.
    #[error(
        "the new files in {} are in place, but another program wrote there at the same time; its files and the old \
         ones are in {} and could not be restored: {source}",
        path.display(),
        kept.display()
    )]
    Kept {
        /// The directory.
        path: PathBuf,
        /// Directory with the files of the other program and the old files.
        kept: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A name outside the output directory.
    #[error("{name:?} is outside the output directory")]
    Outside {
        /// The name.
        name: String,
    },
    /// An output would replace an input.
    #[error(
        "{} is an input and would be overwritten; choose another place or name (for a run, `output_dir` or \
         `output_file_stem`)",
        path.display()
    )]
    OverwritesInput {
        /// The file.
        path: PathBuf,
    },
    /// Subphases that vt needs would exceed the limit on added subphases.
    #[error(
        "vt needs the same number of subphases for every migratable object, numbered from 0; files for OfflineLB would get \
         {n} additional subphases of 0 s, but the limit for data of this size is {most}; correct the numbers of \
         `subphases`, or set `write_JSON.offline_lb_compatible: false` to write files that are not for vt"
    )]
    Subphases {
        /// Number of subphases that would be added.
        n: u64,
        /// Largest number of subphases that may be added.
        most: u64,
    },
    /// Ranks that OfflineLB cannot handle, with `empty_ranks: refuse`.
    #[error(
        "OfflineLB aborts on ranks without a migratable object in some written phase (here {ranks}, first in phase \
         {phase}), or misreads them; set `write_JSON.empty_ranks: insert` to add an object of load 0 on each"
    )]
    EmptyRanks {
        /// The ranks.
        ranks: String,
        /// First phase with such a rank.
        phase: u64,
    },
    /// Files cannot hold the model.
    #[error(transparent)]
    Model(#[from] ModelFilesError),
    /// A document could not be read again, or a temporary file could not be used.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let directory = self.directory.display();
        match &self.state {
            State::Killed => write!(f, "{directory}: a command was killed while it replaced the files there"),
            State::KilledOf { user } => write!(
                f,
                "{directory}: a command of the user with ID {user} was killed while it replaced the files there"
            ),
            State::Running => write!(f, "{directory}: another command is replacing the files there"),
            State::On(machine) => write!(
                f,
                "{directory}: a command on {machine} started to replace the files there and has not finished"
            ),
            State::Damaged { journal, fault } => {
                let journal = journal.display();
                write!(f, "{journal} is damaged ({fault}), so the old files cannot be restored from it")
            }
        }
    }
}

/// Describes an obstacle to a directory. Writing through a link would replace files elsewhere.
fn no_directory(path: &Path) -> &'static str {
    if path.is_symlink() {
        "a symbolic link, not a directory; replace it with a directory, or choose another place"
    } else {
        "not a directory"
    }
}

/// Describes the kind of file at a path.
#[cfg(unix)]
fn kind(path: &Path) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match path.symlink_metadata().map(|metadata| metadata.file_type()) {
        Ok(kind) if kind.is_dir() => "a directory",
        Ok(kind) if kind.is_symlink() => "a symbolic link",
        Ok(kind) if kind.is_fifo() => "a FIFO",
        Ok(kind) if kind.is_socket() => "a socket",
        Ok(kind) if kind.is_block_device() || kind.is_char_device() => "a device",
        _ => "not a regular file",
    }
}

#[cfg(not(unix))]
fn kind(path: &Path) -> &'static str {
    if path.is_symlink() { "a symbolic link" } else { "not a regular file" }
}
