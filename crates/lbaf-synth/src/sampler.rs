// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distributions of loads, volumes and sizes.

mod draw;
mod gamma;
pub(crate) mod ziggurat;
mod zipf;

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::SynthError;
use crate::error::require;

pub(crate) use draw::Draw;

/// A distribution with its parameters, in LBAF's notation: `{name: lognormal, parameters: [1.0, 0.5]}`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sampler {
    /// Family of distributions.
    pub name: Law,
    /// Parameters of the distribution. Their number and meaning depend on `name`.
    pub parameters: Vec<f64>,
}

/// A family of distributions of non-negative numbers.
///
/// Mean and variance always refer to the variable itself, as in LBAF. [`Law::Normal`] is truncated, which
/// changes both.
///
/// | law | parameters | mean | variance |
/// |---|---|---|---|
/// | `constant` | value c | c | 0 |
/// | `uniform` | lowest value a, highest value b | (a + b) / 2 | (b - a)^2 / 12 |
/// | `exponential` | mean m | m | m^2 |
/// | `normal` | mean m, variance v, both before truncation | see below | see below |
/// | `lognormal` | mean m, variance v | m | v |
/// | `gamma` | mean m, variance v | m | v |
/// | `pareto` | smallest value b, tail exponent a | a b / (a - 1) if a > 1 | a b^2 / ((a - 1)^2 (a - 2)) if a > 2 |
/// | `zipf` | number of values n, exponent s, unit u | u H(n, s - 1) / H(n, s) | u^2 H(n, s - 2) / H(n, s) - mean^2 |
///
/// H(n, s) is the sum of k^-s over k = 1, .., n. Values beyond the largest finite number become that number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    /// A constant. Parameter: the value.
    Constant,
    /// Uniform on an interval. Parameters: the lowest and the highest value.
    Uniform,
    /// Exponential, as for waiting times: P(X > x) = exp(-x / m). Parameter: the mean m.
    Exponential,
    /// Normal, truncated at 0: negative values are drawn again, because replacing them by 0 would accumulate
    /// values there. Parameters: mean m and variance v before truncation. Truncation raises the mean to m + s h
    /// and lowers the variance to v (1 - h m / s - h^2), where s is the square root of v, and h the standard
    /// normal density at m / s divided by its distribution function there. The mean grows by less than 0.2% if m
    /// is at least three times s. It grows most if m is 0: from 0 to 0.798 times s.
    Normal,
    /// Lognormal: the logarithm is normal. Parameters: mean and variance of the variable itself.
    Lognormal,
    /// Gamma, with shape m^2 / v and scale v / m. Parameters: mean m and variance v. For v = m^2 it is
    /// exponential. It approaches a constant for smaller variance, and has a heavier tail for larger variance.
    Gamma,
    /// Pareto, with a heavy tail: P(X > x) = (b / x)^a. Parameters: the smallest value b and the tail exponent a.
    /// The mean is infinite if a is 1 or less.
    Pareto,
    /// Zipf, with n distinct values, of which the smallest is the most frequent: for k = 1, .., n, the value k u
    /// has a probability proportional to k^-s. Parameters: the number of values n, the exponent s and the unit u.
    Zipf,
}

impl Law {
    /// Returns the number of parameters, and the message for other numbers.
    fn parameters(self) -> (usize, &'static str) {
        match self {
            Law::Constant => (1, "`constant` takes one parameter, the value"),
            Law::Uniform => (2, "`uniform` takes two parameters, the lowest and the highest value"),
            Law::Exponential => (1, "`exponential` takes one parameter, the mean"),
            Law::Normal => (2, "`normal` takes two parameters, mean and variance"),
            Law::Lognormal => (2, "`lognormal` takes two parameters, mean and variance"),
            Law::Gamma => (2, "`gamma` takes two parameters, mean and variance"),
            Law::Pareto => (2, "`pareto` takes two parameters, the smallest value and the tail exponent"),
            Law::Zipf => {
                (3, "`zipf` takes three parameters, the number of values, the exponent and the unit")
            }
        }
    }
}

