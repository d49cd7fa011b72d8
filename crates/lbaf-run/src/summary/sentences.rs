// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sentences on the result of a run.

mod change;
mod objective;
mod side_effects;

use lbaf_config::ranges;
use lbaf_model::Limit;
use lbaf_text::number::{counted, percent, percent_at_most, rounded_up, significant_to};

pub use self::objective::{Objective, in_a_row};
use super::bounds::RestrictedBound;
use super::doubt::capitalized;
use super::overall::restricted_bound;
use super::rounding::ROUNDING;
use crate::summary::PhaseResult;

/// Returns sentences on the saving of ideal load balance, the limiting factor and the result, then on phases that need
/// attention. They compare maximum work, summed over phases because a barrier follows each phase.
pub fn sentences(phases: &[PhaseResult], objective: &Objective) -> Vec<String> {
    let sum = |value: fn(&PhaseResult) -> f64| phases.iter().map(value).sum::<f64>();
    let before = sum(|phase| phase.before.work.max);
    let longest_loads = sum(|phase| phase.before.load.max);
    let after = sum(|phase| phase.after.work.max);
    let mut sentences = Vec::new();
    if before <= 0.0 || longest_loads <= 0.0 {
        sentences.push(change::from_nothing(phases, objective));
    } else {
        let bound = sum(|phase| phase.lower_bound.work);
        let ideal = 1.0 - sum(|phase| phase.ideal_work) / before;
        let is_best = phases.iter().all(is_within_bounds) && gap_of(after, bound) < ROUNDING;
        sentences.extend([
            objective.ideal(&percent(ideal.max(0.0))),
            limit(phases, (1.0 - bound / before).max(0.0), objective.is_beyond_bounds && !is_best),
            change::change(phases, objective, &quality(after, bound, BEST)),
        ]);
        sentences.extend(fewer_migrations(phases));
        sentences.extend(restricted(phases, objective));
        sentences.extend(limited(phases));
        sentences.extend(change::worse(phases, objective));
    }
    sentences.extend(side_effects::side_effects(phases, objective));
    sentences.extend(phases.iter().flat_map(over_bounds));
    sentences.extend(infeasible(phases));
    sentences.extend(unproven(phases).map(|clause| capitalized(&clause)));
    sentences
}

/// Returns a sentence on the best result with at most half of the migrations; `None` unless every phase has one on its
/// Pareto front, at least one of them has migrations, and all phases satisfy the upper bounds.
fn fewer_migrations(phases: &[PhaseResult]) -> Option<String> {
    let most = |phase: &PhaseResult| phase.front.last().map_or(0, |point| point.migrations) / 2;
    let mut halfway = (0, 0.0);
    for phase in phases {
        let point = phase.front.iter().rfind(|point| point.migrations <= most(phase))?;
        halfway = (halfway.0 + point.migrations, halfway.1 + point.max_work);
    }
    if !phases.iter().all(is_within_bounds) {
        return None;
    }
    let bound: f64 = phases.iter().map(|phase| phase.lower_bound.work).sum();
    let n: usize = phases.iter().map(|phase| phase.migrations.count).sum();
    (halfway.0 > 0 && bound > 0.0).then(|| {
        let quality = quality(halfway.1, bound, BEST);
        let quality = quality.trim_start_matches("which is ");
        format!("With {} instead of {n}, the result would be {quality}.", counted(halfway.0, "migration"))
    })
}

