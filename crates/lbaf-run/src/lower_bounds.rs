// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds of a phase: for all placements, and under restrictions of the strategy, such as that it keeps blocks
//! whole.

use lbaf_model::{
    Assignment, Infeasible, Limit, LowerBound, Phase, Units, infeasibility, load_bound, load_bound_for,
    lower_bounds, lower_bounds_for,
};
use lbaf_strategies::{Checked, Problem, Strategy};

use crate::summary::bounds::Restriction;

/// Lower bounds of a phase.
pub struct LowerBounds {
    /// Lower bounds on maximum work without a restriction of the strategy; the first is the mean.
    pub all: Vec<LowerBound>,
    /// Highest lower bound for all placements.
    best_of_all: LowerBound,
    /// Highest lower bound for placements within the upper bounds of the work model.
    best_within: LowerBound,
    /// True if the result is within the upper bounds of the work model.
    is_within: bool,
    /// Bound on the maximum load in seconds, for every work model.
    pub load: LowerBound,
    /// Lower bounds under a restriction of the strategy, higher than [`best`](Self::best), if any.
    pub restricted: Option<RestrictedBounds>,
    /// Proof that no placement satisfies the upper bounds of the work model, if found.
    pub infeasible: Option<Infeasible>,
}

/// Lower bounds under restrictions of the strategy. Those on work are higher than [`LowerBounds::best`].
pub struct RestrictedBounds {
    /// Bounds on work, each with its restriction; they hold for the result.
    pub all: Vec<(LowerBound, Restriction)>,
    /// Bound on the maximum load in seconds.
    pub load: LowerBound,
}

impl RestrictedBounds {
    /// Returns the highest bound on work.
    ///
    /// # Panics
    /// If `all` is empty, which does not happen in [`LowerBounds`].
    pub fn best(&self) -> (LowerBound, Restriction) {
        let best = LowerBound::best_of(self.all.iter().map(|&(bound, _)| bound));
        let found = self.all.iter().find(|(bound, _)| Some(*bound) == best);
        *found.expect("invariant: restricted bounds are never empty")
    }
}

impl LowerBounds {
    /// Returns the bounds of a problem that `strategy` solved.
    ///
    /// # Panics
    /// Never: every phase has the mean as a bound.
    pub fn new(problem: &Problem<'_>, strategy: &dyn Strategy, after: &Checked) -> Self {
        let Problem { phase, model, .. } = *problem;
        let blocks_whole = strategy.keeps_blocks_whole() && !phase.blocks().is_empty();
        let mut all = lower_bounds(phase, model);
        // A search skips infeasible placements, which may have less work than every feasible one. The proven bound
        // therefore holds only for feasible placements.
        let within_bounds = !model.bounds().is_empty();
        let search =
            |work| LowerBound { limit: Limit::Search, work, unrounded: work, culprit: None, within_bounds };
        let proven = after.outcome.proven_bound.map(search);
        all.extend(proven.filter(|_| !blocks_whole));
        let best = |bounds: &mut dyn Iterator<Item = LowerBound>| {
            LowerBound::best_of(bounds).expect("invariant: the mean is always a bound")
        };
        let mut bounds = LowerBounds {
            best_of_all: best(&mut all.iter().filter(|bound| !bound.within_bounds).copied()),
            best_within: best(&mut all.iter().copied()),
            is_within: after.works.iter().all(|work| !work.is_over_bound()),
            all,
            load: load_bound(phase),
            restricted: None,
            infeasible: infeasibility(phase, model),
        };
        if blocks_whole {
            // A bound proven for whole blocks does not hold for a result with scattered blocks, such as an unchanged
            // initial placement.
            let proven = proven.filter(|_| are_gathered(phase, &after.outcome.assignment));
            bounds.restricted = bounds.restricted(problem, proven);
        }
        bounds
    }

    /// Returns the lower bounds for a strategy that keeps blocks whole, and the bound that the strategy has `proven`.
    /// Leaves out bounds that do not hold for the result or are not higher than [`best`](Self::best); `None` if none
    /// is left.
    fn restricted(&self, problem: &Problem<'_>, proven: Option<LowerBound>) -> Option<RestrictedBounds> {
        let Problem { phase, initial, model, .. } = *problem;
        let units = Units::Clusters(initial);
        let whole = lower_bounds_for(phase, model, units).into_iter();
        // A strategy that keeps blocks whole gathers scattered blocks before its search.
        let searched =
            if are_gathered(phase, initial) { Restriction::WholeBlocks } else { Restriction::GatheredBlocks };
        let all =
            whole.map(|bound| (bound, Restriction::WholeBlocks)).chain(proven.map(|bound| (bound, searched)));
        let holds = |bound: &LowerBound| self.is_within || !bound.within_bounds;
        let is_higher =
            |bound: &LowerBound| LowerBound::best_of([*self.best(), *bound]) != Some(*self.best());
        let all: Vec<_> = all.filter(|(bound, _)| holds(bound) && is_higher(bound)).collect();
        (!all.is_empty()).then(|| RestrictedBounds { all, load: load_bound_for(phase, units) })
    }

    /// Returns the highest bound that holds for the result.
    pub fn best(&self) -> &LowerBound {
        self.best_for(self.is_within)
    }

    /// Returns the highest bound for all placements, or with `is_within`, for those within the upper bounds of the work
    /// model.
    pub fn best_for(&self, is_within: bool) -> &LowerBound {
        if is_within { &self.best_within } else { &self.best_of_all }
    }

    /// Returns the maximum work if load were spread evenly: the bound by the mean.
    pub fn ideal_work(&self) -> f64 {
        self.all.iter().find(|bound| bound.limit == Limit::Mean).map_or(0.0, |mean| mean.work)
    }
}

/// True if the migratable objects of each block are on one rank.
fn are_gathered(phase: &Phase, at: &Assignment) -> bool {
    let mut rank_of = vec![None; phase.blocks().len()];
    phase.slots().filter(|&slot| phase.is_migratable(slot)).all(|slot| {
        let rank = at.rank_of(slot);
        phase.memory(slot).block.is_none_or(|block| *rank_of[block.index()].get_or_insert(rank) == rank)
    })
}
