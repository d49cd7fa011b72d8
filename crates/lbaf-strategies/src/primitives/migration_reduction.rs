// SPDX-License-Identifier: MIT OR Apache-2.0
//! Migration reduction: selects the placement with the fewest migrations, and returns objects to their initial ranks.

use lbaf_model::{Assignment, RankId, Slot, Work};

pub(crate) mod homing;
pub(crate) mod tolerance;
pub(crate) mod whole_units;

use homing::{Rules, homeward};

use crate::primitives::relabelling::relabel;
use crate::primitives::works::largest_work;
use crate::{Cancel, Problem};
use tolerance::{limit, refined};

/// Calls [`near_home`] with a limit of `tolerance` times the maximum work of `found`.
pub(crate) fn brought_near(
    problem: &Problem<'_>,
    found: Assignment,
    tolerance: f64,
    cancel: &Cancel,
) -> Assignment {
    let limit = limit(problem, &found, tolerance);
    near_home(problem, found, None, limit, cancel)
}

/// Returns a placement within `limit` with few migrations, never more than `found`, which must be within `limit`.
///
/// Candidates are `found`, `found` with relabelled equal ranks, a placement in which objects stay where they fit, and
/// `others`. Of those within the limit, the one with the fewest migrations is used. Its objects then return to their
/// initial ranks where this does not raise its maximum work (see [`homeward`]).
pub(crate) fn near_home(
    problem: &Problem<'_>,
    found: Assignment,
    others: Option<Assignment>,
    limit: Work,
    cancel: &Cancel,
) -> Assignment {
    if cancel.is_cancelled() {
        return found;
    }
    let n_away = |placement: &Assignment| placement.migrations_from(problem.initial).count();
    let is_within = |placement: &Assignment| largest_work(problem, placement) <= limit;
    let others = [Some(relabelled(problem, &found)), refined(problem, limit, cancel), others];
    let others = others.into_iter().flatten().filter(is_within);
    let nearest = std::iter::once(found).chain(others).min_by_key(n_away);
    let nearest = nearest.unwrap_or_else(|| problem.initial.clone());
    if cancel.is_cancelled() {
        return nearest;
    }
    let home = homeward(problem, nearest.clone(), Rules::ANY, cancel).assignment;
    if is_within(&home) && n_away(&home) <= n_away(&nearest) { home } else { nearest }
}

/// Lets equal ranks exchange all their migratable objects with load, so that more objects are on their initial
/// rank.
///
/// Equal ranks have the same speed and the same load of non-migratable objects. Pairs with the most common objects
/// are matched first. O(n log n + P log P).
fn relabelled(problem: &Problem<'_>, found: &Assignment) -> Assignment {
    let Problem { phase, initial, .. } = *problem;
    let moves = |slot: &Slot| phase.is_migratable(*slot) && phase.load(*slot) > 0.0;
    let mut fixed = vec![0.0; phase.n_ranks()];
    for slot in phase.slots().filter(|slot| !moves(slot)) {
        fixed[found.rank_of(slot).index()] += phase.load(slot);
    }
    let kind =
        |rank: RankId| (phase.ranks()[rank.index()].alpha.to_bits(), f64::to_bits(fixed[rank.index()]));
    let common = phase.slots().filter(moves).map(|slot| (found.rank_of(slot), initial.rank_of(slot), 1.0));
    let names = relabel(phase.n_ranks(), common, kind);
    let mut placement = found.clone();
    for slot in phase.slots().filter(moves) {
        placement.set(slot, names[found.rank_of(slot).index()]);
    }
    placement
}

#[cfg(test)]
mod tests {
    use lbaf_model::LoadOnly;

    use super::*;
    use crate::test_phase::{self, Object};

    /// Relabels a placement of objects (load, initial rank, migratable).
    fn names(n_ranks: usize, objects: &[(f64, u32, bool)], found: &[u32]) -> Vec<u32> {
        let objects = objects.iter().map(|&(load, home, migratable)| Object {
            load,
            home,
            migratable,
            ..Object::default()
        });
        let phase = test_phase::phase(n_ranks, &objects.collect::<Vec<_>>());
        let model = LoadOnly::default();
        let found = Assignment::new(found.iter().copied().map(RankId).collect());
        let placement = relabelled(&test_phase::problem(&phase, &model), &found);
        placement.as_slice().iter().map(|rank| rank.0).collect()
    }

    #[test]
    fn equal_ranks_are_relabelled() {
        let objects = [(1.0, 0, true), (1.0, 0, true), (1.0, 1, true), (0.0, 1, true)];
        assert_eq!(names(3, &objects, &[2, 2, 0, 1]), [0, 0, 1, 1]);
    }

    #[test]
    fn ranks_with_different_sentinels_are_not_relabelled() {
        let objects = [(5.0, 0, false), (1.0, 0, true), (1.0, 1, true), (1.0, 2, true)];
        assert_eq!(names(3, &objects, &[0, 1, 2, 0]), [0, 2, 1, 0]);
    }
}
