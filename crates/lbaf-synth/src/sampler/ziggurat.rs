// SPDX-License-Identifier: MIT OR Apache-2.0
//! Standard normal and exponential variables by the ziggurat method (Marsaglia and Tsang, 2000): layers of equal area
//! cover the density, and most points of a layer need no evaluation of the density. As in the crate `rand_distr`, but
//! the functions are those of `libm`, so values do not depend on the C library.

use std::sync::LazyLock;

use rand::distr::Open01;
use rand::{Rng, RngExt};

/// Number of layers, the lowest of which includes the tail.
const N_LAYERS: usize = 256;

static NORMAL: LazyLock<Ziggurat> = LazyLock::new(|| {
    let inverse = |density: f64| (-2.0 * libm::log(density)).sqrt();
    Ziggurat::new(3.654_152_885_361_009, 0.004_928_673_233_99, |x| libm::exp(-x * x / 2.0), inverse)
});

static EXPONENTIAL: LazyLock<Ziggurat> = LazyLock::new(|| {
    Ziggurat::new(7.697_117_470_131_05, 0.003_949_659_822_581_557, |x| libm::exp(-x), |y| -libm::log(y))
});

/// Layers under a falling density, which need not be normalized.
struct Ziggurat {
    density: fn(f64) -> f64,
    /// Start of the tail.
    tail: f64,
    /// Right edge of each layer, from below, then 0. A point of the lowest layer beyond the second edge is in the tail.
    edges: [f64; N_LAYERS + 1],
    densities: [f64; N_LAYERS + 1],
}

impl Ziggurat {
    fn new(tail: f64, area: f64, density: fn(f64) -> f64, inverse: impl Fn(f64) -> f64) -> Self {
        let mut edges = [0.0; N_LAYERS + 1];
        edges[0] = area / density(tail);
        edges[1] = tail;
        for layer in 2..N_LAYERS {
            edges[layer] = inverse(area / edges[layer - 1] + density(edges[layer - 1]));
        }
        Ziggurat { density, tail, edges, densities: edges.map(density) }
    }

    /// Draws a layer and a position in it, and returns the variable, or the side of the tail if the variable is in the
    /// tail. `position` converts 52 random bits to a fraction of the width of the layer.
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R, position: impl Fn(u64) -> f64) -> Sample {
        loop {
            // The lowest bits select the layer, the 52 highest bits the position.
            let bits = rng.next_u64();
            let layer = bits as usize % N_LAYERS;
            let position = position(bits >> 12);
            let x = position * self.edges[layer];
            if x.abs() < self.edges[layer + 1] {
                return Sample::Body(x);
            }
            if layer == 0 {
                return Sample::Tail { is_negative: position < 0.0 };
            }
            let [below, above] = [self.densities[layer], self.densities[layer + 1]];
            if above + (below - above) * rng.random::<f64>() < (self.density)(x) {
                return Sample::Body(x);
            }
        }
    }
}

enum Sample {
    Body(f64),
    Tail { is_negative: bool },
}

/// Returns a standard normal variable.
pub(crate) fn normal<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    // From -1 to 1.
    let position = |bits| f64::from_bits(2.0_f64.to_bits() | bits) - 3.0;
    match NORMAL.sample(rng, position) {
        Sample::Body(x) => x,
        Sample::Tail { is_negative } => loop {
            let beyond = -libm::log(rng.sample(Open01)) / NORMAL.tail;
            let y = -libm::log(rng.sample(Open01));
            if 2.0 * y >= beyond * beyond {
                let x = NORMAL.tail + beyond;
                break if is_negative { -x } else { x };
            }
        },
    }
}

/// Returns an exponential variable with mean 1.
pub(crate) fn exponential<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    // Between 0 and 1.
    let position = |bits| f64::from_bits(1.0_f64.to_bits() | bits) - (1.0 - f64::EPSILON / 2.0);
    match EXPONENTIAL.sample(rng, position) {
        Sample::Body(x) => x,
        Sample::Tail { .. } => EXPONENTIAL.tail - libm::log(rng.random::<f64>()),
    }
}

#[cfg(test)]
mod tests {
    use rand_distr::{Distribution, Exp1, StandardNormal};

    use super::*;
    use crate::stream::{Purpose, stream};

    /// Covers the tails: one normal variable in 3900, and one exponential variable in 2200.
    const N: usize = 1_000_000;

    #[test]
    fn samples_are_those_of_rand_distr_but_for_the_last_digits() {
        let rngs = || (stream(3, Purpose::Loads, 0), stream(3, Purpose::Loads, 0));
        let close = |ours: f64, theirs: f64| (ours - theirs).abs() <= 1e-14 * theirs.abs();
        let (mut ours, mut theirs) = rngs();
        assert!((0..N).all(|_| close(normal(&mut ours), StandardNormal.sample(&mut theirs))));
        let (mut ours, mut theirs) = rngs();
        assert!((0..N).all(|_| close(exponential(&mut ours), Exp1.sample(&mut theirs))));
    }

    #[test]
    fn layers_have_equal_areas_and_the_last_one_ends_at_the_peak() {
        for ziggurat in [&*NORMAL, &*EXPONENTIAL] {
            let area = ziggurat.edges[0] * ziggurat.densities[1];
            for layer in 1..N_LAYERS {
                let height = ziggurat.densities[layer + 1] - ziggurat.densities[layer];
                assert!((ziggurat.edges[layer] * height / area - 1.0).abs() < 1e-9, "layer {layer}");
            }
        }
    }
}
