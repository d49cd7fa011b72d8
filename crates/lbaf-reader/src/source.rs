// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sources of the documents of all ranks.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use lbaf_vom::record::DataFile;
use lbaf_vom::{FileParts, ParsedFile, Scratch, VomError, parse, parse_records, print};

use crate::ReadError;
use crate::input_file::read_data;

/// Documents of a data set, in the order of ranks.
#[derive(Clone, Copy, Debug)]
pub enum Documents<'a> {
    /// Paths of files.
    Files(&'a [PathBuf]),
    /// Synthetic files, generated on demand.
    Synthetic(&'a SyntheticFiles),
}

/// Files of a synthetic data set. To save memory, a file is generated whenever it is read.
#[derive(Clone)]
pub struct SyntheticFiles {
    /// Name of the data set in messages.
    pub name: String,
    /// Number of ranks.
    pub n_ranks: usize,
    /// Returns the file of a rank. Every call must return the same file.
    pub make: Arc<dyn Fn(usize) -> DataFile + Send + Sync>,
}

impl Documents<'_> {
    /// Number of files, one for each rank.
    pub(crate) fn len(&self) -> usize {
        match self {
            Documents::Files(files) => files.len(),
            Documents::Synthetic(files) => files.n_ranks,
        }
    }

    /// Returns the path of a file, or the description of a synthetic file for messages.
    pub(crate) fn path(&self, position: usize) -> PathBuf {
        match self {
            Documents::Files(files) => files[position].clone(),
            Documents::Synthetic(files) => files.path(position),
        }
    }

    /// Returns a file to parse. A synthetic file is `printed` if its text is needed.
    pub(crate) fn unparsed(&self, position: usize, printed: bool) -> Result<Unparsed, ReadError> {
        match self {
            Documents::Synthetic(files) if !printed => {
                Ok(Unparsed::Records(Box::new((files.make)(position))))
            }
            _ => self.bytes(position).map(Unparsed::Bytes),
        }
    }

    /// Returns the bytes of a file.
    pub(crate) fn bytes(&self, position: usize) -> Result<Vec<u8>, ReadError> {
        match self {
            Documents::Files(files) => read_data(&files[position]),
            Documents::Synthetic(files) => Ok(files.bytes(position)),
        }
    }
}

/// File that is not parsed yet.
pub(crate) enum Unparsed {
    /// Bytes of a file.
    Bytes(Vec<u8>),
    /// Records of a synthetic file.
    Records(Box<DataFile>),
}

impl Unparsed {
    pub(crate) fn parse(
        &self,
        selection: FileParts<'_>,
        scratch: &mut Scratch,
    ) -> Result<ParsedFile, VomError> {
        match self {
            Unparsed::Bytes(raw) => parse(raw, selection, scratch),
            Unparsed::Records(file) => parse_records(file, selection, scratch),
        }
    }

    /// Returns the bytes of the file, if there are any.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Unparsed::Bytes(raw) => Some(raw),
            Unparsed::Records(_) => None,
        }
    }
}

impl SyntheticFiles {
    /// Returns the printed file of a rank.
    pub(crate) fn bytes(&self, rank: usize) -> Vec<u8> {
        print(&(self.make)(rank))
    }

    fn path(&self, rank: usize) -> PathBuf {
        format!("{}, rank {rank}", self.name).into()
    }
}

impl fmt::Debug for SyntheticFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyntheticFiles")
            .field("name", &self.name)
            .field("n_ranks", &self.n_ranks)
            .finish_non_exhaustive()
    }
}

impl<'a> From<&'a [PathBuf]> for Documents<'a> {
    fn from(files: &'a [PathBuf]) -> Self {
        Documents::Files(files)
    }
}

impl<'a> From<&'a Vec<PathBuf>> for Documents<'a> {
    fn from(files: &'a Vec<PathBuf>) -> Self {
        Documents::Files(files)
    }
}

impl<'a> From<&'a SyntheticFiles> for Documents<'a> {
    fn from(files: &'a SyntheticFiles) -> Self {
        Documents::Synthetic(files)
    }
}
