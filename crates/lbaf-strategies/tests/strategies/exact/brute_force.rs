// SPDX-License-Identifier: MIT OR Apache-2.0
//! `BruteForce` compared with an enumeration of all placements.

pub(crate) mod ccm;
mod proof;

use lbaf_model::{
    Affine, AffineParameters, Assignment, BoundScope, Ccm, CcmParameters, CommGraph, Communication, LoadOnly,
    ObjectMemory, OnRankVolume, Phase, PhaseId, RankId, RankQuantity, Slot, UpperBound, Vertex, Volume, Work,
    WorkModel, rank_totals, works,
};
use lbaf_strategies::{BruteForce, Checked, Context, Greedy, NoObserver, Problem, StrategyError, run};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::{Made, Object, object, ranks, sentinel};

/// Runs `BruteForce` on a phase.
fn solve(strategy: &BruteForce, phase: &Phase, model: &dyn WorkModel) -> Result<Checked, StrategyError> {
    let problem = Problem { phase, initial: phase.recorded_assignment(), model, keys: &[] };
    run(strategy, &problem, &mut Context::new(0, 0, &mut NoObserver))
}

/// Returns the maximum work over ranks. Ranks whose excesses differ by rounding are compared by cost.
pub(crate) fn max_work(phase: &Phase, model: &dyn WorkModel, assignment: &Assignment) -> Work {
    let works = works(model, phase, &rank_totals(phase, assignment));
    let excess = works.iter().map(|work| work.excess()).fold(0.0, f64::max);
    let alike = works.iter().filter(|work| near(work.excess(), excess));
    Work::with_excess(alike.map(|work| work.cost()).reduce(f64::max).unwrap_or(0.0), excess)
}

