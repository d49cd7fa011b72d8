// SPDX-License-Identifier: MIT OR Apache-2.0
//! Migration reduction in units, which are single objects or clusters, without loss of quality.

use std::collections::BTreeMap;

use lbaf_model::{Assignment, RankId, Slot};

use crate::Cancel;
use crate::primitives::relabelling::relabel;

/// Units of a placement, whose objects stay together.
pub(crate) struct WholeUnits<'a> {
    /// Initial ranks of objects.
    pub(crate) initial: &'a Assignment,
    /// Objects of every unit.
    pub(crate) units: Vec<&'a [Slot]>,
    /// For each unit, the first unit that is interchangeable with it, possibly the unit itself.
    pub(crate) eldest: Vec<usize>,
    /// Kind of every rank. Ranks of the same kind would be interchangeable if they had no units.
    pub(crate) kinds: Vec<usize>,
}

impl WholeUnits<'_> {
    /// Reduces migrations in steps, each of which `is_as_good` must accept.
    ///
    /// First, relabels interchangeable ranks and exchanges interchangeable units. Then moves units back to their
    /// initial ranks one by one.
    pub(crate) fn brought_home(
        &self,
        found: Assignment,
        is_as_good: impl Fn(&Assignment) -> bool,
        cancel: &Cancel,
    ) -> Assignment {
        let mut best = found;
        for relabelled in [WholeUnits::with_ranks_relabelled, WholeUnits::with_twins_exchanged] {
            let relabelled = relabelled(self, &best);
            if self.n_migrations(&relabelled) < self.n_migrations(&best) && is_as_good(&relabelled) {
                best = relabelled;
            }
        }
        loop {
            let mut went_home = false;
            for unit in 0..self.units.len() {
                if cancel.is_cancelled() {
                    return best;
                }
                let Some(home) = self.home(unit) else { continue };
                let away = best.rank_of(self.units[unit][0]);
                if away == home {
                    continue;
                }
                self.put(&mut best, unit, home);
                if is_as_good(&best) {
                    went_home = true;
                } else {
                    self.put(&mut best, unit, away);
                }
            }
            if !went_home {
                return best;
            }
        }
    }

    fn n_migrations(&self, assignment: &Assignment) -> usize {
        assignment.migrations_from(self.initial).count()
    }

    /// Returns the initial rank of a unit, if all its objects start on the same rank.
    fn home(&self, unit: usize) -> Option<RankId> {
        let rank = |slot| self.initial.rank_of(slot);
        let slots = self.units[unit];
        slots.iter().all(|&slot| rank(slot) == rank(slots[0])).then(|| rank(slots[0]))
    }

    fn put(&self, assignment: &mut Assignment, unit: usize, rank: RankId) {
        for &slot in self.units[unit] {
            assignment.set(slot, rank);
        }
    }

    /// Relabels ranks of one kind so that many objects are on their initial rank (see [`relabel`]).
    fn with_ranks_relabelled(&self, assignment: &Assignment) -> Assignment {
        let slots = self.units.iter().copied().flatten();
        let common = slots.map(|&slot| (assignment.rank_of(slot), self.initial.rank_of(slot), 1.0));
        let names = relabel(self.kinds.len(), common, |rank| self.kinds[rank.index()]);
        let mut relabelled = assignment.clone();
        for unit in 0..self.units.len() {
            self.put(&mut relabelled, unit, names[assignment.rank_of(self.units[unit][0]).index()]);
        }
        relabelled
    }

    /// Exchanges interchangeable units so that as many as possible are on their initial rank.
    fn with_twins_exchanged(&self, assignment: &Assignment) -> Assignment {
        let mut families: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, &first) in self.eldest.iter().enumerate() {
            families.entry(first).or_default().push(at);
        }
        let mut exchanged = assignment.clone();
        for family in families.values().filter(|family| family.len() > 1) {
            let mut places: BTreeMap<RankId, usize> = BTreeMap::new();
            for &unit in family {
                *places.entry(assignment.rank_of(self.units[unit][0])).or_insert(0) += 1;
            }
            let mut homeless = Vec::new();
            for &unit in family {
                match self.home(unit).and_then(|home| places.get_mut(&home).map(|n| (home, n))) {
                    Some((home, n)) if *n > 0 => {
                        *n -= 1;
                        self.put(&mut exchanged, unit, home);
                    }
                    _ => homeless.push(unit),
                }
            }
            let rest = places.into_iter().flat_map(|(rank, n)| std::iter::repeat_n(rank, n));
            for (unit, rank) in homeless.into_iter().zip(rest) {
                self.put(&mut exchanged, unit, rank);
            }
        }
        exchanged
    }
}
