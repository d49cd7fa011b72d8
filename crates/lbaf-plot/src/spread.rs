// SPDX-License-Identifier: MIT OR Apache-2.0
//! Spread of the values on an axis, and rules for logarithmic axes.

/// Rule for a logarithmic axis: it is used if one of these ratios is reached, because a linear axis would hide small
/// values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// Ratio of the largest value to the smallest value that is not zero.
    wide: f64,
    /// Ratio of the largest value to the largest value that is not an outlier.
    outlier: f64,
}

impl Rule {
    /// For lines and points.
    pub(crate) const LINES: Self = Self { wide: 100.0, outlier: 5.0 };
    /// For shades.
    pub(crate) const SHADES: Self = Self { wide: 1000.0, outlier: 5.0 };
    /// For distributions, which often have a few values far from the others.
    pub(crate) const DISTRIBUTIONS: Self = Self { wide: 1000.0, outlier: 10.0 };
    /// For areas, whose height has a meaning only on a linear axis.
    pub(crate) const AREAS: Self = Self { wide: f64::INFINITY, outlier: 10.0 };
}

/// Largest fraction of values that can be outliers.
const FEW: f64 = 0.2;

/// Fraction of the largest value below which values count as zero, because they are rounding errors.
const ROUNDING: f64 = 1e-9;

/// Values below this limit count as zero: no measurement is as small, and floating-point numbers could not represent
/// ticks.
const LEAST: f64 = 1e-290;

/// Spread of finite, non-negative values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    /// Smallest value that is not zero; the largest one if all values are zero.
    pub(crate) least: f64,
    /// Largest value.
    pub(crate) most: f64,
    /// Largest value that is not an outlier, if there are outliers: a few large values that flatten the others.
    pub(crate) rest: Option<f64>,
    /// True if there are zeros.
    pub(crate) has_zero: bool,
    /// True if a linear axis would hide values, because they are far apart or outliers flatten them.
    pub(crate) is_logarithmic: bool,
}

impl Spread {
    /// Returns the spread of values by a rule.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>, rule: Rule) -> Self {
        let values: Vec<f64> = values.into_iter().collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let is_zero = |value: f64| value < LEAST || value < most * ROUNDING;
        let least = values.iter().copied().filter(|&value| !is_zero(value)).fold(most, f64::min);
        let is_high = |value: f64| value * rule.outlier > most;
        let n_high = values.iter().filter(|&&value| is_high(value)).count();
        let low = values.iter().copied().filter(|&value| !is_high(value)).fold(0.0, f64::max);
        let has_outliers = !is_zero(low) && n_high as f64 <= FEW * values.len() as f64;
        Self {
            least,
            most,
            rest: has_outliers.then_some(low),
            has_zero: values.into_iter().any(is_zero),
            is_logarithmic: least >= LEAST && (has_outliers || most / least >= rule.wide),
        }
    }

    /// Returns the spread in a unit of this size.
    pub(crate) fn scaled(self, size: f64) -> Self {
        Self {
            least: self.least / size,
            most: self.most / size,
            rest: self.rest.map(|rest| rest / size),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Spread {
        Spread::of(values.iter().copied(), Rule::LINES)
    }

    #[test]
    fn values_far_apart_need_a_logarithmic_axis() {
        assert!(of(&[1e-5, 2.0, 0.3]).is_logarithmic);
        assert!(!of(&[0.03, 2.0]).is_logarithmic);
        assert!(!of(&[0.0, 2.0]).is_logarithmic);
        assert!(!of(&[0.0, 0.0]).is_logarithmic);
    }

    #[test]
    fn a_few_outliers_flatten_the_rest() {
        let spread = of(&[1.0, 1.2, 30.0, 0.9, 1.1]);
        assert_eq!((spread.rest, spread.is_logarithmic), (Some(1.2), true));
        // One of four values is too large a fraction for outliers.
        assert_eq!(of(&[1.0, 1.2, 30.0, 0.9]).rest, None);
        // Less than five times the other values.
        assert_eq!(of(&[1.0, 1.0, 1.0, 1.0, 4.9]).rest, None);
        // All other values are zero.
        assert_eq!(of(&[0.0, 0.0, 0.0, 0.0, 9.0]).rest, None);
    }

    #[test]
    fn rounding_errors_count_as_zeros() {
        let spread = of(&[0.0, 1e-3, 2.0]);
        assert_eq!((spread.least, spread.has_zero, spread.is_logarithmic), (1e-3, true, true));
        let spread = of(&[2e-16, 1.0, 2.0]);
        assert_eq!((spread.least, spread.has_zero, spread.is_logarithmic), (1.0, true, false));
    }
}
