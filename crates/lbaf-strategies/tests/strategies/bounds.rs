// SPDX-License-Identifier: MIT OR Apache-2.0
//! Upper bounds: Greedy keeps a feasible start feasible, and several strategies repair an infeasible start.

use lbaf_model::{
    Affine, AffineParameters, BoundScope, RankId, RankQuantity, Slot, UpperBound, WorkModel, rank_totals,
    works,
};
use lbaf_strategies::{Greedy, Pool};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::{Made, Object, memory, object, sentinel};

/// Random phases with loads, footprints, blocks and communication.
pub(crate) fn made(number: fn(u8) -> f64) -> impl Strategy<Value = Made> {
    let sizes = (2..6_usize, 1..4_u32, 0..4_usize, 0..24_usize);
    sizes.prop_flat_map(move |(n_ranks, ranks_per_node, n_blocks, n_objects)| {
        let amount = move || any::<u8>().prop_map(number);
        let facts = (amount(), 0..n_ranks as u32, any::<u8>(), amount(), 0..=n_blocks);
        let one = facts.prop_map(move |(load, rank, chance, footprint_bytes, block)| Object {
            migratable: chance >= 40,
            footprint_bytes,
            block: (block < n_blocks).then_some(block as u32),
            ..object(load, rank)
        });
        let n = n_objects.max(1) as u32;
        let edges = vec((0..n, 0..n, amount()), 0..=2 * n_objects);
        (vec(one, n_objects), vec(amount(), n_blocks), edges).prop_map(
            move |(objects, block_bytes, edges)| Made {
                ranks_per_node,
                block_bytes,
                edges: if objects.is_empty() { Vec::new() } else { edges },
                ..Made::of(n_ranks, objects)
            },
        )
    })
}

/// Returns a bound on a quantity of ranks or nodes: the largest value at the start, times `slack`.
pub(crate) fn tight(made: &Made, quantity: RankQuantity, scope: BoundScope, slack: f64) -> UpperBound {
    let phase = made.phase();
    let totals = rank_totals(&phase, phase.recorded_assignment());
    let mut values = vec![0.0; totals.len()];
    for (rank, totals) in totals.iter().enumerate() {
        let place = match scope {
            BoundScope::Rank => rank,
            BoundScope::Node => phase.ranks()[rank].node.index(),
        };
        values[place] += quantity.of(totals);
    }
    let limit = values.into_iter().fold(0.0, f64::max) * slack;
    UpperBound { quantity, limit, scope }
}

/// Draws a bounded quantity, a scope, and a slack relative to the start.
pub(crate) fn draw() -> impl Strategy<Value = (RankQuantity, BoundScope, f64)> {
    let quantity = prop::sample::select(vec![
        RankQuantity::MaxMemoryUsage,
        RankQuantity::MaxMemoryUsage,
        RankQuantity::NumObjects,
        RankQuantity::SentVolume,
        RankQuantity::ReceivedVolume,
        RankQuantity::Homing,
        RankQuantity::Load,
    ]);
    let slack = prop_oneof![Just(1.0), 1.0..2.0_f64];
    (quantity, prop_oneof![Just(BoundScope::Rank), Just(BoundScope::Node)], slack)
}

/// Asserts that a strategy leaves no rank over a bound that the start satisfies.
pub(crate) fn check(
    made: &Made,
    bounds: &[(RankQuantity, BoundScope, f64)],
    strategy: &dyn lbaf_strategies::Strategy,
) -> Result<(), TestCaseError> {
    let bounds = bounds.iter().map(|&(quantity, scope, slack)| tight(made, quantity, scope, slack)).collect();
    let model = Affine::new(AffineParameters { bounds, ..AffineParameters::default() }).unwrap();
    let phase = made.phase();
    let start = works(&model, &phase, &rank_totals(&phase, phase.recorded_assignment()));
    prop_assert!(start.iter().all(|work| !work.is_over_bound()), "the start exceeds bounds it must keep");

    let checked = made.run(strategy, &model, 0).unwrap();
    for (rank, work) in checked.works.iter().enumerate() {
        prop_assert!(!work.is_over_bound(), "rank {} is {work} under {:?}", rank, model.bounds());
    }
    prop_assert!(!checked.infeasible);
    Ok(())
}

