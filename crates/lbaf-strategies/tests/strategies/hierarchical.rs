// SPDX-License-Identifier: MIT OR Apache-2.0
//! `HierarchicalLB`: comparisons with Greedy and with a reference implementation, and cases computed by hand.

use lbaf_model::{Affine, AffineParameters, LoadOnly, WorkModel, rank_totals, works};
use lbaf_strategies::{Greedy, HierarchicalLB, OfferOrder, Pool, Strategy as Balancer};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::bounds::{draw, made as bounded, tight};
use crate::cases;
use crate::made_phase::{Made, Object, object, ranks, sentinel};

fn placed(made: &Made, strategy: &dyn Balancer, model: &dyn WorkModel) -> Vec<u32> {
    ranks(&made.run(strategy, model, 0).unwrap().outcome.assignment)
}

/// Returns the strategy without exchanges.
fn plain() -> HierarchicalLB {
    HierarchicalLB { exchange: false, ..HierarchicalLB::default() }
}

fn max_load(made: &Made, strategy: &dyn Balancer) -> f64 {
    let checked = made.run(strategy, &LoadOnly::default(), 0).unwrap();
    checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max)
}

/// Draws objects on equal ranks. Loads are whole numbers, so sums are exact.
fn made(n_ranks: std::ops::Range<usize>) -> impl Strategy<Value = Made> {
    n_ranks.prop_flat_map(|n_ranks| {
        let one = (0..20_u8, 0..n_ranks as u32, any::<u8>());
        let one = one.prop_map(|(load, rank, chance)| Object {
            migratable: chance >= 30,
            ..object(f64::from(load), rank)
        });
        vec(one, 0..80).prop_map(move |objects| Made::of(n_ranks, objects))
    })
}

/// Places objects, the largest first, each in the subtree that then has the least load relative to its size.
fn largest_first(
    made: &Made,
    mut objects: Vec<usize>,
    sizes: &[f64],
    mut loads: Vec<f64>,
) -> Vec<Vec<usize>> {
    objects.sort_by(|&a, &b| made.objects[b].load.total_cmp(&made.objects[a].load).then(a.cmp(&b)));
    let mut given = vec![Vec::new(); sizes.len()];
    for at in objects {
        let load = made.objects[at].load;
        let end = |&to: &usize| (loads[to] + load) / sizes[to];
        let best = (0..sizes.len()).min_by(|a, b| end(a).total_cmp(&end(b))).expect("there is a subtree");
        loads[best] += load;
        given[best].push(at);
    }
    given
}

/// Reference implementation for a root over groups of `arity` ranks, with all migratable objects in the pool.
///
/// The threshold is `mean * clamp(1 - imbalance, 0.8, 1.004)`.
fn two_levels(made: &Made, arity: usize) -> Vec<u32> {
    let n_ranks = made.alphas.len();
    let groups: Vec<Vec<usize>> =
        (0..n_ranks).collect::<Vec<_>>().chunks(arity).map(<[usize]>::to_vec).collect();
    let (mut fixed, mut all) = (vec![0.0; n_ranks], vec![0.0; n_ranks]);
    let mut placement = Vec::new();
    for object in &made.objects {
        all[object.rank as usize] += object.load;
        if !object.migratable {
            fixed[object.rank as usize] += object.load;
        }
        placement.push(object.rank);
    }
    let mean = all.iter().sum::<f64>() / n_ranks as f64;
    let imbalance = if mean > 0.0 { all.iter().copied().fold(0.0, f64::max) / mean - 1.0 } else { 0.0 };
    let most = (1.0 - imbalance).clamp(0.8, 1.004) * mean;

    // Up: in each group, the largest objects first, each to the least loaded rank. The first object that raises a rank
    // above the threshold moves up, with all objects after it.
    let (mut kept, mut passed) = (vec![Vec::new(); groups.len()], Vec::new());
    for (group, members) in groups.iter().enumerate() {
        let here = |&at: &usize| {
            let object = &made.objects[at];
            object.migratable && object.load > 0.0 && members.contains(&(object.rank as usize))
        };
        let mut objects: Vec<usize> = (0..made.objects.len()).filter(here).collect();
        objects.sort_by(|&a, &b| made.objects[b].load.total_cmp(&made.objects[a].load).then(a.cmp(&b)));
        let mut loads: Vec<f64> = members.iter().map(|&rank| fixed[rank]).collect();
        let mut is_full = false;
        for at in objects {
            let least = (0..loads.len()).min_by(|&a, &b| loads[a].total_cmp(&loads[b])).expect("a rank");
            loads[least] += made.objects[at].load;
            is_full |= loads[least] > most;
            if is_full { passed.push(at) } else { kept[group].push(at) }
        }
    }
    // Down: to groups, then to ranks.
    let of = |objects: &[usize]| objects.iter().map(|&at| made.objects[at].load).sum::<f64>();
    let sizes: Vec<f64> = groups.iter().map(|members| members.len() as f64).collect();
    let loads = groups.iter().zip(&kept);
    let loads = loads.map(|(members, kept)| members.iter().map(|&rank| fixed[rank]).sum::<f64>() + of(kept));
    let given = largest_first(made, passed, &sizes, loads.collect());
    for ((members, kept), given) in groups.iter().zip(kept).zip(given) {
        let loads = members.iter().map(|&rank| fixed[rank]).collect();
        let placed = largest_first(made, [kept, given].concat(), &vec![1.0; members.len()], loads);
        for (rank, objects) in members.iter().zip(placed) {
            for at in objects {
                placement[at] = *rank as u32;
            }
        }
    }
    placement
}

