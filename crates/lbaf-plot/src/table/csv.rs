// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables as comma-separated values, with unrounded numbers.

use lbaf_text::cell;

use super::{Cell, Quantity, Table};
use crate::unit::Unit;

/// Prints a row for each entry, in either layout.
pub(super) fn print(table: &Table) -> String {
    let heads = table.quantities.iter().flat_map(heads);
    let mut out = row(std::iter::once(entries_head(table)).chain(heads));
    for (position, entry) in table.entries.iter().enumerate() {
        let parts = |quantity: &Quantity| {
            let cell = quantity.cells[position].clone();
            Part::of(quantity).into_iter().map(move |part| part.of_cell(&cell))
        };
        out += &row(std::iter::once(entry.name.clone()).chain(table.quantities.iter().flat_map(parts)));
    }
    out
}

/// Returns the head of the first column; empty if the head of the table describes quantities.
fn entries_head(table: &Table) -> String {
    match table.layout {
        super::Layout::QuantitiesAcross => table.head.clone(),
        super::Layout::QuantitiesDown => String::new(),
    }
}

/// Returns the heads of the columns of a quantity.
fn heads(quantity: &Quantity) -> Vec<String> {
    let Quantity { name, group, unit, .. } = quantity;
    let name = if group.is_empty() { name.clone() } else { format!("{group}, {name}") };
    let unit = Unit { size: 1.0, name: unit.clone() };
    let head = |part: Part| unit.axis_label(&format!("{name}{}", part.name()));
    Part::of(quantity).into_iter().map(head).collect()
}

/// Part of a cell with a separate column.
#[derive(Debug, Clone, Copy)]
enum Part {
    Itself,
    Deviation,
    Low,
    High,
}

impl Part {
    /// Returns `Itself`, then the other parts that occur in the cells of a quantity.
    fn of(quantity: &Quantity) -> Vec<Self> {
        let any = |is: fn(&Cell) -> bool| quantity.cells.iter().any(is);
        let mut parts = vec![Self::Itself];
        if any(|cell| matches!(cell, Cell::Spread { .. })) {
            parts.push(Self::Deviation);
        }
        if any(|cell| matches!(cell, Cell::Interval { .. })) {
            parts.extend([Self::Low, Self::High]);
        }
        parts
    }

    fn name(self) -> &'static str {
        match self {
            Self::Itself => "",
            Self::Deviation => ", deviation",
            Self::Low => ", low",
            Self::High => ", high",
        }
    }

    /// Returns the part of a cell; empty if absent.
    fn of_cell(self, cell: &Cell) -> String {
        // Adding 0 turns -0 into 0. The sum of no numbers is -0.
        let exact = |number: f64| format!("{:?}", number + 0.0).trim_end_matches(".0").to_owned();
        match (self, cell) {
            (Self::Itself, Cell::Text(text)) => text.clone(),
            (Self::Itself, Cell::Count(count)) => count.to_string(),
            (Self::Itself, Cell::Real(value) | Cell::Interval { value, .. }) => exact(*value),
            (Self::Itself, Cell::Spread { mean, .. }) => exact(*mean),
            (Self::Deviation, Cell::Spread { deviation, .. }) => exact(*deviation),
            (Self::Low, Cell::Interval { low, .. }) => exact(*low),
            (Self::High, Cell::Interval { high, .. }) => exact(*high),
            _ => String::new(),
        }
    }
}

fn row(cells: impl Iterator<Item = String>) -> String {
    let mut out = cells.map(|text| cell(&text).into_owned()).collect::<Vec<_>>().join(",");
    out.push('\n');
    out
}