/// Reference implementation of Greedy within bounds.
///
/// Objects go in descending order of load, each to the rank that ends it soonest. No move may increase an excess. Moves
/// that reduce the excess of the current rank are preferred. An object that no rank can hold stays.
fn longest_first(made: &Made, model: &dyn WorkModel) -> Vec<RankId> {
    let phase = made.phase();
    let mut order: Vec<usize> = (0..made.objects.len()).collect();
    // Objects without load move only from ranks over a bound.
    let start = works(model, &phase, &rank_totals(&phase, phase.recorded_assignment()));
    let must_leave = |at: usize| start[phase.recorded_assignment().as_slice()[at].index()].is_over_bound();
    order.retain(|&at| made.objects[at].migratable && (made.objects[at].load > 0.0 || must_leave(at)));
    let mut assignment = phase.recorded_assignment().clone();
    let mut loads = vec![0.0; made.alphas.len()];
    for (at, object) in made.objects.iter().enumerate().filter(|(at, _)| !order.contains(at)) {
        loads[assignment.as_slice()[at].index()] += object.load;
    }
    order.sort_by(|&a, &b| made.objects[b].load.total_cmp(&made.objects[a].load).then(a.cmp(&b)));
    for at in order {
        let slot = Slot::from(at);
        let current = assignment.rank_of(slot);
        let before = works(model, &phase, &rank_totals(&phase, &assignment));
        let holds = |rank: RankId, relieves: bool| {
            let mut moved = assignment.clone();
            moved.set(slot, rank);
            let after = works(model, &phase, &rank_totals(&phase, &moved));
            let worse = |rank: RankId| after[rank.index()].excess() > before[rank.index()].excess();
            if rank == current {
                !before[current.index()].is_over_bound()
            } else {
                let better = after[current.index()].excess() < before[current.index()].excess();
                !worse(rank) && !worse(current) && (better || !relieves)
            }
        };
        let end = |rank: &RankId| made.alphas[rank.index()] * (loads[rank.index()] + phase.load(slot));
        let best = |relieves: bool| {
            let possible = phase.rank_ids().filter(|&rank| holds(rank, relieves));
            possible.min_by(|a, b| end(a).total_cmp(&end(b)))
        };
        let is_over = before[current.index()].is_over_bound();
        let best = best(is_over).or_else(|| best(false)).unwrap_or(current);
        loads[best.index()] += phase.load(slot);
        assignment.set(slot, best);
    }
    assignment.as_slice().to_vec()
}

/// Draws one to three bounds that the start satisfies, or one bound that the start may violate.
fn some_bounds() -> impl Strategy<Value = Vec<(RankQuantity, BoundScope, f64)>> {
    let broken = (draw(), 0.3..1.0_f64)
        .prop_map(|((quantity, scope, slack), factor)| vec![(quantity, scope, slack * factor)]);
    prop_oneof![vec(draw(), 1..4), broken]
}

fn pool() -> impl Strategy<Value = Pool> {
    prop_oneof![Just(Pool::All), Just(Pool::Excess)]
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_start_within_bounds_stays_within_them(
        made in made(|byte| f64::from(byte % 8)),
        bounds in vec(draw(), 1..4),
        pool in pool(),
    ) {
        check(&made, &bounds, &Greedy { pool, ..Greedy::default() })?;
    }

    /// Loads are whole numbers, so sums are exact.
    #[test]
    fn places_the_longest_first_on_ranks_that_can_hold_it(
        made in made(|byte| f64::from(byte % 8)),
        bounds in some_bounds(),
    ) {
        let bounds = bounds.into_iter().map(|(quantity, scope, slack)| tight(&made, quantity, scope, slack));
        let parameters = AffineParameters { bounds: bounds.collect(), ..AffineParameters::default() };
        let model = Affine::new(parameters).unwrap();
        let checked = made.run(&Greedy::default(), &model, 0).unwrap();
        prop_assert_eq!(checked.outcome.assignment.as_slice(), longest_first(&made, &model));
    }

    /// Sums depend on the order of addition.
    #[test]
    fn a_start_within_bounds_stays_within_them_despite_rounding(
        made in made(|byte| f64::from(byte) / 7.0 + 0.1),
        bounds in vec(draw(), 1..4),
        pool in pool(),
    ) {
        check(&made, &bounds, &Greedy { pool, ..Greedy::default() })?;
    }
}

