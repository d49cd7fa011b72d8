// SPDX-License-Identifier: MIT OR Apache-2.0
//! Logarithms of times and their jitter: variation from phase to phase while nothing changes.

use crate::median::median;

/// Number of robust standard deviations beyond which a time deviates from a level.
const DEVIATES: f64 = 6.0;

/// Returns the logarithms of times. In logarithms, changes by a factor are equally large in both directions, and jitter
/// is equally large at every level. Times of 0 are far below all others.
pub(super) fn logarithms(times: &[f64]) -> Vec<f64> {
    let least = times.iter().copied().filter(|&time| time > 0.0).fold(f64::INFINITY, f64::min);
    let nothing = if least.is_finite() { libm::log(least) - NOTHING } else { 0.0 };
    times.iter().map(|&time| if time > 0.0 { libm::log(time) } else { nothing }).collect()
}

/// Distance of the logarithm of a zero time below that of the least positive time; larger than any jitter.
const NOTHING: f64 = 1e3;

/// Returns the distance beyond which a logarithm deviates from a level: six robust standard deviations of jitter. The
/// distance is at least a relative deviation by `min_relative`, or by a thousandth if `min_relative` is smaller,
/// because smaller deviations do not matter.
///
/// Jitter is estimated from differences of successive logarithms. A change of level affects only one difference, but
/// many distances from a median.
pub(super) fn tolerance(logarithms: &[f64], min_relative: f64) -> f64 {
    let mut steps: Vec<f64> = logarithms.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let jitter = 1.4826 * median(&mut steps).unwrap_or(0.0) / std::f64::consts::SQRT_2;
    // The relative precision of clocks is assumed to be a thousandth.
    (DEVIATES * jitter).max(libm::log1p(min_relative.max(1e-3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_the_level_do_not_add_to_jitter() {
        let steady = [1.0, 1.02, 1.0, 1.02, 1.0, 1.02];
        let changed = [1.0, 1.02, 1.0, 3.06, 3.0, 3.06];
        let expected = 6.0 * 1.4826 * 1.02_f64.ln() / 2.0_f64.sqrt();
        for times in [steady, changed] {
            assert!((tolerance(&logarithms(&times), 0.0) - expected).abs() < 1e-12, "{times:?}");
        }
        assert_eq!(tolerance(&logarithms(&[1.0; 5]), 0.1), 0.1_f64.ln_1p());
        assert_eq!(tolerance(&[], 0.0), 1e-3_f64.ln_1p());
    }

    #[test]
    fn a_zero_time_is_far_below_all_others() {
        assert_eq!(logarithms(&[0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(logarithms(&[0.0, 1.0]), [-1e3, 0.0]);
    }
}
