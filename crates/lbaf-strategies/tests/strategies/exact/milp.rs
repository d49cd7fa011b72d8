// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Milp` compared with published optima and with an enumeration, and programs compared with works of placements.

use lbaf_milp::{Form, Formulated, FormulationError, Program};
use lbaf_model::{
    Affine, AffineParameters, Assignment, BoundScope, Ccm, CcmParameters, LoadOnly, Phase, RankId,
    RankQuantity, Slot, UpperBound, Work, WorkModel, rank_totals, works,
};
use lbaf_strategies::{Checked, Context, Milp, MilpFormulation, NoObserver, Problem, StrategyError, run};
use proptest::prelude::*;

use crate::cases;
use crate::exact::brute_force::ccm::published;
use crate::exact::brute_force::{Full, all_works, ccm, full, max_work, model};
use crate::made_phase::{Made, Object, memory, object, sentinel};

fn solve(strategy: &Milp, phase: &Phase, model: &dyn WorkModel) -> Result<Checked, StrategyError> {
    let problem = Problem { phase, initial: phase.recorded_assignment(), model, keys: &[] };
    run(strategy, &problem, &mut Context::new(0, 0, &mut NoObserver))
}

/// True if two numbers are equal up to the tolerance of solvers.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 3e-6 * b.abs().max(1.0)
}

#[test]
fn synthetic_blocks_have_the_published_optima() {
    for formulation in [MilpFormulation::Compact, MilpFormulation::Comcp] {
        for (at, problem) in published().iter().enumerate() {
            let (phase, whole_clusters) = (problem.phase(), problem.whole_clusters);
            let strategy = Milp { whole_clusters, formulation, ..Milp::default() };
            let checked = match solve(&strategy, &phase, &*problem.model) {
                Ok(checked) => checked,
                Err(error) => {
                    let counts_more = problem.model.terms().unwrap();
                    assert!(counts_more.off_rank > 0.0 || counts_more.homing > 0.0, "row {at}: {error}");
                    assert_eq!(formulation, MilpFormulation::Comcp, "row {at}: {error}");
                    continue;
                }
            };
            let found = max_work(&phase, &*problem.model, &checked.outcome.assignment);
            assert_eq!(checked.infeasible, problem.optimum.is_none(), "row {at}");
            let Some(expected) = problem.optimum else { continue };
            let exact = (found.cost() - expected).abs() <= 1e-12 * expected;
            assert!(!found.is_over_bound() && exact, "row {at}: {found}, not {expected}");
            if let Some(bound) = checked.outcome.proven_bound {
                assert!(bound <= expected && close(bound, expected), "row {at}: bound {bound}");
            }
        }
    }
}

/// True if a model has a bound that cannot be written as a linear program.
fn is_nonlinear(model: &dyn WorkModel) -> bool {
    model.bounds().iter().any(|bound| bound.quantity == RankQuantity::HomedBlocksRatio)
}

/// Returns the least cost of placements within bounds, if any.
fn least(works: &[Work]) -> Option<f64> {
    works.iter().filter(|work| !work.is_over_bound()).map(|work| work.cost()).reduce(f64::min)
}

/// Asserts that the result is the optimum of an enumeration of all placements.
fn assert_best(full: &Full, model: &dyn WorkModel, strategy: &Milp) -> Result<(), TestCaseError> {
    let phase = full.phase();
    let Ok(checked) = solve(strategy, &phase, model) else {
        prop_assert!(is_nonlinear(model));
        return Ok(());
    };
    let found = max_work(&phase, model, &checked.outcome.assignment);
    let all = all_works(&phase, model, strategy.whole_clusters);
    if let Some(least) = least(&all) {
        prop_assert!(!found.is_over_bound(), "{:?}", checked.outcome.notes);
        prop_assert!(close(found.cost(), least), "found {found}, not {least}: {:?}", checked.outcome.notes);
        prop_assert!(checked.outcome.proven_bound.is_none_or(|bound| bound <= least + 1e-12 * least.abs()));
    } else {
        prop_assert!(checked.infeasible);
    }
    Ok(())
}