/// Rank 0 has 4 x 3 bytes, with a bound of 6 bytes.
#[test]
fn a_start_over_its_bounds_is_brought_within_them() {
    let heavy = |load| Object { footprint_bytes: 3.0, ..object(load, 0) };
    let made = Made::of(3, vec![heavy(5.0), heavy(4.0), heavy(1.0), heavy(1.0)]);
    let model = memory(6.0);
    let checked = made.run(&Greedy::default(), &model, 0).unwrap();
    assert!(!checked.infeasible);
    let memory: Vec<f64> = checked.totals.iter().map(|rank| rank.footprint_bytes).collect();
    assert!(memory.iter().all(|&bytes| bytes <= 6.0), "{memory:?}");
    assert_eq!(checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max), 5.0);
}

/// The bound is the size of both blocks: 9 + 1 = 10 bytes. The object of 3 s brings the small block to rank 1.
#[test]
fn an_object_may_fill_a_rank_to_its_bound_exactly() {
    let with = |load, rank, block| Object { block: Some(block), ..object(load, rank) };
    let made = Made {
        block_bytes: vec![9.0, 1.0],
        ..Made::of(3, vec![with(4.0, 0, 0), with(1.0, 1, 0), with(3.0, 0, 1), with(0.5, 2, 1)])
    };
    let model = memory(10.0);
    let checked = made.run(&Greedy::default(), &model, 0).unwrap();
    assert!(!checked.infeasible);
    assert_eq!(checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max), 4.0);
    assert_eq!(checked.outcome.assignment.rank_of(Slot(2)), RankId(1));
}

/// A node has 2 x 200 bytes, with a bound of 320 bytes. The other node is idle.
#[test]
fn a_node_over_its_bound_gives_to_another_node() {
    let objects = vec![
        Object { footprint_bytes: 200.0, ..object(1.0, 0) },
        Object { footprint_bytes: 200.0, ..object(1.0, 1) },
    ];
    let made = Made { ranks_per_node: 2, ..Made::of(4, objects) };
    let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 320.0, scope: BoundScope::Node };
    let model = Affine::new(AffineParameters { bounds: vec![bound], ..AffineParameters::default() }).unwrap();
    let strategies: [&dyn lbaf_strategies::Strategy; 6] = [
        &Greedy::default(),
        &lbaf_strategies::Lpt::default(),
        &lbaf_strategies::GreedyRefine::default(),
        &lbaf_strategies::Refine::default(),
        &lbaf_strategies::LocalSearch::default(),
        &lbaf_strategies::Multilevel::default(),
    ];
    for strategy in strategies {
        let checked = made.run(strategy, &model, 0).unwrap();
        assert!(!checked.infeasible, "{}: {:?}", strategy.name(), checked.works);
    }
}

/// The sentinel of rank 0 alone exceeds the bound. Rank 1 has one object too many.
#[test]
fn repairable_violations_are_repaired_beside_irreparable_ones() {
    let mut objects = vec![Object { footprint_bytes: 10.0, ..sentinel(5.0, 0) }];
    objects.extend([Object { footprint_bytes: 1.0, ..object(0.0, 1) }; 6]);
    objects.push(Object { footprint_bytes: 1.0, ..object(1.0, 2) });
    let made = Made::of(3, objects);
    let strategies: [&dyn lbaf_strategies::Strategy; 4] = [
        &Greedy::default(),
        &lbaf_strategies::Refine::default(),
        &lbaf_strategies::LocalSearch::default(),
        &lbaf_strategies::Multilevel::default(),
    ];
    for strategy in strategies {
        let checked = made.run(strategy, &memory(5.0), 0).unwrap();
        assert!(!checked.works[1].is_over_bound(), "{}: {:?}", strategy.name(), checked.works);
    }
}