fn order() -> impl Strategy<Value = OfferOrder> {
    use OfferOrder::{LoadOverGreaterThan, LoadOverLessThan, LoadOverOneEach};
    prop::sample::select(vec![LoadOverLessThan, LoadOverGreaterThan, LoadOverOneEach])
}

proptest! {
    #![proptest_config(cases(800))]

    /// Divisions by group sizes of 4 or 8 are exact.
    #[test]
    fn two_levels_follow_the_description(made in made(1..17), arity in prop::sample::select(vec![4_u32, 8])) {
        let hierarchical = HierarchicalLB { arity, ..plain() };
        if made.alphas.len() <= (arity * arity) as usize && made.alphas.len() % arity as usize == 0 {
            let placed = placed(&made, &hierarchical, &LoadOnly::default());
            prop_assert_eq!(placed, two_levels(&made, arity as usize));
        }
    }

    #[test]
    fn one_group_is_greedy(made in made(1..9), excess in any::<bool>(), auto in any::<bool>(), min in 0.0..1.0_f64) {
        let pool = if excess { Pool::Excess } else { Pool::All };
        let hierarchical = HierarchicalLB { pool, auto, min, ..plain() };
        let greedy = Greedy { pool, auto, min, ..Greedy::default() };
        let model = LoadOnly::default();
        prop_assert_eq!(placed(&made, &hierarchical, &model), placed(&made, &greedy, &model));
    }

    /// The start may be over its bounds.
    #[test]
    fn one_group_is_greedy_within_bounds(made in bounded(|byte| f64::from(byte % 8)), drawn in draw()) {
        let (quantity, scope, slack) = drawn;
        let bounds = vec![tight(&made, quantity, scope, slack - 0.5)];
        let model = Affine::new(AffineParameters { bounds, ..AffineParameters::default() }).unwrap();
        let hierarchical = placed(&made, &plain(), &model);
        prop_assert_eq!(hierarchical, placed(&made, &Greedy::default(), &model));
    }

    #[test]
    fn a_start_within_bounds_stays_within_them(
        made in bounded(|byte| f64::from(byte) / 7.0 + 0.1),
        drawn in vec(draw(), 1..4),
        (arity, order, excess) in (2..4_u32, order(), any::<bool>()),
    ) {
        let bounds = drawn.iter().map(|&(quantity, scope, slack)| tight(&made, quantity, scope, slack)).collect();
        let model = Affine::new(AffineParameters { bounds, ..AffineParameters::default() }).unwrap();
        let phase = made.phase();
        let start = works(&model, &phase, &rank_totals(&phase, phase.recorded_assignment()));
        prop_assert!(start.iter().all(|work| !work.is_over_bound()));
        let pool = if excess { Pool::Excess } else { Pool::All };
        let strategy = HierarchicalLB { pool, arity, strategy: order, ..plain() };
        let checked = made.run(&strategy, &model, 0).unwrap();
        prop_assert!(!checked.infeasible, "{:?}", checked.works);
    }

    /// After any further move or exchange of an object of the most loaded rank, one of the two ranks would have at
    /// least the load that the most loaded rank has now. The maximum load is no larger than without exchanges.
    #[test]
    fn no_remaining_exchange_would_help(made in made(1..9)) {
        let before = max_load(&made, &plain());
        let checked = made.run(&HierarchicalLB::default(), &LoadOnly::default(), 0).unwrap();
        let loads: Vec<f64> = checked.totals.iter().map(|rank| rank.load).collect();
        let most = (0..loads.len()).rev().max_by(|&a, &b| loads[a].total_cmp(&loads[b])).expect("a rank");
        prop_assert!(loads[most] <= before);
        let of = |rank: usize| {
            let placed = made.objects.iter().zip(checked.outcome.assignment.as_slice());
            let here = placed.filter(move |(object, at)| object.migratable && object.load > 0.0 && at.index() == rank);
            here.map(|(object, _)| object.load).collect::<Vec<_>>()
        };
        for to in (0..loads.len()).filter(|&to| to != most) {
            for given in of(most) {
                for taken in of(to).into_iter().chain([0.0]) {
                    let end = (loads[most] - given + taken).max(loads[to] + given - taken);
                    prop_assert!(end >= loads[most], "{given} for {taken} of rank {to} ends at {end}: {loads:?}");
                }
            }
        }
    }

    #[test]
    fn ranks_offer_their_excess_in_order(
        loads in vec(vec(1..40_u8, 0..30), 1..6),
        order in order(),
        min in 0.1..1.2_f64,
    ) {
        let n_ranks = loads.len();
        let objects = (0..).zip(&loads);
        let objects = objects.flat_map(|(rank, loads)| loads.iter().map(move |&load| object(f64::from(load), rank)));
        let made = Made::of(n_ranks, objects.collect());
        let total = |loads: &[u8]| loads.iter().map(|&load| f64::from(load)).sum::<f64>();
        let mean = loads.iter().map(|loads| total(loads)).sum::<f64>() / n_ranks as f64;
        let (mut pool, mut left, mut first) = (Vec::new(), Vec::new(), 0);
        for loads in &loads {
            let offered = offered(loads, order, min * mean);
            left.push(total(loads) - offered.iter().map(|&at| f64::from(loads[at])).sum::<f64>());
            pool.extend(offered.into_iter().map(|at| first + at));
            first += loads.len();
        }
        let mut expected: Vec<u32> = made.objects.iter().map(|object| object.rank).collect();
        for (rank, objects) in (0..).zip(largest_first(&made, pool, &vec![1.0; n_ranks], left)) {
            for at in objects {
                expected[at] = rank;
            }
        }
        let strategy = HierarchicalLB {
            pool: Pool::Excess, auto: false, min, strategy: order, ..plain()
        };
        prop_assert_eq!(placed(&made, &strategy, &LoadOnly::default()), expected);
    }
}

