// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells as shown to readers.

use super::Cell;
use super::number::{Notation, Rounded};

/// Rounded cell, in the unit of its quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    /// No value.
    Absent,
    /// Words.
    Text(String),
    /// Number, its deviation or interval, and their common power of ten.
    Number { value: Rounded, around: Around, power: i32 },
}

/// Deviation or interval of a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Around {
    /// Neither.
    Nothing,
    /// Deviation from a mean.
    Deviation(Rounded),
    /// Ends of an interval.
    Ends(Rounded, Rounded),
}

impl Shown {
    /// Rounds a cell, converted to a unit of `size`.
    pub(super) fn of(cell: &Cell, size: f64, digits: u8) -> Self {
        let number = |value, around, power| Self::Number { value, around, power };
        match *cell {
            Cell::Absent => Self::Absent,
            Cell::Text(ref text) => Self::Text(text.clone()),
            // In a unit with a prefix, a count is rounded like a real number.
            Cell::Count(count) if size == 1.0 => number(Rounded::count(count), Around::Nothing, 0),
            Cell::Count(count) => Self::real(count as f64 / size, digits),
            Cell::Real(value) => Self::real(value / size, digits),
            Cell::Spread { mean, deviation } => {
                let (mean, deviation) = (mean / size, deviation / size);
                let notation = Notation::of(larger(mean, deviation), digits).showing(deviation);
                let around = Around::Deviation(notation.write(deviation));
                number(notation.write(mean), around, notation.power)
            }
            Cell::Interval { value, low, high } => {
                let (value, low, high) = (value / size, low / size, high / size);
                let largest = larger(value, larger(low, high));
                let notation = Notation::of(largest, digits).showing(high - low);
                let around = Around::Ends(notation.write(low), notation.write(high));
                number(notation.write(value), around, notation.power)
            }
        }
    }

    fn real(value: f64, digits: u8) -> Self {
        if value == 0.0 {
            return Self::Number { value: Rounded::zero(), around: Around::Nothing, power: 0 };
        }
        let notation = Notation::of(value, digits);
        Self::Number { value: notation.write(value), around: Around::Nothing, power: notation.power }
    }

    /// Returns the compared number, as printed; `None` for words and absent values.
    pub(super) fn value(&self) -> Option<f64> {
        match self {
            Self::Number { value, power, .. } => Some(value.value(*power)),
            Self::Absent | Self::Text(_) => None,
        }
    }

    /// Returns the number if it has no deviation, interval or power of ten.
    pub(super) fn plain(&self) -> Option<&Rounded> {
        match self {
            Self::Number { value, around: Around::Nothing, power: 0 } => Some(value),
            _ => None,
        }
    }
}

/// Replaces tabs and line ends by spaces.
pub(super) fn blank(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

fn larger(one: f64, other: f64) -> f64 {
    if other.abs() > one.abs() { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cell: &Cell, size: f64, expected: &str) {
        let text = |rounded: &Rounded| format!("{}{}", if rounded.negative { "-" } else { "" }, rounded.text);
        let shown = match Shown::of(cell, size, 3) {
            Shown::Absent => "nothing".to_owned(),
            Shown::Text(text) => text,
            Shown::Number { value, around, power } => {
                let around = match around {
                    Around::Nothing => String::new(),
                    Around::Deviation(deviation) => format!("+-{}", text(&deviation)),
                    Around::Ends(low, high) => format!("[{},{}]", text(&low), text(&high)),
                };
                format!("{}{around}e{power}", text(&value))
            }
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn rounds_every_kind_of_cell() {
        check(&Cell::Absent, 1.0, "nothing");
        check(&Cell::Count(1_234_567), 1.0, "1234567e0");
        check(&Cell::Count(1_234_567), 1e6, "1.23e0");
        check(&Cell::Real(0.0), 1.0, "0e0");
        check(&Cell::Real(-0.0), 1e-3, "0e0");
        check(&Cell::Real(0.845_14), 1e-3, "845e0");
        check(&Cell::Spread { mean: 1.234_5, deviation: 0.04 }, 1.0, "1.23+-0.04e0");
        check(&Cell::Spread { mean: 1.234_567, deviation: 0.000_23 }, 1.0, "1.2346+-0.0002e0");
        check(&Cell::Spread { mean: 1.0, deviation: 0.0 }, 1.0, "1.00+-0.00e0");
        check(&Cell::Spread { mean: -0.1, deviation: 12.0 }, 1.0, "-0.1+-12.0e0");
        check(&Cell::Interval { value: 2.5e7, low: -1e6, high: 3e7 }, 1.0, "2.50[-0.10,3.00]e7");
        check(&Cell::Interval { value: 1.5, low: 1.5, high: 1.5 }, 1.0, "1.50[1.50,1.50]e0");
    }
}
