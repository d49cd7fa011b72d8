// SPDX-License-Identifier: MIT OR Apache-2.0
//! Contract of all strategies.

use std::sync::Arc;

use lbaf_model::{
    Affine, AffineParameters, BoundScope, LoadOnly, Phase, RankQuantity, UpperBound, WorkModel, lower_bounds,
    rank_totals,
};
use lbaf_strategies::{Checked, Permutation, PrescribedPermutation, StrategyConfig, StrategyName};

use crate::made_phase::{Made, Object, object, sentinel};

/// Returns phases at the limits of the data model, and an ordinary phase.
fn phases() -> Vec<(&'static str, Made)> {
    let loads = |load: fn(u32) -> f64| (0..20).map(|at| object(load(at), at % 3)).collect::<Vec<_>>();
    let ordinary = Made {
        alphas: vec![1.0, 1.0, 2.0, 0.5],
        ranks_per_node: 2,
        objects: (0..40_u32)
            .map(|at| Object {
                migratable: at % 7 != 0,
                footprint_bytes: f64::from(at % 5),
                block: (at % 3 != 0).then_some(at % 4),
                ..object(f64::from(at * at % 11) / 8.0, at % 3)
            })
            .collect(),
        block_bytes: vec![3.0, 1.0, 4.0, 1.5],
        edges: (0..39).map(|at| (at, at + 1, f64::from(at))).collect(),
        subphases: Vec::new(),
        indices: (0..40_i64).map(|at| if at % 9 == 0 { Vec::new() } else { vec![at % 5, at / 5] }).collect(),
    };
    let tiny_bytes = Made {
        objects: ordinary.objects.iter().map(|at| Object { footprint_bytes: 5e-324, ..*at }).collect(),
        block_bytes: vec![5e-324, 0.0, 1e-310, 5e-324],
        edges: (0..39).map(|at| (at, at + 1, f64::from(at % 3) * 5e-324)).collect(),
        ..ordinary.clone()
    };
    vec![
        ("no ranks and no objects", Made::of(0, Vec::new())),
        ("no objects", Made::of(4, Vec::new())),
        ("one rank", Made::of(1, (0..5).map(|at| object(f64::from(at), 0)).collect())),
        ("one object", Made::of(4, vec![object(1.5, 2)])),
        ("no migratable objects", Made::of(3, (0..6).map(|at| sentinel(f64::from(at), at % 2)).collect())),
        ("all loads equal", Made::of(5, loads(|_| 0.1))),
        ("all loads zero", Made::of(5, loads(|_| 0.0))),
        ("more ranks than objects", Made::of(9, (1..4).map(|at| object(f64::from(at), 0)).collect())),
        (
            "only edges from objects to themselves",
            with_edges(loads(f64::from), (0..20).map(|at| (at, at, 8.0)).collect()),
        ),
        ("the smallest loads", Made::of(5, loads(|at| f64::from(at % 7) * 5e-324))),
        ("subnormal loads", Made::of(5, loads(|at| f64::from(at % 7) * 3e-317))),
        ("the largest loads", Made::of(5, loads(|at| f64::from(at % 7) * 1e299))),
        ("one huge load", Made::of(5, loads(|at| if at == 3 { 1e300 } else { 0.1 }))),
        ("loads of all sizes", Made::of(5, loads(|at| [5e-324, 1e-310, 0.1, 3.0, 1e300][at as usize % 5]))),
        ("the smallest bytes", tiny_bytes),
        ("extreme speeds of ranks", Made { alphas: vec![1e-300, 1.0, 1e3, 5e-324], ..ordinary.clone() }),
        ("ordinary", ordinary),
    ]
}

fn with_edges(objects: Vec<Object>, edges: Vec<(u32, u32, f64)>) -> Made {
    Made { edges, ..Made::of(3, objects) }
}

/// Returns every strategy except `External` with its defaults, but few nodes for `Milp` and `BruteForce`. Placement
/// maps leave every object on its rank.
pub(crate) fn strategies(made: &Made) -> Vec<StrategyConfig> {
    let mut all = StrategyConfig::defaults();
    all.retain(|config| config.name() != StrategyName::External);
    let stay: Permutation = (made.keys().iter().zip(&made.objects))
        .filter(|(_, object)| object.migratable)
        .map(|(key, object)| (key.number, object.rank))
        .collect();
    for config in &mut all {
        match config {
            StrategyConfig::PrescribedPermutation(prescribed) => {
                *prescribed = PrescribedPermutation { permutation: stay.clone() };
            }
            StrategyConfig::Milp(milp) => milp.max_nodes = 20,
            StrategyConfig::BruteForce(search) => search.max_nodes = 100_000,
            StrategyConfig::OfflineLB(offline) => offline.content = Some(Arc::new(stay.clone())),
            _ => {}
        }
    }
    all
}