/// Returns the maximum works of all placements. With `whole_clusters`, the migratable objects of each block are on
/// one rank.
pub(crate) fn all_works(phase: &Phase, model: &dyn WorkModel, whole_clusters: bool) -> Vec<Work> {
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

/// Phase with every quantity that work models count, including memory and communication of ranks.
#[derive(Clone, Debug)]
pub(crate) struct Full {
    pub(crate) made: Made,
    /// Serialized sizes of the objects.
    pub(crate) serialized: Vec<f64>,
    pub(crate) homes: Vec<u32>,
    pub(crate) rank_bytes: Vec<f64>,
    /// Communication of ranks: rank, object, bytes, and true if the object receives.
    pub(crate) rank_edges: Vec<(u32, u32, f64, bool)>,
}

impl Full {
    pub(crate) fn phase(&self) -> Phase {
        let plain = self.made.phase();
        let mut columns = plain.columns().clone();
        let sizes = self.serialized.iter().zip(columns.memory.iter());
        let memory = sizes.map(|(&serialized_bytes, &memory)| ObjectMemory { serialized_bytes, ..memory });
        columns.memory = memory.collect();
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

/// Draws a number that is often equal to others, so that many objects and ranks are interchangeable.
fn amount() -> impl Strategy<Value = f64> {
    prop_oneof![3 => (0..4_u8).prop_map(f64::from), 1 => (1..40_u8).prop_map(|byte| f64::from(byte) / 7.0)]
}

/// Draws phases of up to 4 ranks and 6 objects. On average, at least half of them have ranks of equal speed.
pub(crate) fn full() -> impl Strategy<Value = Full> {
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
                (vec(one, n_objects), vec(amount(), n_objects)),
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
                    move |(
                        (objects, serialized),
                        block_bytes,
                        edges,
                        alphas,
                        homes,
                        rank_bytes,
                        rank_edges,
                    )| Full {
                        serialized,
                        made: Made {
                            alphas,
                            ranks_per_node,
                            objects,
                            block_bytes,
                            edges,
                            indices: Vec::new(),
                            subphases: Vec::new(),
                        },
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

pub(crate) fn model() -> impl Strategy<Value = Affine> {
    let factor = || prop_oneof![Just(0.0), Just(1.0), Just(0.1), Just(0.3)];
    (factor(), factor(), factor(), factor(), vec(bound(), 0..3)).prop_map(
        |(alpha, beta, gamma, delta, bounds)| {
            Affine::new(AffineParameters { alpha, beta, gamma, delta, bounds }).unwrap()
        },
    )
}

/// Draws CCM models with both definitions of the on-rank volume. On-rank communication may cost more than off-rank
/// communication.
pub(crate) fn ccm() -> impl Strategy<Value = Ccm> {
    let factor = || prop_oneof![Just(0.0), Just(1.0), Just(0.1), Just(0.3)];
    let gamma = prop_oneof![Just(0.0), Just(1.0), Just(0.1), Just(2.0)];
    let volume = prop_oneof![Just(OnRankVolume::Paper), Just(OnRankVolume::Vt)];
    let bounds = prop_oneof![Just(Vec::new()).boxed(), vec(bound(), 0..3).boxed()];
    (factor(), factor(), gamma, factor(), volume, bounds).prop_map(
        |(alpha, beta, gamma, delta, on_rank_volume, bounds)| {
            let parameters = CcmParameters {
                alpha,
                beta,
                gamma,
                delta,
                on_rank_volume,
                bounds,
                ..CcmParameters::default()
            };
            Ccm::new(parameters).unwrap()
        },
    )
}

/// True if two numbers are equal up to rounding.
pub(crate) fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-11 * b.abs().max(1.0)
}

/// Asserts that the work found is the least of `works`, up to rounding.
pub(crate) fn assert_least(found: Work, works: &[Work]) -> Result<(), TestCaseError> {
    let least = works.iter().map(|work| work.excess()).fold(f64::INFINITY, f64::min);
    let alike = works.iter().filter(|work| near(work.excess(), least));
    let cost = alike.map(|work| work.cost()).fold(f64::INFINITY, f64::min);
    let least = Work::with_excess(cost, least);
    let is_least = near(found.excess(), least.excess()) && near(found.cost(), least.cost());
    prop_assert!(is_least, "found {found}, the least is {least}");
    Ok(())
}

/// Asserts that the search finds the result of the enumeration.
fn assert_best(phase: &Phase, model: &dyn WorkModel, whole_clusters: bool) -> Result<(), TestCaseError> {
    let checked = solve(&BruteForce { whole_clusters, ..BruteForce::default() }, phase, model).unwrap();
    let best = max_work(phase, model, &checked.outcome.assignment);
    assert_least(best, &all_works(phase, model, whole_clusters))?;
    if !whole_clusters {
        // The result differs from the initial placement exactly if it is better.
        let initial = max_work(phase, model, phase.recorded_assignment());
        let is_better = !near(best.excess(), initial.excess()) || !near(best.cost(), initial.cost());
        prop_assert_eq!(is_better, checked.outcome.assignment != *phase.recorded_assignment());
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn no_placement_is_better(full in full(), model in model(), whole_clusters in any::<bool>()) {
        assert_best(&full.phase(), &model, whole_clusters)?;
    }

    #[test]
    fn no_placement_is_better_under_ccm(full in full(), model in ccm(), whole_clusters in any::<bool>()) {
        assert_best(&full.phase(), &model, whole_clusters)?;
    }

    #[test]
    fn no_placement_is_better_with_load_alone(full in full()) {
        let (phase, model) = (full.phase(), LoadOnly::default());
        let checked = solve(&BruteForce::default(), &phase, &model).unwrap();
        let best = max_work(&phase, &model, &checked.outcome.assignment);
        assert_least(best, &all_works(&phase, &model, false))?;
    }
}

/// Runs `BruteForce` with the work model of load alone.
fn solve_made(strategy: &BruteForce, made: &Made) -> Result<Checked, StrategyError> {
    made.run(strategy, &LoadOnly::default(), 0)
}

fn max_load(checked: &Checked) -> f64 {
    checked.totals.iter().map(|rank| rank.load).fold(0.0, f64::max)
}

/// Reads the number of tries from a note.
fn n_tries(checked: &Checked) -> u64 {
    let words: Vec<&str> = checked.outcome.notes[0].split(' ').collect();
    let at = words.iter().position(|word| word.starts_with("tries")).unwrap();
    words[at - 1].parse().unwrap()
}

/// Returns pseudo-random numbers from 0 to 1.
fn numbers(seed: u32) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1_u32 << 24)
    }
}

/// Returns the nine objects of LBAF's `synthetic-blocks`.
pub(crate) fn synthetic_blocks() -> Made {
    let of_rank = [(0, vec![1.0, 0.5, 0.5, 0.5]), (1, vec![0.5, 2.0, 1.0, 0.5]), (2, vec![1.5])];
    let objects = of_rank.iter().flat_map(|(rank, loads)| loads.iter().map(|&load| object(load, *rank)));
    Made::of(4, objects.collect())
}

#[test]
fn synthetic_blocks_have_840_placements_of_least_work() {
    let phase = synthetic_blocks().phase();
    let works = all_works(&phase, &LoadOnly::default(), false);
    let least = *works.iter().min().unwrap();
    assert_eq!((works.len(), least.cost()), (262_144, 2.0));
    assert_eq!(works.iter().filter(|&&work| work == least).count(), 840);
    assert_eq!(max_load(&solve_made(&BruteForce::default(), &synthetic_blocks()).unwrap()), 2.0);
}

/// Returns the least maximum of `alpha * load` by enumeration of all placements.
fn least_max(loads: &[f64], alphas: &[f64], sums: &mut Vec<f64>) -> f64 {
    let Some((&load, rest)) = loads.split_first() else {
        return sums.iter().zip(alphas).map(|(sum, alpha)| sum * alpha).fold(0.0, f64::max);
    };
    let mut least = f64::INFINITY;
    for rank in 0..sums.len() {
        let before = sums[rank];
        sums[rank] += load;
        least = least.min(least_max(rest, alphas, sums));
        sums[rank] = before;
    }
    least
}

/// The search takes several rounds. Between rounds, it is divided into parallel searches.
#[test]
fn long_searches_find_the_optimum() {
    for (alphas, n_objects) in [(vec![1.0, 0.7], 20), (vec![1.0, 1.0, 1.0], 13), (vec![1.0, 0.9, 0.35], 13)] {
        let mut number = numbers(n_objects);
        let loads: Vec<f64> = (0..n_objects).map(|_| 1.0 + number()).collect();
        let made = Made {
            alphas: alphas.clone(),
            ..Made::of(0, loads.iter().map(|&load| object(load, 0)).collect())
        };
        let checked = solve_made(&BruteForce::default(), &made).unwrap();
        let least = least_max(&loads, &alphas, &mut vec![0.0; alphas.len()]);
        let found = checked.works.iter().max().unwrap().cost();
        assert!(near(found, least), "found {found}, the least is {least}");
    }
}

/// Returns objects that communicate along a ring, on the first two of four ranks.
fn ring(n_objects: u32) -> Made {
    let mut number = numbers(7);
    Made {
        ranks_per_node: 2,
        edges: (0..n_objects).map(|at| (at, (at + 1) % n_objects, f64::from(at % 5))).collect(),
        ..Made::of(4, (0..n_objects).map(|at| object(1.0 + number(), at % 2)).collect())
    }
}

#[test]
fn the_number_of_threads_changes_neither_result_nor_tries() {
    let model = Affine::new(AffineParameters { beta: 0.25, ..AffineParameters::default() }).unwrap();
    let outcomes = [1, 2, 3].map(|n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| ring(18).run(&BruteForce::default(), &model, 0).unwrap())
    });
    assert!(
        n_tries(&outcomes[0]) > 16_384,
        "the search must take several rounds: {:?}",
        outcomes[0].outcome.notes
    );
    assert_eq!(outcomes[0].outcome, outcomes[1].outcome);
    assert_eq!(outcomes[0].outcome, outcomes[2].outcome);
}

