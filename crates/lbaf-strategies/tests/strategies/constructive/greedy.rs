// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Greedy` compared with a reference implementation and with the optimum.

use lbaf_model::LoadOnly;
use lbaf_strategies::{Greedy, Pool};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::{Made, Object, object, ranks, sentinel};

/// Draws loads with zeros and many ties, also between sums of loads.
pub(crate) fn load() -> impl Strategy<Value = f64> {
    prop_oneof![
        1 => Just(0.0),
        4 => (1..6_u8).prop_map(f64::from),
        4 => (1..9_u8).prop_map(|tenths| f64::from(tenths) / 10.0),
        4 => 0.0..2.0_f64,
    ]
}

/// Draws values of alpha: often 1, also 0, and values whose products with loads are rounded.
pub(crate) fn alpha() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => Just(1.0),
        1 => Just(0.0),
        3 => prop::sample::select(vec![0.1, 0.3, 0.5, 0.7, 2.0, 3.0]),
        3 => 0.05..4.0_f64,
    ]
}

fn objects(n_ranks: usize, n_objects: usize) -> impl Strategy<Value = Vec<Object>> {
    let one = (load(), 0..n_ranks as u32, any::<u8>())
        .prop_map(|(load, rank, chance)| Object { migratable: chance >= 40, ..object(load, rank) });
    vec(one, 0..=n_objects)
}

pub(crate) fn made(alphas: impl Strategy<Value = Vec<f64>>) -> impl Strategy<Value = Made> {
    alphas.prop_flat_map(|alphas| {
        let objects = objects(alphas.len(), 60);
        objects.prop_map(move |objects| Made { alphas: alphas.clone(), ..Made::of(0, objects) })
    })
}

/// Reference implementation of longest processing time first. O(n^2 + n P).
///
/// Of equal loads and of equal ranks, the first is used. Objects without load stay.
pub(crate) fn longest_first(made: &Made, pool: &[usize]) -> Vec<u32> {
    let mut pool: Vec<usize> = pool.iter().copied().filter(|&at| made.objects[at].load > 0.0).collect();
    pool.sort_by(|&a, &b| made.objects[b].load.total_cmp(&made.objects[a].load).then(a.cmp(&b)));
    let mut loads = vec![0.0; made.alphas.len()];
    let mut placement: Vec<u32> = made.objects.iter().map(|object| object.rank).collect();
    for (at, object) in made.objects.iter().enumerate() {
        if !pool.contains(&at) {
            loads[object.rank as usize] += object.load;
        }
    }
    for at in pool {
        let load = made.objects[at].load;
        let mut best = 0;
        for rank in 1..loads.len() {
            if made.alphas[rank] * (loads[rank] + load) < made.alphas[best] * (loads[best] + load) {
                best = rank;
            }
        }
        loads[best] += load;
        placement[at] = best as u32;
    }
    placement
}

pub(crate) fn movable(made: &Made) -> Vec<usize> {
    (0..made.objects.len()).filter(|&at| made.objects[at].migratable).collect()
}

/// Returns the documented pool of vt. Every rank offers its smallest objects until its load is at most `threshold *
/// mean`. The threshold is `clamp(1 - imbalance, min, max)` with `auto`, otherwise `min`.
fn excess(made: &Made, greedy: &Greedy) -> Vec<usize> {
    let mut loads = vec![0.0; made.alphas.len()];
    for object in &made.objects {
        loads[object.rank as usize] += object.load;
    }
    let mean = loads.iter().sum::<f64>() / loads.len() as f64;
    let maximum = loads.iter().copied().fold(0.0, f64::max);
    let imbalance = if mean > 0.0 { maximum / mean - 1.0 } else { 0.0 };
    let threshold = match greedy.auto {
        true if 1.0 - imbalance < greedy.min => greedy.min,
        true if 1.0 - imbalance > greedy.max => greedy.max,
        true => 1.0 - imbalance,
        false => greedy.min,
    };
    let mut offered = Vec::new();
    for (rank, load) in loads.iter_mut().enumerate() {
        let here = |&at: &usize| made.objects[at].rank as usize == rank;
        let mut own: Vec<usize> = movable(made).into_iter().filter(here).collect();
        own.sort_by(|&a, &b| made.objects[a].load.total_cmp(&made.objects[b].load).then(a.cmp(&b)));
        for at in own {
            if *load <= threshold * mean {
                break;
            }
            *load -= made.objects[at].load;
            offered.push(at);
        }
    }
    offered
}

fn placed(made: &Made, greedy: &Greedy) -> Vec<u32> {
    ranks(&made.run(greedy, &LoadOnly::default(), 0).unwrap().outcome.assignment)
}

/// Lowers `best` to the least maximum load on equal ranks, if it is smaller.
fn optimum(loads: &[f64], sums: &mut Vec<f64>, best: &mut f64) {
    let Some((&load, rest)) = loads.split_first() else {
        *best = best.min(sums.iter().copied().fold(0.0, f64::max));
        return;
    };
    for rank in 0..sums.len() {
        let before = sums[rank];
        sums[rank] += load;
        if sums[rank] < *best {
            optimum(rest, sums, best);
        }
        sums[rank] = before;
    }
}

