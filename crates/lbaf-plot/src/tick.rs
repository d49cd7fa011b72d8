// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions and labels of ticks.

use std::ops::Range;

use crate::step::{Step, exponent_in, exponent_of, times_ten_to};

/// Tick with its label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) text: String,
}

/// Returns at most `at_most` ticks at the multiples of a step: the smallest suitable 1, 2 or 5 times a power of ten.
/// With `whole`, ticks are integers without powers of ten.
pub(crate) fn round_ticks(range: &Range<f64>, at_most: u32, whole: bool) -> Vec<Tick> {
    let mut step = Step::below((range.end - range.start) / f64::from(at_most + 1), whole);
    let multiples = loop {
        let multiples = step.multiples(range);
        if multiples.end - multiples.start <= i64::from(at_most) {
            break multiples;
        }
        step = step.next();
    };
    let largest = range.end.abs().max(range.start.abs());
    let tick = |multiple: i64| {
        let at = step.at(multiple);
        let text = if whole { format!("{at:.0}") } else { label(step, at, largest) };
        Tick { at, text }
    };
    multiples.map(tick).collect()
}

/// Returns candidate ticks for an axis of `n` ranks in order of preference, the sparsest last. The first rank always
/// has a tick. For up to 20 ranks, a tick for each rank is preferred. If `n` is a power of two, which is a frequent
/// size of machines, ticks at its eighths, quarters and halves are next, if these parts have at least four ranks. Then
/// come ticks at round numbers.
pub(crate) fn rank_ticks(n: usize) -> Vec<Vec<Tick>> {
    let with_first = |step: usize| -> Vec<Tick> {
        let first = (step > 1).then_some(1);
        let positions = first.into_iter().chain((1..=n / step).map(|i| i * step));
        positions.map(|position| Tick { at: position as f64, text: position.to_string() }).collect()
    };
    let mut steps = Vec::new();
    if n <= 20 {
        steps.push(1);
    }
    if n.is_power_of_two() {
        steps.extend([8, 4, 2].into_iter().filter(|&parts| n / parts >= 4).map(|parts| n / parts));
    }
    let decades = std::iter::successors(Some(1_usize), |decade| decade.checked_mul(10));
    let rounds = decades.flat_map(|decade| [5, 10, 20].map(|digit| decade.saturating_mul(digit)));
    steps.extend(rounds.skip_while(|&step| n / step > 20).take_while(|&step| step <= n));
    steps.push(n);
    steps.into_iter().map(with_first).collect()
}

/// A logarithmic axis with fewer powers of ten than this also has ticks between them.
const FEW_DECADES: usize = 3;

/// Returns at most `at_most` ticks at powers of ten, or at every *n*-th of them.
///
/// If there are few powers, 2 and 5 times a power also have ticks or, if these are too many, 3 times a power.
pub(crate) fn decades(range: &Range<f64>, at_most: u32) -> Vec<Tick> {
    let first = exponent_of(range.start) - 1;
    let last = exponent_of(range.end) + 1;
    let inside = |digits: &[u32]| -> Vec<(u32, i32)> {
        let all = (first..=last).flat_map(|exponent| digits.iter().map(move |&digit| (digit, exponent)));
        all.filter(|&(digit, exponent)| range.contains(&times_ten_to(f64::from(digit), exponent))).collect()
    };
    let mut shown = inside(&[1]);
    if shown.len() < FEW_DECADES {
        let more =
            [inside(&[1, 2, 5]), inside(&[1, 3])].into_iter().find(|more| more.len() <= at_most as usize);
        shown = more.filter(|more| more.len() > shown.len()).unwrap_or(shown);
    }
    let every = shown.len().div_ceil(at_most.max(1) as usize).max(1);
    let tick = |&(digit, exponent): &(u32, i32)| {
        let at = times_ten_to(f64::from(digit), exponent);
        let text = match exponent {
            -4..=-1 => format!("{at:.*}", exponent.unsigned_abs() as usize),
            0..=5 => format!("{at:.0}"),
            _ => with_minus(&format!("{digit}e{exponent}")),
        };
        Tick { at, text }
    };
    shown.iter().step_by(every).map(tick).collect()
}

/// Returns at most `at_most` ticks at equal distances for numbers at positions 0, 1, 2 ...
pub(crate) fn listed_ticks(numbers: &[u64], at_most: usize) -> Vec<Tick> {
    let every = numbers.len().div_ceil(at_most.max(1)).max(1);
    let tick = |(at, number): (usize, &u64)| Tick { at: at as f64, text: number.to_string() };
    numbers.iter().enumerate().step_by(every).map(tick).collect()
}

/// Fraction of the available width that a name may fill.
const NAME: f64 = 0.95;

