// SPDX-License-Identifier: MIT OR Apache-2.0
//! Input files, which outputs must not replace.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Set of input files.
#[derive(Clone, Debug)]
pub struct Inputs {
    paths: BTreeSet<PathBuf>,
}

impl Inputs {
    /// Returns the empty set.
    pub const fn none() -> Self {
        Inputs { paths: BTreeSet::new() }
    }

    /// Adds a file.
    pub fn add(&mut self, path: &Path) {
        self.paths.insert(path.to_path_buf());
    }

    /// Removes a file from the set.
    #[must_use]
    pub fn without(mut self, path: &Path) -> Self {
        self.paths.remove(path);
        self
    }

    /// Identifies the inputs by their current files on the disk.
    pub fn identified(&self) -> IdentifiedInputs {
        IdentifiedInputs(self.paths.iter().filter_map(|path| identity(path).ok()).collect())
    }
}

impl FromIterator<PathBuf> for Inputs {
    fn from_iter<I: IntoIterator<Item = PathBuf>>(paths: I) -> Self {
        Inputs { paths: paths.into_iter().collect() }
    }
}

/// Inputs by the identity of the file, whatever its path.
pub struct IdentifiedInputs(BTreeSet<Identity>);

impl IdentifiedInputs {
    /// True if a path refers to an input, also by another path, a symbolic link or a hard link. A rename over one of
    /// several hard links would leave the names with different files.
    pub fn contains(&self, path: &Path) -> bool {
        identity(path).is_ok_and(|identity| self.0.contains(&identity))
    }
}

/// Device and number of a file, equal for all its names.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.metadata()?;
    Ok((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    path.canonicalize()
}
