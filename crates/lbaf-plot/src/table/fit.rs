// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrangement of a table in a column or a page of text: font size, and blocks of columns and rows.

use std::ops::Range;

use super::grid::{ColumnHead, Grid, Line, Printed};
use super::markdown::plain;
use super::shown::Shown;
use super::{TableWidth, heads};
use crate::font::text_width;

/// Font size and space between columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Letters {
    /// LaTeX command of the size; empty for that of the document.
    pub(super) command: &'static str,
    /// Size in points, in a document of 10 points.
    pt: f64,
    /// Width of LaTeX's letters relative to this program's font, for bold digits, where this ratio is largest. It is
    /// larger for small sizes of Computer Modern.
    breadth: f64,
    /// Space on either side of a column, in points.
    pub(super) separation_pt: f64,
}

/// Font sizes in order of preference.
const LETTERS: [Letters; 4] = [
    Letters { command: "", pt: 10.0, breadth: 1.04, separation_pt: 6.0 },
    Letters { command: "\\small", pt: 9.0, breadth: 1.06, separation_pt: 5.0 },
    Letters { command: "\\footnotesize", pt: 8.0, breadth: 1.1, separation_pt: 4.0 },
    Letters { command: "\\footnotesize", pt: 8.0, breadth: 1.1, separation_pt: 2.5 },
];

/// Index in [`LETTERS`] of the largest font size for tables whose columns are divided into blocks.
const BLOCKS: usize = 2;

/// Maximum number of rows on a page, including heads.
const MOST_ROWS: usize = 46;

/// Largest fraction of the available width for names; longer names are wrapped.
const NAMES: f64 = 0.45;

/// Arrangement of a table.
#[derive(Debug, PartialEq)]
pub(super) struct Fit {
    pub(super) width: TableWidth,
    pub(super) letters: Letters,
    /// Width of the column of names in points if names are wrapped.
    pub(super) names_pt: Option<f64>,
    /// Pages of blocks.
    pub(super) pages: Vec<Vec<Block>>,
}

/// Part of the table, with the names of its rows and the heads of its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) columns: Range<usize>,
    pub(super) lines: Range<usize>,
}

impl Fit {
    /// Arranges a table. Without a width, the table is as wide as a column of text if all its columns fit there,
    /// otherwise as wide as a page.
    pub(super) fn new(grid: &Grid, width: Option<TableWidth>) -> Self {
        let within = |width: TableWidth| {
            let measured = LETTERS.map(|letters| (letters, Measured::new(grid, letters, width)));
            let in_parts = measured
                .map(|(letters, measured)| (letters, measured.wrapped_names_pt(), measured.parts(grid)));
            // Several blocks have small letters, because larger ones would add blocks.
            let whole = in_parts.iter().find(|(.., parts)| parts.len() == 1);
            let blocks = in_parts[BLOCKS..].iter().min_by_key(|(.., parts)| parts.len());
            whole.or(blocks).expect("invariant: there are several sizes").clone()
        };
        let column = within(TableWidth::Column);
        let is_narrow = width == Some(TableWidth::Column) || (width.is_none() && column.2.len() == 1);
        let (width, (letters, names_pt, parts)) = if is_narrow {
            (TableWidth::Column, column)
        } else {
            (TableWidth::Page, within(TableWidth::Page))
        };
        Self { width, letters, names_pt, pages: pages(grid, &parts) }
    }
}

/// Widths of a table in a font size, in points.
struct Measured {
    available: f64,
    names: f64,
    /// Width of each column.
    columns: Vec<f64>,
    separation: f64,
}

