// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communication between objects.

use rand::distr::Distribution;
use rand::seq::index;

use crate::coins::Coins;
use crate::grid::Grid;
use crate::sampler::Draw;
use crate::stream::{Purpose, stream};

/// Communication of objects, the same in every phase, with one message per edge.
#[derive(Clone, Debug)]
pub(crate) enum Links {
    /// Edges in a list.
    Listed {
        /// Edges, ascending by sender and receiver, otherwise in the given order.
        edges: Vec<Edge>,
        /// Position of the first edge of each object, then the number of edges.
        first_of_object: Vec<usize>,
    },
    /// Random edges. Each call of [`for_each_from`](Links::for_each_from) draws them again, because they may take more
    /// memory than the remainder of the data set.
    Drawn(Receivers),
    /// Edges to the neighbours in a grid.
    Beside {
        /// Coordinates of the first objects. The objects after them, the sentinels, are not in the grid.
        grid: Grid,
        /// Number of objects in the grid.
        n_objects: u32,
        seed: u64,
        volume: Draw,
    },
}

/// Volume from one object to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) bytes: f64,
}

/// Random receivers and volumes. Every sender has its own random streams.
#[derive(Clone, Debug)]
pub(crate) struct Receivers {
    seed: u64,
    n_objects: u32,
    degree: Coins,
    volume: Draw,
}

impl Links {
    /// Creates edges between `n_objects` objects.
    pub(crate) fn listed(n_objects: usize, mut edges: Vec<Edge>) -> Self {
        edges.sort_by_key(|edge| (edge.from, edge.to));
        let mut first_of_object = vec![0; n_objects + 1];
        for edge in &edges {
            first_of_object[edge.from as usize + 1] += 1;
        }
        for position in 0..n_objects {
            first_of_object[position + 1] += first_of_object[position];
        }
        Links::Listed { edges, first_of_object }
    }

    /// Creates random edges among the first `n_objects` objects. On average, an object has `mean_degree` receivers, or
    /// half of the other objects if that is less.
    pub(crate) fn drawn(seed: u64, n_objects: u32, mean_degree: u32, volume: Draw) -> Self {
        let trials = u64::from(n_objects.saturating_sub(1)).min(2 * u64::from(mean_degree));
        if trials == 0 {
            return Links::Listed { edges: Vec::new(), first_of_object: Vec::new() };
        }
        Links::Drawn(Receivers { seed, n_objects, degree: Coins(trials), volume })
    }

    /// Creates edges from all objects of a grid to their neighbours.
    pub(crate) fn beside(grid: Grid, seed: u64, volume: Draw) -> Self {
        Links::Beside { n_objects: grid.n_places(), grid, seed, volume }
    }

    /// Calls `visit` with receiver and bytes of each edge of a sender, ascending by receiver.
    pub(crate) fn for_each_from(&self, from: u32, mut visit: impl FnMut(u32, f64)) {
        match self {
            Links::Listed { edges, first_of_object } => {
                let end = |position: usize| first_of_object.get(position).copied().unwrap_or(edges.len());
                let (first, last) = (end(from as usize), end(from as usize + 1));
                edges[first..last].iter().for_each(|edge| visit(edge.to, edge.bytes));
            }
            Links::Drawn(receivers) if from < receivers.n_objects => receivers.draw(from, visit),
            Links::Beside { grid, n_objects, seed, volume } if from < *n_objects => {
                let volumes = volume.sample_iter(stream(*seed, Purpose::Volumes, from));
                grid.beside(from).zip(volumes).for_each(|(to, bytes)| visit(to, bytes));
            }
            // Sentinels send nothing.
            Links::Drawn(_) | Links::Beside { .. } => {}
        }
    }
}

impl Receivers {
    fn draw(&self, from: u32, mut visit: impl FnMut(u32, f64)) {
        let mut rng = stream(self.seed, Purpose::Receivers, from);
        let n_receivers = self.degree.heads(&mut rng) as usize;
        let others = index::sample(&mut rng, self.n_objects as usize - 1, n_receivers);
        // `others` are positions among all objects but the sender, so objects after the sender have a position one less
        // than their number.
        let mut receivers: Vec<u32> =
            others.iter().map(|other| other as u32 + u32::from(other >= from as usize)).collect();
        receivers.sort_unstable();
        let volumes = self.volume.sample_iter(stream(self.seed, Purpose::Volumes, from));
        receivers.into_iter().zip(volumes).for_each(|(to, bytes)| visit(to, bytes));
    }
}
