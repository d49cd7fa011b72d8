// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with a file, and files that are passed over.

use std::fmt;
use std::path::PathBuf;

use crate::error::BINARY_DATABASE;
use crate::record::Collection;

/// What is wrong at a place of a file. Whatever else can be read is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; 0 if it is about the whole file.
    pub line: usize,
    /// The character in the line, from 1; 0 if it is about the whole file.
    pub column: usize,
    /// Which record of the file it is, from 1; none if it is about what is between records.
    pub record: Option<usize>,
    /// The collection, as far as it is known.
    pub collection: Option<Collection>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        match (self.record, self.collection) {
            (Some(record), Some(collection)) => write!(f, ": record {record}, of {}", collection.name())?,
            (Some(record), None) => write!(f, ": record {record}")?,
            (None, _) => {}
        }
        write!(f, ": {}", self.message)
    }
}

/// A file that was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The file.
    pub file: PathBuf,
    /// Why.
    pub reason: IgnoredReason,
}

/// Why a file was passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IgnoredReason {
    /// `global_model.json`: the models of Chimbuko's parameter server, in a form that only it reads.
    ServerModel,
    /// `pserver_output_stats_*.json`: what was sent to the visualization.
    VisualizationStream,
    /// `*.unqlite`: the database itself, which `provdb_query` writes as text.
    BinaryDatabase,
    /// A name that no file of a database has.
    Name,
    /// No record in it says of which collection it is, and neither does the name.
    Content,
    /// A device, FIFO or socket, which is never read.
    Special,
    /// A directory elsewhere, or deeper than files of a database are.
    Directory,
}

impl fmt::Display for IgnoredReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IgnoredReason::ServerModel => "the models of the parameter server, in a form that only it reads",
            IgnoredReason::VisualizationStream => "what the parameter server sent to the visualization",
            IgnoredReason::BinaryDatabase => BINARY_DATABASE,
            IgnoredReason::Name => "a name that no file of a provenance database has",
            IgnoredReason::Content => "no records of a provenance database in it",
            IgnoredReason::Special => "a device, FIFO or socket; only regular files are read",
            IgnoredReason::Directory => "a link to a directory, or one deeper than files of a database are",
        })
    }
}
