// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults of files, and skipped files and directories.

use std::fmt;
use std::path::PathBuf;

use crate::error::BINARY_DATABASE;
use crate::record::Collection;

/// Fault of a file or of a record in it. Other records are still read if their positions can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// File.
    pub file: PathBuf,
    /// Line, from 1; 0 if the file cannot be read.
    pub line: usize,
    /// Character in the line, from 1; 0 if the file cannot be read.
    pub column: usize,
    /// Number of the record in the file, from 1; `None` if the fault is not in a record.
    pub record: Option<usize>,
    /// Collection of the faulty record or text, if known.
    pub collection: Option<Collection>,
    /// Description of the fault.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        match (self.record, self.collection) {
            (Some(record), Some(collection)) => write!(f, ": record {record}, of `{}`", collection.name())?,
            (Some(record), None) => write!(f, ": record {record}")?,
            (None, _) => {}
        }
        write!(f, ": {}", self.message)
    }
}

/// Skipped file or directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// File or directory.
    pub file: PathBuf,
    /// Reason.
    pub reason: IgnoredReason,
}

/// Reason why a file or directory was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IgnoredReason {
    /// `global_model*`: models of Chimbuko's parameter server, in its internal format.
    ServerModel,
    /// `pserver_output_stats*`: output of the parameter server for the visualization.
    VisualizationStream,
    /// `*.unqlite`: the database itself, which `provdb_query` can export as text.
    BinaryDatabase,
    /// The name does not match any file of a database.
    Name,
    /// The file has no valid record or cannot be read, and its name does not identify a collection.
    Content,
    /// A device, FIFO or socket, which is never read.
    Special,
    /// A symbolic link to a directory, an unreadable directory, or one nested too deeply for files of a database.
    Directory,
}

impl fmt::Display for IgnoredReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IgnoredReason::ServerModel => "models of the parameter server, in its internal format",
            IgnoredReason::VisualizationStream => "output of the parameter server for the visualization",
            IgnoredReason::BinaryDatabase => BINARY_DATABASE,
            IgnoredReason::Name => "the name does not match any file of a provenance database",
            IgnoredReason::Content => "it has no records of a provenance database, or cannot be read",
            IgnoredReason::Special => "a device, FIFO or socket; only regular files are read",
            IgnoredReason::Directory => "a directory that is a link, unreadable or nested too deeply",
        })
    }
}
