// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of the same problem, and their common lower bound.

use lbaf_run::summary::bounds::{Bound, KnownBound, RestrictedBound};
use lbaf_run::summary::rounding::same;
use lbaf_run::summary::{PhaseResult, Start, Summary};

/// Shares lower bounds between runs of the same problem, so that a proof by one run applies to all.
///
/// For each phase, every run gets the highest bound that holds without a restriction of the strategy. A higher bound
/// under a restriction goes only to runs whose strategies have the same or a stricter restriction.
///
/// Still, the highest bound may hold only for placements within the upper bounds of the work model. Infeasible runs get
/// this bound too: charts state the condition, and comparison tables omit the gaps of infeasible runs.
pub fn share_bounds(runs: &mut [&mut Summary]) {
    let summaries: Vec<&Summary> = runs.iter().map(|run| &**run).collect();
    let of_phase = |run: &Summary, phase: &PhaseResult| {
        let others = same_problem(run, phase, &summaries);
        (shared(phase, &others), shared_restricted(phase, &others).cloned())
    };
    let of_run = |run: &Summary| -> Vec<_> { run.phases.iter().map(|phase| of_phase(run, phase)).collect() };
    let all: Vec<_> = summaries.iter().map(|run| of_run(run)).collect();
    for (run, shared) in runs.iter_mut().zip(all) {
        for (phase, ((bound, known), restricted)) in run.phases.iter_mut().zip(shared) {
            let is_higher = |work: f64| work > bound.work && !same(work, bound.work);
            let mut own: Vec<KnownBound> = phase.lower_bounds.drain(..).collect();
            own.retain(|own| own.restriction.is_some() && is_higher(own.work));
            let restricted = restricted.filter(|restricted| is_higher(restricted.bound.work));
            let best = restricted.as_ref().map(RestrictedBound::known);
            own.extend(best.filter(|best| !own.contains(best)));
            phase.lower_bounds = known.into_iter().chain(own).collect();
            phase.restricted_bound = restricted;
            phase.lower_bound = bound;
        }
    }
}

/// Returns the highest bounds on work and load without a restriction, and the highest bound on work for each limiting
/// factor.
fn shared(phase: &PhaseResult, others: &[&PhaseResult]) -> (Bound, Vec<KnownBound>) {
    let best = |of: fn(&Bound) -> f64| {
        let bounds = others.iter().map(|other| &other.lower_bound);
        bounds.fold(&phase.lower_bound, |best, bound| if of(bound) > of(best) { bound } else { best })
    };
    let load = best(|bound| bound.max_load);
    let bound = Bound {
        max_load: load.max_load,
        load_limit: load.load_limit,
        load_imbalance: load.load_imbalance,
        ..best(|bound| bound.work).clone()
    };
    let mut known: Vec<KnownBound> = Vec::new();
    let all = [phase].into_iter().chain(others.iter().copied()).flat_map(|phase| &phase.lower_bounds);
    for one in all.filter(|one| one.restriction.is_none()) {
        match known.iter_mut().find(|other| other.limit == one.limit) {
            Some(other) if other.work >= one.work => {}
            Some(other) => *other = one.clone(),
            None => known.push(one.clone()),
        }
    }
    (bound, known)
}

