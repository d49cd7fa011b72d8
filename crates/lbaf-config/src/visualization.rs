// SPDX-License-Identifier: MIT OR Apache-2.0
//! LBAF's picture of objects on a grid of ranks.

use std::path::{Component, Path, PathBuf};

use lbaf_model::{ObjectQuantity, RankQoi};
use lbaf_plot::Format;
use lbaf_text::number::counted;

use super::error::Keyed;
use super::{Selection, raw};
use crate::yaml;

/// Settings of the picture of placements.
#[derive(Clone, Debug)]
pub struct Visualization {
    /// Numbers of ranks along x, y and z.
    pub axes: [u32; 3],
    /// Maximum displacement of objects, in units of their distance.
    pub jitter: f64,
    /// Quantity that colours ranks.
    pub rank_qoi: Qoi<RankQoi>,
    /// Quantity that colours objects.
    pub object_qoi: Qoi<ObjectQuantity>,
    /// True for continuous colours even for few distinct values.
    pub force_continuous: bool,
    /// True if VTK meshes are also written.
    pub save_meshes: bool,
    /// Prefix of file names, relative to the output directory.
    pub stem: String,
    /// Phases to draw; `None` for the default.
    pub phases: Option<Selection>,
    /// True if phases are also drawn after each iteration.
    pub iterations: bool,
    /// File formats.
    pub formats: Vec<Format>,
    /// Resolution of PNG in dots per inch.
    pub dpi: u32,
}

/// Quantity that colours ranks or objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Qoi<T> {
    /// A quantity of `lbaf`.
    Quantity(T),
    /// A number of this name in the data.
    Attribute(String),
}

/// Quantities of ranks whose names in vt-tv differ from those of LBAF: both names.
const OF_VT_TV: [(&str, &str); 2] =
    [("number_of_objects", "num_objects"), ("number_of_migratable_objects", "num_migratable_objects")];

impl Visualization {
    /// Checks the section. Adds notes on names that only the data can resolve. `formats` are the configured formats of
    /// charts, and `stem` is the default stem.
    pub(super) fn new(
        raw: &raw::Visualization,
        formats: Option<&[Format]>,
        dpi: u32,
        stem: &str,
        notes: &mut Vec<String>,
    ) -> Keyed<Self> {
        let axes = [("x_ranks", raw.x_ranks), ("y_ranks", raw.y_ranks), ("z_ranks", raw.z_ranks)];
        if let Some((key, _)) = axes.iter().find(|(_, axis)| *axis == 0) {
            return Err(((*key).to_owned(), "a grid has at least 1 rank along each axis, not 0".to_owned()));
        }
        let jitter = raw.object_jitter;
        if jitter.is_nan() || jitter.abs() >= 1.0 {
            let message =
                format!("must be between -1 and 1, in units of the distance between objects, not {jitter}");
            return Err(("object_jitter".to_owned(), message));
        }
        let stem = raw.output_visualization_file_stem.as_deref().unwrap_or(stem);
        if stem.contains(['/', '\\']) {
            let message = format!(
                "{stem:?} is used in file names, which cannot contain `/` or `\\`; set the directory with \
                 `output_visualization_dir`"
            );
            return Err(("output_visualization_file_stem".to_owned(), message));
        }
        let of_ranks: Vec<(&str, RankQoi)> = RankQoi::all().map(|qoi| (qoi.name(), qoi)).collect();
        let of_objects: Vec<(&str, ObjectQuantity)> =
            ObjectQuantity::ALL.iter().map(|&quantity| (quantity.name(), quantity)).collect();
        let rank_name = OF_VT_TV.iter().find(|(name, _)| *name == raw.rank_qoi);
        let rank_name = rank_name.map_or(&*raw.rank_qoi, |(_, name)| name);
        let object_name = raw.object_qoi.as_deref().unwrap_or(ObjectQuantity::Load.name());
        Ok(Visualization {
            axes: axes.map(|(_, axis)| axis),
            jitter,
            rank_qoi: qoi("rank_qoi", "a rank", rank_name, &of_ranks, notes)?,
            object_qoi: qoi("object_qoi", "an object", object_name, &of_objects, notes)?,
            force_continuous: raw.force_continuous_object_qoi.unwrap_or(true),
            save_meshes: raw.save_meshes.unwrap_or(true),
            stem: stem.to_owned(),
            phases: raw.phases.clone(),
            iterations: raw.iterations.unwrap_or(false),
            formats: formats.unwrap_or(&[Format::Svg, Format::Png]).to_vec(),
            dpi,
        })
    }

