// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results of `BruteForce`: proven to be optimal, or the best within its limits.

use lbaf_strategies::BruteForce;

use super::{max_load, solve_made, synthetic_blocks};
use crate::made_phase::{Made, Object, memory, object, ranks};

/// Asserts that a result has the expected maximum work and no proof, and is refused if a proof is required.
#[track_caller]
fn check_unproven(strategy: &BruteForce, made: &Made, max_work: f64, note: &str, refusal: &str) {
    let checked = solve_made(strategy, made).unwrap();
    assert_eq!(max_load(&checked), max_work);
    assert_eq!((checked.outcome.is_proven, checked.outcome.proven_bound), (Some(false), None));
    assert_eq!(checked.outcome.notes, [note]);
    let strict = BruteForce { require_proof: true, ..strategy.clone() };
    assert_eq!(solve_made(&strict, made).unwrap_err().to_string(), refusal);
}

#[test]
fn a_search_beyond_its_limit_returns_the_best_placement_found() {
    // The mean is 1365 / 28 = 341.25 / 7, so the optimum is at least 342 / 7. The search cannot derive this bound,
    // because rounded loads have no common divisor.
    let made = Made::of(4, (31..61).map(|load| object(f64::from(load) / 7.0, 0)).collect());
    check_unproven(
        &BruteForce { max_nodes: 20_000, ..BruteForce::default() },
        &made,
        342.0 / 7.0,
        "phase 3: the best placement that BruteForce found has maximum work 48.857142857142854, which is not proven to be \
         optimal: the 30 migratable objects of phase 3 have about 10^18 placements on 4 ranks, and 20023 tries \
         (`max_nodes` 20000) did not complete the search; the lower bound of the maximum work is 48.749999999999865",
        "BruteForce: the 30 migratable objects of phase 3 have about 10^18 placements on 4 ranks, and 20023 \
         tries (`max_nodes` 20000) did not complete the search; the best known placement has maximum work \
         48.857142857142854, and the lower bound of the maximum work is 48.749999999999865; raise `max_nodes`, use \
         fewer objects or phases or another strategy, for example Greedy, or accept the best known placement by \
         `require_proof: false`",
    );
}

/// No placement is feasible: 1365 > 4 x 300 bytes.
#[test]
fn a_result_beyond_the_bounds_is_reported_by_its_excess() {
    let object = |bytes: u32| Object { footprint_bytes: f64::from(bytes), ..object(f64::from(bytes % 7), 0) };
    let made = Made::of(4, (31..61).map(object).collect());
    let strategy = BruteForce { max_nodes: 100, ..BruteForce::default() };
    let checked = made.run(&strategy, &memory(300.0), 0).unwrap();
    assert_eq!(checked.outcome.is_proven, Some(false));
    let most = checked.totals.iter().map(|rank| rank.footprint_bytes).fold(0.0, f64::max);
    let reached =
        format!("has a relative excess of {} over the bounds of the work model", (most - 300.0) / 300.0);
    assert!(checked.outcome.notes[0].contains(&reached), "{:?}", checked.outcome.notes);
    let strict = BruteForce { require_proof: true, ..strategy };
    let refusal = made.run(&strict, &memory(300.0), 0).unwrap_err().to_string();
    assert!(refusal.contains(&format!("the best known placement {reached}")), "{refusal}");
}

#[test]
fn with_too_many_objects_the_better_of_start_and_greedy_is_returned() {
    // In quarters of a second, the sum is 3 x 3669 + 2, so the optimum is at least 3670 / 4 = 917.5. Greedy ends at
    // 918.
    let objects = (0..2002).map(|at| object(1.0 + f64::from(at % 4) / 4.0, 0)).collect();
    check_unproven(
        &BruteForce::default(),
        &Made::of(3, objects),
        918.0,
        "phase 3: the best placement that BruteForce found has maximum work 918, which is not proven to be optimal: the \
         2002 migratable objects of phase 3 have about 10^955 placements on 3 ranks, and this is too many for a search; \
         the lower bound of the maximum work is 917.4166666666666",
        "BruteForce: the 2002 migratable objects of phase 3 have about 10^955 placements on 3 ranks, and this is too many \
         for a search; the best known placement has maximum work 918, and the lower bound of the maximum work is \
         917.4166666666666; use fewer objects or phases or another strategy, for example Greedy, or accept the best known \
         placement by `require_proof: false`",
    );
}

