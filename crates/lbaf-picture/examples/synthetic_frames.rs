// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes a picture and meshes of a synthetic frame: `synthetic_frames DIRECTORY X Y Z OBJECTS_PER_RANK KIND`.
//!
//! `KIND` is the special property of the data: `plain`, `equal` (loads and volumes), `zero` (loads of 0), `huge` (one
//! huge load), `values` (few distinct values), `none` (some objects and ranks without a value), `anomalies`, or
//! `silent` (no communication). The prefix `grey-` selects the grey palette.

use std::error::Error;
use std::path::Path;

use lbaf_picture::{Attribute, ColourQuantity, Edge, Frame, Grid, Moment, Objects, Picture, Ranges, Scene};
use lbaf_plot::{Format, Palette};

/// Returns a pseudorandom number from 0 to 1 for `number`.
fn pseudorandom(number: u64) -> f64 {
    let mixed = (number ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / (1_u64 << 53) as f64
}

fn objects(n: usize, grid: Grid, per_rank: usize, kind: &str) -> Objects {
    let load = |i: usize| match kind {
        "equal" => 0.5,
        "zero" => 0.0,
        "huge" if i == n / 3 => 1000.0,
        _ => 0.01 - libm::log(1.0 - pseudorandom(i as u64)),
    };
    let x = grid.axes[0] as usize * per_rank;
    let neighbours = |i: usize| [i + 1, i + x].into_iter().filter(|&j| j < n).map(move |j| (i, j));
    let edge = |(i, j): (usize, usize)| Edge {
        ends: [i as u32, j as u32],
        bytes: if kind == "equal" { 64.0 } else { 1e6 * libm::pow(pseudorandom((i + 7 * j) as u64), 3.0) },
    };
    let edges = (0..n).flat_map(neighbours).filter(|_| kind != "silent").map(edge).collect();
    Objects {
        number: (0..n as u64).collect(),
        load: (0..n).map(load).collect(),
        migratable: (0..n).map(|i| i % 7 != 0 || kind == "equal").collect(),
        anomalous: (0..n).map(|i| kind == "anomalies" && i % 9 == 4).collect(),
        attributes: vec![Attribute {
            name: "twice".to_owned(),
            values: (0..n).map(|i| 2.0 * i as f64).collect(),
        }],
        edges,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, x, y, z, per_rank, kind_and_palette] = &arguments[..] else {
        return Err("usage: synthetic_frames DIRECTORY X Y Z OBJECTS_PER_RANK KIND".into());
    };
    let (kind, is_grey) = match kind_and_palette.strip_prefix("grey-") {
        Some(kind) => (kind, true),
        None => (&**kind_and_palette, false),
    };
    let grid = Grid { axes: [x.parse()?, y.parse()?, z.parse()?] };
    let n_ranks = usize::try_from(grid.n_places())?;
    let per_rank: usize = per_rank.parse()?;
    let n = n_ranks * per_rank;
    let objects = objects(n, grid, per_rank, kind);
    // Overloads some ranks.
    let rank_of: Vec<u32> = (0..n)
        .map(|i| (if pseudorandom(3 * i as u64) < 0.8 { i / per_rank } else { i / per_rank / 2 }) as u32)
        .collect();
    let mut rank_qoi = vec![0.0; n_ranks];
    for (&rank, load) in rank_of.iter().zip(&objects.load) {
        rank_qoi[rank as usize] += load;
    }
    let mean = rank_qoi.iter().sum::<f64>() / n_ranks as f64;
    let most = rank_qoi.iter().copied().fold(0.0, f64::max);
    let load_imbalance = if mean > 0.0 { most / mean - 1.0 } else { 0.0 };
    if kind == "none" {
        rank_qoi.iter_mut().step_by(3).for_each(|value| *value = f64::NAN);
    }
    let qoi = |i: usize| match kind {
        "values" => f64::from(rank_of[i]).rem_euclid(13.0),
        "none" if i.is_multiple_of(4) => f64::NAN,
        _ => objects.load[i],
    };
    let frame = Frame {
        phase: 3,
        moment: Moment::Iteration { iteration: 2, of: 8 },
        load_imbalance,
        rank_qoi,
        rank_attributes: &[],
        objects: &objects,
        rank_of: rank_of.clone(),
        object_qoi: (0..n).map(qoi).collect(),
    };
    let quantity = |name: &str, unit: &str| ColourQuantity { name: name.to_owned(), unit: unit.to_owned() };
    let values = kind == "values";
    let scene = Scene {
        grid,
        jitter: 0.5,
        seed: 0,
        rank_qoi: quantity("load", "s"),
        object_qoi: if values { quantity("shared_id", "") } else { quantity("load", "s") },
        force_continuous: !values,
        palette: if is_grey { Palette::Grey } else { Palette::Colour },
    };
    let mut ranges = Ranges::default();
    ranges.add(&frame)?;
    let svg = Picture::new(&scene, &ranges)?.draw(&frame)?;
    let name = format!("{x}x{y}x{z}_{per_rank}_{kind_and_palette}");
    let write = |name: String, bytes: Vec<u8>| std::fs::write(Path::new(directory).join(name), bytes);
    for format in Format::ALL {
        write(format!("{name}.{}", format.extension()), svg.to_bytes(format, 300)?)?;
    }
    write(format!("{name}_object_mesh.vtp"), lbaf_picture::object_mesh(&scene, &frame)?)?;
    write(format!("{name}_rank_mesh.vtp"), lbaf_picture::rank_mesh(&scene, &frame)?)?;
    Ok(())
}
