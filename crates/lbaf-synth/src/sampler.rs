// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distributions of loads, volumes and sizes.

use rand::Rng;
use rand_distr::{Distribution, StandardNormal, Uniform};
use serde::Deserialize;

use crate::SynthError;
use crate::error::require;

/// A distribution with its two parameters, as LBAF spells it: `{name: lognormal, parameters: [1.0, 0.5]}`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampler {
    /// Which distribution.
    pub name: Law,
    /// Lower and upper end of the interval for [`Law::Uniform`]; mean and variance for [`Law::Lognormal`].
    pub parameters: [f64; 2],
}

/// A family of distributions of numbers that are not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    /// Every value of an interval is equally likely.
    Uniform,
    /// The logarithm is normal. The parameters are mean and variance of the variable itself, not of its
    /// logarithm.
    Lognormal,
}

impl Sampler {
    /// What to draw from, once the parameters of the setting `key` are known to make sense.
    pub(crate) fn draw(&self, key: &str) -> Result<Draw, SynthError> {
        let [first, second] = self.parameters;
        let key = format!("{key}.parameters");
        let require = |holds, rule| require(holds, &key, format_args!("[{first}, {second}]"), rule);
        require(first.is_finite() && second.is_finite(), "both parameters must be finite")?;
        match self.name {
            Law::Uniform => {
                require(first >= 0.0, "nothing sampled may be negative")?;
                require(first <= second, "the lower end of the interval may not exceed the upper")?;
                let interval = Uniform::new_inclusive(first, second);
                Ok(Draw::Uniform(interval.expect("invariant: the ends are finite and in order")))
            }
            Law::Lognormal => {
                require(first > 0.0, "the mean of a lognormal variable is positive")?;
                require(second >= 0.0, "a variance is not negative")?;
                // For X = exp(mu + sigma Z): E(X) = exp(mu + sigma^2 / 2), Var(X) = E(X)^2 (exp(sigma^2) - 1).
                let sigma_squared = (second / first / first).ln_1p();
                require(sigma_squared.is_finite(), "the variance is out of all proportion to the mean")?;
                Ok(Draw::Lognormal { mu: first.ln() - sigma_squared / 2.0, sigma: sigma_squared.sqrt() })
            }
        }
    }
}

/// A distribution ready to draw from; values are finite and not negative.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Draw {
    Constant(f64),
    Uniform(Uniform<f64>),
    Lognormal { mu: f64, sigma: f64 },
}