/// Returns a work model with upper bounds of zero on several quantities, for ranks and for nodes.
pub(crate) fn impossible() -> Affine {
    let quantities = [
        RankQuantity::Load,
        RankQuantity::NumObjects,
        RankQuantity::MaxMemoryUsage,
        RankQuantity::SentVolume,
    ];
    let bounds = quantities.into_iter().flat_map(|quantity| {
        [BoundScope::Rank, BoundScope::Node].map(|scope| UpperBound { quantity, limit: 0.0, scope })
    });
    Affine::new(AffineParameters { beta: 0.1, bounds: bounds.collect(), ..AffineParameters::default() })
        .unwrap()
}

/// Runs a strategy and checks its promises independently of the driver.
pub(crate) fn checked(made: &Made, config: &StrategyConfig, model: &dyn WorkModel, what: &str) -> Checked {
    let what = format!("{} on {what}", config.name());
    let checked =
        made.run(config.build().as_ref(), model, 42).unwrap_or_else(|error| panic!("{what}: {error}"));
    let assignment = &checked.outcome.assignment;
    assert_eq!(assignment.len(), made.objects.len(), "{what}: expected a rank for each object");
    for (rank, object) in assignment.as_slice().iter().zip(&made.objects) {
        assert!(rank.index() < made.alphas.len(), "{what}: rank {rank} does not exist");
        assert!(object.migratable || rank.0 == object.rank, "{what}: a sentinel moved");
    }
    assert_eq!(checked.totals, rank_totals(&made.phase(), assignment), "{what}: totals");
    assert_eq!(checked.works.len(), made.alphas.len(), "{what}: works");
    check_numbers(&checked, &made.phase(), model, &what);
    checked
}

/// Asserts that reported quantities are finite, and that no lower bound exceeds the maximum work.
fn check_numbers(checked: &Checked, phase: &Phase, model: &dyn WorkModel, what: &str) {
    for stats in &checked.outcome.iterations {
        let numbers = [stats.load_imbalance, stats.max_work, stats.largest_excess];
        assert!(numbers.iter().all(|number| number.is_finite()), "{what}: {stats:?}");
    }
    let most = checked.works.iter().map(|work| work.cost()).fold(0.0, f64::max);
    let is_within = checked.works.iter().all(|work| !work.is_over_bound());
    for bound in lower_bounds(phase, model).iter().filter(|bound| is_within || !bound.within_bounds) {
        assert!(bound.work <= most, "{what}: {bound:?} is above {most}");
    }
    if let Some(bound) = checked.outcome.proven_bound {
        assert!(bound <= most, "{what}: the proven bound {bound} exceeds the maximum work {most}");
    }
}

/// Calls `body` for every strategy on every phase.
fn for_all(body: impl Fn(&Made, &StrategyConfig, &str)) {
    for (what, made) in phases() {
        for config in strategies(&made) {
            body(&made, &config, what);
        }
    }
}

#[test]
fn places_every_object_and_keeps_sentinels() {
    for_all(|made, config, what| {
        checked(made, config, &LoadOnly::default(), what);
    });
}

#[test]
fn every_strategy_ends_under_infeasible_bounds() {
    for_all(|made, config, what| {
        let checked = checked(made, config, &impossible(), what);
        let promises = config.build().honours_bounds();
        let n_over = checked.works.iter().filter(|work| work.is_over_bound()).count();
        assert_eq!(n_over > 0, !made.objects.is_empty(), "{} on {what}", config.name());
        assert_eq!(checked.infeasible, promises && n_over > 0, "{} on {what}", config.name());
    });
}

#[test]
fn the_same_seed_gives_the_same_outcome() {
    for_all(|made, config, what| {
        for model in [&LoadOnly::default() as &dyn WorkModel, &impossible()] {
            let [first, second] = [(); 2].map(|()| checked(made, config, model, what));
            assert_eq!(first.outcome, second.outcome, "{} on {what}", config.name());
        }
    });
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let [one, two] = [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    for_all(|made, config, what| {
        let outcome = || checked(made, config, &LoadOnly::default(), what).outcome;
        assert_eq!(one.install(outcome), two.install(outcome), "{} on {what}", config.name());
    });
}

#[test]
fn every_strategy_reports_its_registered_name() {
    for config in StrategyConfig::defaults() {
        assert_eq!(config.build().name(), config.name().name());
    }
}