/// Returns the sentence on the limiting factor that costs most in a phase. `share` is the largest improvement that the
/// lower bounds of all phases admit.
fn limit(phases: &[PhaseResult], share: f64, beyond_load: bool) -> String {
    let cost = |phase: &PhaseResult| phase.lower_bound.work - phase.ideal_work;
    let limited = phases.iter().filter(|phase| phase.lower_bound.is_limited());
    let worst = limited.max_by(|a, b| cost(a).total_cmp(&cost(b)));
    let unknown = if beyond_load {
        "; memory or communication may impose a tighter limit than this bound captures"
    } else {
        ""
    };
    let Some(worst) = worst else {
        return format!(
            "Limiting factor: mean load; neither the largest object nor non-migratable objects raise the lower bound{unknown}."
        );
    };
    let limit = match worst.lower_bound.limit {
        Limit::Search => {
            let limit = "all terms and upper bounds of the work model together, proven by a search";
            return format!("Limiting factor: {limit}; the improvement is at most {}.", percent(share));
        }
        Limit::Sentinels => "non-migratable objects",
        Limit::LargeObjects if worst.n_migratable < worst.n_objects => {
            "large objects together with non-migratable objects"
        }
        Limit::LargeObjects => "large objects",
        Limit::FastestRanks => "large objects on few fast ranks",
        Limit::Packing => "objects that cannot be packed evenly",
        Limit::Memory => "memory",
        Limit::Communication => "communication",
        Limit::Homing => "blocks away from home",
        // Bounds of blocks hold only while blocks stay whole, so they never bound all placements.
        Limit::LargestObject | Limit::LargestBlock | Limit::LargeBlocks | Limit::Mean => "largest object",
    };
    format!("Limiting factor: {limit}; the improvement is at most {}{unknown}.", percent(share))
}

/// Returns a sentence on the lower bound under the restriction of the strategy, and the gap of the result to it; `None`
/// if there is no such bound. The gap is omitted if a phase exceeds upper bounds.
fn restricted(phases: &[PhaseResult], objective: &Objective) -> Option<String> {
    let (keeps, work) = restricted_bound(phases)?;
    let below = objective.below(work);
    let limit = match phases {
        [phase] => {
            let reason = |bound: &RestrictedBound| match bound.bound.limit {
                Limit::Search => ", as proven by a search".to_owned(),
                _ => format!(", limited by {}", bound.bound.culprit(phase.n_migratable < phase.n_objects)),
            };
            phase.restricted_bound.as_ref().map(reason)
        }
        _ => Some(format!(" over {} phases", phases.len())),
    };
    let limit = limit.unwrap_or_default();
    let after: f64 = phases.iter().map(|phase| phase.after.work.max).sum();
    let result = if phases.iter().all(is_within_bounds) {
        let quality = quality(after, work, "the best of these placements");
        format!("; the result is {}", quality.trim_start_matches("which is "))
    } else {
        String::new()
    };
    Some(format!("No placement that {keeps} {below}{limit}{result}."))
}

/// Returns the gap of the result of a phase.
fn gap(phase: &PhaseResult) -> f64 {
    gap_of(phase.after.work.max, phase.lower_bound.work)
}

fn gap_of(after: f64, bound: f64) -> f64 {
    // Sums over phases and bounds of earlier versions may exceed the result by rounding.
    if bound > 0.0 { (after / bound - 1.0).max(0.0) } else { 0.0 }
}

/// Term for the least value of any placement.
const BEST: &str = "the optimum";

fn is_within_bounds(phase: &PhaseResult) -> bool {
    phase.violations.is_empty()
}

/// Returns the gap of a result to the lower bound in words; `best` names the optimum. Large gaps are factors: "at most
/// 1.99 times" is easier to read than "within 99%".
fn quality(after: f64, bound: f64, best: &str) -> String {
    let gap = gap_of(after, bound);
    if after <= 0.0 {
        format!("which is {best}")
    } else if bound <= 0.0 {
        format!("with no lower bound on {best}")
    } else if gap < ROUNDING {
        format!("which is {best}")
    } else if gap < 0.5 {
        format!("within {} of {best}", percent_at_most(gap))
    } else {
        format!("at most {} times {best}", significant_to(rounded_up(gap + 1.0, 3), 3))
    }
}