/// Returns the values of all variables in a placement, derived from their names.
fn values(program: &Program, phase: &Phase, placement: &Assignment, work: f64) -> Vec<f64> {
    let rank = |text: &str| RankId(text.parse().unwrap());
    let slot = |text: &str| Slot(text.strip_prefix("slot").unwrap().parse().unwrap());
    let here = |at: RankId| phase.slots().filter(move |&slot| placement.rank_of(slot) == at);
    let value = |name: &str| {
        let words: Vec<&str> = name.split('_').collect();
        let is_true = match words[..] {
            ["W"] => return work,
            ["working", at] => {
                return here(rank(at)).map(|slot| phase.memory(slot).working_bytes).fold(0.0, f64::max);
            }
            ["serialized", at] => {
                return here(rank(at)).map(|slot| phase.memory(slot).serialized_bytes).fold(0.0, f64::max);
            }
            ["chi", at, object] => placement.rank_of(slot(object)) == rank(at),
            ["phi", at, id] => here(rank(at)).any(|slot| {
                phase
                    .memory(slot)
                    .block
                    .is_some_and(|block| phase.blocks()[block.index()].id.to_string() == id)
            }),
            ["psi", at, a, b] => [a, b].iter().all(|&end| placement.rank_of(slot(end)) == rank(at)),
            ["psi", i, j, a, b] => {
                placement.rank_of(slot(a)) == rank(i) && placement.rank_of(slot(b)) == rank(j)
            }
            _ => panic!("unknown variable {name}"),
        };
        f64::from(u8::from(is_true))
    };
    program.variables.iter().map(|variable| value(&variable.name)).collect()
}

/// Asserts that a program expresses a work model, for the placement with this number in an enumeration.
///
/// A feasible placement satisfies the constraints with its maximum work as objective, but not with a smaller one. An
/// infeasible placement violates them. This also holds for a program that excludes placements with more work than the
/// start.
fn assert_expresses(
    full: &Full,
    model: &dyn WorkModel,
    form: Form,
    number: usize,
) -> Result<(), TestCaseError> {
    let phase = full.phase();
    let mut placement = phase.recorded_assignment().clone();
    let mut rest = number;
    for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
        placement.set(slot, RankId::from(rest % phase.n_ranks()));
        rest /= phase.n_ranks();
    }
    let initial = phase.recorded_assignment();
    let formulated = match Formulated::new((&phase, initial, &[]), model, form, false) {
        Ok(formulated) => formulated,
        Err(FormulationError::Quantity { .. }) => {
            prop_assert!(is_nonlinear(model));
            return Ok(());
        }
        Err(FormulationError::Empty) => {
            prop_assert!(phase.slots().all(|slot| !phase.is_migratable(slot)));
            return Ok(());
        }
        Err(error) => panic!("{error}"),
    };
    let standing = |placement: &Assignment| {
        let all = works(model, &phase, &rank_totals(&phase, placement));
        let cost = all.iter().map(|work| work.cost()).fold(0.0, f64::max);
        (cost, all.iter().map(|work| work.excess()).fold(0.0, f64::max))
    };
    let (cost, excess) = standing(&placement);
    let program = formulated.program();
    let violation = |work| program.violation(&values(program, &phase, &placement, work));
    let (most, _) = standing(initial);
    let better = Formulated::with_at_most(most, (&phase, initial, &[]), model, form, false).unwrap();
    let violation_of_better =
        |work| better.program().violation(&values(better.program(), &phase, &placement, work));
    if excess == 0.0 && cost <= most {
        prop_assert!(violation_of_better(cost) <= 1e-9 * cost.max(100.0));
        prop_assert!(cost == 0.0 || violation_of_better(cost * 0.99) > 0.0);
    } else if cost > most {
        prop_assert!(violation_of_better(most) > 0.0, "{cost} is more than {most}");
    }
    if excess == 0.0 {
        prop_assert!(violation(cost) <= 1e-9 * cost.max(100.0), "{}", violation(cost));
        prop_assert!(cost == 0.0 || violation(cost * 0.99) > 0.0);
    } else if excess > 1e-9 {
        prop_assert!(violation(cost) > 0.0);
    }
    let mut chi = vec![0.0; program.variables.len()];
    formulated
        .values_of_placement(&placement)
        .into_iter()
        .for_each(|(variable, value)| chi[variable.0] = value);
    prop_assert_eq!(formulated.placement_of_values(&chi), placement);
    Ok(())
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn programs_express_work_models(full in full(), model in model(), paper in any::<bool>(), number: u16) {
        let form = if paper { Form::Fwmp } else { Form::Compact };
        assert_expresses(&full, &model, form, number.into())?;
    }

    #[test]
    fn programs_express_ccm(full in full(), model in ccm(), paper in any::<bool>(), number: u16) {
        let form = if paper { Form::Fwmp } else { Form::Compact };
        assert_expresses(&full, &model, form, number.into())?;
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn no_placement_is_better(full in full(), model in model(), whole_clusters in any::<bool>()) {
        assert_best(&full, &model, &Milp { whole_clusters, ..Milp::default() })?;
    }

    #[test]
    fn no_placement_is_better_under_ccm(full in full(), model in ccm(), whole_clusters in any::<bool>()) {
        assert_best(&full, &model, &Milp { whole_clusters, ..Milp::default() })?;
    }
}

