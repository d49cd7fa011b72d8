// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows and columns of rounded numbers, common to all printed formats.

use super::shown::Shown;
use super::{Best, Cell, Entry, Layout, Quantity, Role, Table, TableError, error, heads};
use crate::unit::Unit;

/// In LaTeX, digits of a quantity are grouped by three if the magnitude of one of its numbers is at least this large.
/// Numbers with a deviation, an interval or a power of ten do not count.
const GROUPED: f64 = 1e4;

/// Rows and columns as they are printed.
#[derive(Debug)]
pub(super) struct Grid {
    /// Head of the column of names.
    pub(super) head: String,
    /// Other columns.
    pub(super) columns: Vec<ColumnHead>,
    pub(super) lines: Vec<Line>,
}

/// Head of a column and its alignment.
#[derive(Debug)]
pub(super) struct ColumnHead {
    /// Head shared with neighbours of the same group; empty without a group.
    pub(super) group: String,
    pub(super) head: String,
    /// True if the column contains words and no numbers; it is aligned left.
    pub(super) is_text: bool,
}

/// Row.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) cells: Vec<Printed>,
    /// True if a line separates the row from the row above, which has another role.
    pub(super) is_set_off: bool,
}

/// Cell and its formatting.
#[derive(Debug, Clone)]
pub(super) struct Printed {
    pub(super) shown: Shown,
    pub(super) is_bold: bool,
    /// True if digits are grouped by three.
    pub(super) is_grouped: bool,
    /// Missing decimal point and digits, printed invisibly to align decimal points.
    pub(super) lacks: String,
}

impl Grid {
    pub(super) fn new(table: &Table) -> Result<Self, TableError> {
        error::check(table)?;
        let units = units(table);
        let heads = heads::of(&table.quantities, &units);
        let by_quantity: Vec<Vec<Printed>> = table
            .quantities
            .iter()
            .zip(&units)
            .map(|(quantity, unit)| printed(quantity, &table.entries, unit.size))
            .collect();
        let (columns, lines) = match table.layout {
            Layout::QuantitiesAcross => across(table, &heads, &by_quantity),
            Layout::QuantitiesDown => down(table, &heads, by_quantity),
        };
        Ok(Self { head: table.head.clone(), columns, lines })
    }
}

fn across(
    table: &Table,
    heads: &[heads::Head],
    by_quantity: &[Vec<Printed>],
) -> (Vec<ColumnHead>, Vec<Line>) {
    let column = |(head, cells): (&heads::Head, &Vec<Printed>)| ColumnHead {
        group: head.group.clone(),
        head: head.own.clone(),
        is_text: is_text(cells.iter()),
    };
    let aligned: Vec<Vec<Printed>> = by_quantity.iter().map(|cells| by_point(cells)).collect();
    let line = |(position, entry): (usize, &Entry)| Line {
        name: entry.name.clone(),
        cells: aligned.iter().map(|cells| cells[position].clone()).collect(),
        is_set_off: position > 0 && table.entries[position - 1].role != entry.role,
    };
    (
        heads.iter().zip(by_quantity).map(column).collect(),
        table.entries.iter().enumerate().map(line).collect(),
    )
}

fn down(
    table: &Table,
    heads: &[heads::Head],
    by_quantity: Vec<Vec<Printed>>,
) -> (Vec<ColumnHead>, Vec<Line>) {
    let column = |(position, entry): (usize, &Entry)| ColumnHead {
        group: String::new(),
        head: entry.name.clone(),
        is_text: is_text(by_quantity.iter().map(|cells| &cells[position])),
    };
    let columns = table.entries.iter().enumerate().map(column).collect();
    let line = |(head, cells): (&heads::Head, Vec<Printed>)| Line {
        name: if head.group.is_empty() { head.own.clone() } else { format!("{}, {}", head.group, head.own) },
        cells,
        is_set_off: false,
    };
    (columns, heads.iter().zip(by_quantity).map(line).collect())
}

/// Rounds the cells of a quantity and marks the best ones.
fn printed(quantity: &Quantity, entries: &[Entry], size: f64) -> Vec<Printed> {
    let shown: Vec<Shown> =
        quantity.cells.iter().map(|cell| Shown::of(cell, size, quantity.digits)).collect();
    let compared = entries.iter().zip(&shown).filter(|(entry, _)| entry.role == Role::Compared);
    let best = quantity.best.and_then(|best| best_of(best, compared.filter_map(|(_, shown)| shown.value())));
    let is_grouped = shown.iter().filter_map(Shown::plain).any(|number| number.value(0).abs() >= GROUPED);
    let print = |(shown, entry): (Shown, &Entry)| Printed {
        is_bold: entry.role == Role::Compared && best.is_some() && shown.value() == best,
        shown,
        is_grouped,
        lacks: String::new(),
    };
    shown.into_iter().zip(entries).map(print).collect()
}

/// Returns the best of the rounded numbers; `None` if all are equal or there are none.
fn best_of(best: Best, values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let least = values.clone().min_by(f64::total_cmp)?;
    let greatest = values.max_by(f64::total_cmp)?;
    match best {
        _ if least == greatest => None,
        Best::Least => Some(least),
        Best::Greatest => Some(greatest),
    }
}

/// Aligns cells at decimal points, unless a number has a deviation, an interval or a power of ten.
fn by_point(cells: &[Printed]) -> Vec<Printed> {
    let has_point = |cell: &Printed| cell.shown.value().is_none() || cell.shown.plain().is_some();
    if !cells.iter().all(has_point) {
        return cells.to_vec();
    }
    let fraction = |cell: &Printed| cell.shown.plain().map_or("", |number| number.fraction()).to_owned();
    let longest = cells.iter().map(|cell| fraction(cell).len()).max().unwrap_or(0);
    let align = |cell: &Printed| {
        let own = fraction(cell).len();
        let lacks = match cell.shown.plain() {
            Some(_) if own == 0 && longest > 0 => format!(".{}", "0".repeat(longest - 1)),
            Some(_) => "0".repeat(longest - own),
            None => String::new(),
        };
        Printed { lacks, ..cell.clone() }
    };
    cells.iter().map(align).collect()
}

fn is_text<'a>(mut cells: impl Iterator<Item = &'a Printed> + Clone) -> bool {
    let has_text = cells.clone().any(|cell| matches!(cell.shown, Shown::Text(_)));
    has_text && cells.all(|cell| cell.shown.value().is_none())
}

/// Returns the unit of each quantity.
fn units(table: &Table) -> Vec<Unit> {
    let together = |one: &Quantity, other: &Quantity| {
        let same_group = !one.group.is_empty() && one.group == other.group;
        one.unit == other.unit && (same_group || one.unit == "s")
    };
    let unit = |quantity: &Quantity| {
        let others = table.quantities.iter().filter(|other| together(quantity, other));
        let largest = others.map(largest).fold(largest(quantity), f64::max);
        Unit::of(&quantity.unit, largest)
    };
    table.quantities.iter().map(unit).collect()
}

fn largest(quantity: &Quantity) -> f64 {
    quantity.cells.iter().flat_map(Cell::numbers).map(f64::abs).fold(0.0, f64::max)
}
