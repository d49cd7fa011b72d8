// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sample frames for tests, with and without special properties of the data.

use lbaf_picture::{ColourQuantity, Edge, Frame, Grid, Moment, Objects, Scene};

/// Scene, and data of a frame that tests may modify.
pub(crate) struct Sample {
    pub(crate) scene: Scene,
    pub(crate) objects: Objects,
    pub(crate) rank_of: Vec<u32>,
    pub(crate) rank_qoi: Vec<f64>,
    pub(crate) object_qoi: Vec<f64>,
}

/// Returns a scene whose quantities have these names.
pub(crate) fn scene(grid: Grid, rank_qoi: &str, object_qoi: &str) -> Scene {
    let quantity = |name: &str, unit: &str| ColourQuantity { name: name.to_owned(), unit: unit.to_owned() };
    Scene {
        grid,
        jitter: 0.5,
        seed: 0,
        rank_qoi: quantity(rank_qoi, "s"),
        object_qoi: quantity(object_qoi, ""),
        force_continuous: true,
        palette: lbaf_plot::Palette::Colour,
    }
}

impl Sample {
    /// Creates a rank in each place, with `per_rank` objects. All objects form one chain of edges. Their loads are 1,
    /// 2, 3, 1, 2, 3 ...
    pub(crate) fn new(grid: Grid, per_rank: usize) -> Self {
        let n_ranks = usize::try_from(grid.n_places()).unwrap();
        let n = n_ranks * per_rank;
        let load: Vec<f64> = (0..n).map(|object| (object % 3) as f64 + 1.0).collect();
        let edge =
            |object: usize| Edge { ends: [object as u32, object as u32 + 1], bytes: 1024.0 * object as f64 };
        Sample {
            scene: scene(grid, "load", "shared_id"),
            rank_of: (0..n).map(|object| (object / per_rank) as u32).collect(),
            rank_qoi: (0..n_ranks).map(|rank| 0.5 + rank as f64).collect(),
            object_qoi: (0..n).map(|object| (object % 5) as f64).collect(),
            objects: Objects {
                number: (0..n as u64).collect(),
                load,
                migratable: vec![true; n],
                edges: (0..n.saturating_sub(1)).map(edge).collect(),
                ..Objects::default()
            },
        }
    }

    pub(crate) fn frame(&self) -> Frame<'_> {
        Frame {
            phase: 123_456,
            moment: Moment::Iteration { iteration: 7, of: 100 },
            load_imbalance: 0.123_456,
            rank_qoi: self.rank_qoi.clone(),
            rank_attributes: &[],
            objects: &self.objects,
            rank_of: self.rank_of.clone(),
            object_qoi: self.object_qoi.clone(),
        }
    }
}

/// Name and effect of a change to the data.
type Change = (&'static str, fn(&mut Sample));

/// Changes that give the data special properties.
pub(crate) const CHANGES: [Change; 9] = [
    ("plain", |_| {}),
    ("all equal", |sample| {
        sample.rank_qoi.fill(2.5);
        sample.object_qoi.fill(7.0);
        sample.objects.load.fill(1.0);
    }),
    ("all zero", |sample| {
        sample.rank_qoi.fill(0.0);
        sample.object_qoi.fill(0.0);
        sample.objects.load.fill(0.0);
        sample.objects.edges.iter_mut().for_each(|edge| edge.bytes = 0.0);
    }),
    ("one huge", |sample| {
        sample.rank_qoi[0] = 1e300;
        sample.object_qoi.iter_mut().take(1).for_each(|value| *value = -1e300);
        sample.objects.load.iter_mut().take(1).for_each(|load| *load = 1e300);
        sample.objects.edges.iter_mut().take(1).for_each(|edge| edge.bytes = 1e300);
    }),
    ("long numbers", |sample| {
        let long = |value: &mut f64| *value += 9_007_199_254_740_000.0;
        sample.rank_qoi.iter_mut().for_each(long);
        sample.object_qoi.iter_mut().for_each(long);
    }),
    ("nothing has a value", |sample| {
        sample.rank_qoi.fill(f64::NAN);
        sample.object_qoi.fill(f64::NAN);
    }),
    ("some have none", |sample| {
        sample.rank_qoi[0] = f64::NAN;
        sample.object_qoi.iter_mut().step_by(2).for_each(|value| *value = f64::NAN);
    }),
    ("twenty values", |sample| {
        sample.scene.force_continuous = false;
        let values = (0..).map(|object: u32| f64::from(object % 20) * 123_456_789.0);
        sample.object_qoi.iter_mut().zip(values).for_each(|(qoi, value)| *qoi = value);
        sample.object_qoi.iter_mut().skip(20).take(1).for_each(|value| *value = f64::NAN);
    }),
    ("sentinels and anomalies", |sample| {
        sample.objects.migratable.iter_mut().step_by(3).for_each(|may| *may = false);
        sample.objects.anomalous = (0..sample.objects.len()).map(|object| object % 2 == 0).collect();
        sample.objects.load.iter_mut().step_by(2).for_each(|load| *load /= 1e6);
    }),
];