impl Sampler {
    /// Checks the parameters of setting `key`, and creates the distribution.
    pub(crate) fn draw(&self, key: &str) -> Result<Draw, SynthError> {
        let key = format!("{key}.parameters");
        let require = |holds, rule| require(holds, &key, in_brackets(&self.parameters), rule);
        let (n_parameters, rule) = self.name.parameters();
        require(self.parameters.len() == n_parameters, rule)?;
        require(
            self.parameters.iter().all(|parameter| parameter.is_finite()),
            "all parameters must be finite",
        )?;
        let parameter = |position: usize| self.parameters.get(position).copied().unwrap_or_default();
        draw::checked(self.name, [parameter(0), parameter(1), parameter(2)], &require)
    }
}

fn in_brackets(numbers: &[f64]) -> String {
    let mut text = String::new();
    for (position, number) in numbers.iter().enumerate() {
        let separator = if position == 0 { "" } else { ", " };
        write!(text, "{separator}{number}").expect("invariant: writing to a string does not fail");
    }
    format!("[{text}]")
}

#[cfg(test)]
mod tests {
    use rand::distr::Distribution;

    use super::*;
    use crate::stream::{Purpose, stream};

    const N: usize = 200_000;

    fn sampler(name: Law, parameters: &[f64]) -> Sampler {
        Sampler { name, parameters: parameters.to_vec() }
    }

    fn values(name: Law, parameters: &[f64]) -> Vec<f64> {
        let draw = sampler(name, parameters).draw("sampler").unwrap();
        draw.sample_iter(stream(7, Purpose::Loads, 0)).take(N).collect()
    }

    /// Checks mean and variance of `N` values against their closed forms, within five standard errors. The error of the
    /// variance follows from the kurtosis (fourth central moment over squared variance).
    #[track_caller]
    fn check_moments(values: &[f64], mean: f64, variance: f64, kurtosis: f64) {
        let n = N as f64;
        let found_mean = values.iter().sum::<f64>() / n;
        let found_variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        let mean_error = (variance / n).sqrt();
        let variance_error = variance * ((kurtosis - 1.0) / n).sqrt();
        assert!((found_mean - mean).abs() <= 5.0 * mean_error, "mean {found_mean}, not {mean}");
        assert!(
            (found_variance - variance).abs() <= 5.0 * variance_error,
            "variance {found_variance}, not {variance}"
        );
    }

    /// Checks the fraction of values that fulfil a condition within five standard errors.
    #[track_caller]
    fn check_share(values: &[f64], condition: impl Fn(f64) -> bool, share: f64) {
        let found = values.iter().filter(|&&value| condition(value)).count() as f64 / N as f64;
        let error = (share * (1.0 - share) / N as f64).sqrt();
        assert!((found - share).abs() <= 5.0 * error, "fraction {found}, not {share}");
    }

    #[test]
    fn uniform_has_the_moments_of_its_interval() {
        check_moments(&values(Law::Uniform, &[2.0, 8.0]), 5.0, 3.0, 1.8);
    }

    #[test]
    fn lognormal_takes_mean_and_variance_of_the_variable_itself() {
        let (mean, variance) = (3.0_f64, 2.0_f64);
        let values = values(Law::Lognormal, &[mean, variance]);
        // With w = exp(sigma^2) the kurtosis of a lognormal variable is w^4 + 2 w^3 + 3 w^2 - 3.
        let w = 1.0 + variance / (mean * mean);
        check_moments(&values, mean, variance, w.powi(4) + 2.0 * w.powi(3) + 3.0 * w.powi(2) - 3.0);
        let median = mean / w.sqrt();
        check_share(&values, |x| x < median, 0.5);
    }

    #[test]
    fn exponential_has_a_deviation_as_large_as_its_mean() {
        let values = values(Law::Exponential, &[3.0]);
        check_moments(&values, 3.0, 9.0, 9.0);
        check_share(&values, |x| x > 6.0, (-2.0_f64).exp());
    }

    #[test]
    fn normal_far_from_zero_is_not_cut_off() {
        check_moments(&values(Law::Normal, &[10.0, 4.0]), 10.0, 4.0, 3.0);
    }

