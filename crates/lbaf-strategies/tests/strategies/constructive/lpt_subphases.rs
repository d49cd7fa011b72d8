// SPDX-License-Identifier: MIT OR Apache-2.0
//! `LPT` with `subphases`: ranks wait for each other after every subphase.

use lbaf_model::{Affine, AffineParameters, Assignment, LoadOnly, RankId, Synchronised, synchronised_bound};
use lbaf_strategies::Lpt;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::cases;
use crate::made_phase::{Made, memory, object, ranks, sentinel};
use crate::posed::{assert_stays_within_bounds, posed};

const LPT: Lpt = Lpt { homeward: false, tolerance: 1.0, subphases: true };

/// Returns objects on rank 0 with these seconds in each subphase.
fn made(n_ranks: usize, subphases: &[Vec<f64>]) -> Made {
    let load = |seconds: &Vec<f64>| seconds.iter().sum::<f64>() + 0.0;
    let objects = subphases.iter().map(|seconds| object(load(seconds), 0)).collect();
    Made { subphases: subphases.to_vec(), ..Made::of(n_ranks, objects) }
}

fn placed(made: &Made) -> Assignment {
    made.run(&LPT, &LoadOnly::default(), 0).unwrap().outcome.assignment
}

fn seconds(made: &Made, assignment: &Assignment) -> f64 {
    Synchronised::of(&made.phase(), assignment).unwrap().seconds()
}

/// Returns the least seconds of all placements.
fn fewest(made: &Made) -> f64 {
    let (n_ranks, n_objects) = (made.alphas.len(), made.objects.len());
    let movable: Vec<usize> = (0..n_objects).filter(|&at| made.objects[at].migratable).collect();
    let placement = |number: usize| {
        let mut ranks: Vec<RankId> = made.objects.iter().map(|object| RankId(object.rank)).collect();
        for (place, &at) in movable.iter().enumerate() {
            ranks[at] = RankId::from(number / n_ranks.pow(place as u32) % n_ranks);
        }
        Assignment::new(ranks)
    };
    let all = (0..n_ranks.pow(movable.len() as u32)).map(|number| seconds(made, &placement(number)));
    all.fold(f64::INFINITY, f64::min)
}

/// At the start, one rank works for 2 s in each subphase while the other waits.
#[test]
fn an_even_phase_becomes_even_in_every_subphase() {
    let first = [vec![1.0, 0.0], vec![1.0, 0.0], vec![0.0, 1.0], vec![0.0, 1.0]];
    let mut made = made(2, &first);
    made.objects[2].rank = 1;
    made.objects[3].rank = 1;
    let whole = made.run(&Lpt::default(), &LoadOnly::default(), 0).unwrap().outcome.assignment;
    let at_start = made.phase().recorded_assignment().clone();
    assert_eq!((seconds(&made, &at_start), fewest(&made)), (4.0, 2.0));
    assert!(seconds(&made, &whole) >= 2.0);
    let placed = placed(&made);
    assert_eq!(seconds(&made, &placed), 2.0);
    assert_eq!(placed.migrations_from(&at_start).count(), 2);
}

/// The subphases have one, two and three equal objects for each rank, so the lower bound is the optimum.
#[test]
fn subphases_that_share_no_object_are_balanced_independently() {
    let sizes = [1.0, 0.25, 4.0];
    let n_ranks = 5;
    let one = |subphase: usize| {
        let mut seconds = vec![0.0; sizes.len()];
        seconds[subphase] = sizes[subphase];
        seconds
    };
    let objects: Vec<Vec<f64>> =
        (0..n_ranks * (1 + 2 + 3)).map(|at| one([0, 1, 1, 2, 2, 2][at % 6])).collect();
    let made = made(n_ranks, &objects);
    let optimum = 1.0 + 2.0 * 0.25 + 3.0 * 4.0;
    assert_eq!(synchronised_bound(&made.phase()).unwrap().seconds(), optimum);
    assert_eq!(seconds(&made, &placed(&made)), optimum);
}

#[test]
fn an_idle_phase_needs_no_subphases() {
    for objects in [vec![], vec![object(0.0, 1)]] {
        let made = Made::of(2, objects);
        assert_eq!(placed(&made), *made.phase().recorded_assignment());
    }
}

#[test]
fn missing_subphase_times_and_homeward_are_refused() {
    let plain = Made::of(2, vec![object(1.0, 0)]);
    let refusal = |made: &Made, lpt: &Lpt| made.run(lpt, &LoadOnly::default(), 0).unwrap_err().to_string();
    assert_eq!(
        refusal(&plain, &LPT),
        "LPT: `subphases`: no task of phase 3 has times of subphases; without `subphases`, the phase is balanced as a \
         whole"
    );
    assert_eq!(
        refusal(&made(2, &[vec![1.0]]), &Lpt { homeward: true, ..LPT }),
        "LPT: `homeward`: cannot be combined with `subphases`, because it considers only the work \
         of ranks"
    );
}

