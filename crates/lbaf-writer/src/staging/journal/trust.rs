// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of a journal before it is followed. It may have been copied with foreign files, and must not cause renames
//! outside of the directory.

use std::path::{Component, Path, PathBuf};

use super::{ASIDE, Journal, Rename};
use crate::staging::hidden::NEW;

/// Returns the reason why a journal must not be followed; `None` if it may be.
pub(super) fn fault(journal: &Journal, output_dir: &Path, hidden: &Path) -> Option<String> {
    if hidden.is_symlink() {
        return Some("its directory is a symbolic link".to_owned());
    }
    let name = Path::new(hidden.file_name()?);
    let (aside, new) = (name.join(ASIDE), name.join(NEW));
    let kept = journal.aside.iter().map(|Rename { from, to }| (to, &aside, from));
    let staged = journal.placed.iter().chain(&journal.last).map(|Rename { from, to }| (from, &new, to));
    let mut outside = journal.made.iter().chain(&journal.emptied).collect::<Vec<_>>();
    for (inside, root, place) in kept.chain(staged) {
        if !is_plain(inside) || !Path::new(inside).starts_with(root) || Path::new(inside) == root {
            return Some(format!("{inside:?} is not the path of a hidden file"));
        }
        outside.extend([inside, place]);
    }
    let is_linked = |place: &str| in_the_way(output_dir, place).is_some_and(|path| path.is_symlink());
    let strays = |place: &&&String| !is_plain(place) || is_linked(place);
    let stray = outside.iter().find(strays)?;
    Some(format!("{stray:?} is outside the directory"))
}

/// True for a name below the directory; false for the directory itself.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Checks the directories in the name of a file. Returns the first that exists but is not a directory, such as a
/// link, which could lead elsewhere.
pub(in crate::staging) fn in_the_way(output_dir: &Path, name: &str) -> Option<PathBuf> {
    let mut path = output_dir.to_path_buf();
    Path::new(name).parent()?.components().find_map(|part| {
        path.push(part);
        path.symlink_metadata().is_ok_and(|found| !found.is_dir()).then(|| path.clone())
    })
}

/// Returns the owner of a hidden directory if it is neither this user nor the owner of the output directory. The
/// journal of another user is not trusted: its renames happen with the permissions of this user, which its author may
/// lack.
#[cfg(unix)]
pub(in crate::staging) fn other_user(hidden: &Path, output_dir: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let user = hidden.symlink_metadata().ok()?.uid();
    let trusted =
        [Some(rustix::process::geteuid().as_raw()), output_dir.metadata().ok().map(|found| found.uid())];
    (!trusted.contains(&Some(user))).then_some(user)
}

#[cfg(not(unix))]
pub(in crate::staging) fn other_user(_: &Path, _: &Path) -> Option<u32> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// As root, the test changes the owner of a directory. Otherwise it uses `/`, which belongs to root.
    #[test]
    fn directories_of_this_user_and_of_the_owner_of_the_output_are_trusted() {
        let own = tempfile::tempdir().unwrap();
        let given = tempfile::tempdir().unwrap();
        let (other, user) = match std::os::unix::fs::chown(given.path(), Some(4711), None) {
            Ok(()) => (given.path(), 4711),
            Err(_) => (Path::new("/"), 0),
        };
        assert_eq!(other_user(other, own.path()), Some(user));
        assert_eq!(other_user(other, other), None);
        assert_eq!(other_user(own.path(), other), None);
        assert_eq!(other_user(own.path(), own.path()), None);
    }
}
