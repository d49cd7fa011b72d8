// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small data sets of one phase with a known communication graph, for tests.
//!
//! Each edge is one communication, from the object with the smaller index to the other; only the edge that closes a
//! ring is reversed.

use lbaf_vom::record::DataFile;

use crate::MAX_RANKS;
use crate::links::{Edge, Links};
use crate::population::{Object, Population, RankLayout};

/// Objects of a shape. Object `i` has sequence number `i + 1` in its packed id, and index `[i]`.
#[derive(Clone, Copy, Debug)]
pub struct ShapeObjects<'a> {
    /// Load of each object in seconds.
    pub loads: &'a [f64],
    /// Number of ranks, 1 to 65536.
    pub n_ranks: u32,
    /// Start ranks of the objects.
    pub placement: Placement,
    /// Volume of every communication.
    pub volume_bytes: f64,
}

/// Initial placement of objects on ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Object `i` on rank `i` modulo the number of ranks.
    RoundRobin,
    /// Consecutive objects on each rank. The numbers of objects of two ranks differ by at most one.
    Block,
}

/// Path: every object sends to the next.
///
/// # Panics
/// If the number of ranks is not from 1 to 65536.
pub fn path(layout: &ShapeObjects<'_>) -> Vec<DataFile> {
    layout.connect((1..layout.n_objects()).map(|to| (to - 1, to)))
}

/// Ring: a [`path`] whose last object sends to the first, if there is more than one.
///
/// # Panics
/// As [`path`].
pub fn ring(layout: &ShapeObjects<'_>) -> Vec<DataFile> {
    let n = layout.n_objects();
    layout.connect((0..n).map(|from| (from, (from + 1) % n)).filter(|(from, to)| from != to))
}

/// Grid: rows of `columns` objects; every object sends to the next in its row and column.
///
/// # Panics
/// If the objects do not fill their rows, and as [`path`].
pub fn grid(layout: &ShapeObjects<'_>, columns: u32) -> Vec<DataFile> {
    let n = layout.n_objects();
    assert!(columns > 0 && n.is_multiple_of(columns), "{n} objects do not fill rows of {columns}");
    let along_rows = (0..n).filter(|from| (from + 1) % columns != 0).map(|from| (from, from + 1));
    let along_columns = (columns..n).map(|to| (to - columns, to));
    layout.connect(along_rows.chain(along_columns))
}

/// Star: the first object sends to all others.
///
/// # Panics
/// As [`path`].
pub fn star(layout: &ShapeObjects<'_>) -> Vec<DataFile> {
    layout.connect((1..layout.n_objects()).map(|to| (0, to)))
}

/// Complete graph: every object sends to all objects after it.
///
/// # Panics
/// As [`path`].
pub fn complete(layout: &ShapeObjects<'_>) -> Vec<DataFile> {
    let n = layout.n_objects();
    layout.connect((0..n).flat_map(|from| (from + 1..n).map(move |to| (from, to))))
}

impl ShapeObjects<'_> {
    fn n_objects(&self) -> u32 {
        u32::try_from(self.loads.len()).expect("invariant: shapes are small")
    }

    fn start_rank(&self, object: u32) -> u32 {
        match self.placement {
            Placement::RoundRobin => object % self.n_ranks,
            Placement::Block => {
                (u64::from(object) * u64::from(self.n_ranks) / u64::from(self.n_objects())) as u32
            }
        }
    }

    fn connect(&self, links: impl Iterator<Item = (u32, u32)>) -> Vec<DataFile> {
        assert!(
            (1..=MAX_RANKS).contains(&self.n_ranks),
            "the number of ranks must be from 1 to {MAX_RANKS}, not {}",
            self.n_ranks
        );
        let object = |position| Object::migratable(position, self.start_rank(position));
        let objects: Vec<Object> = (0..self.n_objects()).map(object).collect();
        let edges = links.map(|(from, to)| Edge { from, to, bytes: self.volume_bytes }).collect();
        let links = Links::listed(objects.len(), edges);
        let machine = RankLayout { n_ranks: self.n_ranks, ranks_per_node: Some(1) };
        Population::new(machine, objects, vec![self.loads.to_vec()], links).files()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOADS: [f64; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

    fn layout(n_objects: usize, placement: Placement) -> ShapeObjects<'static> {
        ShapeObjects { loads: &LOADS[..n_objects], n_ranks: 4, placement, volume_bytes: 8.0 }
    }

    /// Returns all communications as sorted pairs of object indices.
    fn links(files: &[DataFile]) -> Vec<(i64, i64)> {
        let entries = files.iter().flat_map(|file| &file.phases[0].communications);
        let mut links: Vec<_> = entries
            .map(|entry| {
                assert_eq!((entry.bytes, entry.messages), (8.0, 1));
                (entry.from.index.as_ref().unwrap()[0], entry.to.index.as_ref().unwrap()[0])
            })
            .collect();
        links.sort_unstable();
        links
    }

    #[test]
    fn shapes_have_their_edges() {
        let four = layout(4, Placement::RoundRobin);
        assert_eq!(links(&path(&four)), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(links(&ring(&four)), [(0, 1), (1, 2), (2, 3), (3, 0)]);
        assert_eq!(links(&star(&four)), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(links(&complete(&four)), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        let six = layout(6, Placement::Block);
        assert_eq!(links(&grid(&six, 3)), [(0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5)]);
    }

    #[test]
    fn a_lone_object_and_no_object_have_no_links() {
        for n in [0, 1] {
            let layout = layout(n, Placement::Block);
            for files in [path(&layout), ring(&layout), grid(&layout, 1), star(&layout), complete(&layout)] {
                assert_eq!(links(&files), []);
                assert_eq!(files.iter().map(|file| file.phases[0].tasks.len()).sum::<usize>(), n);
            }
        }
    }

    #[test]
    fn placement_is_round_robin_or_in_blocks() {
        let loads_by_rank = |placement| -> Vec<Vec<f64>> {
            let files = path(&layout(6, placement));
            let tasks = files.iter().map(|file| file.phases[0].tasks.iter());
            tasks.map(|tasks| tasks.map(|task| task.time).collect()).collect()
        };
        assert_eq!(
            loads_by_rank(Placement::RoundRobin),
            [vec![1.0, 5.0], vec![2.0, 6.0], vec![3.0], vec![4.0]]
        );
        assert_eq!(loads_by_rank(Placement::Block), [vec![1.0, 2.0], vec![3.0], vec![4.0, 5.0], vec![6.0]]);
    }

    #[test]
    #[should_panic(expected = "6 objects do not fill rows of 4")]
    fn ragged_grids_are_refused() {
        grid(&layout(6, Placement::Block), 4);
    }
}