/// Rank 1 is idle, but its memory is full.
#[test]
fn full_ranks_take_nothing() {
    let mut made = made(3, &[vec![2.0, 0.0], vec![2.0, 0.0], vec![0.0, 2.0], vec![0.0, 2.0], vec![0.0, 0.0]]);
    made.objects[4] = sentinel(0.0, 1);
    for (object, bytes) in made.objects.iter_mut().zip([1.0, 1.0, 1.0, 1.0, 4.0]) {
        object.footprint_bytes = bytes;
    }
    let checked = made.run(&LPT, &memory(4.0), 0).unwrap();
    assert!(!checked.infeasible);
    assert_eq!(seconds(&made, &checked.outcome.assignment), 4.0);
    assert!(!ranks(&checked.outcome.assignment)[..4].contains(&1));
}

/// Sentinels and objects without time stay. Communication does not count.
#[test]
fn only_objects_with_time_move() {
    let mut made = made(2, &[vec![1.0], vec![0.0], vec![1.0], vec![1.0]]);
    made.objects[0].migratable = false;
    made.edges = vec![(2, 3, 1e9)];
    let model = Affine::new(AffineParameters { beta: 1.0, ..AffineParameters::default() }).unwrap();
    let placed = ranks(&made.run(&LPT, &model, 0).unwrap().outcome.assignment);
    assert_eq!(placed[..2], [0, 0]);
    assert_eq!(placed[2..].iter().filter(|&&rank| rank == 1).count(), 1);
}

fn small() -> impl Strategy<Value = Made> {
    let seconds =
        prop_oneof![2 => (1..9_u32).prop_map(|n| f64::from(n) / 4.0), 1 => 0.0..2.0, 2 => Just(0.0)];
    let alpha = prop_oneof![3 => Just(1.0), 1 => 0.5..2.0];
    (1..4_usize, vec(alpha, 2..4)).prop_flat_map(move |(n_subphases, alphas)| {
        let n_ranks = alphas.len() as u32;
        vec((vec(seconds.clone(), n_subphases), 0..n_ranks, prop::bool::weighted(0.9)), 1..7).prop_map(
            move |objects| {
                let times: Vec<Vec<f64>> = objects.iter().map(|(seconds, ..)| seconds.clone()).collect();
                let mut made = Made { alphas: alphas.clone(), ..made(n_ranks as usize, &times) };
                for (object, &(_, rank, migratable)) in made.objects.iter_mut().zip(&objects) {
                    (object.rank, object.migratable) = (rank, migratable);
                }
                made
            },
        )
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn it_never_takes_longer(made in small()) {
        let found = seconds(&made, &placed(&made));
        let start = seconds(&made, made.phase().recorded_assignment());
        let bound = synchronised_bound(&made.phase()).unwrap().seconds();
        prop_assert!(found <= start, "{found} after {start}");
        prop_assert!(bound <= found * (1.0 + 1e-12), "{found} below {bound}");
    }

    /// If every object has time in one subphase only, each subphase is placed like a phase. The start is kept if it
    /// takes less time.
    #[test]
    fn objects_with_one_subphase_each_are_placed_by_lpt_in_each_subphase(objects in vec((0..3_usize, 0.1..2.0), 1..25), n_ranks in 1..5_usize) {
        let one = |&(subphase, seconds): &(usize, f64)| {
            let mut times = vec![0.0; 3];
            times[subphase] = seconds;
            times
        };
        let made = made(n_ranks, &objects.iter().map(one).collect::<Vec<_>>());
        let of_subphase = |wanted: usize| {
            let mut loads: Vec<f64> =
                objects.iter().filter(|(subphase, _)| *subphase == wanted).map(|(_, load)| *load).collect();
            loads.sort_by(|a, b| b.total_cmp(a));
            let mut ranks = vec![0.0_f64; n_ranks];
            for load in loads {
                let least = (0..n_ranks).min_by(|&a, &b| ranks[a].total_cmp(&ranks[b])).unwrap();
                ranks[least] += load;
            }
            ranks.into_iter().fold(0.0, f64::max)
        };
        let expected: f64 = (0..3).map(of_subphase).sum();
        let start = seconds(&made, made.phase().recorded_assignment());
        let found = seconds(&made, &placed(&made));
        prop_assert!((found - expected.min(start)).abs() <= 1e-9 * expected, "{found}, not {expected}");
    }

    #[test]
    fn a_start_within_bounds_stays_within_them((mut made, model) in posed(), split in vec(0.0..1.0, 64)) {
        let parts = split.iter().cycle();
        made.subphases =
            made.objects.iter().zip(parts).map(|(object, part)| vec![object.load * part, object.load * (1.0 - part)]).collect();
        assert_stays_within_bounds(&LPT, &made, &model)?;
    }
}

#[test]
fn few_objects_come_near_the_optimum() {
    let mut runner = TestRunner::new(cases(1));
    let (mut sum, mut worst, mut n_optimal) = (0.0, 1.0_f64, 0);
    for _ in 0..300 {
        let made = small().new_tree(&mut runner).unwrap().current();
        let (found, best) = (seconds(&made, &placed(&made)), fewest(&made));
        let ratio = if best > 0.0 { found / best } else { 1.0 };
        assert!(ratio >= 1.0 - 1e-12, "{made:?}");
        sum += ratio;
        worst = worst.max(ratio);
        n_optimal += usize::from(ratio <= 1.0 + 1e-12);
    }
    assert!(sum / 300.0 < 1.03 && worst < 1.5 && n_optimal > 200, "{} {worst} {n_optimal}", sum / 300.0);
}