    #[test]
    fn normal_is_cut_off_at_zero_and_not_heaped_there() {
        use std::f64::consts::PI;
        // Half of the bell curve: mean s sqrt(2 / pi), variance s^2 (1 - 2 / pi).
        let half = values(Law::Normal, &[0.0, 4.0]);
        let kurtosis = 3.0 + 8.0 * (PI - 3.0) / (PI - 2.0).powi(2);
        check_moments(&half, 2.0 * (2.0 / PI).sqrt(), 4.0 * (1.0 - 2.0 / PI), kurtosis);
        // Mean and deviation 2: h = 0.2419707 / 0.8413447 = 0.2875999, the mean is 2 (1 + h), and the variance is
        // 4 (1 - h - h^2). The kurtosis lies between 3 and that of the half curve, which the tolerance uses.
        let some = values(Law::Normal, &[2.0, 4.0]);
        let h: f64 = 0.241_970_724_5 / 0.841_344_746_1;
        check_moments(&some, 2.0 * (1.0 + h), 4.0 * (1.0 - h - h * h), kurtosis);
        check_share(&some, |x| x < 2.0, 0.341_344_746_1 / 0.841_344_746_1);
        assert!(some.iter().all(|&x| x > 0.0));
    }

    #[test]
    fn gamma_takes_mean_and_variance() {
        // Shapes 4 and 1/4: the kurtosis is 3 + 6 / shape.
        check_moments(&values(Law::Gamma, &[2.0, 1.0]), 2.0, 1.0, 3.0 + 6.0 / 4.0);
        check_moments(&values(Law::Gamma, &[2.0, 16.0]), 2.0, 16.0, 3.0 + 24.0);
        // Shape 1 is exponential.
        check_share(&values(Law::Gamma, &[3.0, 9.0]), |x| x > 6.0, (-2.0_f64).exp());
    }

    #[test]
    fn pareto_has_the_tail_of_its_exponent() {
        let (smallest, a) = (2.0, 6.0_f64);
        let light = values(Law::Pareto, &[smallest, a]);
        let mean = a * smallest / (a - 1.0);
        let variance = a * smallest * smallest / ((a - 1.0).powi(2) * (a - 2.0));
        let excess = 6.0 * (a.powi(3) + a.powi(2) - 6.0 * a - 2.0) / (a * (a - 3.0) * (a - 4.0));
        check_moments(&light, mean, variance, 3.0 + excess);
        let heavy = values(Law::Pareto, &[smallest, 1.0]);
        assert!(heavy.iter().all(|&x| x >= smallest));
        for times in [2.0, 10.0, 1000.0] {
            check_share(&heavy, |x| x > times * smallest, 1.0 / times);
        }
    }

    #[test]
    fn zipf_has_whole_units_in_the_proportions_of_its_exponent() {
        for exponent in [0.0, 1.0, 1.5, 3.0] {
            let values = values(Law::Zipf, &[10.0, exponent, 0.25]);
            let sum: f64 = (1..=10).map(|k| f64::from(k).powf(-exponent)).sum();
            for k in 1..=10 {
                let value = 0.25 * f64::from(k);
                check_share(&values, |x| x == value, f64::from(k).powf(-exponent) / sum);
            }
            assert!(values.iter().all(|x| (1.0..=10.0).contains(&(x * 4.0))));
        }
    }

    #[test]
    fn without_spread_every_value_is_the_mean() {
        for (name, parameters) in [
            (Law::Constant, vec![4.0]),
            (Law::Uniform, vec![4.0, 4.0]),
            (Law::Normal, vec![4.0, 0.0]),
            (Law::Gamma, vec![4.0, 0.0]),
            (Law::Zipf, vec![1.0, 2.0, 4.0]),
        ] {
            assert!(values(name, &parameters).iter().all(|&x| x == 4.0), "{name:?}");
        }
        let lognormal = values(Law::Lognormal, &[4.0, 0.0]);
        assert!(lognormal.iter().all(|x| (x - 4.0).abs() < 1e-14));
    }

    #[test]
    fn the_heaviest_tails_are_finite_and_not_negative() {
        for (name, parameters) in [
            (Law::Exponential, vec![f64::MAX]),
            (Law::Normal, vec![f64::MAX, f64::MAX]),
            (Law::Lognormal, vec![1e-100, 1e100]),
            (Law::Gamma, vec![1e-100, 1e100]),
            (Law::Gamma, vec![1e150, 1e250]),
            (Law::Pareto, vec![f64::MAX, 1e-3]),
            (Law::Pareto, vec![1.0, 1e-300]),
            (Law::Zipf, vec![9_007_199_254_740_992.0, 0.0, f64::MAX]),
            (Law::Zipf, vec![9_007_199_254_740_992.0, 1.0 + 1e-12, 1.0]),
            (Law::Zipf, vec![1000.0, f64::MAX, 1.0]),
        ] {
            let outside = values(name, &parameters).into_iter().find(|x| !(0.0..=f64::MAX).contains(x));
            assert_eq!(outside, None, "{name:?} {parameters:?}");
        }
    }

