// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths in configurations.

use std::path::{Component, Path, PathBuf};

use super::precedence::LB_CONFIG;
use crate::yaml::{Node, Value};

/// Keys with paths relative to the directory of the configuration. Cells of a study ignore `output_dir`, except to check
/// the directory of pictures.
const PATHS: [&str; 9] = [
    "output_dir",
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
    use crate::yaml::{Sources, parse};

    /// Otherwise, cells of a study would get the note that pictures are not inside the output directory.
    #[test]
    fn the_output_directory_does_not_stay_when_the_directory_of_pictures_is_moved() {
        let text = "output_dir: ../out\nvisualization: {output_visualization_dir: ../out/viz}\n";
        let mut sources = Sources::default();
        let source = sources.add("conf/run.yaml", text);
        let mut tree = parse(source, &sources).unwrap();
        rebase(&mut tree, "conf/run.yaml");
        let value = |path| &tree.get(path).unwrap().value;
        assert_eq!(value("output_dir"), &Value::String("out".to_owned()));
        assert_eq!(value("visualization.output_visualization_dir"), &Value::String("out/viz".to_owned()));
    }

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
