// SPDX-License-Identifier: MIT OR Apache-2.0
//! `RandomLB` is uniform, independent of loads, and reproducible on every machine and in every version.

use lbaf_model::LoadOnly;
use lbaf_strategies::{RandomLB, VT_SEED};

use crate::made_phase::{Made, object, ranks, sentinel};

fn drawn(made: &Made, seed: Option<u64>, run_seed: u64) -> Vec<u32> {
    let strategy = RandomLB { seed, randomize_seed: false };
    ranks(&made.run(&strategy, &LoadOnly::default(), run_seed).unwrap().outcome.assignment)
}

fn equal(n_ranks: usize, n_objects: usize) -> Made {
    Made::of(n_ranks, vec![object(1.0, 0); n_objects])
}

/// Returns Pearson's statistic for the counts of equally likely values.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// Quantiles 1e-4 and 1 - 1e-4 of chi square with 7 and 15 degrees of freedom.
const SEVEN: std::ops::Range<f64> = 0.300..29.88;
const FIFTEEN: std::ops::Range<f64> = 2.41..44.26;

/// Counts the occurrences of each of `n` values.
fn counts(n: usize, values: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut counts = vec![0; n];
    for value in values {
        counts[value as usize] += 1;
    }
    counts
}

#[test]
fn ranks_are_equally_likely_and_successive_draws_independent() {
    for seed in [0, 1, 42, VT_SEED, u64::MAX] {
        let single = counts(8, drawn(&equal(8, 16_000), Some(seed), 0));
        assert!(SEVEN.contains(&chi_square(&single)), "seed {seed}: {single:?}");
        // Pairs of successive draws on four ranks.
        let ranks = drawn(&equal(4, 16_000), Some(seed), 0);
        let pairs = counts(16, ranks.chunks_exact(2).map(|pair| 4 * pair[0] + pair[1]));
        assert!(FIFTEEN.contains(&chi_square(&pairs)), "seed {seed}: {pairs:?}");
    }
}

/// The first ranks must not be more likely if the number of ranks is not a power of two.
#[test]
fn seven_ranks_are_equally_likely() {
    let counts = counts(7, drawn(&equal(7, 14_000), Some(5), 0));
    // Quantiles 1e-4 and 1 - 1e-4 with 6 degrees of freedom.
    assert!((0.172..27.86).contains(&chi_square(&counts)), "{counts:?}");
}

#[test]
fn its_own_seed_overrides_that_of_the_run() {
    let made = equal(16, 64);
    assert_eq!(drawn(&made, Some(7), 1), drawn(&made, Some(7), 2));
    assert_ne!(drawn(&made, None, 1), drawn(&made, None, 2));
    assert_eq!(drawn(&made, None, 7), drawn(&made, Some(7), 0));
    assert_ne!(drawn(&made, Some(7), 0), drawn(&made, Some(8), 0));
}

#[test]
fn loads_do_not_matter_and_sentinels_draw_nothing() {
    let plain = equal(16, 64);
    let mut other = plain.clone();
    other.objects.iter_mut().zip(1..).for_each(|(object, load)| object.load = f64::from(load));
    assert_eq!(drawn(&plain, Some(3), 0), drawn(&other, Some(3), 0));
    other.objects.splice(10..10, [sentinel(9.0, 5); 3]);
    let mut with_sentinels = drawn(&other, Some(3), 0);
    assert_eq!(with_sentinels.drain(10..13).collect::<Vec<_>>(), [5; 3]);
    assert_eq!(with_sentinels, drawn(&plain, Some(3), 0));
}

/// As in vt, every rank keeps a migratable object.
#[test]
fn the_object_with_the_lowest_id_of_every_rank_stays() {
    let mut objects: Vec<_> = (0..300_u32).map(|at| object(1.0, 29 - at % 30)).collect();
    objects[3] = sentinel(1.0, 26);
    let made = Made::of(31, objects.clone());
    for seed in 0..20 {
        let drawn = drawn(&made, Some(seed), 0);
        // Objects 0 to 29 are the first of their ranks. Object 3 of rank 26 is a sentinel, so object 33 stays too.
        for at in (0..30).chain([33]) {
            assert_eq!(drawn[at], objects[at].rank, "seed {seed}, object {at}");
        }
        // Of the other 269 objects, 269 / 31 = 8.7 stay on average, with a standard deviation of 2.9.
        let stay = (30..300).filter(|&at| at != 33 && drawn[at] == objects[at].rank).count();
        assert!((1..22).contains(&stay), "seed {seed}: {stay}");
    }
}

/// A change of these draws changes every published result of the strategy.
#[test]
fn draws_are_the_same_in_all_versions() {
    let first = |seed| drawn(&equal(10, 20), Some(seed), 0);
    assert_eq!(first(0), [0, 9, 7, 1, 9, 3, 1, 5, 8, 3, 2, 9, 9, 0, 0, 7, 3, 3, 6, 4]);
    assert_eq!(first(VT_SEED), [0, 2, 5, 7, 8, 9, 9, 3, 3, 7, 6, 6, 8, 9, 8, 8, 1, 3, 9, 3]);
}
