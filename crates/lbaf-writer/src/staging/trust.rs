// SPDX-License-Identifier: MIT OR Apache-2.0
//! Doubts about a journal that was found: it may have come with files of others, and nothing outside is renamed for it.

use std::path::{Component, Path, PathBuf};

use super::hidden::NEW;
use super::journal::{ASIDE, Journal, Rename};

/// The reason not to follow a journal, if there is one.
pub(super) fn fault(journal: &Journal, output_dir: &Path, hidden: &Path) -> Option<String> {
    if !is_ours(hidden, output_dir) {
        return Some("its directory is of another user".to_owned());
    }
    let name = Path::new(hidden.file_name()?);
    let (aside, new) = (name.join(ASIDE), name.join(NEW));
    let kept = journal.aside.iter().map(|Rename { from, to }| (to, &aside, from));
    let staged = journal.placed.iter().chain(&journal.last).map(|Rename { from, to }| (from, &new, to));
    let mut outside = journal.made.iter().chain(&journal.emptied).collect::<Vec<_>>();
    for (inside, root, place) in kept.chain(staged) {
        if !is_plain(inside) || !Path::new(inside).starts_with(root) || Path::new(inside) == root {
            return Some(format!("{inside:?} is no place of a hidden file"));
        }
        outside.extend([inside, place]);
    }
    let is_linked = |place: &str| in_the_way(output_dir, place).is_some_and(|path| path.is_symlink());
    let strays = |place: &&&String| !is_plain(place) || is_linked(place);
    let stray = outside.iter().find(strays)?;
    Some(format!("{stray:?} leads out of the directory"))
}

/// True for a name below the directory, and not for the directory itself.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// The first thing on the way to a file that is no directory: a link leads elsewhere.
pub(super) fn in_the_way(output_dir: &Path, name: &str) -> Option<PathBuf> {
    let mut path = output_dir.to_path_buf();
    Path::new(name).parent()?.components().find_map(|part| {
        path.push(part);
        path.symlink_metadata().is_ok_and(|found| !found.is_dir()).then(|| path.clone())
    })
}

/// True for a directory of this user, or of the owner of the output directory.
#[cfg(unix)]
fn is_ours(hidden: &Path, output_dir: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = rustix::process::geteuid().as_raw();
    let (Ok(hidden), Ok(output_dir)) = (hidden.symlink_metadata(), output_dir.metadata()) else {
        return false;
    };
    hidden.is_dir() && (hidden.uid() == own || hidden.uid() == output_dir.uid())
}

#[cfg(not(unix))]
fn is_ours(hidden: &Path, _: &Path) -> bool {
    hidden.symlink_metadata().is_ok_and(|found| found.is_dir())
}