/// Returns the objects that a rank offers until its remaining load is at most the threshold.
fn offered(loads: &[u8], order: OfferOrder, threshold: f64) -> Vec<usize> {
    let mut left: Vec<usize> = (0..loads.len()).collect();
    left.sort_by_key(|&at| (loads[at], at));
    let mut queue = Vec::new();
    match order {
        OfferOrder::LoadOverLessThan => queue = left,
        OfferOrder::LoadOverGreaterThan => {
            queue = left;
            queue.sort_by_key(|&at| (u8::MAX - loads[at], at));
        }
        OfferOrder::LoadOverOneEach => {
            while !left.is_empty() {
                // Loads with the same power of two (1; 2 and 3; 4 to 7; ...) have the same size.
                let mut taken = Vec::new();
                for &at in &left {
                    let is_first = |&other: &usize| loads[other].ilog2() != loads[at].ilog2();
                    if taken.iter().all(is_first) {
                        taken.push(at);
                    }
                }
                left.retain(|at| !taken.contains(at));
                queue.extend(taken);
            }
        }
    }
    let mut remaining: f64 = loads.iter().map(|&load| f64::from(load)).sum();
    queue
        .into_iter()
        .take_while(|&at| {
            let offers = remaining > threshold;
            remaining -= f64::from(loads[at]);
            offers
        })
        .collect()
}