    #[track_caller]
    fn check_refused(name: Law, parameters: &[f64], because: &str) {
        let error = sampler(name, parameters).draw("load_sampler").unwrap_err().to_string();
        assert_eq!(error, format!("`load_sampler.parameters` is {}, but {because}", in_brackets(parameters)));
    }

    #[test]
    fn wrong_numbers_of_parameters_are_refused_with_the_right_one() {
        for (name, parameters, because) in [
            (Law::Constant, &[][..], "`constant` takes one parameter, the value"),
            (Law::Uniform, &[1.0], "`uniform` takes two parameters, the lowest and the highest value"),
            (Law::Exponential, &[1.0, 2.0], "`exponential` takes one parameter, the mean"),
            (Law::Normal, &[1.0], "`normal` takes two parameters, mean and variance"),
            (Law::Lognormal, &[1.0, 2.0, 3.0], "`lognormal` takes two parameters, mean and variance"),
            (Law::Gamma, &[1.0], "`gamma` takes two parameters, mean and variance"),
            (Law::Pareto, &[1.0], "`pareto` takes two parameters, the smallest value and the tail exponent"),
            (
                Law::Zipf,
                &[10.0, 1.5],
                "`zipf` takes three parameters, the number of values, the exponent and the unit",
            ),
        ] {
            check_refused(name, parameters, because);
        }
        let error = sampler(Law::Normal, &[1.5]).draw("volume_sampler").unwrap_err().to_string();
        assert_eq!(
            error,
            "`volume_sampler.parameters` is [1.5], but `normal` takes two parameters, mean and variance"
        );
    }

    #[test]
    fn invalid_parameters_are_refused_with_the_reason() {
        let whole = "the number of values must be a whole number from 1 to 2^53";
        for (name, parameters, because) in [
            (Law::Constant, &[-1.0][..], "sampled values must not be negative"),
            (Law::Uniform, &[2.0, 1.0], "the lower end of the interval must not exceed the upper"),
            (Law::Uniform, &[-1.0, 1.0], "sampled values must not be negative"),
            (Law::Uniform, &[0.0, f64::INFINITY], "all parameters must be finite"),
            (Law::Exponential, &[0.0], "the mean of an exponential variable must be positive"),
            (Law::Normal, &[-1.0, 1.0], "the mean before truncation must not be negative"),
            (Law::Normal, &[1.0, -1.0], "a variance must not be negative"),
            (Law::Lognormal, &[0.0, 1.0], "the mean of a lognormal variable must be positive"),
            (Law::Lognormal, &[1.0, -0.5], "a variance must not be negative"),
            (Law::Lognormal, &[1e-200, 1.0], "the variance is too large for the mean"),
            (Law::Gamma, &[0.0, 1.0], "the mean of a gamma variable must be positive"),
            (Law::Gamma, &[1.0, -0.5], "a variance must not be negative"),
            (Law::Gamma, &[1e-200, 1.0], "the variance is too large for the mean"),
            (Law::Pareto, &[0.0, 2.0], "the smallest value must be positive"),
            (Law::Pareto, &[1.0, 0.0], "the tail exponent must be positive"),
            (Law::Zipf, &[0.0, 1.0, 1.0], whole),
            (Law::Zipf, &[2.5, 1.0, 1.0], whole),
            (Law::Zipf, &[1e16, 1.0, 1.0], whole),
            (Law::Zipf, &[10.0, -1.0, 1.0], "the exponent must not be negative"),
            (Law::Zipf, &[10.0, 1.0, -1.0], "sampled values must not be negative"),
        ] {
            check_refused(name, parameters, because);
        }
    }

    #[test]
    fn the_notation_is_that_of_lbaf() {
        let parsed: Sampler =
            serde_json::from_str(r#"{"name": "lognormal", "parameters": [1.0, 10.0]}"#).unwrap();
        assert_eq!(parsed, sampler(Law::Lognormal, &[1.0, 10.0]));
        for wrong in [
            r#"{"name": "Normal", "parameters": [1, 2]}"#,
            r#"{"name": "uniform", "parameters": 1}"#,
            r#"{"name": "uniform", "parameters": [1, 2], "seed": 3}"#,
        ] {
            assert!(serde_json::from_str::<Sampler>(wrong).is_err(), "{wrong}");
        }
    }
}
