// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gamma variables by rejection (Marsaglia and Tsang, 2000), as in the crate `rand_distr`.

use rand::distr::{Distribution, Open01};
use rand::{Rng, RngExt};

use super::ziggurat;

/// The gamma distribution with positive shape and scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gamma {
    pub(crate) shape: f64,
    pub(crate) scale: f64,
}

impl Distribution<f64> for Gamma {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        if self.shape >= 1.0 {
            let d = self.shape - 1.0 / 3.0;
            return relative(d, rng) * (d * self.scale);
        }
        // The method needs a shape of at least 1, so 1 is added to a smaller shape. Multiplication by a power of a
        // uniform variable gives the distribution of the smaller shape.
        let power = libm::pow(rng.sample(Open01), 1.0 / self.shape);
        let d = self.shape + 1.0 - 1.0 / 3.0;
        // The scale comes last, because it is the only factor that may be huge.
        relative(d, rng) * power * d * self.scale
    }
}

/// Returns a gamma variable of shape `d + 1/3`, divided by `d`.
fn relative<R: Rng + ?Sized>(d: f64, rng: &mut R) -> f64 {
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = ziggurat::normal(rng);
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let v = root * root * root;
        let u: f64 = rng.sample(Open01);
        let square = x * x;
        if u < 1.0 - 0.0331 * square * square || libm::log(u) < 0.5 * square + d * (1.0 - v + libm::log(v)) {
            return v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, stream};

    #[test]
    fn samples_are_those_of_rand_distr_but_for_the_last_digits() {
        for (shape, scale) in [(0.01, 3.0), (0.25, 8.0), (1.5, 0.5), (4.0, 0.5), (1e6, 1e-6)] {
            let (mut ours, mut theirs) = (stream(3, Purpose::Loads, 0), stream(3, Purpose::Loads, 0));
            let reference = rand_distr::Gamma::new(shape, scale).unwrap();
            for _ in 0..100_000 {
                let (found, expected) =
                    (Gamma { shape, scale }.sample(&mut ours), reference.sample(&mut theirs));
                assert!((found - expected).abs() <= 1e-13 * expected, "{found} instead of {expected}");
            }
        }
    }
}
