// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layout of the tiles of ranks on the page.

use crate::Grid;
use crate::paper::Spot;

/// Side of a tile as a fraction of the side of its place; the remainder is a gutter around it.
const FILLED: f64 = 0.95;

/// Part of the page, in millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) corner: Spot,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Tiles: equal squares, with the layers along z in rows and columns.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    grid: Grid,
    /// Side of a place with its gutter.
    cell: f64,
    /// Lower left corner of each layer on the page.
    layers: Vec<Spot>,
}

/// Distance between layers, and height of the name above each of several layers.
const BETWEEN_MM: f64 = 4.0;
const NAME_MM: f64 = 4.0;

impl Layout {
    /// Creates the layout with the largest tiles that fit into an area.
    pub(crate) fn new(grid: Grid, area: Area) -> Self {
        let [x, y, z] = grid.axes.map(f64::from);
        let name = if grid.axes[2] > 1 { NAME_MM } else { 0.0 };
        let fit = |columns: u32| {
            let rows = f64::from(grid.axes[2].div_ceil(columns));
            let columns = f64::from(columns);
            let width = (area.width - (columns - 1.0) * BETWEEN_MM) / (columns * x);
            let height = (area.height - rows * name - (rows - 1.0) * BETWEEN_MM) / (rows * y);
            width.min(height)
        };
        // With more columns, tiles would be too small in any case.
        let most = grid.axes[2].min(64);
        let columns = (1..=most).max_by(|&a, &b| fit(a).total_cmp(&fit(b)).then(b.cmp(&a))).unwrap_or(1);
        let cell = fit(columns).max(0.0);
        let rows = f64::from(grid.axes[2].div_ceil(columns));
        let n_columns = f64::from(columns);
        let (layer_width, layer_height) = (cell * x, cell * y + name);
        let used_width = n_columns.min(z) * layer_width + (n_columns - 1.0) * BETWEEN_MM;
        let used_height = rows * layer_height + (rows - 1.0) * BETWEEN_MM;
        let left = area.corner.0 + (area.width - used_width) / 2.0;
        let top = area.corner.1 + (area.height - used_height) / 2.0;
        let layer = |layer: u32| {
            let (row, column) = (f64::from(layer / columns), f64::from(layer % columns));
            (
                left + column * (layer_width + BETWEEN_MM),
                top + row * (layer_height + BETWEEN_MM) + layer_height,
            )
        };
        Layout { grid, cell, layers: (0..grid.axes[2]).map(layer).collect() }
    }

    /// Returns the side of a tile.
    pub(crate) fn side(&self) -> f64 {
        self.cell * FILLED
    }

    /// Returns the side of a place with its gutter.
    pub(crate) fn cell(&self) -> f64 {
        self.cell
    }

    /// Returns the upper left corner of the tile of a rank. Rank 0 is at the lower left, with rank 1 to its right.
    pub(crate) fn corner(&self, rank: usize) -> Spot {
        let [x, y, z] = self.grid.place(rank);
        let (left, bottom) = self.layers[z as usize];
        let gutter = (self.cell - self.side()) / 2.0;
        (left + f64::from(x) * self.cell + gutter, bottom - f64::from(y + 1) * self.cell + gutter)
    }

    /// Returns the centre of the tile of a rank.
    pub(crate) fn middle(&self, rank: usize) -> Spot {
        let (x, y) = self.corner(rank);
        (x + self.side() / 2.0, y + self.side() / 2.0)
    }

    /// Returns the names of layers with the positions of their baselines; none if there is only one layer.
    pub(crate) fn layer_names(&self) -> impl Iterator<Item = (String, Spot)> + '_ {
        let height = f64::from(self.grid.axes[1]) * self.cell;
        let several = self.layers.len() > 1;
        (0..)
            .zip(&self.layers)
            .filter(move |_| several)
            .map(move |(z, &(left, bottom)): (u32, _)| (format!("z = {z}"), (left, bottom - height - 1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area { corner: (10.0, 20.0), width: 160.0, height: 120.0 };

    fn layout(axes: [u32; 3]) -> Layout {
        Layout::new(Grid { axes }, AREA)
    }

    #[test]
    fn tiles_fill_the_area_in_one_direction() {
        assert_eq!(layout([2, 2, 1]).cell(), 60.0);
        assert_eq!(layout([32, 16, 1]).cell(), 5.0);
        assert_eq!(layout([1, 1, 1]).side(), 114.0);
    }

    #[test]
    fn rank_0_is_at_the_lower_left() {
        let layout = layout([2, 2, 1]);
        // 120 of 160 mm are used: 20 mm are free on each side.
        let close = |(x, y): Spot, expected: Spot| {
            assert!((x - expected.0).abs() + (y - expected.1).abs() < 1e-9, "{x} {y}");
        };
        close(layout.middle(0), (60.0, 110.0));
        close(layout.middle(1), (120.0, 110.0));
        close(layout.middle(2), (60.0, 50.0));
        close(layout.corner(2), (31.5, 21.5));
    }

    #[test]
    fn layers_do_not_overlap_and_stay_inside() {
        for axes in [[4, 4, 2], [8, 8, 8], [3, 1, 5], [1, 1, 40]] {
            let layout = layout(axes);
            let n = axes.iter().product::<u32>() as usize;
            let (side, names) = (layout.side(), layout.layer_names().count());
            assert_eq!(names, axes[2] as usize);
            assert!(side > 1.0, "{axes:?} {side}");
            let corners: Vec<Spot> = (0..n).map(|rank| layout.corner(rank)).collect();
            for (rank, &(x, y)) in corners.iter().enumerate() {
                assert!(x > 10.0 && x + side < 170.0 && y > 20.0 && y + side < 140.0, "{axes:?} {rank}");
                let apart = |&(u, v): &Spot| (x - u).abs().max((y - v).abs()) > side;
                assert!(corners[..rank].iter().all(apart), "{axes:?} {rank}");
            }
            for (_, (_, baseline)) in layout.layer_names() {
                assert!(baseline > 22.0);
            }
        }
    }
}
