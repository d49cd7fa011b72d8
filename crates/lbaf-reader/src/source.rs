// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the documents of all ranks come from.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::ReadError;
use crate::input_file::read_data;

/// The documents of a data set, in the order of ranks.
#[derive(Clone, Copy, Debug)]
pub enum Documents<'a> {
    /// Files.
    Files(&'a [PathBuf]),
    /// Documents that are made when they are asked for.
    Made(&'a MadeFiles),
}

/// The files of a data set that nobody recorded. Each is made when it is read, and made again if it has to be
/// read again, so that they are never all in memory.
#[derive(Clone)]
pub struct MadeFiles {
    /// What messages call the data set.
    pub name: String,
    /// Number of ranks.
    pub n_ranks: usize,
    /// The bytes that the file of a rank would have: the same whenever they are asked for.
    pub make: Arc<dyn Fn(usize) -> Vec<u8> + Send + Sync>,
}

impl Documents<'_> {
    /// Number of files, one for each rank.
    pub(crate) fn len(&self) -> usize {
        match self {
            Documents::Files(files) => files.len(),
            Documents::Made(files) => files.n_ranks,
        }
    }

    /// The path of a file, or what stands for it in messages.
    pub(crate) fn path(&self, position: usize) -> PathBuf {
        match self {
            Documents::Files(files) => files[position].clone(),
            Documents::Made(files) => files.path(position),
        }
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, position: usize) -> Result<Vec<u8>, ReadError> {
        match self {
            Documents::Files(files) => read_data(&files[position]),
            Documents::Made(files) => Ok((files.make)(position)),
        }
    }
}

impl MadeFiles {
    fn path(&self, rank: usize) -> PathBuf {
        format!("{}, rank {rank}", self.name).into()
    }
}

impl fmt::Debug for MadeFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MadeFiles")
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

impl<'a> From<&'a MadeFiles> for Documents<'a> {
    fn from(files: &'a MadeFiles) -> Self {
        Documents::Made(files)
    }
}
