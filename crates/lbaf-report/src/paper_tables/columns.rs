// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of tables: names, units, digits, and the direction in which values are better.

use lbaf_plot::{Best, Cell, Quantity};

/// Returns a quantity whose smaller values are better.
pub(super) fn quantity(name: &str, unit: &str, digits: u8, cells: impl Into<Vec<Cell>>) -> Quantity {
    Quantity {
        name: name.to_owned(),
        group: String::new(),
        unit: unit.to_owned(),
        digits,
        best: Some(Best::Least),
        cells: cells.into(),
    }
}

/// Returns the maximum work with four digits, because good placements may differ only in the third.
pub(super) fn max_work(unit: &str, cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("max work", unit, 4, cells)
}

pub(super) fn max_load(cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("max load", "s", 4, cells)
}

pub(super) fn mean_load(cells: impl Into<Vec<Cell>>) -> Quantity {
    Quantity { best: None, ..quantity("mean load", "s", 4, cells) }
}

pub(super) fn load_imbalance(cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("load imbalance", "", 3, cells)
}

/// Returns the gap of the maximum work to its lower bound.
pub(super) fn above_bound(cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("above bound", "%", 3, cells)
}

pub(super) fn off_rank_volume(cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("off-rank volume", "B", 3, cells)
}

pub(super) fn homing_volume(cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("homing volume", "B", 3, cells)
}

pub(super) fn max_memory(cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("max memory", "B", 3, cells)
}

pub(super) fn ranks_over_bounds(cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("ranks over bounds", "", 1, cells)
}

pub(super) fn migrations(cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("migrations", "", 1, cells)
}

pub(super) fn migrated_volume(cells: impl Into<Vec<Cell>>) -> Quantity {
    quantity("migrated volume", "B", 3, cells)
}

/// Returns the cell of a number; an infinite sum is absent.
pub(super) fn real(value: f64) -> Cell {
    Cell::of(Some(value).filter(|value| value.is_finite()))
}

pub(super) fn count(count: usize) -> Cell {
    Cell::Count(count as u64)
}

/// Returns the cell of a fraction, in percent.
pub(super) fn percent(share: Option<f64>) -> Cell {
    share.map_or(Cell::Absent, |share| real(share * 100.0))
}

/// True if a quantity is known, and is nonzero or informative even at 0.
pub(super) fn says_something(quantity: &Quantity) -> bool {
    const NEWS_AT_ZERO: [&str; 4] = ["max load", "load imbalance", "above bound", "migrations"];
    let is_zero = |cell: &Cell| matches!(cell, Cell::Absent | Cell::Count(0)) || *cell == Cell::Real(0.0);
    let is_known = quantity.cells.iter().any(|cell| *cell != Cell::Absent);
    is_known && (!quantity.cells.iter().all(is_zero) || NEWS_AT_ZERO.contains(&quantity.name.as_str()))
}
