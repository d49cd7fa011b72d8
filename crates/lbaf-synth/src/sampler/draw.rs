// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distributions with checked parameters.

use rand::distr::{Distribution, OpenClosed01, Uniform};
use rand::{Rng, RngExt};

use super::gamma::Gamma;
use super::zipf::Zipf;
use super::{Law, ziggurat};
use crate::SynthError;

/// A distribution with checked parameters. Values are finite and non-negative.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Draw {
    Constant(f64),
    Uniform(Uniform<f64>),
    Exponential { mean: f64 },
    Normal { mean: f64, deviation: f64 },
    Lognormal { mu: f64, sigma: f64 },
    Gamma(Gamma),
    Pareto { smallest: f64, exponent: f64 },
    Zipf { values: Zipf, n_values: f64, unit: f64 },
}

/// Number up to which every integer is a floating-point number.
const MOST_VALUES: f64 = (1_u64 << 53) as f64;
/// Distance from 1 below which an exponent counts as 1, because the formula for other exponents divides by the
/// distance.
const CLOSE_TO_ONE: f64 = 1e-9;

const NEGATIVE: &str = "sampled values must not be negative";
const VARIANCE: &str = "a variance must not be negative";
const OUT_OF_PROPORTION: &str = "the variance is too large for the mean";

/// Checks the parameters of a law, finite and padded with zeros, and creates the distribution.
pub(super) fn checked(
    law: Law,
    [first, second, third]: [f64; 3],
    require: &dyn Fn(bool, &'static str) -> Result<(), SynthError>,
) -> Result<Draw, SynthError> {
    match law {
        Law::Constant => {
            require(first >= 0.0, NEGATIVE)?;
            Ok(Draw::Constant(first))
        }
        Law::Uniform => {
            require(first >= 0.0, NEGATIVE)?;
            require(first <= second, "the lower end of the interval must not exceed the upper")?;
            let interval = Uniform::new_inclusive(first, second);
            Ok(Draw::Uniform(interval.expect("invariant: the ends are finite and in order")))
        }
        Law::Exponential => {
            require(first > 0.0, "the mean of an exponential variable must be positive")?;
            Ok(Draw::Exponential { mean: first })
        }
        Law::Normal => {
            // At least half of the drawn values are kept then.
            require(first >= 0.0, "the mean before truncation must not be negative")?;
            require(second >= 0.0, VARIANCE)?;
            Ok(Draw::Normal { mean: first, deviation: second.sqrt() })
        }
        Law::Lognormal => {
            require(first > 0.0, "the mean of a lognormal variable must be positive")?;
            require(second >= 0.0, VARIANCE)?;
            // For X = exp(mu + sigma Z): E(X) = exp(mu + sigma^2 / 2), Var(X) = E(X)^2 (exp(sigma^2) - 1).
            let sigma_squared = libm::log1p(second / first / first);
            require(sigma_squared.is_finite(), OUT_OF_PROPORTION)?;
            Ok(Draw::Lognormal { mu: libm::log(first) - sigma_squared / 2.0, sigma: sigma_squared.sqrt() })
        }
        Law::Gamma => {
            require(first > 0.0, "the mean of a gamma variable must be positive")?;
            require(second >= 0.0, VARIANCE)?;
            if second == 0.0 {
                return Ok(Draw::Constant(first));
            }
            let (shape, scale) = (first / second * first, second / first);
            require(shape.is_normal() && scale.is_normal(), OUT_OF_PROPORTION)?;
            if shape == 1.0 {
                return Ok(Draw::Exponential { mean: first });
            }
            Ok(Draw::Gamma(Gamma { shape, scale }))
        }
        Law::Pareto => {
            require(first > 0.0, "the smallest value must be positive")?;
            require(second > 0.0, "the tail exponent must be positive")?;
            Ok(Draw::Pareto { smallest: first, exponent: second })
        }
        Law::Zipf => {
            let is_count = first.fract() == 0.0 && (1.0..=MOST_VALUES).contains(&first);
            require(is_count, "the number of values must be a whole number from 1 to 2^53")?;
            require(second >= 0.0, "the exponent must not be negative")?;
            require(third >= 0.0, NEGATIVE)?;
            let exponent = if (second - 1.0).abs() < CLOSE_TO_ONE { 1.0 } else { second };
            Ok(Draw::Zipf { values: Zipf::new(first, exponent), n_values: first, unit: third })
        }
    }
}

impl Distribution<f64> for Draw {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let value = match self {
            Draw::Constant(value) => *value,
            Draw::Uniform(interval) => interval.sample(rng),
            Draw::Exponential { mean } => mean * ziggurat::exponential(rng),
            Draw::Normal { mean, deviation } => loop {
                let value = mean + deviation * ziggurat::normal(rng);
                if value >= 0.0 {
                    break value;
                }
            },
            Draw::Lognormal { mu, sigma } => libm::exp(mu + sigma * ziggurat::normal(rng)),
            Draw::Gamma(gamma) => gamma.sample(rng),
            Draw::Pareto { smallest, exponent } => {
                smallest * libm::pow(rng.sample(OpenClosed01), -1.0 / exponent)
            }
            Draw::Zipf { values, n_values, unit } => unit * values.sample(rng).min(*n_values),
        };
        value.min(f64::MAX)
    }
}