/// Returns a tick for each name, shortened to the available width.
pub(crate) fn named_ticks(names: &[String], room: f64, width: impl Fn(&str) -> f64) -> Vec<Tick> {
    let shortened = |name: &str| {
        let mut text = name.to_owned();
        let mut kept: Vec<char> = name.chars().collect();
        while width(&text) > room * NAME && !kept.is_empty() {
            kept.pop();
            text = format!("{}\u{2026}", kept.iter().collect::<String>().trim_end());
        }
        text
    };
    (names.iter().enumerate()).map(|(at, name)| Tick { at: at as f64, text: shortened(name) }).collect()
}

/// Formats a number with four significant digits; below a million, keeps all digits before the point.
pub(crate) fn four_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = format!("{value:.3e}");
    match exponent_in(&magnitude) {
        exponent @ -4..=5 => {
            let decimals = usize::try_from(3 - exponent).unwrap_or(0);
            format!("{value:.decimals$}")
        }
        _ => with_minus(&magnitude),
    }
}

/// Formats a multiple of a step with the decimals of the step, on an axis that ends at `largest`.
fn label(step: Step, value: f64, largest: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = usize::try_from(-step.exponent).unwrap_or(0);
    if largest < 1e6 && decimals <= 4 {
        return format!("{value:.decimals$}");
    }
    // All ticks share the exponent of the end of the axis: `0.5e12` below `1.0e12`, not `5e11`.
    let exponent = exponent_of(largest);
    let decimals = usize::try_from(exponent - step.exponent).unwrap_or(0);
    let mantissa = times_ten_to(value, -exponent);
    with_minus(&format!("{mantissa:.decimals$}e{exponent}"))
}

/// Replaces the hyphen by the typographic minus sign.
fn with_minus(number: &str) -> String {
    number.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    fn check(range: Range<f64>, at_most: u32, expected: &[&str]) {
        assert_eq!(texts(&round_ticks(&range, at_most, false)), expected, "{range:?}");
    }

    #[test]
    fn steps_by_one_two_or_five() {
        check(0.0..10.5, 6, &["0", "2", "4", "6", "8", "10"]);
        check(0.0..1.05, 6, &["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(0.0..26.0, 6, &["0", "5", "10", "15", "20", "25"]);
        check(0.0..0.0031, 6, &["0", "0.001", "0.002", "0.003"]);
        check(0.0..520_000.0, 6, &["0", "100000", "200000", "300000", "400000", "500000"]);
    }

    #[test]
    fn writes_powers_of_ten_for_numbers_with_many_digits() {
        check(0.0..2.1e12, 5, &["0", "0.5e12", "1.0e12", "1.5e12", "2.0e12"]);
        check(0.0..3.1e-9, 6, &["0", "1e\u{2212}9", "2e\u{2212}9", "3e\u{2212}9"]);
    }

    #[test]
    fn counts_only_whole_numbers() {
        assert_eq!(texts(&round_ticks(&(0.0..3.15), 6, true)), ["0", "1", "2", "3"]);
        assert_eq!(texts(&round_ticks(&(0.0..1.05), 6, true)), ["0", "1"]);
        assert_eq!(texts(&round_ticks(&(6.5..7.5), 6, true)), ["7"]);
        assert_eq!(
            texts(&round_ticks(&(0.0..4.2e6), 6, true)),
            ["0", "1000000", "2000000", "3000000", "4000000"]
        );
    }

    #[test]
    fn never_exceeds_the_requested_number() {
        for at_most in 2..12 {
            for end in [1e-12, 0.7, 1.0, 1.9, 5.0, 123.0, 9.99e5, 3e200] {
                let ticks = round_ticks(&(0.0..end), at_most, false);
                assert!((1..=at_most as usize).contains(&ticks.len()), "{end} {at_most}");
                assert!(ticks.iter().all(|tick| (0.0..=end).contains(&tick.at)));
            }
        }
    }

    #[test]
    fn divides_powers_of_two_into_parts() {
        let choices = rank_ticks(512);
        assert_eq!(texts(&choices[1]), ["1", "128", "256", "384", "512"]);
        let few = rank_ticks(4);
        assert_eq!(texts(&few[0]), ["1", "2", "3", "4"]);
        assert_eq!(texts(&rank_ticks(1)[0]), ["1"]);
    }

    #[test]
    fn marks_round_ranks_for_other_numbers() {
        let choices = rank_ticks(48);
        assert!(choices.iter().any(|ticks| texts(ticks) == ["1", "10", "20", "30", "40"]));
        assert_eq!(texts(choices.last().unwrap()), ["1", "48"]);
    }

    #[test]
    fn rounds_values_to_four_digits() {
        assert_eq!(four_digits(0.0), "0");
        assert_eq!(four_digits(12.3456), "12.35");
        assert_eq!(four_digits(1.0), "1.000");
        assert_eq!(four_digits(0.000_123_456), "0.0001235");
        assert_eq!(four_digits(123_456.0), "123456");
        assert_eq!(four_digits(9.9999), "10.00");
        assert_eq!(four_digits(1.234_56e12), "1.235e12");
        assert_eq!(four_digits(1e-9), "1.000e\u{2212}9");
    }
}
