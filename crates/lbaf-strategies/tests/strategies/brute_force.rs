// SPDX-License-Identifier: MIT OR Apache-2.0
//! `BruteForce` against all arrangements, one after the other.

use lbaf_model::{
    Affine, AffineParameters, Assignment, BoundScope, CommGraph, Communication, LoadOnly, NodeId, Phase,
    PhaseId, RankId, RankQuantity, Slot, UpperBound, Vertex, Volume, Work, WorkModel, rank_totals, works,
};
use lbaf_strategies::{BruteForce, Checked, Context, Greedy, NoObserver, Problem, StrategyError, run};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::{Made, Object, object, ranks, sentinel};

/// What `BruteForce` makes of a phase.
fn solve(strategy: &BruteForce, phase: &Phase, model: &dyn WorkModel) -> Result<Checked, StrategyError> {
    let problem = Problem { phase, initial: phase.recorded_assignment(), model, keys: &[] };
    run(strategy, &problem, &mut Context::new(0, 0, &mut NoObserver))
}

fn max_work(phase: &Phase, model: &dyn WorkModel, assignment: &Assignment) -> Work {
    works(model, phase, &rank_totals(phase, assignment)).into_iter().max().unwrap_or_default()
}

/// Maximum works of all arrangements, each computed from nothing. With `whole_clusters` only of those that leave
/// all objects of a block that may migrate on one rank.
fn all_works(phase: &Phase, model: &dyn WorkModel, whole_clusters: bool) -> Vec<Work> {
    let movable: Vec<Slot> = phase.slots().filter(|&slot| phase.is_migratable(slot)).collect();
    let mut assignment = phase.recorded_assignment().clone();
    let mut found = Vec::new();
    for number in 0..phase.n_ranks().pow(movable.len() as u32) {
        let mut rest = number;
        for &slot in &movable {
            assignment.set(slot, RankId::from(rest % phase.n_ranks()));
            rest /= phase.n_ranks();
        }
        let is_whole = movable.iter().all(|&slot| {
            let same_block = |other: Slot| phase.memory(other).block == phase.memory(slot).block;
            phase.memory(slot).block.is_none()
                || movable
                    .iter()
                    .all(|&other| !same_block(other) || assignment.rank_of(other) == assignment.rank_of(slot))
        });
        if is_whole || !whole_clusters {
            found.push(max_work(phase, model, &assignment));
        }
    }
    found
}

/// A phase whose blocks have homes, whose ranks have memory of their own and speak for themselves.
#[derive(Clone, Debug)]
struct Full {
    made: Made,
    homes: Vec<u32>,
    rank_bytes: Vec<f64>,
    /// Of a rank with an object: to the object if true.
    rank_edges: Vec<(u32, u32, f64, bool)>,
}

impl Full {
    fn phase(&self) -> Phase {
        let plain = self.made.phase();
        let mut columns = plain.columns().clone();
        for (block, &home) in columns.blocks.iter_mut().zip(&self.homes) {
            block.home = RankId(home);
        }
        for (rank, &bytes) in columns.ranks.iter_mut().zip(&self.rank_bytes) {
            rank.working_bytes = bytes;
        }
        let edge = |from, to, bytes| Communication { from, to, volume: Volume { bytes, messages: 1 } };
        let with_ranks = self.rank_edges.iter().map(|&(rank, object, bytes, to_object)| {
            let (rank, object) = (Vertex::Rank(RankId(rank)), Vertex::Object(Slot(object)));
            if to_object { edge(rank, object, bytes) } else { edge(object, rank, bytes) }
        });
        let own = self
            .made
            .edges
            .iter()
            .map(|&(from, to, bytes)| edge(Vertex::Object(Slot(from)), Vertex::Object(Slot(to)), bytes));
        let edges: Vec<Communication> = own.chain(with_ranks).collect();
        columns.communication = CommGraph::new(plain.n_objects(), plain.n_ranks(), &edges);
        Phase::new(PhaseId(3), columns).unwrap()
    }
}

/// Few different numbers, so that much is alike.
fn amount() -> impl Strategy<Value = f64> {
    prop_oneof![3 => (0..4_u8).prop_map(f64::from), 1 => (1..40_u8).prop_map(|byte| f64::from(byte) / 7.0)]
}

