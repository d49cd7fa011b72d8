// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths in configurations.

use std::path::{Component, Path, PathBuf};

use super::precedence::LB_CONFIG;
use crate::yaml::{Node, Value};

/// Keys with paths relative to the directory of the configuration. `output_dir` is missing, because the cells of a
/// study ignore it.
const PATHS: [&str; 8] = [
    "from_data.data_stem",
    "log_to_file",
    LB_CONFIG,
    "algorithm.parameters.permutation",
    "algorithm.parameters.map",
    "algorithm.parameters.map.data_stem",
    "simulation.schedule.specification",
    "visualization.output_visualization_dir",
];

/// Prepends the directory of a configuration file to the paths in the file. The paths are then relative to the
/// directory to which the path `file` itself is relative.
pub(super) fn rebase(tree: &mut Node, file: &str) {
    let Some(directory) = Path::new(file).parent() else { return };
    for path in PATHS {
        if let Some(Node { value: Value::String(written), .. }) = tree.get_mut(path) {
            *written = without_detours(&directory.join(&*written)).display().to_string();
        }
    }
}

/// Shortens `configs/../output` to `output`, unless `configs` is a symbolic link, and `./a` to `a`. An empty path
/// becomes `.`.
pub(crate) fn without_detours(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        let detour = part == Component::ParentDir
            && matches!(straight.components().next_back(), Some(Component::Normal(_)))
            && !straight.is_symlink();
        match part {
            Component::CurDir => {}
            _ if detour => drop(straight.pop()),
            part => straight.push(part),
        }
    }
    if straight.as_os_str().is_empty() { PathBuf::from(".") } else { straight }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_are_left_out_of_paths() {
        let cases = [
            ("configs/../output", "output"),
            ("a/b/../../c", "c"),
            ("../data/x", "../data/x"),
            ("./a/./b", "a/b"),
            ("a/..", "."),
            ("/a/../b", "/b"),
        ];
        for (path, expected) in cases {
            assert_eq!(without_detours(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