    /// Sets the directory of the files. It must be inside the output directory, because all outputs are published
    /// together; otherwise the output directory is used, and a note is returned.
    pub(super) fn put_into(&mut self, directory: &Path, output_dir: &Path) -> Option<String> {
        let inside = inside(directory, output_dir);
        let path = inside.as_deref().unwrap_or(Path::new("")).join(&self.stem);
        // Names of outputs have slashes on every platform.
        let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
        self.stem = parts.collect::<Vec<_>>().join("/");
        inside.is_none().then(|| {
            format!(
                "`visualization.output_visualization_dir` ({}) is not inside `output_dir`: pictures and meshes \
                 are written to `output_dir`",
                directory.display()
            )
        })
    }

    /// Returns a message if the grid has fewer places than there are ranks.
    pub fn objection(&self, n_ranks: usize) -> Option<String> {
        let [x, y, z] = self.axes;
        let n_places = self.axes.iter().map(|&axis| axis as usize).fold(1, usize::saturating_mul);
        (n_places < n_ranks).then(|| {
            let places = counted(n_places, "place");
            format!(
                "`visualization`: a grid of {x} x {y} x {z} has {places}, but there are {}; nothing is drawn",
                counted(n_ranks, "rank")
            )
        })
    }
}

/// Returns the quantity of a name. A name unlike all known ones refers to an attribute of the data.
fn qoi<T: Copy>(
    key: &str,
    owner: &str,
    name: &str,
    known: &[(&str, T)],
    notes: &mut Vec<String>,
) -> Keyed<Qoi<T>> {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    if let Some(meant) = yaml::meant(name, &names) {
        let found = known.iter().find(|(name, _)| *name == meant);
        let (_, quantity) = found.expect("invariant: `meant` returns one of the names");
        return Ok(Qoi::Quantity(*quantity));
    }
    if let Some(likely) = yaml::alike(name, &names) {
        let message = format!("`{name}` is not a quantity of {owner}; did you mean `{likely}`?");
        return Err((key.to_owned(), message));
    }
    notes.push(format!(
        "`visualization.{key}: {name}` is not a quantity of {owner} (`lbaf -v 2` lists them) and is read as an \
         attribute of the data"
    ));
    Ok(Qoi::Attribute(name.to_owned()))
}

/// Returns the path of `directory` relative to `output_dir`; `None` if it is outside. Neither path has detours such as
/// `a/..`.
fn inside(directory: &Path, output_dir: &Path) -> Option<PathBuf> {
    let here = Path::new(".");
    let is_below = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    let path = match (directory == here, output_dir == here) {
        (true, true) => Path::new(""),
        (false, true) => directory,
        _ => directory.strip_prefix(output_dir).ok()?,
    };
    is_below(path).then(|| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_inside_the_output_directory_have_a_relative_path() {
        let cases = [
            ("output", "output", Some("")),
            ("output/viz", "output", Some("viz")),
            ("viz", ".", Some("viz")),
            (".", ".", Some("")),
            ("..", ".", None),
            ("../output", ".", None),
            ("viz", "output", None),
            (".", "output", None),
            ("/a/viz", "/a", Some("viz")),
            ("/a/viz", ".", None),
        ];
        for (directory, output_dir, expected) in cases {
            let found = inside(Path::new(directory), Path::new(output_dir));
            assert_eq!(found.as_deref(), expected.map(Path::new), "{directory} in {output_dir}");
        }
    }
}