/// Returns the bound of R. L. Graham 1969 (doi:10.1137/0117039) for longest processing time first, as a factor on the
/// optimum.
pub(crate) fn grahams_factor(n_ranks: usize) -> f64 {
    4.0 / 3.0 - 1.0 / (3.0 * n_ranks as f64)
}

/// Asserts that the maximum load is from 1 to `factor` times the least maximum load on equal ranks.
pub(crate) fn assert_within_factor(
    strategy: &dyn lbaf_strategies::Strategy,
    n_ranks: usize,
    loads: &[f64],
    factor: f64,
) -> Result<(), TestCaseError> {
    let made = Made::of(n_ranks, loads.iter().map(|&load| object(load, 0)).collect());
    let checked = made.run(strategy, &LoadOnly::default(), 0).unwrap();
    let found = checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max);
    let mut best = loads.iter().sum::<f64>() * (1.0 + 1e-9) + 1e-9;
    optimum(loads, &mut vec![0.0; n_ranks], &mut best);
    prop_assert!(found <= factor * best * (1.0 + 1e-12), "{found} is more than {factor} x {best}");
    prop_assert!(found >= best * (1.0 - 1e-12), "{found} beats the optimum {best}");
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn places_the_longest_first(made in made(vec(alpha(), 1..12))) {
        prop_assert_eq!(placed(&made, &Greedy::default()), longest_first(&made, &movable(&made)));
    }

    #[test]
    fn pools_the_documented_excess(
        made in made((1..12_usize).prop_map(|n| vec![1.0; n])),
        (min, width) in (0.0..1.2_f64, 0.0..0.5_f64),
        auto in any::<bool>(),
        defaults in any::<bool>(),
    ) {
        let mut greedy = Greedy { pool: Pool::Excess, auto, ..Greedy::default() };
        if !defaults {
            (greedy.min, greedy.max) = (min, min + width);
        }
        prop_assert_eq!(placed(&made, &greedy), longest_first(&made, &excess(&made, &greedy)));
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn is_within_grahams_bound_of_the_optimum(n_ranks in 1..5_usize, loads in vec(load(), 1..9)) {
        assert_within_factor(&Greedy::default(), n_ranks, &loads, grahams_factor(n_ranks))?;
    }
}

/// `0.1 * (24 + 2) == 1 * (0.6 + 2)`, but `0.1 * 24 + 0.1 * 2` is larger by rounding.
#[test]
fn of_ranks_that_end_an_object_at_the_same_time_the_first_is_used() {
    let objects = vec![sentinel(24.0, 0), sentinel(0.6, 1), object(2.0, 1)];
    let made = Made { alphas: vec![0.1, 1.0], ..Made::of(0, objects) };
    assert_eq!(placed(&made, &Greedy::default()), [0, 1, 0]);
}

/// Graham's example has 2P + 1 objects.
#[test]
fn reaches_grahams_bound_on_his_example() {
    for n_ranks in 2..5_u32 {
        let p = f64::from(n_ranks);
        let mut loads: Vec<f64> = (n_ranks..2 * n_ranks).flat_map(|load| [f64::from(load); 2]).collect();
        loads.push(p);
        let made = Made::of(n_ranks as usize, loads.iter().map(|&load| object(load, 0)).collect());
        let checked = made.run(&Greedy::default(), &LoadOnly::default(), 0).unwrap();
        let found = checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max);
        // The optimum is P + P + P = 3P on one rank, and a pair with the sum 3P on each other rank.
        let mut best = f64::INFINITY;
        optimum(&loads, &mut vec![0.0; n_ranks as usize], &mut best);
        assert_eq!([found, best], [4.0 * p - 1.0, 3.0 * p]);
    }
}

#[test]
fn refuses_invalid_thresholds() {
    for (min, max, message) in [
        (1.5, 1.0, "Greedy: `min` 1.5 and `max` 1 must be finite, with 0 <= min <= max"),
        (-0.5, 1.0, "Greedy: `min` -0.5 and `max` 1 must be finite, with 0 <= min <= max"),
        (0.5, f64::NAN, "Greedy: `min` 0.5 and `max` NaN must be finite, with 0 <= min <= max"),
        (0.5, f64::INFINITY, "Greedy: `min` 0.5 and `max` inf must be finite, with 0 <= min <= max"),
    ] {
        let greedy = Greedy { min, max, ..Greedy::default() };
        let error = Made::of(2, Vec::new()).run(&greedy, &LoadOnly::default(), 0).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    // Without `auto`, `max` has no effect.
    for (min, refused) in [(1.5, false), (-0.5, true), (f64::INFINITY, true), (f64::NAN, true)] {
        let greedy = Greedy { min, auto: false, pool: Pool::Excess, ..Greedy::default() };
        let outcome = Made::of(2, vec![object(1.0, 0)]).run(&greedy, &LoadOnly::default(), 0);
        assert_eq!(outcome.is_err(), refused, "{min}");
    }
}