/// The two objects of a block start on different ranks.
#[test]
fn too_many_clusters_are_still_gathered() {
    let load = |at: u32| 1.0 + f64::from(at % 5) / 4.0;
    let on_block = |at: u32| Object { block: Some(at / 2), ..object(load(at), at % 3) };
    let objects: Vec<Object> = (0..4004).map(on_block).collect();
    let made = Made { block_bytes: vec![1.0; 2002], ..Made::of(3, objects) };
    let strategy = BruteForce { whole_clusters: true, ..BruteForce::default() };
    let checked = solve_made(&strategy, &made).unwrap();
    assert_eq!(checked.outcome.is_proven, Some(false));
    assert!(ranks(&checked.outcome.assignment).chunks(2).all(|pair| pair[0] == pair[1]));
    // Reference: each block on the rank of its first object.
    let mut gathered = [0.0; 3];
    (0..4004).for_each(|at| gathered[(at / 2 * 2 % 3) as usize] += load(at));
    assert!(max_load(&checked) <= gathered.into_iter().fold(0.0, f64::max));
}

/// Each rank has 10000 s of large objects. Greedy divides the small objects into 7 x 3e-8 s and 5 x 3e-8 s, but the
/// optimum is 6 x 3e-8 s on both ranks. The difference is near the rounding of the lower bound.
#[test]
fn the_rounding_of_bounds_is_not_a_proof() {
    let mut objects = vec![object(1.0, 0); 20_000];
    objects.extend([3.0, 3.0, 2.0, 2.0, 2.0].map(|load| object(load * 3e-8, 0)));
    let checked = solve_made(&BruteForce::default(), &Made::of(2, objects)).unwrap();
    assert!((max_load(&checked) - (10_000.0 + 21e-8)).abs() < 1e-9);
    assert_eq!(checked.outcome.is_proven, Some(false));
}

/// With `skip_transfer`, the result is the start, although another placement may be proven optimal.
#[test]
fn with_skip_transfer_only_an_optimal_start_is_proven() {
    let skip = BruteForce { skip_transfer: true, ..BruteForce::default() };
    let is_proven = |made: &Made| solve_made(&skip, made).unwrap().outcome.is_proven;
    assert_eq!(is_proven(&synthetic_blocks()), None);
    assert_eq!(is_proven(&Made::of(2, vec![object(3.0, 0), object(2.0, 1), object(1.0, 1)])), Some(true));
    // Too many objects for a search.
    assert_eq!(is_proven(&Made::of(3, vec![object(1.0, 0); 30_000])), None);
}

/// The mean is 2001.5 / 3 = 667.17, and sums are multiples of 0.5, so the maximum is at least 667.5.
#[test]
fn more_objects_than_a_search_can_place_are_solved_if_greedy_reaches_a_bound() {
    let mut objects = vec![object(1.0, 0); 2001];
    objects.push(object(0.5, 0));
    let checked = solve_made(&BruteForce::default(), &Made::of(3, objects)).unwrap();
    assert_eq!(max_load(&checked), 667.5);
}

#[test]
fn any_number_of_objects_is_solved_if_greedy_reaches_the_mean() {
    let made = Made::of(3, vec![object(1.0, 0); 30_000]);
    let checked = solve_made(&BruteForce::default(), &made).unwrap();
    assert_eq!(max_load(&checked), 10_000.0);
}
