// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that are read, which no output replaces.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Files that are read.
#[derive(Clone, Debug)]
pub struct Inputs {
    paths: BTreeSet<PathBuf>,
}

impl Inputs {
    /// No files.
    pub const fn none() -> Self {
        Inputs { paths: BTreeSet::new() }
    }

    /// Adds a file.
    pub fn add(&mut self, path: &Path) {
        self.paths.insert(path.to_path_buf());
    }

    /// All but this one.
    #[must_use]
    pub fn without(mut self, path: &Path) -> Self {
        self.paths.remove(path);
        self
    }

    /// The inputs as they are on the disk now.
    pub fn identified(&self) -> IdentifiedInputs {
        IdentifiedInputs(self.paths.iter().filter_map(|path| identity(path).ok()).collect())
    }
}

impl FromIterator<PathBuf> for Inputs {
    fn from_iter<I: IntoIterator<Item = PathBuf>>(paths: I) -> Self {
        Inputs { paths: paths.into_iter().collect() }
    }
}

/// Inputs by what tells files apart, whatever they are called.
pub struct IdentifiedInputs(BTreeSet<Identity>);

impl IdentifiedInputs {
    /// True if a path leads to an input: by the same words or others, over a link, or as another name of the same file. A
    /// rename over a hard link would leave the other name alone, but would part what was one file.
    pub fn contains(&self, path: &Path) -> bool {
        identity(path).is_ok_and(|identity| self.0.contains(&identity))
    }
}

/// Device and number of a file, the same under all its names.
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
