// SPDX-License-Identifier: MIT OR Apache-2.0
//! LBAF's picture of objects on a grid of ranks: checked here, not drawn yet.

use lbaf_model::{ObjectQuantity, RankQoi};

use super::raw;
use super::resolve::Keyed;
use crate::yaml;

/// Places for ranks along three axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid([u32; 3]);

impl Grid {
    /// What is wrong with the grid for a number of ranks.
    pub(crate) fn objection(self, n_ranks: usize) -> Option<String> {
        let Grid([x, y, z]) = self;
        let n_places = self.0.iter().map(|&axis| u128::from(axis)).product::<u128>();
        (n_places < n_ranks as u128).then(|| {
            format!("`visualization`: a grid of {x} x {y} x {z} has {n_places} places, but there are {n_ranks} ranks")
        })
    }
}

/// Checks every value. Notes are about names that only the data can explain.
pub(super) fn check(raw: &raw::Visualization, notes: &mut Vec<String>) -> Keyed<Grid> {
    let axes = [("x_ranks", raw.x_ranks), ("y_ranks", raw.y_ranks), ("z_ranks", raw.z_ranks)];
    if let Some((key, _)) = axes.iter().find(|(_, axis)| *axis == 0) {
        return Err(((*key).to_owned(), "a grid has at least 1 rank along each axis, not 0".to_owned()));
    }
    let jitter = raw.object_jitter;
    if jitter.is_nan() || jitter.abs() >= 1.0 {
        let message =
            format!("objects are moved by less than their distance, so between -1 and 1, not {jitter}");
        return Err(("object_jitter".to_owned(), message));
    }
    let of_ranks: Vec<&str> = RankQoi::all().map(RankQoi::name).collect();
    let of_objects: Vec<&str> = ObjectQuantity::ALL.iter().map(|quantity| quantity.name()).collect();
    let named = [
        ("rank_qoi", "a rank", Some(&raw.rank_qoi), of_ranks),
        ("object_qoi", "an object", raw.object_qoi.as_ref(), of_objects),
    ];
    for (key, owner, name, known) in named {
        let Some(name) = name.filter(|name| yaml::meant(name, &known).is_none()) else { continue };
        if let Some(likely) = yaml::alike(name, &known) {
            let message = format!("`{name}` is not a quantity of {owner}; did you mean `{likely}`?");
            return Err((key.to_owned(), message));
        }
        notes.push(format!(
            "`visualization.{key}: {name}` is no quantity of {owner} (`lbaf -v 2` lists them), so it is taken for an \
             attribute of the data"
        ));
    }
    Ok(Grid(axes.map(|(_, axis)| axis)))
}
