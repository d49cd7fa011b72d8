// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds of a phase: those for all placements, and those for placements that keep what the strategy keeps.

use lbaf_model::{
    Assignment, Infeasible, Limit, LowerBound, Phase, Units, infeasibility, load_bound, load_bound_for,
    lower_bounds, lower_bounds_for,
};
use lbaf_strategies::{Checked, Problem, Strategy};

use crate::summary::bounds::Restriction;

/// What no placement can beat.
pub struct Bounds {
    /// All that are known; the first is the mean.
    pub all: Vec<LowerBound>,
    /// The best of those that hold for all placements.
    best_of_all: LowerBound,
    /// The best of those that hold for placements within the bounds of the work model.
    best_within: LowerBound,
    /// Whether the final placement is one.
    is_within: bool,
    /// A lower bound on the maximum load, whatever the work model.
    pub load: LowerBound,
    /// Those that are higher because of what the strategy keeps of its start.
    pub restricted: Option<Restricted>,
    /// A proof that no placement keeps the bounds of the work model, where there is one.
    pub infeasible: Option<Infeasible>,
}

/// Bounds for placements that keep what the strategy keeps, as far as they are higher than those for any.
pub struct Restricted {
    /// Those that hold for the final placement, each with what it holds for.
    pub all: Vec<(LowerBound, Restriction)>,
    /// On the maximum load.
    pub load: LowerBound,
}

impl Restricted {
    /// The best of them.
    pub fn best(&self) -> (LowerBound, Restriction) {
        let best = LowerBound::best_of(self.all.iter().map(|&(bound, _)| bound));
        let found = self.all.iter().find(|(bound, _)| Some(*bound) == best);
        *found.expect("invariant: there is none without a bound")
    }
}

impl Bounds {
    pub fn new(problem: &Problem<'_>, strategy: &dyn Strategy, after: &Checked) -> Self {
        let Problem { phase, model, .. } = *problem;
        let blocks_whole = strategy.keeps_blocks_whole() && !phase.blocks().is_empty();
        let mut all = lower_bounds(phase, model);
        // A search passes over what breaks the bounds of the model, which may cost less than all that keeps them.
        let within_bounds = !model.bounds().is_empty();
        let search =
            |work| LowerBound { limit: Limit::Search, work, unrounded: work, culprit: None, within_bounds };
        let proven = after.outcome.proven_bound.map(search);
        all.extend(proven.filter(|_| !blocks_whole));
        let best = |bounds: &mut dyn Iterator<Item = LowerBound>| {
            LowerBound::best_of(bounds).expect("invariant: there is always a mean")
        };
        let mut bounds = Bounds {
            best_of_all: best(&mut all.iter().filter(|bound| !bound.within_bounds).copied()),
            best_within: best(&mut all.iter().copied()),
            is_within: after.works.iter().all(|work| !work.is_over_bound()),
            all,
            load: load_bound(phase),
            restricted: None,
            infeasible: infeasibility(phase, model),
        };
        if blocks_whole {
            // A search that leaves objects where they are has proven nothing of a start that is not of its kind.
            let proven = proven.filter(|_| are_gathered(phase, &after.outcome.assignment));
            bounds.restricted = bounds.restricted(problem, proven);
        }
        bounds
    }

    /// The higher bounds of a strategy that keeps blocks whole, and may have proven one; nothing if there is none.
    fn restricted(&self, problem: &Problem<'_>, proven: Option<LowerBound>) -> Option<Restricted> {
        let Problem { phase, initial, model, .. } = *problem;
        let units = Units::Clusters(initial);
        let whole = lower_bounds_for(phase, model, units).into_iter();
        // A search of whole blocks gathers them first.
        let searched =
            if are_gathered(phase, initial) { Restriction::WholeBlocks } else { Restriction::GatheredBlocks };
        let all =
            whole.map(|bound| (bound, Restriction::WholeBlocks)).chain(proven.map(|bound| (bound, searched)));
        let holds = |bound: &LowerBound| self.is_within || !bound.within_bounds;
        let is_higher =
            |bound: &LowerBound| LowerBound::best_of([*self.best(), *bound]) != Some(*self.best());
        let all: Vec<_> = all.filter(|(bound, _)| holds(bound) && is_higher(bound)).collect();
        (!all.is_empty()).then(|| Restricted { all, load: load_bound_for(phase, units) })
    }

    /// The best of those that hold for the final placement.
    pub fn best(&self) -> &LowerBound {
        self.best_for(self.is_within)
    }

    /// The best of those that hold for placements within the bounds of the work model, or for any.
    pub fn best_for(&self, is_within: bool) -> &LowerBound {
        if is_within { &self.best_within } else { &self.best_of_all }
    }

    /// Maximum work if load were spread evenly.
    pub fn ideal_work(&self) -> f64 {
        self.all.iter().find(|bound| bound.limit == Limit::Mean).map_or(0.0, |mean| mean.work)
    }
}

/// Whether the migratable objects of each block are on one rank.
fn are_gathered(phase: &Phase, at: &Assignment) -> bool {
    let mut rank_of = vec![None; phase.blocks().len()];
    phase.slots().filter(|&slot| phase.is_migratable(slot)).all(|slot| {
        let rank = at.rank_of(slot);
        phase.memory(slot).block.is_none_or(|block| *rank_of[block.index()].get_or_insert(rank) == rank)
    })
}
