// SPDX-License-Identifier: MIT OR Apache-2.0
//! Zipf variables by rejection from a continuous density that encloses theirs, as in the crate `rand_distr`.

use rand::distr::Distribution;
use rand::{Rng, RngExt};

/// The integers k from 1 to a number, each with a probability proportional to `k^-exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zipf {
    exponent: f64,
    /// Area under the enclosing density, which is 1 from 0 to 1, then `x^-exponent`.
    area: f64,
}

impl Zipf {
    /// Creates the distribution for probabilities `k^-exponent` up to k = `n`.
    pub(crate) fn new(n: f64, exponent: f64) -> Self {
        let area = if exponent == 1.0 {
            1.0 + libm::log(n)
        } else {
            (libm::pow(n, 1.0 - exponent) - exponent) * (1.0 / (1.0 - exponent))
        };
        Zipf { exponent, area }
    }

    /// Returns the number up to which the area under the enclosing density is `area`.
    fn inverse(&self, area: f64) -> f64 {
        if area <= 1.0 {
            area
        } else if self.exponent == 1.0 {
            libm::exp(area - 1.0)
        } else {
            libm::pow(area * (1.0 - self.exponent) + self.exponent, 1.0 / (1.0 - self.exponent))
        }
    }
}

impl Distribution<f64> for Zipf {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        loop {
            let below = self.inverse(rng.random::<f64>() * self.area);
            let k = (below + 1.0).floor();
            let above = if k > 1.0 { libm::pow(below, self.exponent) } else { 1.0 };
            if rng.random::<f64>() < libm::pow(k, -self.exponent) * above {
                return k;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, stream};

    #[test]
    fn samples_are_those_of_rand_distr() {
        for (n, exponent) in [(10.0, 0.0), (10.0, 1.0), (1000.0, 1.5), (1e6, 0.5), (1e12, 3.0)] {
            let (mut ours, mut theirs) = (stream(3, Purpose::Loads, 0), stream(3, Purpose::Loads, 0));
            let reference = rand_distr::Zipf::new(n, exponent).unwrap();
            for _ in 0..100_000 {
                assert_eq!(Zipf::new(n, exponent).sample(&mut ours), reference.sample(&mut theirs));
            }
        }
    }
}