impl Measured {
    fn new(grid: &Grid, letters: Letters, width: TableWidth) -> Self {
        let wide = |text: &str| text_width(text, letters.pt) * letters.breadth;
        let widest = |texts: Vec<String>| texts.iter().map(|text| wide(text)).fold(0.0, f64::max);
        let of = |(at, head): (usize, &ColumnHead)| {
            let cells = grid.lines.iter().map(|line| cell(&line.cells[at]));
            widest(heads::wrapped(&head.head).into_iter().chain(cells).collect())
        };
        let mut columns: Vec<f64> = grid.columns.iter().enumerate().map(of).collect();
        // The head of a group may be wider than its columns.
        for group in groups(grid) {
            let between = 2.0 * letters.separation_pt * (group.len() - 1) as f64;
            let lacks =
                wide(&grid.columns[group.start].group) - columns[group.clone()].iter().sum::<f64>() - between;
            columns[group.end - 1] += lacks.max(0.0);
        }
        let names = grid.lines.iter().map(|line| line.name.clone());
        let names = widest(heads::wrapped(&grid.head).into_iter().chain(names).collect());
        Self { available: width.points(), names, columns, separation: letters.separation_pt }
    }

    /// Returns the width of the column of names if names are wrapped; `None` if they fit.
    fn wrapped_names_pt(&self) -> Option<f64> {
        let most = NAMES * self.available;
        (self.names > most).then_some(most.floor())
    }

    fn fits(&self, columns: Range<usize>) -> bool {
        let names = self.wrapped_names_pt().unwrap_or(self.names);
        let separations = 2.0 * self.separation * columns.len() as f64;
        names + self.columns[columns].iter().sum::<f64>() + separations <= self.available
    }

    /// Divides the columns into parts that fit. Groups stay together if they fit; a column that does not fit is a part
    /// of its own.
    fn parts(&self, grid: &Grid) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for group in groups(grid) {
            match parts.last_mut() {
                Some(last) if self.fits(last.start..group.end) => last.end = group.end,
                _ if self.fits(group.clone()) => parts.push(group),
                _ => {
                    for column in group {
                        match parts.last_mut() {
                            Some(last) if self.fits(last.start..column + 1) => last.end = column + 1,
                            _ => parts.push(column..column + 1),
                        }
                    }
                }
            }
        }
        parts
    }
}

/// Returns the ranges of columns under a common head; a column without one is its own group.
fn groups(grid: &Grid) -> Vec<Range<usize>> {
    let mut first = 0;
    let together = |one: &ColumnHead, other: &ColumnHead| !one.group.is_empty() && one.group == other.group;
    let range = |group: &[ColumnHead]| {
        let range = first..first + group.len();
        first = range.end;
        range
    };
    grid.columns.chunk_by(together).map(range).collect()
}

/// Divides rows into blocks, and blocks into pages.
fn pages(grid: &Grid, parts: &[Range<usize>]) -> Vec<Vec<Block>> {
    let mut pages: Vec<Vec<Block>> = Vec::new();
    let mut rows = 0;
    for columns in parts {
        let heads = grid.columns[columns.clone()].iter().map(|column| heads::wrapped(&column.head).len());
        // Two more rows: heads of groups, and space.
        let around = heads.max().unwrap_or(1) + 2;
        let most = MOST_ROWS - around.min(MOST_ROWS / 2);
        let n_lines = n_lines(grid, columns, parts.len() == 1);
        for start in (0..n_lines).step_by(most) {
            let lines = start..(start + most).min(n_lines);
            let height = lines.len() + around;
            let block = Block { columns: columns.clone(), lines };
            match pages.last_mut() {
                Some(page) if rows + height <= MOST_ROWS => page.push(block),
                _ => {
                    rows = 0;
                    pages.push(vec![block]);
                }
            }
            rows += height;
        }
    }
    pages
}

/// Returns the number of rows of a part of the table. If the part has columns of groups only and is not the whole table,
/// rows after the last value are left out: groups may have different numbers of rows, such as iterations.
fn n_lines(grid: &Grid, columns: &Range<usize>, is_whole: bool) -> usize {
    let in_groups = grid.columns[columns.clone()].iter().all(|column| !column.group.is_empty());
    let has_value = |line: &Line| line.cells[columns.clone()].iter().any(|cell| cell.shown != Shown::Absent);
    let last = grid.lines.iter().rposition(has_value).filter(|_| in_groups && !is_whole);
    last.map_or(grid.lines.len(), |last| last + 1)
}