/// About half of the ranks alike, up to 4 of them with up to 6 objects.
fn full() -> impl Strategy<Value = Full> {
    (1..5_usize, 1..4_u32, 0..4_usize, 0..7_usize).prop_flat_map(
        |(n_ranks, ranks_per_node, n_blocks, n_objects)| {
            let facts = (amount(), 0..n_ranks as u32, 0..8_u8, amount(), 0..=n_blocks);
            let one = facts.prop_map(move |(load, rank, chance, footprint_bytes, block)| Object {
                migratable: chance > 0,
                footprint_bytes,
                block: (block < n_blocks).then_some(block as u32),
                ..object(load, rank)
            });
            let n = n_objects.max(1) as u32;
            let n_edges = if n_objects == 0 { 0 } else { n_objects };
            let one_rank = || 0..n_ranks as u32;
            let speed = prop_oneof![4 => Just(1.0), 1 => Just(2.0), 1 => Just(0.3), 1 => Just(0.0)];
            (
                vec(one, n_objects),
                vec(amount(), n_blocks),
                prop_oneof![Just(Vec::new()).boxed(), vec((0..n, 0..n, amount()), 0..=n_edges).boxed()],
                prop_oneof![Just(vec![1.0; n_ranks]).boxed(), vec(speed, n_ranks).boxed()],
                vec(one_rank(), n_blocks),
                prop_oneof![Just(vec![0.0; n_ranks]).boxed(), vec(amount(), n_ranks).boxed()],
                prop_oneof![
                    3 => Just(Vec::new()).boxed(),
                    1 => vec((one_rank(), 0..n, amount(), any::<bool>()), 0..=n_edges.min(2)).boxed()
                ],
            )
                .prop_map(
                    move |(objects, block_bytes, edges, alphas, homes, rank_bytes, rank_edges)| Full {
                        made: Made { alphas, ranks_per_node, objects, block_bytes, edges },
                        homes,
                        rank_bytes,
                        rank_edges,
                    },
                )
        },
    )
}

fn bound() -> impl Strategy<Value = UpperBound> {
    let scope = prop_oneof![Just(BoundScope::Rank), Just(BoundScope::Node)];
    (prop::sample::select(RankQuantity::ALL.to_vec()), scope, amount())
        .prop_map(|(quantity, scope, limit)| UpperBound { quantity, limit: 2.0 * limit, scope })
}

fn model() -> impl Strategy<Value = Affine> {
    let factor = || prop_oneof![Just(0.0), Just(1.0), Just(0.1), Just(0.3)];
    (factor(), factor(), factor(), factor(), vec(bound(), 0..3)).prop_map(
        |(alpha, beta, gamma, delta, bounds)| {
            Affine::new(AffineParameters { alpha, beta, gamma, delta, bounds }).unwrap()
        },
    )
}

/// Equal but for rounding.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-11 * b.abs().max(1.0)
}

/// Asserts that no work is better than what was found. Excesses that differ by rounding are equal.
fn assert_least(found: Work, works: &[Work]) -> Result<(), TestCaseError> {
    let least = works.iter().map(|work| work.excess()).fold(f64::INFINITY, f64::min);
    let alike = works.iter().filter(|work| near(work.excess(), least));
    let cost = alike.map(|work| work.cost()).fold(f64::INFINITY, f64::min);
    let least = Work::with_excess(cost, least);
    let is_least = near(found.excess(), least.excess()) && near(found.cost(), least.cost());
    prop_assert!(is_least, "found {found}, the least is {least}");
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn no_arrangement_is_better(full in full(), model in model(), whole_clusters in any::<bool>()) {
        let phase = full.phase();
        let checked = solve(&BruteForce { whole_clusters, ..BruteForce::default() }, &phase, &model).unwrap();
        let best = max_work(&phase, &model, &checked.outcome.assignment);
        assert_least(best, &all_works(&phase, &model, whole_clusters))?;
        if !whole_clusters {
            // The initial placement is left for something better alone.
            let initial = max_work(&phase, &model, phase.recorded_assignment());
            let is_better = !near(best.excess(), initial.excess()) || !near(best.cost(), initial.cost());
            prop_assert_eq!(is_better, checked.outcome.assignment != *phase.recorded_assignment());
        }
    }

    #[test]
    fn load_alone_has_no_better_arrangement(full in full()) {
        let (phase, model) = (full.phase(), LoadOnly::default());
        let checked = solve(&BruteForce::default(), &phase, &model).unwrap();
        let best = max_work(&phase, &model, &checked.outcome.assignment);
        assert_least(best, &all_works(&phase, &model, false))?;
    }
}