#[test]
fn is_never_above_greedy_and_the_start() {
    let model = Affine::new(AffineParameters { beta: 0.25, ..AffineParameters::default() }).unwrap();
    for n_objects in 4..14 {
        let made = ring(n_objects);
        let work = |strategy: &dyn lbaf_strategies::Strategy| {
            made.run(strategy, &model, 0).unwrap().works.into_iter().max().unwrap()
        };
        let best = work(&BruteForce::default());
        assert!(best <= work(&Greedy::default()) && best <= work(&lbaf_strategies::PhaseStepper::default()));
    }
}

#[test]
fn an_optimal_start_is_kept() {
    let made = Made::of(3, vec![object(1.0, 2), object(1.0, 1), sentinel(1.0, 0), object(0.5, 1)]);
    let checked = solve_made(&BruteForce::default(), &made).unwrap();
    assert_eq!(ranks(&checked.outcome.assignment), [2, 1, 0, 1]);
}

/// The optimum of 11 on every rank needs only an exchange of 5 on rank 2 for 4 on rank 3.
#[test]
fn of_equally_good_placements_one_near_the_start_is_returned() {
    let pairs = [(7.0, 4.0), (7.0, 4.0), (7.0, 5.0), (6.0, 4.0), (6.0, 5.0)];
    let objects = (0..).zip(pairs).flat_map(|(rank, (a, b))| [object(a, rank), object(b, rank)]);
    let made = Made::of(5, objects.collect());
    let checked = solve_made(&BruteForce::default(), &made).unwrap();
    assert_eq!(max_load(&checked), 11.0);
    assert_eq!(ranks(&checked.outcome.assignment), [0, 0, 1, 1, 2, 3, 3, 2, 4, 4]);
}

