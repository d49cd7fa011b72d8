// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks and objects as VTK meshes, with the arrays of vt-tv.

mod poly_data;
mod vtk_array;

use crate::jitter::Jitter;
use crate::placement::{ByRank, cube, position};
use crate::{Attribute, Frame, PictureError, Scene};
use poly_data::PolyData;
use vtk_array::{Values, VtkArray};

/// Returns the ranks of a frame as a `.vtp` file: a point for each rank at its place on the grid. Arrays of points: the
/// quantity that colours ranks, attributes of ranks, and `rank_id`. An array is left out if an earlier one has the same
/// name.
///
/// # Errors
/// If the lists of the frame are inconsistent, a number is invalid, or compression fails.
pub fn rank_mesh(scene: &Scene, frame: &Frame<'_>) -> Result<Vec<u8>, PictureError> {
    frame.check()?;
    let places = (0..frame.n_ranks()).flat_map(|rank| scene.grid.place(rank).map(|place| place as f32));
    let mut data = vec![floats(&scene.rank_qoi.name, frame.rank_qoi.clone())];
    add_columns(&mut data, frame.rank_attributes, &(0..frame.n_ranks() as u32).collect::<Vec<u32>>());
    add(&mut data, numbers("rank_id", (0..frame.n_ranks() as u64).collect()));
    PolyData { points: places.collect(), point_data: data, lines: Vec::new(), cell_data: Vec::new() }
        .into_bytes()
}

/// Returns the objects of a frame as a `.vtp` file: a point for each object, around the place of its rank,
/// and a line for each pair of objects that communicate.
///
/// Points are ordered by rank, then non-migratable before migratable, then by number. Arrays of points: the quantity
/// that colours objects, `migratable` (0 or 1), `load`, attributes of objects, `id` and `rank_id`. An array is left out
/// if an earlier one has the same name. Array of lines: `bytes`, the volume in both directions together.
///
/// # Errors
/// If the lists of the frame are inconsistent, a number is invalid, or compression fails.
pub fn object_mesh(scene: &Scene, frame: &Frame<'_>) -> Result<Vec<u8>, PictureError> {
    frame.check()?;
    let objects = frame.objects;
    let by_rank = ByRank::new(frame);
    let order = by_rank.all();
    let jitter = Jitter::new(scene.seed, scene.jitter);
    let axes = scene.grid.extended();
    let mut points = Vec::with_capacity(3 * order.len());
    for rank in 0..frame.n_ranks() {
        let place = scene.grid.place(rank).map(f64::from);
        let here = by_rank.of(rank);
        let places = cube(here.len(), axes);
        for (k, &object) in here.iter().enumerate() {
            let offset = position(k, places, &jitter, objects.number[object as usize]);
            points.extend((0..3).map(|axis| (place[axis] + offset[axis]) as f32));
        }
    }
    let of = |values: &[f64]| order.iter().map(|&object| values[object as usize]).collect::<Vec<f64>>();
    let mut data = vec![floats(&scene.object_qoi.name, of(&frame.object_qoi))];
    let migratable = order.iter().map(|&object| u8::from(objects.migratable[object as usize])).collect();
    add(&mut data, VtkArray { name: "migratable".to_owned(), values: Values::Bytes(migratable) });
    add(&mut data, floats("load", of(&objects.load)));
    add_columns(&mut data, &objects.attributes, order);
    add(&mut data, numbers("id", order.iter().map(|&object| objects.number[object as usize]).collect()));
    add(
        &mut data,
        numbers("rank_id", order.iter().map(|&object| frame.rank_of[object as usize].into()).collect()),
    );
    let mut point_of = vec![0_i64; order.len()];
    for (point, &object) in (0..).zip(order) {
        point_of[object as usize] = point;
    }
    let lines = objects.edges.iter().flat_map(|edge| edge.ends.map(|end| point_of[end as usize])).collect();
    let bytes = objects.edges.iter().map(|edge| edge.bytes).collect();
    PolyData { points, point_data: data, lines, cell_data: vec![floats("bytes", bytes)] }.into_bytes()
}

fn floats(name: &str, values: Vec<f64>) -> VtkArray {
    VtkArray { name: name.to_owned(), values: Values::Floats(values) }
}

fn numbers(name: &str, values: Vec<u64>) -> VtkArray {
    VtkArray { name: name.to_owned(), values: Values::Numbers(values) }
}

/// Adds an array unless an earlier one has its name. The order of arrays is stated at [`rank_mesh`] and
/// [`object_mesh`].
fn add(data: &mut Vec<VtkArray>, array: VtkArray) {
    if data.iter().all(|other| other.name != array.name) {
        data.push(array);
    }
}

fn add_columns(data: &mut Vec<VtkArray>, columns: &[Attribute], order: &[u32]) {
    for Attribute { name, values } in columns {
        add(data, floats(name, order.iter().map(|&at| values[at as usize]).collect()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_array_with_a_name_counts() {
        let mut data = vec![floats("load", vec![1.0])];
        add_columns(
            &mut data,
            &[
                Attribute { name: "load".to_owned(), values: vec![2.0] },
                Attribute { name: "heat".to_owned(), values: vec![3.0] },
            ],
            &[0],
        );
        let names: Vec<&str> = data.iter().map(|array| &*array.name).collect();
        assert_eq!(names, ["load", "heat"]);
        assert_eq!(data[0], floats("load", vec![1.0]));
    }
}