/// Limiting factors with sentences on single phases.
const NAMED: [Limit; 8] = [
    Limit::LargestObject,
    Limit::Sentinels,
    Limit::LargeObjects,
    Limit::FastestRanks,
    Limit::Packing,
    Limit::Memory,
    Limit::Communication,
    Limit::Homing,
];

/// Returns sentences on the limiting factors and gaps of single phases: one per phase, or one for many phases with the
/// same kind of limiting factor.
fn limited(phases: &[PhaseResult]) -> Vec<String> {
    const FEW: usize = 4;
    let cost = |phase: &PhaseResult| phase.lower_bound.work - phase.ideal_work;
    let mut sentences = Vec::new();
    for limit in NAMED {
        let limited: Vec<&PhaseResult> = phases
            .iter()
            .filter(|phase| phase.lower_bound.limit == limit && is_within_bounds(phase))
            .collect();
        let worst = limited.iter().max_by(|a, b| cost(a).total_cmp(&cost(b)));
        let Some(worst) = worst.filter(|_| limited.len() > FEW) else {
            sentences.extend(limited.into_iter().map(|phase| (phase.phase, limited_phase(phase))));
            continue;
        };
        let ids: Vec<u64> = limited.iter().map(|phase| phase.phase).collect();
        let n_optimal = limited.iter().filter(|phase| gap(phase) < ROUNDING).count();
        let optimal = match n_optimal {
            0 => "none of the results reaches its lower bound".to_owned(),
            n if n == ids.len() => "all of these phases are optimal".to_owned(),
            1 => "1 of these phases reaches its lower bound and is optimal".to_owned(),
            n => format!("{n} of these phases reach their lower bounds and are optimal"),
        };
        let sentence = format!(
            "{} phases ({}) have the same kind of limiting factor, which costs most in phase {}: {}; {optimal}.",
            ids.len(),
            ranges(&ids),
            worst.phase,
            culprit(worst),
        );
        sentences.push((ids[0], sentence));
    }
    sentences.sort();
    sentences.into_iter().map(|(_, sentence)| sentence).collect()
}

fn limited_phase(phase: &PhaseResult) -> String {
    let PhaseResult { phase: id, lower_bound: bound, after, .. } = phase;
    let limit = culprit(phase);
    // The largest object alone implies a bound.
    let alone = bound.object.zip(bound.load).filter(|_| bound.limit == Limit::LargeObjects);
    let alone = alone.map(|(_, load)| load / after.load.mean - 1.0).filter(|&alone| alone > 0.0);
    let alone = alone.map(|alone| {
        format!("; this object alone implies a load imbalance of at least {}", imbalance(alone))
    });
    let alone = alone.unwrap_or_default();
    if gap(phase) < ROUNDING {
        let imbalance = imbalance(after.load.imbalance);
        return format!("Phase {id} is optimal: a load imbalance of {imbalance}, limited by {limit}{alone}.");
    }
    let quality = quality(after.work.max, bound.work, BEST);
    if bound.load_limit != bound.limit {
        return format!("Phase {id} is {quality}; the lower bound follows from {limit}.");
    }
    let imbalance = imbalance(bound.load_imbalance);
    format!(
        "Phase {id} is {quality}; the lower bound, with a load imbalance of {imbalance}, follows from {limit}{alone}."
    )
}

fn imbalance(imbalance: f64) -> String {
    significant_to(imbalance, if imbalance < 1.0 { 4 } else { 5 })
}

/// Returns the limiting factor of a phase with numbers.
fn culprit(phase: &PhaseResult) -> String {
    phase.lower_bound.culprit(phase.n_migratable < phase.n_objects)
}

fn over_bounds(phase: &PhaseResult) -> impl Iterator<Item = String> + '_ {
    let start = if phase.before.n_ranks_over_bounds == 0 { ", which its start satisfies" } else { "" };
    phase
        .violations
        .iter()
        .map(move |violation| format!("Phase {} exceeds an upper bound{start}: {violation}.", phase.phase))
}

