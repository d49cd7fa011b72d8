// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tiny cells of heat maps and matrices.

use lbaf_plot::{Chart, HeatMap, Side, Style, Svg};

/// Shade of the largest value.
const DARKEST: &str = "#062458";

fn map(x: Side, y: Side, values: Vec<Option<f64>>) -> HeatMap {
    let (quantity, unit) = ("load".to_owned(), "s".to_owned());
    HeatMap { x, y, values, also: Vec::new(), quantity, unit, remark: String::new(), title: String::new() }
}

/// Returns the shades in painting order, with the positions of their cells: left, top, width, height.
fn painted(svg: &Svg) -> Vec<(String, Vec<[i32; 4]>)> {
    let cell = |text: &str| {
        let numbers: Vec<i32> = text
            .split(|c: char| !c.is_ascii_digit() && c != '-')
            .filter(|number| !number.is_empty())
            .map(|number| number.parse().unwrap())
            .collect();
        [numbers[0], numbers[1], numbers[2], numbers[3]]
    };
    let path = |line: &str| {
        let (fill, data) = line.strip_prefix("<path fill=\"")?.split_once("\" d=\"")?;
        let cells = data.trim_end_matches("\"/>").split('M').skip(1).map(cell).collect();
        Some((fill.to_owned(), cells))
    };
    svg.as_str().lines().filter_map(path).collect()
}

/// One of many ranks has a much larger value than its neighbours.
#[test]
fn the_largest_value_of_a_dense_map_is_visible() {
    let values = (0..380).map(|at| Some(if at / 2 == 49 { 15.0 } else { 1.0 + f64::from(at % 7) })).collect();
    let dense = map(Side::listed("phase", vec![0, 1]), Side::groups("rank", 190, 1), values);
    let painted = painted(&dense.draw(&Style::default()).unwrap());
    let (last, cells) = painted.last().unwrap();
    assert_eq!((last.as_str(), cells.len()), (DARKEST, 1), "the darkest cell is on top");
    // A row is less than 0.3 mm high; a height below 0.4 mm shows that cells were not enlarged to 0.5 mm.
    assert!(painted.iter().flat_map(|(_, cells)| cells).all(|cell| cell[3] < 40), "{painted:?}");
}

/// Five of 90,000 pairs of ranks have a value: the largest between two smaller ones, and two in corners of the matrix.
#[test]
fn a_few_cells_of_a_large_matrix_are_visible() {
    let mut values = vec![None; 300 * 300];
    for (at, value) in [(100, 1e6), (99, 2e4), (101, 2e4)] {
        values[at * 300 + 150] = Some(value);
    }
    (values[0], values[300 * 300 - 1]) = (Some(3e4), Some(4e4));
    let ranks = |label| Side::groups(label, 300, 1);
    let sparse = map(ranks("to rank"), ranks("from rank"), values);
    let painted = painted(&sparse.draw(&Style::default()).unwrap());
    assert_eq!(painted.last().unwrap().0, DARKEST);
    let cells: Vec<[i32; 4]> = painted.iter().flat_map(|(_, cells)| cells).copied().collect();
    assert_eq!(cells.len(), 5);
    assert!(cells.iter().all(|cell| cell[2] >= 50 && cell[3] >= 50), "half a millimetre: {cells:?}");
    // Cells in the corners stay inside the axes. The page is 88 mm wide and at most 88 mm high; labels take more than 5
    // mm at its left and lower edge.
    let right = cells.iter().map(|cell| cell[0] + cell[2]).max().unwrap();
    let low = cells.iter().map(|cell| cell[1] + cell[3]).max().unwrap();
    let left = cells.iter().map(|cell| cell[0]).min().unwrap();
    let axis: Vec<i32> = vec![left, right, low];
    assert!(right <= 8800 && low < 8800 - 500 && left > 500, "{axis:?}");
}