/// Groups of two ranks, mean 10, threshold 0.8 x 10 = 8. The first group keeps the two objects of 6. The objects of
/// 4 move up, because 6 + 4 > 8. Three objects bring the second group to 12, like the first group. Then each group
/// gets an object in turn.
#[test]
fn large_objects_stay_in_their_group_and_small_ones_travel() {
    let loads = [6.0, 6.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0];
    let made = Made::of(4, loads.into_iter().map(|load| object(load, 0)).collect());
    let hierarchical = HierarchicalLB { arity: 2, ..plain() };
    let placed = placed(&made, &hierarchical, &LoadOnly::default());
    assert_eq!(placed, [0, 1, 2, 3, 2, 0, 3, 1, 2]);
    assert_eq!(max_load(&made, &hierarchical), 12.0);
}

/// The speeds of the groups are 1 / 1 + 1 / 0.5 = 3 and 1 / 1 + 1 / 1 = 2.
#[test]
fn a_fast_subtree_gets_more() {
    let objects = (0..30).map(|_| object(1.0, 3)).collect();
    let made = Made { alphas: vec![1.0, 0.5, 1.0, 1.0], ..Made::of(4, objects) };
    let hierarchical = HierarchicalLB { arity: 2, ..plain() };
    let placed = placed(&made, &hierarchical, &LoadOnly::default());
    let count = |rank: u32| placed.iter().filter(|&&at| at == rank).count();
    assert_eq!([0, 1, 2, 3].map(count), [6, 12, 6, 6]);
}

#[test]
fn many_levels_end_near_the_mean() {
    let objects = (0..6000_u32).map(|at| object(f64::from(1 + at * 7919 % 1000), at % 7)).collect();
    let mut made = Made::of(300, objects);
    made.objects.push(sentinel(2000.0, 299));
    let mean = made.objects.iter().map(|object| object.load).sum::<f64>() / 300.0;
    let best = max_load(&made, &Greedy::default());
    for (arity, order) in [
        (2, OfferOrder::LoadOverLessThan),
        (3, OfferOrder::LoadOverOneEach),
        (8, OfferOrder::LoadOverLessThan),
    ] {
        let hierarchical = HierarchicalLB { arity, strategy: order, ..plain() };
        let found = max_load(&made, &hierarchical);
        assert!(found < mean * 1.005, "arity {arity}: {found} with a mean of {mean}, and {best} by greedy");
    }
}

#[test]
fn threads_that_share_a_level_change_nothing() {
    let objects = (0..3000_u32).map(|at| object(f64::from(1 + at * 7919 % 1000) / 7.0, at % 11));
    let made = Made::of(100, objects.collect());
    let hierarchical = HierarchicalLB { arity: 3, ..HierarchicalLB::default() };
    let [one, four] = [1, 4].map(|n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| placed(&made, &hierarchical, &LoadOnly::default()))
    });
    assert_eq!(one, four);
}

#[test]
fn trees_without_branches_and_contradictory_thresholds_are_refused() {
    for arity in [0, 1] {
        let hierarchical = HierarchicalLB { arity, ..plain() };
        let error = Made::of(2, Vec::new()).run(&hierarchical, &LoadOnly::default(), 0).unwrap_err();
        let expected = format!("HierarchicalLB: `arity`: a node needs at least 2 subtrees, not {arity}");
        assert_eq!(error.to_string(), expected);
    }
    let hierarchical = HierarchicalLB { min: 1.5, ..plain() };
    let error = Made::of(2, Vec::new()).run(&hierarchical, &LoadOnly::default(), 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "HierarchicalLB: `min` 1.5 and `max` 1.004 must be finite, with 0 <= min <= max"
    );
}