/// Returns objects of different loads that communicate along a ring.
fn ring() -> (Made, Affine) {
    let objects = (0..14_u32).map(|at| object(1.0 + f64::from(at * at % 13) / 7.0, at % 2)).collect();
    let edges = (0..14).map(|at| (at, (at + 1) % 14, f64::from(at % 5))).collect();
    let parameters = AffineParameters { beta: 0.25, ..AffineParameters::default() };
    (Made { edges, ..Made::of(3, objects) }, Affine::new(parameters).unwrap())
}

/// A search that is cut off still has a valid bound.
#[test]
fn a_search_cut_off_by_a_limit_has_a_bound_and_reports_the_limit() {
    let (made, model) = ring();
    let best = made.run(&lbaf_strategies::BruteForce::default(), &model, 0).unwrap();
    let best = best.works.iter().max().unwrap().cost();
    for (strategy, said) in [
        (Milp { max_nodes: 3, ..Milp::default() }, "microlp stopped at `max_nodes` after 3 nodes: "),
        (Milp { gap: 0.5, ..Milp::default() }, "microlp reached the gap after "),
    ] {
        let checked = made.run(&strategy, &model, 0).unwrap();
        let found = checked.works.iter().max().unwrap().cost();
        let bound = checked.outcome.proven_bound.unwrap();
        assert!(bound <= best && best <= found * (1.0 + 1e-12), "{bound} {best} {found}");
        let note = &checked.outcome.notes[0];
        assert!(note.contains(said) && note.contains(": no placement has less maximum work than "), "{note}");
    }
}

/// The communication of two objects costs up to 10^12 times the loads, unless they share a rank. The proof must
/// still resolve differences of loads.
#[test]
fn costs_that_no_good_placement_has_do_not_weaken_the_proof() {
    let loads = [1.0, 1.0, 1.0004, 1.0, 0.5, 0.5003];
    let objects = loads.map(|load| object(load, 0)).to_vec();
    let model = Affine::new(AffineParameters { beta: 1.0, ..AffineParameters::default() }).unwrap();
    for bytes in [1e3, 1e6, 1e12] {
        let made = Made { edges: vec![(0, 1, bytes)], ..Made::of(2, objects.clone()) };
        for formulation in [MilpFormulation::Compact, MilpFormulation::Fwmp] {
            let checked = made.run(&Milp { formulation, ..Milp::default() }, &model, 0).unwrap();
            // The optimum: 1 + 1 + 0.5003 and 1.0004 + 1 + 0.5.
            let found = checked.works.iter().max().unwrap().cost();
            assert!((found - 2.5004).abs() < 1e-9, "{found}: {:?}", checked.outcome.notes);
            let bound = checked.outcome.proven_bound.unwrap();
            assert!((2.50039..=2.5004).contains(&bound), "{bound}");
        }
    }
}

/// Asserts that the result is optimal, with a proven bound that is less by at most 1e-5 of the optimum.
fn assert_proven(made: &Made, model: &dyn WorkModel) {
    let best = made.run(&lbaf_strategies::BruteForce::default(), model, 0).unwrap();
    let best = best.works.iter().max().unwrap().cost();
    let checked = made.run(&Milp::default(), model, 0).unwrap();
    let found = checked.works.iter().max().unwrap().cost();
    assert!((found - best).abs() < 1e-9, "{found}, not {best}: {:?}", checked.outcome.notes);
    let bound = checked.outcome.proven_bound.unwrap();
    assert!((0.99999 * best..=best * (1.0 + 1e-12)).contains(&bound), "{bound}, {best}");
}

/// Off-rank communication at the start costs up to 10^9 times the optimum.
#[test]
fn an_expensive_start_does_not_weaken_the_proof() {
    let loads = [(1.0, 0), (1.0, 1), (1.0004, 0), (1.0, 0), (0.5, 0), (0.5003, 0)];
    let mut objects: Vec<Object> = loads.map(|(load, rank)| object(load, rank)).to_vec();
    objects.extend([sentinel(0.1, 2), sentinel(0.1, 1)]);
    let model = Affine::new(AffineParameters { beta: 1.0, ..AffineParameters::default() }).unwrap();
    for bytes in [1e3, 1e6, 1e9] {
        let edges = vec![(0, 6, bytes), (2, 7, bytes), (1, 3, bytes), (3, 4, bytes)];
        assert_proven(&Made { edges, ..Made::of(3, objects.clone()) }, &model);
    }
}

