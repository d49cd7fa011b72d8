// SPDX-License-Identifier: MIT OR Apache-2.0
//! The prefixes in which the units of a table read well.

use super::{Quantity, Table};
use crate::unit::Unit;

/// The unit in which each quantity is printed.
pub(super) fn units(table: &Table) -> Vec<Unit> {
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
    quantity.cells.iter().flat_map(super::Cell::numbers).map(f64::abs).fold(0.0, f64::max)
}
