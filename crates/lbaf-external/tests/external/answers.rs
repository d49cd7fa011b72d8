// SPDX-License-Identifier: MIT OR Apache-2.0
//! Valid answers.

use lbaf_model::{Affine, AffineParameters, Assignment, BoundScope, RankId, RankQuantity, UpperBound};
use lbaf_strategies::{Context, IterationStats, Observer, Protocol, Strategy as _};

use lbaf_external::{External, Promise};

use crate::made_phase::{Posed, answering, ranks, strategy};

#[test]
fn a_placement_is_accepted() {
    let checked = Posed::default().run(&strategy(answering(r#"{"placement": [0, 2, 1, 2]}"#))).unwrap();
    assert_eq!(ranks(&checked.outcome), [0, 2, 1, 2]);
    assert_eq!(checked.outcome.protocol, Protocol::Central);
    assert!(!checked.infeasible);
    // The outcome has one iteration, in which two objects leave their initial ranks.
    assert_eq!((checked.outcome.iterations.len(), checked.outcome.iterations[0].n_transfers), (1, 2));
}

#[test]
fn notes_are_passed_on() {
    let answer = r#"{"notes": ["two of them", "ends here"], "placement": [0, 0, 1, 1]}"#;
    let outcome = Posed::default().ask(&strategy(answering(answer))).unwrap();
    assert_eq!(outcome.notes, ["two of them", "ends here"]);
}

/// Computed by hand: the loads are 1, 2, 0.3 and 4, the alphas 1, 1 and 0.5. After the first iteration, rank
/// 1 has a load of 0.3, and rank 2 a load of 6 and a work of 3. After the second, rank 1 has a load of 2.3
/// and rank 2 of 4.
#[test]
fn statistics_of_iterations_are_computed_from_placements() {
    struct Told(Vec<(usize, Assignment)>);
    impl Observer for Told {
        fn iteration(&mut self, stats: &IterationStats, assignment: &Assignment) {
            self.0.push((stats.iteration, assignment.clone()));
        }
    }
    let answer = r#"{"placement": [0, 1, 1, 2], "iterations": [
        {"placement": [0, 2, 1, 2], "n_rejections": 3, "n_messages": 12, "knowledge": 0.5},
        {"placement": [0, 1, 1, 2]}]}"#;
    let posed = Posed::default();
    let mut told = Told(Vec::new());
    let mut context = Context::new(0, 7, &mut told);
    let checked = lbaf_strategies::run(&strategy(answering(answer)), &posed.problem(), &mut context).unwrap();
    let outcome = checked.outcome;
    assert_eq!((outcome.best_iteration, outcome.protocol), (2, Protocol::Peers));
    let [first, second] = outcome.iterations[..] else { panic!("two iterations") };
    assert_eq!((first.n_transfers, second.n_transfers), (2, 1));
    assert_eq!((first.n_rejections, first.n_messages, first.knowledge), (3, 12, Some(0.5)));
    assert_eq!((second.n_rejections, second.n_messages, second.knowledge), (0, 0, None));
    assert_eq!((first.max_work, second.max_work), (3.0, 2.3));
    let mean = 7.3 / 3.0;
    assert!((first.load_imbalance - (6.0 / mean - 1.0)).abs() < 1e-12);
    let placement = |ranks: [u32; 4]| Assignment::new(ranks.map(RankId).to_vec());
    assert_eq!(told.0, [(1, placement([0, 2, 1, 2])), (2, placement([0, 1, 1, 2]))]);
}

#[test]
fn the_start_may_be_the_best() {
    let answer = r#"{"placement": [0, 0, 1, 1], "iterations": [{"placement": [0, 1, 1, 1]}]}"#;
    let checked = Posed::default().run(&strategy(answering(answer))).unwrap();
    assert_eq!(checked.outcome.best_iteration, 0);
}

/// Rank 1 needs 1410 bytes, more than the bound of 1300: 1000 itself, 200 for a block, 100 for each of two
/// objects, and 10 while one of them runs.
#[test]
fn bounds_are_checked_if_they_were_promised() {
    let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 1300.0, scope: BoundScope::Rank };
    let model =
        || Affine::new(AffineParameters { bounds: vec![bound], ..AffineParameters::default() }).unwrap();
    let posed = Posed { model: Box::new(model()), ..Posed::default() };
    let infeasible = |promises: Vec<Promise>| {
        let parameters = External { promises, ..answering(r#"{"placement": [0, 1, 1, 2]}"#) };
        let checked = posed.run(&strategy(parameters)).unwrap();
        assert!(checked.works[1].is_over_bound());
        checked.infeasible
    };
    assert_eq!((infeasible(vec![]), infeasible(vec![Promise::Bounds])), (false, true));
}

#[test]
fn promises_and_needs_follow_the_parameters() {
    let plain = strategy(answering("{}"));
    assert!(
        !plain.honours_bounds()
            && plain.uses_random_numbers()
            && !plain.needs_coordinates()
            && !plain.needs_subphases()
    );
    let promises = vec![Promise::Bounds, Promise::SeedIgnored];
    let full = strategy(External { promises, indices: true, subphases: true, ..answering("{}") });
    assert!(
        full.honours_bounds()
            && !full.uses_random_numbers()
            && full.needs_coordinates()
            && full.needs_subphases()
    );
    assert_eq!(full.name(), "External");
}