/// On-rank communication costs so much that no good placement has both communicating objects on one rank.
#[test]
fn costs_of_on_rank_bytes_do_not_weaken_the_proof() {
    let loads = [(1.0, 0), (1.3, 1), (1.0004, 0), (1.1, 1), (0.5, 0), (0.5003, 1)];
    let objects = loads.map(|(load, rank)| object(load, rank)).to_vec();
    let parameters =
        CcmParameters { alpha: 1.0, beta: 0.0, gamma: 1.0, delta: 0.0, ..CcmParameters::default() };
    let model = Ccm::new(parameters).unwrap();
    for bytes in [1e3, 1e6, 1e9] {
        assert_proven(&Made { edges: vec![(0, 1, bytes)], ..Made::of(2, objects.clone()) }, &model);
    }
}

/// The placement with the least work exceeds the bound by one byte in 10^9, which is within the tolerance of
/// solvers.
#[test]
fn a_bound_exceeded_by_one_byte_is_enforced() {
    let of = |(load, footprint_bytes)| Object { footprint_bytes, ..object(load, 0) };
    let objects = [(5.0, 600_000_001.0), (5.0, 4e8), (6.0, 6e8), (4.0, 3e8)].map(of).to_vec();
    let made = Made::of(2, objects);
    let model = memory(1e9);
    let best = made.run(&lbaf_strategies::BruteForce::default(), &model, 0).unwrap();
    let checked = made.run(&Milp::default(), &model, 0).unwrap();
    let largest = |checked: &Checked| *checked.works.iter().max().unwrap();
    assert!(!checked.infeasible, "{:?}", checked.outcome.notes);
    assert_eq!(largest(&checked).cost(), largest(&best).cost(), "{:?}", checked.outcome.notes);
    assert!(
        !checked.outcome.notes[0].contains("no placement has less maximum work, up to"),
        "{:?}",
        checked.outcome.notes
    );
}

/// If a solution exceeds a bound within the tolerance, the solver runs again with a stricter bound. A full rank
/// must not prevent a second solution. A limit reached in the second run must be reported.
#[test]
fn a_full_rank_does_not_prevent_a_repeated_solution() {
    let bytes =
        [(3.0, 200_000_001.0), (8.83, 500_000_001.0), (1.56, 3e8), (2.27, 5e8), (8.77, 4e8), (8.07, 2e8)];
    let of =
        |(at, (load, footprint_bytes)): (u32, (f64, f64))| Object { footprint_bytes, ..object(load, at % 2) };
    let mut objects: Vec<Object> = (0..).zip(bytes).map(of).collect();
    objects.push(Object { footprint_bytes: 1.4e9, ..sentinel(0.0, 2) });
    let made = Made::of(3, objects);
    let model = memory(1.4e9);
    let best = made.run(&lbaf_strategies::BruteForce::default(), &model, 0).unwrap();
    let largest = |checked: &Checked| checked.works.iter().max().unwrap().cost();
    let found = made.run(&Milp::default(), &model, 0).unwrap();
    assert!((largest(&found) - largest(&best)).abs() < 1e-9, "{:?}", found.outcome.notes);
    let cut = made.run(&Milp { max_nodes: 14, ..Milp::default() }, &model, 0).unwrap();
    let is_cut = cut.outcome.notes[0].contains("stopped at `max_nodes`");
    assert!(is_cut || largest(&cut) == largest(&found), "{:?}", cut.outcome.notes);
}

#[test]
fn a_program_that_is_too_large_yields_a_result_without_proof() {
    let loads = [9.0, 8.0, 7.0, 6.0, 5.5, 4.3, 3.2, 2.1, 1.1];
    let made = Made::of(3, loads.map(|load| object(load, 0)).to_vec());
    let small = Milp { max_columns: 27, ..Milp::default() };
    let checked = made.run(&small, &LoadOnly::default(), 0).unwrap();
    let best = made.run(&lbaf_strategies::BruteForce::default(), &LoadOnly::default(), 0).unwrap();
    let most = |checked: &Checked| checked.works.iter().max().unwrap().cost();
    let greedy = made.run(&lbaf_strategies::Greedy::default(), &LoadOnly::default(), 0).unwrap();
    assert!(most(&best) <= most(&checked) && most(&checked) <= most(&greedy));
    assert_eq!((checked.outcome.is_proven, checked.outcome.proven_bound), (Some(false), None));
    let note = &checked.outcome.notes[0];
    assert!(
        note.contains("not proven to be optimal: the ")
            && note.contains("; the lower bound of the maximum work is "),
        "{note}"
    );
    assert!(
        note.contains("need up to 28 columns, more than `max_columns` (27), the limit for microlp"),
        "{note}"
    );
    assert_eq!(best.outcome.is_proven, Some(true));
}