#[test]
fn clusters_stay_whole_on_request() {
    let mut made = synthetic_blocks();
    made.block_bytes = vec![9.0; 5];
    for (object, block) in made.objects.iter_mut().zip([0, 0, 1, 1, 2, 2, 3, 3, 4]) {
        object.block = Some(block);
    }
    let whole = BruteForce { whole_clusters: true, ..BruteForce::default() };
    let checked = solve_made(&whole, &made).unwrap();
    assert_eq!(max_load(&checked), 2.5);
    let placed = ranks(&checked.outcome.assignment);
    assert!(placed[..8].chunks(2).all(|pair| pair[0] == pair[1]), "{placed:?}");
}

#[test]
fn objects_stay_on_their_ranks_on_request() {
    let skip = BruteForce { skip_transfer: true, ..BruteForce::default() };
    let checked = solve_made(&skip, &synthetic_blocks()).unwrap();
    assert_eq!(ranks(&checked.outcome.assignment), [0, 0, 0, 0, 1, 1, 1, 1, 2]);
    assert_eq!(
        checked.outcome.notes,
        [
            "phase 3: BruteForce proved without a search that no placement has less maximum work than 2; objects stay on \
             their ranks because of `skip_transfer`"
        ]
    );
    let moving = solve_made(&BruteForce::default(), &synthetic_blocks()).unwrap();
    assert_eq!(
        moving.outcome.notes,
        ["phase 3: BruteForce proved without a search that no placement has less maximum work than 2"]
    );
}

#[test]
fn with_skip_transfer_violations_do_not_make_the_outcome_infeasible() {
    let bound = UpperBound { quantity: RankQuantity::Load, limit: 2.0, scope: BoundScope::Rank };
    let model = Affine::new(AffineParameters { bounds: vec![bound], ..AffineParameters::default() }).unwrap();
    for (skip_transfer, n_over) in [(true, 2), (false, 0)] {
        let strategy = BruteForce { skip_transfer, ..BruteForce::default() };
        let checked = synthetic_blocks().run(&strategy, &model, 0).unwrap();
        assert_eq!(checked.works.iter().filter(|work| work.is_over_bound()).count(), n_over);
        assert!(!checked.infeasible);
    }
}
