// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds against the optimum of all placements, found by enumeration.

use std::collections::BTreeMap;

use lbaf_model::{
    Affine, AffineParameters, Assignment, Ccm, LoadOnly, LowerBound, Phase, RankId, Slot, Units, WorkModel,
    infeasibility, lower_bounds, lower_bounds_for, rank_totals, works,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::random_phase::{Size, affine_parameters, ccm_parameters, memory_bound, random_phase};

/// Least maximum cost of the placements of a phase.
#[derive(Clone, Copy)]
struct Optimum {
    /// Over all placements.
    any: f64,
    /// Over placements within the upper bounds of the model; infinite if there are none.
    within: f64,
}

impl Optimum {
    const NONE: Optimum = Optimum { any: f64::INFINITY, within: f64::INFINITY };

    fn of(self, bound: &LowerBound) -> f64 {
        if bound.within_bounds { self.within } else { self.any }
    }
}

/// Visits all placements of the migratable objects.
pub(crate) fn for_each_placement(phase: &Phase, mut visit: impl FnMut(&Assignment)) {
    let mut assignment = phase.recorded_assignment().clone();
    let movable: Vec<Slot> = phase.slots().filter(|&slot| phase.is_migratable(slot)).collect();
    for number in 0..phase.n_ranks().pow(movable.len() as u32) {
        let mut rest = number;
        for &slot in &movable {
            assignment.set(slot, RankId::from(rest % phase.n_ranks()));
            rest /= phase.n_ranks();
        }
        visit(&assignment);
    }
}

/// Returns two optima for each model: of all placements, and of those that keep clusters together. A cluster
/// consists of the migratable objects of a block that are recorded on one rank.
fn optima(phase: &Phase, models: &[Box<dyn WorkModel>]) -> Vec<[Optimum; 2]> {
    let mut optima = vec![[Optimum::NONE; 2]; models.len()];
    let movable: Vec<Slot> = phase.slots().filter(|&slot| phase.is_migratable(slot)).collect();
    for_each_placement(phase, |assignment| {
        let totals = rank_totals(phase, assignment);
        let is_whole = keeps_whole(phase, &movable, assignment);
        for (optima, model) in optima.iter_mut().zip(models) {
            let works = works(&**model, phase, &totals);
            let work = works.iter().map(|work| work.cost()).fold(0.0, f64::max);
            let is_within = works.iter().all(|work| !work.is_over_bound());
            for optimum in &mut optima[..if is_whole { 2 } else { 1 }] {
                optimum.any = optimum.any.min(work);
                if is_within {
                    optimum.within = optimum.within.min(work);
                }
            }
        }
    });
    optima
}

fn keeps_whole(phase: &Phase, movable: &[Slot], assignment: &Assignment) -> bool {
    let recorded = phase.recorded_assignment();
    let cluster = |slot: Slot| phase.memory(slot).block.map(|block| (block, recorded.rank_of(slot)));
    let mut at = BTreeMap::new();
    movable.iter().all(|&slot| {
        let rank = assignment.rank_of(slot);
        cluster(slot).is_none_or(|cluster| *at.entry(cluster).or_insert(rank) == rank)
    })
}

/// Ratios of lower bound to optimum, by kind of bound, without cases in which bound or optimum is 0 or no placement
/// is feasible. For the best bounds, cases with a bound of 0 are included.
#[derive(Default)]
struct Ratios {
    of: BTreeMap<String, Vec<f64>>,
    /// Number of cases in which a kind is the best.
    n_best: BTreeMap<String, usize>,
}

impl Ratios {
    /// Asserts that no bound exceeds the optimum, and records the ratios.
    #[track_caller]
    fn check(&mut self, bounds: &[LowerBound], optimum: Optimum, said: &str) {
        for bound in bounds {
            let least = optimum.of(bound);
            assert!(
                bound.work <= least,
                "{} of {} exceeds the optimum {least} {said}",
                bound.limit,
                bound.work
            );
            if least > 0.0 && least.is_finite() && bound.work > 0.0 {
                self.of.entry(bound.limit.to_string()).or_default().push(bound.work / least);
            }
        }
        if let Some(best) = LowerBound::best_of(bounds.iter().copied()).filter(|best| best.work > 0.0) {
            *self.n_best.entry(best.limit.to_string()).or_default() += 1;
        }
        let within = bounds.iter().filter(|bound| !bound.within_bounds).copied();
        for (name, bounds, least) in [
            ("best for all placements", LowerBound::best_of(within), optimum.any),
            ("best within bounds", LowerBound::best_of(bounds.iter().copied()), optimum.within),
        ] {
            if least > 0.0 && least.is_finite() {
                let work = bounds.map_or(0.0, |bound| bound.work);
                self.of.entry(name.to_owned()).or_default().push(work / least);
            }
        }
    }

    /// Prints a line for each kind of bound: number of cases, median ratio, share of cases in which the bound
    /// is the optimum, and number of cases in which it is the best bound.
    #[expect(clippy::print_stdout, reason = "the counts are read when the test is run by hand")]
    fn print(&mut self) {
        for (name, ratios) in &mut self.of {
            ratios.sort_by(f64::total_cmp);
            let n_tight = ratios.iter().filter(|&&ratio| ratio > 1.0 - 1e-9).count();
            println!(
                "| {name} | {} | {:.3} | {:.0} % | {} |",
                ratios.len(),
                ratios[ratios.len() / 2],
                100.0 * n_tight as f64 / ratios.len() as f64,
                self.n_best.get(name).copied().unwrap_or(0)
            );
        }
    }
}

/// Checks all proofs for random phases and models against the enumeration of all placements.
#[expect(clippy::print_stdout, reason = "the counts are read when the test is run by hand")]
fn check_random(n_cases: usize, sizes: &[Size]) {
    let mut runner = TestRunner::deterministic();
    let (mut objects, mut clusters) = (Ratios::default(), Ratios::default());
    let (mut n_infeasible, mut n_proven) = (0, 0);
    for case in 0..n_cases {
        let mut draw = |size| random_phase(size).new_tree(&mut runner).unwrap().current().phase;
        let phase = draw(sizes[case % sizes.len()]);
        let mut affine = affine_parameters().new_tree(&mut runner).unwrap().current();
        let ccm = ccm_parameters().new_tree(&mut runner).unwrap().current();
        let load_only = LoadOnly::new(affine.alpha).unwrap();
        let memory = memory_bound(&phase).new_tree(&mut runner).unwrap().current();
        let in_memory = AffineParameters { bounds: vec![memory], ..AffineParameters::default() };
        if case % 2 == 0 {
            affine.bounds = vec![memory];
        }
        let models: [Box<dyn WorkModel>; 4] = [
            Box::new(load_only),
            Box::new(Affine::new(affine).unwrap()),
            Box::new(Ccm::new(ccm).unwrap()),
            Box::new(Affine::new(in_memory).unwrap()),
        ];
        for (model, [any, whole]) in models.iter().zip(optima(&phase, &models)) {
            let said = format!("of {}, case {case}: {phase:#?} {:?}", model.name(), model.bounds());
            objects.check(&lower_bounds(&phase, &**model), any, &said);
            let units = Units::Clusters(phase.recorded_assignment());
            clusters.check(&lower_bounds_for(&phase, &**model, units), whole, &said);
            let proof = infeasibility(&phase, &**model);
            let exists = any.within.is_finite();
            assert!(
                proof.is_none() || !exists,
                "a feasible placement exists, but {:?} {said}",
                proof.unwrap()
            );
            n_infeasible += usize::from(!exists);
            n_proven += usize::from(proof.is_some());
        }
    }
    println!("single objects: kind, cases, median of bound / optimum, optimal, best");
    objects.print();
    println!("blocks kept whole");
    clusters.print();
    println!("{n_infeasible} infeasible cases, {n_proven} of them proven");
    assert!(n_proven > 0);
}

#[test]
fn no_placement_beats_a_bound() {
    check_random(
        400,
        &[Size { ranks: 4, objects: 5 }, Size { ranks: 2, objects: 9 }, Size { ranks: 3, objects: 6 }],
    );
}

/// Takes minutes without optimization.
#[test]
#[cfg_attr(debug_assertions, ignore = "for `cargo test --release`")]
fn bounds_at_length() {
    let small = [Size { ranks: 3, objects: 7 }, Size { ranks: 2, objects: 9 }, Size { ranks: 4, objects: 6 }];
    check_random(9_800, &small);
    check_random(200, &[Size { ranks: 4, objects: 9 }]);
}