/// A reached gap counts as proven.
#[test]
fn unproven_results_are_marked_and_refused_if_a_proof_is_required() {
    let (made, model) = ring();
    let run = |strategy: Milp| made.run(&strategy, &model, 0);
    let cut = Milp { max_nodes: 3, ..Milp::default() };
    assert_eq!(run(cut.clone()).unwrap().outcome.is_proven, Some(false));
    let error = run(Milp { require_proof: true, ..cut }).unwrap_err().to_string();
    assert!(error.starts_with("Milp: phase 3: microlp stopped at `max_nodes` after 3 nodes: "), "{error}");
    assert!(error.ends_with("raise the limit, or accept the result by `require_proof: false`"), "{error}");
    let near = Milp { gap: 0.5, require_proof: true, ..Milp::default() };
    assert_eq!(run(near).unwrap().outcome.is_proven, Some(true));
}

#[test]
fn a_program_that_is_too_large_is_refused_with_its_size() {
    let made = Made::of(1000, (0..2000).map(|at| object(1.0 + f64::from(at), 0)).collect());
    let strict = Milp { require_proof: true, ..Milp::default() };
    let error = made.run(&strict, &LoadOnly::default(), 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Milp: the 2000 objects or clusters, 1000 ranks, 0 edges and 0 blocks need up to 2000001 columns in phase 3, more \
         than `max_columns` (2000), the limit for microlp; `lbaf milp CONFIG --format lp` writes the program for another \
         solver, and `lbaf milp CONFIG --solution FILE` reads its solution"
    );
}

#[test]
fn parameters_that_make_no_sense_are_refused() {
    let refusal = |strategy: Milp| ring().0.run(&strategy, &LoadOnly::default(), 0).unwrap_err().to_string();
    assert_eq!(
        refusal(Milp { gap: 1.0, ..Milp::default() }),
        "Milp: `gap`: must be at least 0 and below 1, not 1"
    );
    assert_eq!(
        refusal(Milp { time_limit: Some(0.0), ..Milp::default() }),
        "Milp: `time_limit`: must be a number of seconds above 0, not 0"
    );
    #[cfg(not(feature = "highs"))]
    assert_eq!(
        refusal(Milp { solver: lbaf_strategies::MilpSolver::Highs, ..Milp::default() }),
        "Milp: `solver`: this lbaf was built without HiGHS; build it with `--features highs`, use microlp, or write the \
         program for HiGHS with `lbaf milp CONFIG --format lp`"
    );
}

#[cfg(feature = "highs")]
#[test]
fn highs_finds_the_published_optima() {
    for (at, problem) in published().iter().enumerate() {
        let (phase, whole_clusters) = (problem.phase(), problem.whole_clusters);
        let strategy = Milp { solver: lbaf_strategies::MilpSolver::Highs, whole_clusters, ..Milp::default() };
        let checked = solve(&strategy, &phase, &*problem.model).unwrap();
        let found = max_work(&phase, &*problem.model, &checked.outcome.assignment);
        assert_eq!(checked.infeasible, problem.optimum.is_none(), "row {at}");
        let Some(expected) = problem.optimum else { continue };
        assert!((found.cost() - expected).abs() <= 1e-12 * expected, "row {at}: {found}, not {expected}");
    }
}

/// The error is the same with and without a program above `max_columns`.
#[test]
fn models_that_the_program_cannot_express_are_refused_at_any_size() {
    let made = Made::of(2, vec![object(2.0, 0), object(1.0, 0)]);
    let bound = UpperBound { quantity: RankQuantity::HomedBlocksRatio, limit: 1.0, scope: BoundScope::Rank };
    let ratio = Affine::new(AffineParameters { bounds: vec![bound], ..AffineParameters::default() }).unwrap();
    let talk = Affine::new(AffineParameters { beta: 1.0, ..AffineParameters::default() }).unwrap();
    for (model, formulation) in [(ratio, MilpFormulation::Compact), (talk, MilpFormulation::Comcp)] {
        let refused = [2000, 1].map(|max_columns| {
            let strategy = Milp { max_columns, formulation, ..Milp::default() };
            made.run(&strategy, &model, 0).unwrap_err().to_string()
        });
        assert_eq!(refused[0], refused[1]);
    }
}
