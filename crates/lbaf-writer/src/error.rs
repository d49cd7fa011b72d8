// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reasons for which nothing was written.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use lbaf_reader::ReadError;
use thiserror::Error;

use crate::unfinished::{State, Unfinished};

/// Reasons for which outputs could not be written. With each of them, no output has been half-written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// A file or directory cannot be made.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The words of the system.
        source: io::Error,
    },
    /// The output directory or one below it is something else.
    #[error("cannot write into {}: it is {}", path.display(), no_directory(path))]
    NotADirectory {
        /// The thing that stands there.
        path: PathBuf,
    },
    /// A directory stands where a file is to be written.
    #[error("cannot write {}: a directory of this name is in the way", path.display())]
    InTheWay {
        /// The directory.
        path: PathBuf,
    },
    /// Something stands where a file is to be written that is no regular file.
    #[error("cannot write {}: it is {}; only regular files are replaced", path.display(), kind(path))]
    NotAFile {
        /// The link, device or FIFO.
        path: PathBuf,
    },
    /// Files there are being replaced, or were when a process was killed, and cannot be put back by itself.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// Something was put in the place of an old file since a command was killed that had moved it away.
    #[error("cannot put back {}: something else was put there since", path.display())]
    Taken {
        /// The directory whose files are put back.
        directory: PathBuf,
        /// The place of the old file.
        path: PathBuf,
    },
    /// The new files are there, but may not outlast the machine.
    #[error("the new files in {} are in place, but may be lost if the machine stops now: {source}", path.display())]
    InPlace {
        /// The directory.
        path: PathBuf,
        /// The words of the system.
        source: io::Error,
    },
    /// The new files are there, and files that another program wrote in the same moment are elsewhere.
    #[error(
        "the new files in {} are in place, but another program wrote there at the same time; its files and the old \
         ones are in {}, and could not be put back: {source}",
        path.display(),
        kept.display()
    )]
    Kept {
        /// The directory.
        path: PathBuf,
        /// The old directory.
        kept: PathBuf,
        /// The words of the system.
        source: io::Error,
    },
    /// A name that leads out of the output directory.
    #[error("{name:?} leads out of the output directory")]
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
    /// Subphases that vt needs and that would not fit into memory.
    #[error(
        "vt needs as many subphases of every object, numbered from 0 on, and files for OfflineLB would get {n} more of \
         0 s, where {most} are the most for data of this size; correct the numbers of `subphases`, or \
         `write_JSON.offline_lb_compatible: false` writes files that are not for vt"
    )]
    Subphases {
        /// The number that would be added.
        n: u64,
        /// The largest number that is added.
        most: u64,
    },
    /// Ranks that OfflineLB cannot handle, and `empty_ranks: refuse`.
    #[error(
        "rank(s) {ranks} own no migratable object in phase {phase}, which aborts or confuses OfflineLB; \
         `write_JSON.empty_ranks: insert` adds an object of load 0 there"
    )]
    EmptyRanks {
        /// The ranks.
        ranks: String,
        /// The first phase in which it shows.
        phase: u64,
    },
    /// A record could not be read again.
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
                "{directory}: a command on {machine} has begun to replace the files there and has not ended"
            ),
            State::Damaged { journal, fault } => {
                let journal = journal.display();
                write!(f, "{journal} is damaged ({fault}), so old files cannot be put back from it")
            }
        }
    }
}

/// The thing that stands where files are written, in words. Through a link they would be replaced elsewhere.
fn no_directory(path: &Path) -> &'static str {
    if path.is_symlink() {
        "a symbolic link, not a directory; replace it by a directory, or choose another place"
    } else {
        "not a directory"
    }
}

/// The kind of file at a path, in words.
#[cfg(unix)]
fn kind(path: &Path) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match path.symlink_metadata().map(|metadata| metadata.file_type()) {
        Ok(kind) if kind.is_dir() => "a directory",
        Ok(kind) if kind.is_symlink() => "a symbolic link",
        Ok(kind) if kind.is_fifo() => "a FIFO",
        Ok(kind) if kind.is_socket() => "a socket",
        Ok(kind) if kind.is_block_device() || kind.is_char_device() => "a device",
        _ => "no regular file",
    }
}

#[cfg(not(unix))]
fn kind(path: &Path) -> &'static str {
    if path.is_symlink() { "a symbolic link" } else { "no regular file" }
}
