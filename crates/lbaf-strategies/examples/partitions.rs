// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares partitions with those of METIS: cut, imbalance and seconds, on graphs with SIDE x SIDE vertices (by default
//! 1000 x 1000).
//!
//! `cargo run --release -p lbaf-strategies --features metis --example partitions [SIDE]`
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program for the terminal")]
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "METIS uses `i32`, and coordinates are not negative"
)]

use std::time::Instant;

use lbaf_strategies::{PartitioningGraph, equal_parts};
use metis::option::UFactor;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Allowed imbalance of both partitions: largest part / mean - 1. METIS takes it in thousandths.
const TOLERANCE: f64 = 0.03;
const TOLERANCE_OF_METIS: i32 = 30;

type Edges = Vec<(u32, u32, f64)>;

fn main() {
    let side: u32 = std::env::args().nth(1).map_or(1000, |side| side.parse().unwrap());
    let n = side as usize * side as usize;
    println!(
        "graph   ranks |     cut   imbalance  seconds |   METIS   imbalance  seconds | cut ratio  time ratio"
    );
    for (name, edges) in [("grid", grid(side)), ("random", random_geometric(n, 10.0))] {
        for n_ranks in [64, 1024, 4096] {
            compare(name, n, &edges, n_ranks);
        }
    }
}

fn compare(name: &str, n: usize, edges: &Edges, n_ranks: usize) {
    let graph = PartitioningGraph::new(vec![1.0; n], vec![], edges);
    let start = Instant::now();
    let ours = equal_parts(&graph, n_ranks, TOLERANCE, 0);
    let our_seconds = start.elapsed().as_secs_f64();
    let (offsets, targets) = rows(n, edges);
    let start = Instant::now();
    let mut parts = vec![0; n];
    let theirs = metis::Graph::new(1, n_ranks as i32, &offsets, &targets).unwrap();
    theirs.set_option(UFactor(TOLERANCE_OF_METIS)).part_kway(&mut parts).unwrap();
    let their_seconds = start.elapsed().as_secs_f64();
    let theirs: Vec<u32> = parts.iter().map(|&part| u32::try_from(part).unwrap()).collect();
    let (our_cut, their_cut) = (graph.cut(&ours), graph.cut(&theirs));
    println!(
        "{name:6} {n_ranks:6} | {our_cut:7}   {:9.4}  {our_seconds:7.2} | {their_cut:7}   {:9.4}  {their_seconds:7.2} | \
         {:9.3}  {:10.2}",
        imbalance(&ours, n_ranks),
        imbalance(&theirs, n_ranks),
        our_cut / their_cut,
        our_seconds / their_seconds,
    );
}

fn imbalance(parts: &[u32], n_ranks: usize) -> f64 {
    let mut counts = vec![0_u32; n_ranks];
    for &part in parts {
        counts[part as usize] += 1;
    }
    let most = counts.into_iter().max().unwrap_or(0);
    f64::from(most) * n_ranks as f64 / parts.len() as f64 - 1.0
}

/// Returns the edges between neighbours on a square grid with `side` vertices on each side.
fn grid(side: u32) -> Edges {
    let vertices = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let edges = vertices.flat_map(|(x, y)| {
        let vertex = y * side + x;
        let right = (x + 1 < side).then_some((vertex, vertex + 1, 1.0));
        right.into_iter().chain((y + 1 < side).then_some((vertex, vertex + side, 1.0)))
    });
    edges.collect()
}

/// Returns the edges of a random geometric graph: `n` points in the unit square, with edges between points nearer than
/// a radius. A point far from the border has `degree` neighbours on average, a point near it fewer.
fn random_geometric(n: usize, degree: f64) -> Edges {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let radius = (degree / (n as f64 * std::f64::consts::PI)).sqrt();
    let n_cells = (1.0 / radius).floor().max(1.0);
    let points: Vec<[f64; 2]> = (0..n).map(|_| random.random()).collect();
    let cell = |point: &[f64; 2]| point.map(|x| (x * n_cells) as usize);
    let n_cells = n_cells as usize;
    let mut cells = vec![Vec::new(); n_cells * n_cells];
    for (at, point) in (0_u32..).zip(&points) {
        let [x, y] = cell(point);
        cells[y * n_cells + x].push(at);
    }
    let mut edges = Vec::new();
    for (at, point) in (0_u32..).zip(&points) {
        let [columns, rows] = cell(point).map(|at| at.saturating_sub(1)..(at + 2).min(n_cells));
        for near in rows.flat_map(|y| columns.clone().map(move |x| y * n_cells + x)) {
            let others = cells[near].iter().filter(|&&other| other > at);
            edges.extend(others.filter_map(|&other| {
                let [x, y] = points[other as usize];
                let is_near =
                    (x - point[0]) * (x - point[0]) + (y - point[1]) * (y - point[1]) < radius * radius;
                is_near.then_some((at, other, 1.0))
            }));
        }
    }
    edges
}

/// Returns the graph as compressed sparse rows, the input format of METIS: offsets and targets.
fn rows(n: usize, edges: &Edges) -> (Vec<i32>, Vec<i32>) {
    let mut rows = vec![Vec::new(); n];
    for &(one, other, _) in edges {
        rows[one as usize].push(other as i32);
        rows[other as usize].push(one as i32);
    }
    let mut offsets = vec![0];
    for row in &rows {
        offsets.push(offsets[offsets.len() - 1] + row.len() as i32);
    }
    (offsets, rows.concat())
}
