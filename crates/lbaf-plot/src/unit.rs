// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units with suitable prefixes.

use crate::spread::Spread;

/// Unit with a prefix. A value in the unit without a prefix, divided by `size`, is in `name`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unit {
    pub(crate) size: f64,
    pub(crate) name: String,
}

/// Prefixes of the second: smallest value, size and name. Kiloseconds are uncommon, so they begin at 10,000 s.
const SECONDS: [(f64, f64, &str); 5] =
    [(1e4, 1e3, "ks"), (1.0, 1.0, "s"), (1e-3, 1e-3, "ms"), (1e-6, 1e-6, "\u{b5}s"), (1e-10, 1e-9, "ns")];

/// Number of seconds from which on a power of ten replaces the prefix.
const LONGEST: f64 = 1e8;

/// Prefixes of the byte: smallest value, size and name. A value that rounds to 1000 with three digits has the next
/// prefix.
const BYTES: [(f64, f64, &str); 6] = [
    (999.5e12, 1e15, "PB"),
    (999.5e9, 1e12, "TB"),
    (999.5e6, 1e9, "GB"),
    (999.5e3, 1e6, "MB"),
    (999.5, 1e3, "kB"),
    (0.0, 1.0, "B"),
];

/// Number of bytes from which on a power of ten replaces the prefix.
const MOST: f64 = 999.5e15;

impl Unit {
    /// Returns the unit for values up to `largest`, with a prefix for seconds and bytes unless `largest` is zero or
    /// needs a power of ten.
    pub(crate) fn of(unit: &str, largest: f64) -> Self {
        let (prefixes, end): (&[_], f64) = match unit {
            "s" => (&SECONDS, LONGEST),
            "B" => (&BYTES, MOST),
            _ => (&[], 0.0),
        };
        match prefixes.iter().find(|(from, ..)| largest >= *from && largest < end) {
            Some(&(_, size, name)) => Self { size, name: name.to_owned() },
            None => Self { size: 1.0, name: unit.to_owned() },
        }
    }

    /// Returns the unit for an axis. Values on a logarithmic axis differ too much for a common prefix.
    pub(crate) fn for_axis(unit: &str, spread: Spread) -> Self {
        if spread.is_logarithmic {
            return Self { size: 1.0, name: unit.to_owned() };
        }
        Self::of(unit, spread.most)
    }

    /// Returns the suffix of CSV columns: the unit without a prefix; empty except for seconds and bytes.
    pub(crate) fn suffix(&self) -> &'static str {
        let is_of = |prefixes: &[(f64, f64, &str)]| prefixes.iter().any(|(.., name)| *name == self.name);
        match () {
            () if is_of(&SECONDS) => "_s",
            () if is_of(&BYTES) => "_bytes",
            () => "",
        }
    }

    /// Converts values to this unit.
    pub(crate) fn scaled(&self, values: &[f64]) -> Vec<f64> {
        values.iter().map(|value| value / self.size).collect()
    }

    /// Returns the label of an axis: the quantity and its unit in parentheses.
    pub(crate) fn axis_label(&self, quantity: &str) -> String {
        if self.name.is_empty() { quantity.to_owned() } else { format!("{quantity} ({})", self.name) }
    }

    /// Returns a number with the unit.
    pub(crate) fn with_number(&self, number: &str) -> String {
        if self.name.is_empty() { number.to_owned() } else { format!("{number} {}", self.name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(largest: f64, name: &str, scaled: f64) {
        let unit = Unit::of("s", largest);
        assert_eq!(unit.name, name, "{largest}");
        assert!((largest / unit.size / scaled - 1.0).abs() < 1e-12, "{largest}");
    }

    #[test]
    fn gives_seconds_the_prefix_that_fits() {
        check(2.5e-9, "ns", 2.5);
        check(1e-6, "\u{b5}s", 1.0);
        check(0.02, "ms", 20.0);
        check(0.999, "ms", 999.0);
        check(1.0, "s", 1.0);
        check(9999.0, "s", 9999.0);
        check(1e5, "ks", 100.0);
        check(1e12, "s", 1e12);
    }

    #[test]
    fn leaves_zero_and_other_units_alone() {
        assert_eq!(Unit::of("s", 0.0), Unit { size: 1.0, name: "s".to_owned() });
        assert_eq!(Unit::of("work", 1e-6), Unit { size: 1.0, name: "work".to_owned() });
    }

    #[test]
    fn gives_bytes_decimal_prefixes() {
        let cases = [
            (0.0, "B", 1.0),
            (999.0, "B", 1.0),
            (999.6, "kB", 1e3),
            (999_499.0, "kB", 1e3),
            (999_500.0, "MB", 1e6),
            (8e9, "GB", 1e9),
            (7e17, "PB", 1e15),
            (1e30, "B", 1.0),
        ];
        for (largest, name, size) in cases {
            assert_eq!(Unit::of("B", largest), Unit { size, name: name.to_owned() }, "{largest}");
        }
    }

    #[test]
    fn names_columns_by_the_unit_without_a_prefix() {
        let suffix = |unit, largest| Unit::of(unit, largest).suffix();
        assert_eq!([suffix("B", 8e9), suffix("s", 1e-4), suffix("", 1.0)], ["_bytes", "_s", ""]);
        assert_eq!(suffix("model units", 1.0), "");
    }

    #[test]
    fn omits_parentheses_without_a_unit() {
        assert_eq!(Unit::of("", 3.0).axis_label("work"), "work");
        assert_eq!(Unit::of("s", 3.0).axis_label("load"), "load (s)");
        assert_eq!(Unit::of("", 3.0).with_number("3"), "3");
    }
}