/// Returns the highest bound under the restriction of a result: its own, or the bound of another result under the same
/// or a looser restriction; `None` if the result has no such bound of its own.
///
/// The bound of another result counts only if both results start from recorded placements, because the start determines
/// which blocks are whole. An infeasible result keeps its own bound if the other bound holds only within the upper
/// bounds.
fn shared_restricted<'a>(phase: &'a PhaseResult, others: &[&'a PhaseResult]) -> Option<&'a RestrictedBound> {
    let own = phase.restricted_bound.as_ref()?;
    let holds = |bound: &RestrictedBound| {
        bound.restriction <= own.restriction && (phase.violations.is_empty() || !bound.within_bounds)
    };
    let is_start = |other: &PhaseResult| phase.start == Start::Recorded && other.start == Start::Recorded;
    let of_others =
        others.iter().filter(|other| is_start(other)).filter_map(|other| other.restricted_bound.as_ref());
    let better = |best: &'a RestrictedBound, other: &'a RestrictedBound| {
        if other.bound.work > best.bound.work { other } else { best }
    };
    Some(of_others.filter(|bound| holds(bound)).fold(own, better))
}

/// Returns the results of a phase in all runs with the same data and work model.
fn same_problem<'a>(run: &Summary, phase: &PhaseResult, runs: &[&'a Summary]) -> Vec<&'a PhaseResult> {
    let same_phase = |other: &'a Summary| {
        let at = other.phases.binary_search_by_key(&phase.phase, |other| other.phase).ok()?;
        let other = &other.phases[at];
        (other.digest == phase.digest).then_some(other)
    };
    runs.iter().copied().filter(|other| same_model(run, other)).filter_map(same_phase).collect()
}

/// True if runs balance the same phases of the same data.
pub fn same_task(runs: &[&Summary]) -> bool {
    let task = |run: &Summary| {
        run.phases.iter().map(|phase| (phase.phase, phase.digest.clone())).collect::<Vec<_>>()
    };
    runs.windows(2).all(|pair| task(pair[0]) == task(pair[1]))
}

/// True if two runs have the same work model with the same parameters.
pub fn same_model(one: &Summary, other: &Summary) -> bool {
    (&one.work_model.name, &one.work_model.parameters)
        == (&other.work_model.name, &other.work_model.parameters)
}

/// True if two results can belong to the same phase of the same data: the total load is the same up to rounding.
pub fn same_load(one: &PhaseResult, other: &PhaseResult) -> bool {
    same(one.before.load.sum, other.before.load.sum)
}

#[cfg(test)]
mod tests {
    use lbaf_model::Limit;
    use serde_json::json;

    use super::*;
    use lbaf_run::summary::bounds::{RestrictedBound, Restriction};
    use lbaf_run::summary::fixture::{phase, summary};

    fn known(limit: Limit, work: f64, restriction: Option<Restriction>) -> KnownBound {
        KnownBound { limit, work, within_bounds: false, restriction }
    }

    /// Returns a phase with a total load of 6 s on two ranks, a final maximum load of `after`, and a lower bound of 3
    /// s.
    fn ends_at(after: f64) -> PhaseResult {
        PhaseResult { lower_bounds: vec![known(Limit::Mean, 3.0, None)], ..phase(0, (4.5, after), 1) }
    }

    /// Returns the result of a strategy that keeps blocks whole; the largest block has 4 s.
    fn keeps_whole() -> PhaseResult {
        let mut result = ends_at(4.0);
        let bound = Bound { work: 4.0, limit: Limit::LargestBlock, ..result.lower_bound.clone() };
        let restriction = Restriction::WholeBlocks;
        result.restricted_bound = Some(RestrictedBound { restriction, within_bounds: false, bound });
        result.lower_bounds.push(known(Limit::LargestBlock, 4.0, Some(restriction)));
        result
    }

    /// Returns the result of a search that has proven the lower bound `optimum`.
    fn proves(optimum: f64) -> PhaseResult {
        let mut result = ends_at(optimum);
        result.lower_bound = Bound { work: optimum, limit: Limit::Search, ..result.lower_bound };
        result.lower_bounds.push(known(Limit::Search, optimum, None));
        result
    }

    fn shared(phases: Vec<PhaseResult>) -> Vec<Summary> {
        let mut runs: Vec<Summary> = phases.into_iter().map(|phase| summary(vec![phase])).collect();
        share_bounds(&mut runs.iter_mut().collect::<Vec<_>>());
        runs
    }

    fn works(runs: &[Summary]) -> Vec<f64> {
        runs.iter().map(|run| run.phases[0].lower_bound.work).collect()
    }

