// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers in legends: short, with a suitable unit prefix, and distinct if they differ.

/// Quantity that colours ranks or objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColourQuantity {
    /// Its name; in titles, underscores become spaces.
    pub name: String,
    /// Its unit: `s`, `B`, or empty.
    pub unit: String,
}

/// Unit and number of digits for the numbers of a scale.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measure {
    size: f64,
    unit: String,
    /// Unit without its prefix.
    plain: String,
    digits: u8,
}

/// Smallest value, size of the unit, and prefix. Seconds have no prefix from 1 to 10,000.
const OF_SECONDS: [(f64, f64, &str); 5] =
    [(1e4, 1e3, "k"), (1.0, 1.0, ""), (1e-3, 1e-3, "m"), (1e-6, 1e-6, "\u{b5}"), (0.0, 1e-9, "n")];
const OF_BYTES: [(f64, f64, &str); 7] = [
    (1e18, 1e18, "E"),
    (1e15, 1e15, "P"),
    (1e12, 1e12, "T"),
    (1e9, 1e9, "G"),
    (1e6, 1e6, "M"),
    (1e3, 1e3, "k"),
    (0.0, 1.0, ""),
];

/// Value from which on a power of ten is clearer than a prefix.
const LARGEST: f64 = 1e21;

impl ColourQuantity {
    /// Returns the name without underscores, for titles.
    pub(crate) fn title(&self) -> String {
        self.name.replace('_', " ")
    }
}

impl Measure {
    /// Chooses unit and digits so that different numbers have different texts.
    pub(crate) fn of(unit: &str, numbers: &[f64]) -> Self {
        let largest = numbers.iter().map(|number| number.abs()).fold(0.0, f64::max);
        let prefixes: &[_] = match unit {
            "s" => &OF_SECONDS,
            "B" => &OF_BYTES,
            _ => &[],
        };
        // A number that rounds up to the next prefix with three digits uses that prefix.
        let rounded = 1.0005 * largest;
        let fits = |&&(from, ..): &&(f64, f64, &str)| rounded >= from && largest > 0.0 && largest < LARGEST;
        let (size, prefix) =
            prefixes.iter().find(fits).map_or((1.0, ""), |&(_, size, prefix)| (size, prefix));
        let measure =
            |digits| Measure { size, unit: format!("{prefix}{unit}"), plain: unit.to_owned(), digits };
        let mut different = numbers.to_vec();
        different.sort_by(f64::total_cmp);
        different.dedup();
        let tells_apart = |measure: &Measure| {
            different.windows(2).all(|pair| measure.number(pair[0]) != measure.number(pair[1]))
        };
        (3..17).map(measure).find(tells_apart).unwrap_or_else(|| measure(17))
    }

    /// Returns a title with the unit in parentheses.
    pub(crate) fn title(&self, title: &str) -> String {
        if self.unit.is_empty() { title.to_owned() } else { format!("{title} ({})", self.unit) }
    }

    /// True for numbers without a unit, such as counts, ids and ratios.
    pub(crate) fn has_no_unit(&self) -> bool {
        self.plain.is_empty()
    }

    /// Formats a number without its unit.
    pub(crate) fn number(&self, value: f64) -> String {
        let value = value / self.size;
        if value == 0.0 {
            return "0".to_owned();
        }
        // Integers without a prefix, mostly counts or ids, are written in full.
        if value.fract() == 0.0 && value.abs() < 1e15 && self.size == 1.0 {
            return with_minus(&format!("{value:.0}"));
        }
        let rounded = format!("{value:.*e}", usize::from(self.digits) - 1);
        let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        if !(-4..=14).contains(&exponent) {
            let mantissa = if mantissa.contains('.') {
                mantissa.trim_end_matches('0').trim_end_matches('.')
            } else {
                mantissa
            };
            return with_minus(&format!("{mantissa}e{exponent}"));
        }
        let decimals = usize::try_from(i32::from(self.digits) - 1 - exponent).unwrap_or(0);
        let plain = format!("{value:.decimals$}");
        let plain =
            if plain.contains('.') { plain.trim_end_matches('0').trim_end_matches('.') } else { &plain };
        with_minus(plain)
    }

    /// Formats a number with its unit. The unit of 0 has no prefix.
    pub(crate) fn text(&self, value: f64) -> String {
        let (number, unit) = (self.number(value), if value == 0.0 { &self.plain } else { &self.unit });
        if unit.is_empty() { number } else { format!("{number} {unit}") }
    }
}

/// Formats a count. From five digits on, spaces separate groups of three digits.
pub(crate) fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) && digits.len() > 4 {
            // Some fonts lack the narrow non-breaking space.
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

/// Replaces hyphens by the typographic minus sign.
fn with_minus(number: &str) -> String {
    number.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(unit: &str, numbers: &[f64], expected: &[&str]) {
        let measure = Measure::of(unit, numbers);
        let texts: Vec<String> = numbers.iter().map(|&number| measure.text(number)).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn numbers_share_a_unit() {
        check("s", &[0.5, 2.5], &["0.5 s", "2.5 s"]);
        check("s", &[0.0, 0.0025], &["0 s", "2.5 ms"]);
        check("s", &[0.0, 12345.0], &["0 s", "12.3 ks"]);
        check("B", &[9.0, 45.0], &["9 B", "45 B"]);
        check("B", &[0.0, 8e9], &["0 B", "8 GB"]);
        check("B", &[1234.0, 5_678_900.0], &["0.00123 MB", "5.68 MB"]);
        check("", &[0.0, 31.0], &["0", "31"]);
        check("", &[-1.5, 1e30], &["\u{2212}1.5", "1e30"]);
    }

    #[test]
    fn numbers_that_are_rounded_up_have_the_next_prefix() {
        check("s", &[0.99996], &["1 s"]);
        check("B", &[999_960.0], &["1 MB"]);
        check("B", &[999_400.0], &["999 kB"]);
    }

    #[test]
    fn zeros_keep_the_plain_unit() {
        check("s", &[0.0], &["0 s"]);
        check("B", &[0.0, 0.0], &["0 B", "0 B"]);
    }

    #[test]
    fn different_numbers_look_different() {
        check("s", &[1.0001, 1.0002], &["1.0001 s", "1.0002 s"]);
        check("", &[123_456_789.0, 123_456_790.0], &["123456789", "123456790"]);
        check("s", &[1e-12, 2e-12], &["0.001 ns", "0.002 ns"]);
        // The next floating-point number.
        let next = 1.5_f64.next_up();
        let measure = Measure::of("", &[1.5, next]);
        assert_ne!(measure.number(1.5), measure.number(next));
    }

    #[test]
    fn counts_have_separated_thousands() {
        assert_eq!(
            [count(7), count(4096), count(10_000), count(1_000_000)],
            ["7", "4096", "10\u{a0}000", "1\u{a0}000\u{a0}000"]
        );
    }
}
