// SPDX-License-Identifier: MIT OR Apache-2.0
//! The prefixes in which the units of a table read well.

use super::{Quantity, Table};
use crate::unit::Unit;

/// Largest values up to which bytes get a prefix, the size of the prefixed unit and its name. What rounds to a thousand of
/// one is one of the next.
const BYTES: [(f64, f64, &str); 6] = [
    (999.5, 1.0, "B"),
    (999.5e3, 1e3, "kB"),
    (999.5e6, 1e6, "MB"),
    (999.5e9, 1e9, "GB"),
    (999.5e12, 1e12, "TB"),
    (999.5e15, 1e15, "PB"),
];

/// The unit in which each quantity is printed.
pub(super) fn units(table: &Table) -> Vec<Unit> {
    let together = |one: &Quantity, other: &Quantity| {
        let same_group = !one.group.is_empty() && one.group == other.group;
        one.unit == other.unit && (same_group || one.unit == "s")
    };
    let unit = |quantity: &Quantity| {
        let others = table.quantities.iter().filter(|other| together(quantity, other));
        let largest = others.map(largest).fold(largest(quantity), f64::max);
        of(&quantity.unit, largest)
    };
    table.quantities.iter().map(unit).collect()
}

fn largest(quantity: &Quantity) -> f64 {
    quantity.cells.iter().flat_map(super::Cell::numbers).map(f64::abs).fold(0.0, f64::max)
}

fn of(unit: &str, largest: f64) -> Unit {
    if unit != "B" {
        return Unit::of(unit, largest);
    }
    let prefixed = BYTES.iter().find(|(up_to, ..)| largest < *up_to);
    let (_, size, name) = prefixed.copied().unwrap_or((f64::INFINITY, 1.0, "B"));
    Unit { size, name: name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_prefix_of_the_largest() {
        let cases = [
            (0.0, "B"),
            (999.0, "B"),
            (999.6, "kB"),
            (999_499.0, "kB"),
            (999_500.0, "MB"),
            (4e9, "GB"),
            (7e17, "PB"),
            (1e30, "B"),
        ];
        for (largest, name) in cases {
            assert_eq!(of("B", largest).name, name, "{largest}");
        }
        assert_eq!(of("work", 1e9), Unit { size: 1.0, name: "work".to_owned() });
    }
}