    #[test]
    fn a_bound_under_a_restriction_stays_with_its_run() {
        let runs = shared(vec![ends_at(3.0), keeps_whole()]);
        assert_eq!(works(&runs), [3.0, 3.0]);
        assert!(runs[0].phases[0].restricted_bound.is_none());
        assert_eq!(runs[0].phases[0].lower_bounds.len(), 1);
        let restricted = runs[1].phases[0].restricted_bound.as_ref().expect("a restricted bound");
        assert_eq!((restricted.bound.work, restricted.restriction), (4.0, Restriction::WholeBlocks));
    }

    #[test]
    fn a_proof_of_one_run_serves_all() {
        let runs = shared(vec![ends_at(4.0), proves(3.5), keeps_whole()]);
        assert_eq!(works(&runs), [3.5; 3]);
        for run in &runs {
            let found = run.phases[0].lower_bounds.iter().filter(|known| known.limit == Limit::Search);
            assert_eq!(found.map(|known| known.work).collect::<Vec<_>>(), [3.5]);
        }
    }

    /// A search with whole blocks has proven 4.5 s, more than the 4 s of the largest block.
    #[test]
    fn a_proof_under_a_restriction_serves_the_runs_under_it() {
        let mut search = keeps_whole();
        let proof = search.restricted_bound.as_mut().expect("a restricted bound");
        proof.bound = Bound { work: 4.5, limit: Limit::Search, ..proof.bound.clone() };
        search.lower_bounds.push(proof.known());
        let restricted =
            |run: &Summary| run.phases[0].restricted_bound.as_ref().map(|bound| bound.bound.work);
        let runs = shared(vec![ends_at(3.0), keeps_whole(), search.clone()]);
        assert_eq!(runs.iter().map(restricted).collect::<Vec<_>>(), [None, Some(4.5), Some(4.5)]);
        let known =
            |run: &Summary| run.phases[0].lower_bounds.iter().map(|known| known.work).collect::<Vec<_>>();
        assert_eq!(
            runs.iter().map(known).collect::<Vec<_>>(),
            [vec![3.0], vec![3.0, 4.0, 4.5], vec![3.0, 4.0, 4.5]]
        );
        // A gathered block is also whole, but a whole block may be on several ranks.
        let gathered = &mut search.restricted_bound.as_mut().expect("a restricted bound").restriction;
        *gathered = Restriction::GatheredBlocks;
        let runs = shared(vec![keeps_whole(), search]);
        assert_eq!(runs.iter().map(restricted).collect::<Vec<_>>(), [Some(4.0), Some(4.5)]);
        // A carried start may have other whole blocks.
        let carried = PhaseResult { start: Start::Carried { from: 0 }, ..keeps_whole() };
        let runs = shared(vec![carried, runs[1].phases[0].clone()]);
        assert_eq!(restricted(&runs[0]), Some(4.0));
    }

    #[test]
    fn restricted_bounds_that_are_not_higher_are_dropped() {
        let runs = shared(vec![keeps_whole(), proves(4.0)]);
        assert_eq!(works(&runs), [4.0, 4.0]);
        assert!(runs[0].phases[0].restricted_bound.is_none());
        let restricted = runs[0].phases[0].lower_bounds.iter().filter(|known| known.restriction.is_some());
        assert_eq!(restricted.count(), 0);
    }

    #[test]
    fn other_problems_have_bounds_of_their_own() {
        let mut model = summary(vec![ends_at(4.0)]);
        model.work_model.parameters = json!({"beta": 1.0});
        let other_phase = summary(vec![PhaseResult { phase: 1, ..ends_at(4.0) }]);
        let other_data = PhaseResult { digest: "of other objects".to_owned(), ..ends_at(4.0) };
        let others = [model, other_phase, summary(vec![other_data])];
        for other in others {
            let mut runs = [summary(vec![proves(3.5)]), other];
            share_bounds(&mut runs.iter_mut().collect::<Vec<_>>());
            assert_eq!(works(&runs), [3.5, 3.0], "{:?}", runs[1].phases[0]);
        }
    }
}