impl Distribution<f64> for Draw {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        match self {
            Draw::Constant(value) => *value,
            Draw::Uniform(interval) => interval.sample(rng),
            Draw::Lognormal { mu, sigma } => {
                let z: f64 = StandardNormal.sample(rng);
                (mu + sigma * z).exp().min(f64::MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, stream};

    const N: usize = 200_000;

    /// Draws `N` values; checks mean and variance against their closed forms, within five standard errors
    /// computed from the closed-form fourth central moment.
    fn check_moments(sampler: Sampler, mean: f64, variance: f64, fourth_central_moment: f64) {
        let draw = sampler.draw("sampler").unwrap();
        let values: Vec<f64> = draw.sample_iter(stream(7, Purpose::Loads, 0)).take(N).collect();
        let n = N as f64;
        let found_mean = values.iter().sum::<f64>() / n;
        let found_variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        let mean_error = (variance / n).sqrt();
        let variance_error = ((fourth_central_moment - variance * variance) / n).sqrt();
        assert!((found_mean - mean).abs() <= 5.0 * mean_error, "mean {found_mean}, not {mean}");
        assert!(
            (found_variance - variance).abs() <= 5.0 * variance_error,
            "variance {found_variance}, not {variance}"
        );
    }

    #[test]
    fn uniform_has_the_moments_of_its_interval() {
        let width: f64 = 6.0;
        check_moments(
            Sampler { name: Law::Uniform, parameters: [2.0, 8.0] },
            5.0,
            width.powi(2) / 12.0,
            width.powi(4) / 80.0,
        );
    }

    #[test]
    fn lognormal_takes_mean_and_variance_of_the_variable_itself() {
        let (mean, variance) = (3.0_f64, 2.0_f64);
        // With w = exp(sigma^2) the kurtosis of a lognormal variable is w^4 + 2 w^3 + 3 w^2 - 3.
        let w = 1.0 + variance / (mean * mean);
        let kurtosis = w.powi(4) + 2.0 * w.powi(3) + 3.0 * w.powi(2) - 3.0;
        check_moments(
            Sampler { name: Law::Lognormal, parameters: [mean, variance] },
            mean,
            variance,
            kurtosis * variance * variance,
        );
    }

    #[test]
    fn half_of_a_lognormal_sample_is_below_the_median() {
        let draw = Sampler { name: Law::Lognormal, parameters: [3.0, 2.0] }.draw("sampler").unwrap();
        let median = 3.0 / (1.0_f64 + 2.0 / 9.0).sqrt();
        let below =
            draw.sample_iter(stream(8, Purpose::Loads, 0)).take(N).filter(|&x| x < median).count() as f64;
        assert!((below / N as f64 - 0.5).abs() < 5.0 * 0.5 / (N as f64).sqrt());
    }

    #[test]
    fn without_spread_every_value_is_the_mean() {
        let mut rng = stream(1, Purpose::Loads, 0);
        let uniform = Sampler { name: Law::Uniform, parameters: [4.0, 4.0] }.draw("sampler").unwrap();
        assert_eq!(uniform.sample(&mut rng), 4.0);
        let lognormal = Sampler { name: Law::Lognormal, parameters: [4.0, 0.0] }.draw("sampler").unwrap();
        assert!((lognormal.sample(&mut rng) - 4.0).abs() < 1e-14);
    }

    #[test]
    fn senseless_parameters_are_refused_by_name() {
        let message =
            |name, parameters| Sampler { name, parameters }.draw("load_sampler").unwrap_err().to_string();
        assert_eq!(
            message(Law::Uniform, [2.0, 1.0]),
            "load_sampler.parameters is [2, 1], but the lower end of the interval may not exceed the upper"
        );
        assert_eq!(
            message(Law::Uniform, [-1.0, 1.0]),
            "load_sampler.parameters is [-1, 1], but nothing sampled may be negative"
        );
        assert_eq!(
            message(Law::Lognormal, [0.0, 1.0]),
            "load_sampler.parameters is [0, 1], but the mean of a lognormal variable is positive"
        );
        assert_eq!(
            message(Law::Lognormal, [1.0, -0.5]),
            "load_sampler.parameters is [1, -0.5], but a variance is not negative"
        );
        assert_eq!(
            message(Law::Lognormal, [1e-200, 1.0]),
            format!(
                "load_sampler.parameters is [{}, 1], but the variance is out of all proportion to the mean",
                1e-200
            )
        );
        assert_eq!(
            message(Law::Uniform, [0.0, f64::INFINITY]),
            "load_sampler.parameters is [0, inf], but both parameters must be finite"
        );
    }

    #[test]
    fn spelled_as_lbaf_spells_it() {
        let sampler: Sampler =
            serde_json::from_str(r#"{"name": "lognormal", "parameters": [1.0, 10.0]}"#).unwrap();
        assert_eq!(sampler, Sampler { name: Law::Lognormal, parameters: [1.0, 10.0] });
        for wrong in [
            r#"{"name": "normal", "parameters": [1, 2]}"#,
            r#"{"name": "uniform", "parameters": [1]}"#,
            r#"{"name": "uniform", "parameters": [1, 2], "seed": 3}"#,
        ] {
            assert!(serde_json::from_str::<Sampler>(wrong).is_err(), "{wrong}");
        }
    }
}