/// Returns the printed text of a cell, with its invisible digits.
fn cell(cell: &Printed) -> String {
    format!("{}{}", plain(cell), cell.lacks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Entry, Layout, Quantity, Table};

    /// Returns a table of intervals; each pair of columns has a common head.
    fn grid(n_rows: usize, n_columns: usize) -> Grid {
        let cell = Cell::Interval { value: 1.234, low: 0.9, high: 1.6 };
        let quantity = |at: usize| Quantity {
            name: format!("quantity {at}"),
            group: format!("group {}", at / 2),
            unit: String::new(),
            digits: 3,
            best: None,
            cells: vec![cell.clone(); n_rows],
        };
        let table = Table {
            caption: String::new(),
            label: String::new(),
            head: "run".to_owned(),
            layout: Layout::QuantitiesAcross,
            entries: (0..n_rows).map(|at| Entry::compared(format!("run {at}"))).collect(),
            quantities: (0..n_columns).map(quantity).collect(),
        };
        Grid::new(&table).unwrap()
    }

    fn fit(n_rows: usize, n_columns: usize, width: Option<TableWidth>) -> Fit {
        Fit::new(&grid(n_rows, n_columns), width)
    }

    #[test]
    fn a_table_is_as_narrow_as_possible() {
        assert_eq!(fit(3, 2, None).width, TableWidth::Column);
        assert_eq!(fit(3, 4, None).width, TableWidth::Page);
        assert_eq!(fit(3, 2, Some(TableWidth::Page)).width, TableWidth::Page);
        let usual = fit(3, 1, None).letters;
        assert_eq!((usual.command, usual.separation_pt), ("", 6.0));
    }

    /// Every cell is in exactly one block, and columns with a common head stay together.
    #[test]
    fn blocks_contain_every_cell_once() {
        for (n_rows, n_columns) in [(3, 6), (40, 7), (100, 12)] {
            for width in [TableWidth::Column, TableWidth::Page] {
                let fit = fit(n_rows, n_columns, Some(width));
                let mut seen = vec![0; n_rows * n_columns];
                for Block { columns, lines } in fit.pages.iter().flatten() {
                    assert!(columns.start % 2 == 0, "{columns:?}");
                    for line in lines.clone() {
                        columns.clone().for_each(|column| seen[line * n_columns + column] += 1);
                    }
                }
                assert!(seen.iter().all(|&count| count == 1), "{n_rows} {n_columns} {width:?}");
                let height = |page: &Vec<Block>| page.iter().map(|block| block.lines.len()).sum::<usize>();
                assert!(fit.pages.iter().all(|page| height(page) <= MOST_ROWS));
            }
        }
        assert_eq!(fit(3, 6, Some(TableWidth::Column)).pages[0].len(), 3);
    }

    /// Like iterations of strategies of which one has ended earlier.
    #[test]
    fn a_part_ends_with_its_last_value() {
        let mut grid = grid(8, 4);
        for line in &mut grid.lines[5..] {
            line.cells[2..].iter_mut().for_each(|cell| cell.shown = Shown::Absent);
        }
        let n_lines = |width| {
            let pages = Fit::new(&grid, Some(width)).pages;
            pages.concat().iter().map(|block| block.lines.len()).collect::<Vec<_>>()
        };
        assert_eq!(n_lines(TableWidth::Column), [8, 5]);
        // One block has all columns.
        assert_eq!(n_lines(TableWidth::Page), [8]);
    }

    #[test]
    fn long_names_are_wrapped() {
        let mut grid = grid(3, 2);
        grid.lines[1].name =
            "a name that is much longer than half of a column of text in any common class".to_owned();
        let fit = Fit::new(&grid, Some(TableWidth::Column));
        assert!(fit.names_pt.is_some_and(|points| points < 0.5 * TableWidth::Column.points()));
    }
}
