// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs with special patterns of migration, drifting loads, and hiccups (single times that are much longer): slow ranks
//! are reported as slow, and healthy ranks are not.

use std::collections::BTreeMap;

use lbaf_noise::{Labelling, Slowness, Tolerance};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::made::run_on_nodes;

const N_PHASES: usize = 20;
const N_RUNS: u64 = 10;
const NONE: [u32; 0] = [];

/// Returns the ranks found slow in ten runs of `n_ranks` ranks with 20 objects per rank. `rank` gets the generator,
/// object, phase and previous rank; `load` gets the generator, object, phase and rank. Times have 15 % noise.
fn slow_ranks(
    n_ranks: u32,
    mut rank: impl FnMut(&mut ChaCha8Rng, u32, usize, u32) -> u32,
    mut load: impl FnMut(&mut ChaCha8Rng, u32, usize, u32) -> f64,
) -> Vec<u32> {
    let mut slow = Vec::new();
    for seed in 0..N_RUNS {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let mut ranks: Vec<u32> = (0..20 * n_ranks).map(|object| object % n_ranks).collect();
        let (mut all_ranks, mut loads) = (Vec::new(), Vec::new());
        for phase in 0..N_PHASES {
            let mut of_phase = Vec::new();
            for (object, place) in (0..).zip(&mut ranks) {
                *place = rank(rng, object, phase, *place);
                let noise: f64 = StandardNormal.sample(rng);
                of_phase.push(load(rng, object, phase, *place) * (0.15 * noise).exp());
            }
            all_ranks.push(ranks.clone());
            loads.push(of_phase);
        }
        let data = run_on_nodes(n_ranks as usize, 1, |_| 7, &loads, &all_ranks);
        let labels = Labelling::default().label(&data, &BTreeMap::new());
        let found = Slowness::of(&labels, Tolerance::default());
        slow.extend(found.ranks.iter().filter(|rank| rank.is_slow).map(|rank| rank.rank.0));
    }
    slow
}

/// In each phase, one in twenty objects goes to a random rank.
fn wander(n_ranks: u32) -> impl FnMut(&mut ChaCha8Rng, u32, usize, u32) -> u32 {
    move |rng, _, _, rank| if rng.random_bool(0.05) { rng.random_range(0..n_ranks) } else { rank }
}

/// In each phase, one in twenty objects goes to the next or the previous rank.
fn step(n_ranks: u32) -> impl FnMut(&mut ChaCha8Rng, u32, usize, u32) -> u32 {
    move |rng, _, _, rank| {
        let step = if rng.random_bool(0.5) { 1 } else { n_ranks - 1 };
        if rng.random_bool(0.05) { (rank + step) % n_ranks } else { rank }
    }
}

/// Along a ring of ranks, errors of comparisons could add up. They do not: effects that chance explains count as 0.
#[test]
fn errors_do_not_add_up_along_a_ring_of_ranks() {
    assert_eq!(slow_ranks(48, step(48), |_, _, _, _| 1.0), NONE);
    let slow = |_: &mut ChaCha8Rng, _, _, rank| if rank == 5 { 1.3 } else { 1.0 };
    assert_eq!(slow_ranks(48, step(48), slow), [5; N_RUNS as usize]);
}

/// Objects on two ranks are spread over all ranks in phase 6, while the whole problem shrinks.
#[test]
fn a_common_change_of_all_loads_makes_no_rank_slow() {
    let spread = |rng: &mut ChaCha8Rng, object: u32, phase: usize, rank: u32| match phase {
        0 => object % 2,
        6 => rng.random_range(0..16),
        _ => rank,
    };
    assert_eq!(slow_ranks(16, spread, |_, _, phase, _| 0.95_f64.powf(phase as f64)), NONE);
}

#[test]
fn loads_that_drift_make_no_rank_slow() {
    let drift = || {
        let mut logs = vec![0.0_f64; 20 * 32];
        move |rng: &mut ChaCha8Rng, object: u32, phase: usize, _: u32| {
            let step: f64 = StandardNormal.sample(rng);
            let log = &mut logs[object as usize];
            *log = if phase == 0 { 0.0 } else { *log + 0.1 * step };
            log.exp()
        }
    };
    assert_eq!(slow_ranks(32, wander(32), drift()), NONE);
}

#[test]
fn hiccups_neither_hide_nor_make_slow_ranks() {
    let hiccups = |slow: f64| {
        move |rng: &mut ChaCha8Rng, _, _, rank: u32| {
            let hiccup = if rng.random_bool(0.03) { 10.0 } else { 1.0 };
            if rank == 9 { slow * hiccup } else { hiccup }
        }
    };
    assert_eq!(slow_ranks(16, wander(16), hiccups(1.0)), NONE);
    assert_eq!(slow_ranks(16, wander(16), hiccups(1.3)), [9; N_RUNS as usize]);
}

/// Objects stay within their half of the ranks. One half takes three times as long, but without objects in both, the
/// halves cannot be compared. Rank 3 is slow compared with its own half.
#[test]
fn ranks_between_which_nothing_migrates_are_not_compared() {
    let within = |rng: &mut ChaCha8Rng, _, _, rank: u32| {
        if rng.random_bool(0.05) { rank / 8 * 8 + rng.random_range(0..8_u32) } else { rank }
    };
    let load = |_: &mut ChaCha8Rng, _, _, rank: u32| match rank {
        3 => 1.3,
        0..8 => 1.0,
        _ => 3.0,
    };
    assert_eq!(slow_ranks(16, within, load), [3; N_RUNS as usize]);
}

/// Half of the ranks are slow: the median rank is in the faster half.
#[test]
fn of_two_halves_the_slower_one_is_slow() {
    let load = |_: &mut ChaCha8Rng, _, _, rank: u32| if rank < 4 { 1.0 } else { 1.2 };
    let found = slow_ranks(8, wander(8), load);
    assert_eq!(found, [4, 5, 6, 7].repeat(N_RUNS as usize));
}

/// Rank 0 takes twice as long. Only two of its objects migrate, but all objects of other ranks.
#[test]
fn two_objects_are_not_enough_evidence() {
    let migrate = |_: &mut ChaCha8Rng, object: u32, phase: usize, rank: u32| match object {
        _ if phase != 10 => rank,
        0 | 16 => 1,
        _ if rank == 0 => 0,
        _ => 1 + rank % 15,
    };
    let load = |_: &mut ChaCha8Rng, _, _, rank: u32| if rank == 0 { 2.0 } else { 1.0 };
    assert_eq!(slow_ranks(16, migrate, load), NONE);
}

/// Rank 0 takes three times as long in some phases. It is not reported as slow for the whole run: neither if a few
/// objects migrate in each phase, nor if all are redistributed in phase 4, before or during the slow phases.
#[test]
fn ranks_that_are_slow_in_a_part_of_the_run_are_not_slow_for_all_of_it() {
    for slow in [12..20, 8..20, 5..20, 6..14, 0..6] {
        let load = |_: &mut ChaCha8Rng, object, phase, rank| {
            let slowdown = if rank == 0 && slow.contains(&phase) { 3.0 } else { 1.0 };
            slowdown * f64::from(1 + object % 7)
        };
        assert_eq!(slow_ranks(8, wander(8), load), NONE, "{slow:?}");
        let dealt =
            |rng: &mut ChaCha8Rng, _, phase, rank| if phase == 4 { rng.random_range(0..8) } else { rank };
        assert_eq!(slow_ranks(8, dealt, load), NONE, "{slow:?}, redistributed");
    }
}