/// Returns a clause on phases whose search ended without a proof, if any.
pub fn unproven(phases: &[PhaseResult]) -> Option<String> {
    let unproven = phases.iter().filter(|phase| phase.proven == Some(false));
    let ids: Vec<u64> = unproven.map(|phase| phase.phase).collect();
    match ids[..] {
        [] => None,
        [id] => Some(format!("the placement of phase {id} is not proven to be optimal")),
        _ => Some(format!(
            "the placements of {} phases ({}) are not proven to be optimal",
            ids.len(),
            ranges(&ids)
        )),
    }
}

/// Returns a sentence on phases that are proven infeasible, with the first proof; `None` if there are none.
fn infeasible(phases: &[PhaseResult]) -> Option<String> {
    let mut proofs = phases.iter().filter_map(|phase| phase.infeasibility.as_ref().zip(Some(phase.phase)));
    let (proof, phase) = proofs.next()?;
    let others = match proofs.count() {
        0 => String::new(),
        n => format!(", like {}", counted(n, "other phase")),
    };
    Some(format!("Phase {phase} is infeasible{others}: {proof}."))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use lbaf_model::{Affine, AffineParameters, LoadOnly, WorkModel};

    use super::*;
    use crate::summary::Violation;
    use crate::summary::bounds::{Bound, Restriction};
    use crate::summary::fixture::phase;

    fn said(phases: &[PhaseResult], model: &dyn WorkModel) -> String {
        sentences(phases, &Objective::new(model)).join("\n")
    }

    fn said_of_load(phases: &[PhaseResult]) -> String {
        said(phases, &LoadOnly::default())
    }

    /// Returns a result in which a rank exceeds an upper bound by these relative amounts before and after balancing.
    fn over(mut result: PhaseResult, [start, end]: [f64; 2]) -> PhaseResult {
        for (snapshot, excess) in [(&mut result.before, start), (&mut result.after, end)] {
            snapshot.largest_excess = excess;
            snapshot.n_ranks_over_bounds = usize::from(excess > 0.0);
        }
        let violation = Violation {
            quantity: "max_memory_usage".to_owned(),
            limit: 10.0,
            scope: "rank".to_owned(),
            place: 1,
            value: 10.0 * (1.0 + end),
            n_places: 1,
        };
        result.violations = if end > 0.0 { vec![violation] } else { Vec::new() };
        result
    }

    /// 4 s become 5 s; the lower bound is 3 s.
    #[test]
    fn a_result_that_takes_longer_than_its_start_is_worse() {
        assert_snapshot!(said_of_load(&[phase(0, (4.0, 5.0), 1)]), @r"
        Ideal load balance would reduce the time by 25%.
        Limiting factor: mean load; neither the largest object nor non-migratable objects raise the lower bound.
        The result is worse than the start: expect 25% more time after balancing, at most 1.67 times the optimum.
        Off-rank volume grows from 1 MB to 2.5 MB: the work model does not count communication.
        ");
    }

    #[test]
    fn a_result_with_more_work_than_its_start_is_worse_in_terms_of_the_model() {
        let parameters = AffineParameters { beta: 1.0, delta: 1.0, ..AffineParameters::default() };
        let model = Affine::new(parameters).unwrap();
        assert_snapshot!(said(&[phase(0, (4.0, 5.0), 1)], &model), @r"
        Ideal load balance without any other cost would reduce the maximum work (load, communication and homing) by 25%.
        Limiting factor: mean load; neither the largest object nor non-migratable objects raise the lower bound; memory or communication may impose a tighter limit than this bound captures.
        The result is worse than the start: expect 25% more maximum work (load, communication and homing) after balancing, at most 1.67 times the optimum.
        ");
        let phases = [phase(0, (6.0, 3.0), 1), phase(1, (4.0, 5.0), 1)];
        let said = said(&phases, &model);
        let worse = "1 of 2 phases has more maximum work (load, communication and homing) than recorded; the worst is phase 1, by 25%.";
        assert!(said.ends_with(worse), "{said}");
    }

    /// 10 s become 8 s, of which phase 1 takes 5 s instead of 4 s; the lower bound is 6 s.
    #[test]
    fn worse_phases_are_reported_although_the_sum_is_better() {
        assert_snapshot!(said_of_load(&[phase(0, (6.0, 3.0), 1), phase(1, (4.0, 5.0), 1)]), @r"
        Ideal load balance would reduce the time by 40%.
        Limiting factor: mean load; neither the largest object nor non-migratable objects raise the lower bound.
        Expect 20% less time after balancing, within 34% of the optimum.
        1 of 2 phases takes longer than recorded; the worst is phase 1, by 25%.
        Off-rank volume grows from 2 MB to 5 MB: the work model does not count communication.
        ");
        let sum = said_of_load(&[phase(0, (3.0, 3.0), 0), phase(1, (4.0, 5.0), 1)]);
        assert!(
            sum.contains("The result is worse than the start: expect 14% more time after balancing"),
            "{sum}"
        );
    }

    /// 6 s become 3 s, but a rank has 15 bytes, above the upper bound of 10.
    #[test]
    fn a_result_over_bounds_that_its_start_satisfies_is_worse_despite_less_time() {
        assert_snapshot!(said_of_load(&[over(phase(0, (6.0, 3.0), 1), [0.0, 0.5])]), @r"
        Ideal load balance would reduce the time by 50%.
        Limiting factor: mean load; neither the largest object nor non-migratable objects raise the lower bound.
        The result is worse than the start: it exceeds upper bounds of the work model, which the start satisfies; expect 50% less time after balancing.
        Off-rank volume grows from 1 MB to 2.5 MB: the work model does not count communication.
        Phase 0 exceeds an upper bound, which its start satisfies: max_memory_usage is 15 B on rank 1, above 10 B.
        ");
        let more = said_of_load(&[over(phase(0, (6.0, 3.0), 1), [0.25, 0.5])]);
        let worse = "The result is worse than the start: it exceeds the upper bounds of the work model by more; expect 50% less time after balancing.";
        assert!(more.contains(worse), "{more}");
        let no_less = said_of_load(&[over(phase(0, (4.0, 5.0), 1), [0.5, 0.5])]);
        let worse = "The result is worse than the start: expect 25% more time after balancing; result and start exceed upper bounds of the work model.";
        assert!(no_less.contains(worse), "{no_less}");
    }

    /// Results are compared first by excess over upper bounds, then by time.
    #[test]
    fn a_result_within_bounds_is_not_worse_than_a_start_over_bounds() {
        let kept = said_of_load(&[over(phase(0, (4.0, 5.0), 1), [0.5, 0.0])]);
        let better = "Expect 25% more time after balancing, at most 1.67 times the optimum; the result satisfies the upper bounds of the work model, which the start exceeds.";
        assert!(kept.contains(better) && !kept.contains("worse"), "{kept}");
        let nearer = said_of_load(&[over(phase(0, (4.0, 5.0), 1), [0.5, 0.25])]);
        let better = "Expect 25% more time after balancing; the result still exceeds upper bounds of the work model, like the start.";
        assert!(nearer.contains(better) && !nearer.contains("worse"), "{nearer}");
    }

    #[test]
    fn a_result_with_work_is_worse_than_a_start_without_work() {
        let parameters = AffineParameters { alpha: 0.0, beta: 1.0, ..AffineParameters::default() };
        let model = Affine::new(parameters).unwrap();
        let mut result = phase(0, (4.0, 5.0), 1);
        result.before.work.max = 0.0;
        let said = said(&[result], &model);
        assert_eq!(
            said,
            "There is no work to balance; the maximum work (communication) is 0 before and 5 after balancing: the result is worse \
             than the start."
        );
    }

    /// 6 s become 4 s, the load of the largest block; the lower bound for all placements is 3 s.
    #[test]
    fn the_bound_under_a_restriction_has_a_sentence() {
        let mut result = phase(0, (6.0, 4.0), 1);
        let bound = Bound {
            work: 4.0,
            limit: Limit::LargestBlock,
            block: Some(7),
            load: Some(4.0),
            ..result.lower_bound.clone()
        };
        result.restricted_bound =
            Some(RestrictedBound { restriction: Restriction::WholeBlocks, within_bounds: false, bound });
        assert_snapshot!(said_of_load(&[result.clone()]), @r"
        Ideal load balance would reduce the time by 50%.
        Limiting factor: mean load; neither the largest object nor non-migratable objects raise the lower bound.
        Expect 33% less time after balancing, within 34% of the optimum.
        No placement that keeps blocks whole takes less than 4 s, limited by the largest block, 7 (4 s); the result is the best of these placements.
        Off-rank volume grows from 1 MB to 2.5 MB: the work model does not count communication.
        ");
        // The second phase has a lower bound of 3 s and takes 4.5 s: in total 8.5 s, at a bound of 4 + 3 s.
        let said = said_of_load(&[result, phase(1, (6.0, 4.5), 1)]);
        let apart = "No placement that keeps blocks whole takes less than 7 s over 2 phases; the result is within 22% of the best of these placements.";
        assert!(said.contains(apart), "{said}");
    }
    #[test]
    fn limiting_factors_are_those_of_the_lower_bound() {
        let said = |limit: Limit, imbalance: Option<f64>, n_objects: Option<usize>| {
            let mut result = phase(0, (6.0, 4.0), 1);
            let bound = &mut result.lower_bound;
            (bound.limit, bound.n_objects, bound.load) = (limit, n_objects, Some(1.5));
            if let Some(imbalance) = imbalance {
                (bound.load_limit, bound.load_imbalance) = (limit, imbalance);
            }
            limited_phase(&result)
        };
        assert_eq!(
            said(Limit::Packing, Some(0.25), None),
            "Phase 0 is within 34% of the optimum; the lower bound, with a load imbalance of 0.25, follows from loads that \
             cannot be packed more evenly."
        );
        assert_eq!(
            said(Limit::LargeObjects, Some(0.25), Some(3)),
            "Phase 0 is within 34% of the optimum; the lower bound, with a load imbalance of 0.25, follows from the 3 largest \
             objects (1.5 s or more each)."
        );
        assert_eq!(
            said(Limit::Communication, None, None),
            "Phase 0 is within 34% of the optimum; the lower bound follows from communication that no placement avoids."
        );
    }

    /// 6 s become 3 s, the lower bound, or 4 s.
    #[test]
    fn only_results_at_their_bounds_are_optimal() {
        let limited = |seconds: &[f64]| {
            let phases = (0..).zip(seconds).map(|(id, &seconds)| {
                let mut result = phase(id, (6.0, seconds), 1);
                result.lower_bound.limit = Limit::Sentinels;
                result
            });
            super::limited(&phases.collect::<Vec<_>>()).join("\n")
        };
        for (seconds, end) in [
            ([3.0; 5], "all of these phases are optimal."),
            ([3.0, 4.0, 3.0, 4.0, 4.0], "2 of these phases reach their lower bounds and are optimal."),
            ([4.0, 4.0, 3.0, 4.0, 4.0], "1 of these phases reaches its lower bound and is optimal."),
            ([4.0; 5], "none of the results reaches its lower bound."),
        ] {
            let said = limited(&seconds);
            assert!(said.starts_with("5 phases (0-4) have the same kind of limiting factor"), "{said}");
            assert!(said.ends_with(&format!("; {end}")), "{said}");
        }
    }
}
