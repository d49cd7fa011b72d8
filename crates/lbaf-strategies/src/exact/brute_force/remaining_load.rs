// SPDX-License-Identifier: MIT OR Apache-2.0
//! Remaining load and its granularity.

/// Load of the units not yet placed at a depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LoadAhead {
    pub(super) sum: f64,
    /// Smallest load above 0; infinite if there is none.
    pub(super) smallest: f64,
    /// Common divisor of these loads up to rounding, or 0 if none is known.
    pub(super) grain: f64,
}

/// Returns the remaining load, by depth.
pub(super) fn load_ahead(loads: &[f64]) -> Vec<LoadAhead> {
    let (scale, whole) = whole_numbers(loads).unwrap_or_default();
    let mut ahead = LoadAhead { sum: 0.0, smallest: f64::INFINITY, grain: 0.0 };
    let mut divisor = 0;
    let mut all = vec![ahead];
    for (at, &load) in loads.iter().enumerate().rev() {
        divisor = gcd(divisor, whole.get(at).copied().unwrap_or(0));
        ahead = LoadAhead {
            sum: ahead.sum + load,
            smallest: if load > 0.0 { ahead.smallest.min(load) } else { ahead.smallest },
            grain: if divisor > 0 { divisor as f64 / scale } else { 0.0 },
        };
        all.push(ahead);
    }
    all.reverse();
    all
}

/// Returns a power of ten, and the loads multiplied by it as whole numbers; `None` if loads have more than nine
/// decimals or the whole numbers are too large.
fn whole_numbers(loads: &[f64]) -> Option<(f64, Vec<i64>)> {
    /// Maximum sum of the whole numbers, so that rounding errors stay far below 1.
    const MOST: f64 = 1e9;
    (0..10).find_map(|power| {
        let scale = libm::pow(10.0, f64::from(power));
        let whole = |&load: &f64| {
            let scaled = load * scale;
            let is_whole = scaled < MOST && (scaled - scaled.round()).abs() <= 4.0 * f64::EPSILON * scaled;
            is_whole.then_some(scaled.round() as i64)
        };
        let numbers: Vec<i64> = loads.iter().map(whole).collect::<Option<_>>()?;
        (numbers.iter().sum::<i64>() as f64 <= MOST).then_some((scale, numbers))
    })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remaining_load_has_sum_smallest_load_and_grain() {
        let ahead = |sum, smallest, grain| LoadAhead { sum, smallest, grain };
        let nothing = ahead(0.0, f64::INFINITY, 0.0);
        assert_eq!(
            load_ahead(&[2.5, 7.5, 5.0, 0.0]),
            [ahead(15.0, 2.5, 2.5), ahead(12.5, 5.0, 2.5), ahead(5.0, 5.0, 5.0), nothing, nothing]
        );
        assert_eq!(load_ahead(&[0.3, 0.7])[0].grain, 0.1);
        // 1/3 has more than nine decimals, so no common divisor is known.
        assert_eq!(load_ahead(&[1.0 / 3.0, 1.0])[0].grain, 0.0);
    }
}
