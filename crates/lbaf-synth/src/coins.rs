// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tosses of fair coins. Their number of heads has the binomial distribution with a probability of one half.

use rand::{Rng, RngExt};

/// A number of fair coins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coins(pub(crate) u64);

impl Coins {
    /// Number of coins from which on each toss has a random bit of its own. For fewer coins, the number of heads comes
    /// from a single random number, by inversion of the distribution function.
    const MANY: u64 = 20;

    /// Tosses the coins, and returns the number of heads.
    pub(crate) fn heads<R: Rng + ?Sized>(self, rng: &mut R) -> u64 {
        let Coins(n) = self;
        if n >= Self::MANY {
            let mut count = |bits: u64| u64::from((rng.next_u64() >> (64 - bits)).count_ones());
            let n_rest = n % 64;
            return (0..n / 64).map(|_| count(64)).sum::<u64>() + if n_rest > 0 { count(n_rest) } else { 0 };
        }
        let mut left: f64 = rng.random();
        let mut probability = 1.0 / (1_u64 << n) as f64;
        let mut heads = 0;
        while left > probability && heads < n {
            left -= probability;
            heads += 1;
            probability *= (n + 1) as f64 / heads as f64 - 1.0;
        }
        heads
    }
}

#[cfg(test)]
mod tests {
    use rand_distr::{Binomial, Distribution};

    use super::*;
    use crate::stream::{Purpose, stream};

    #[test]
    fn few_coins_fall_as_in_rand_distr() {
        for n in 0..Coins::MANY {
            let (mut ours, mut theirs) = (stream(3, Purpose::Loads, 0), stream(3, Purpose::Loads, 0));
            let reference = Binomial::new(n, 0.5).unwrap();
            for _ in 0..10_000 {
                assert_eq!(Coins(n).heads(&mut ours), reference.sample(&mut theirs), "{n} coins");
            }
        }
    }

    #[test]
    fn numbers_of_heads_have_binomial_probabilities() {
        const N: u32 = 200_000;
        for n in [1_u32, 19, 20, 63, 64, 65, 200] {
            let mut rng = stream(5, Purpose::Loads, n);
            let mut counts = vec![0_u32; n as usize + 1];
            (0..N).for_each(|_| counts[Coins(u64::from(n)).heads(&mut rng) as usize] += 1);
            let mut probability = 0.5_f64.powf(f64::from(n));
            for heads in 0..=n {
                let share = f64::from(counts[heads as usize]) / f64::from(N);
                let error = (probability * (1.0 - probability) / f64::from(N)).sqrt();
                assert!((share - probability).abs() <= 5.0 * error + 1.5 / f64::from(N), "{heads} of {n}");
                probability *= f64::from(n - heads) / f64::from(heads + 1);
            }
        }
    }
}
