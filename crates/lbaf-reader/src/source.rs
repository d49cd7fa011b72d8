// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sources of the documents of all ranks.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::ReadError;
use crate::input_file::read_data;

/// Documents of a data set, in the order of ranks.
#[derive(Clone, Copy, Debug)]
pub enum Documents<'a> {
    /// Paths of files.
    Files(&'a [PathBuf]),
    /// Synthetic documents, generated on demand.
    Synthetic(&'a SyntheticFiles),
}

/// Files of a synthetic data set. To save memory, a file is generated whenever it is read.
#[derive(Clone)]
pub struct SyntheticFiles {
    /// Name of the data set in messages.
    pub name: String,
    /// Number of ranks.
    pub n_ranks: usize,
    /// Returns the bytes of the file of a rank. Every call must return the same bytes.
    pub make: Arc<dyn Fn(usize) -> Vec<u8> + Send + Sync>,
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

    /// Returns the bytes of a file.
    pub(crate) fn bytes(&self, position: usize) -> Result<Vec<u8>, ReadError> {
        match self {
            Documents::Files(files) => read_data(&files[position]),
            Documents::Synthetic(files) => Ok((files.make)(position)),
        }
    }
}

impl SyntheticFiles {
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
