// SPDX-License-Identifier: MIT OR Apache-2.0
//! The placement of one phase on the objects of another: where a run is when nobody moves anything in between.

use std::ops::AddAssign;

use crate::{Assignment, ObjectIdx, ObjectKey, Phase, Slot};

/// A placement that was carried from a phase into a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Where the objects of the later phase are.
    pub assignment: Assignment,
    /// What could not be carried.
    pub changes: Changes,
}

/// Objects that two phases do not have in common. Those that may migrate in neither are not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Objects that may migrate and were not there before: they are where they were recorded.
    pub n_new: usize,
    /// Objects that might migrate and are no more.
    pub n_gone: usize,
    /// Objects that may migrate and might not before: where they were recorded too.
    pub n_freed: usize,
    /// Objects that may not migrate and might before: they too.
    pub n_fixed: usize,
}

impl AddAssign for Changes {
    fn add_assign(&mut self, other: Self) {
        let Changes { n_new, n_gone, n_freed, n_fixed } = other;
        self.n_new += n_new;
        self.n_gone += n_gone;
        self.n_freed += n_freed;
        self.n_fixed += n_fixed;
    }
}

/// Puts the objects of `next` where `assignment`, a placement of `before`, has them.
///
/// Objects that may not migrate stay where they were recorded, and so does what may migrate in `next` alone.
/// `keys` are those of the data set, by [`ObjectIdx`]. O(objects), times log n where the phases have not all
/// objects.
pub fn carry(before: &Phase, assignment: &Assignment, next: &Phase, keys: &[ObjectKey]) -> Carried {
    let mut carried = next.recorded_assignment().clone();
    let mut changes = Changes::default();
    for slot in next.slots().filter(|&slot| next.is_migratable(slot)) {
        match movable_in(before, next.object(slot)) {
            Some(slot_before) => carried.set(slot, assignment.rank_of(slot_before)),
            None if is_fixed_in(before, next.object(slot), keys) => changes.n_freed += 1,
            None => changes.n_new += 1,
        }
    }
    for slot in before.slots().filter(|&slot| before.is_migratable(slot)) {
        let object = before.object(slot);
        if movable_in(next, object).is_none() {
            if is_fixed_in(next, object, keys) {
                changes.n_fixed += 1;
            } else {
                changes.n_gone += 1;
            }
        }
    }
    Carried { assignment: carried, changes }
}

/// The slot of an object in a phase in which it may migrate.
fn movable_in(phase: &Phase, object: ObjectIdx) -> Option<Slot> {
    phase.slot_of(object).filter(|&slot| phase.is_migratable(slot))
}

/// Whether a phase has an object of the same number that may not migrate. Such have their rank in the key, so their
/// keys come right behind that of the object that may.
fn is_fixed_in(phase: &Phase, object: ObjectIdx, keys: &[ObjectKey]) -> bool {
    let ObjectKey { is_sequence, number, .. } = keys[object.index()];
    let same = |key: &&ObjectKey| (key.is_sequence, key.number) == (is_sequence, number);
    let of_number = keys[object.index()..].iter().take_while(same).count();
    let mut objects = (object.index()..object.index() + of_number).map(ObjectIdx::from);
    objects.any(|object| phase.slot_of(object).is_some_and(|slot| !phase.is_migratable(slot)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Object, RankId};

    /// Objects 10 to 14, of which 12 and 13 also occur as what may not migrate: 12 on ranks 0 and 2, 13 on rank 1.
    fn keys() -> Vec<ObjectKey> {
        let key = |(number, rank): (u64, Option<u32>)| ObjectKey::new(false, number, rank.map(RankId));
        [
            (10, None),
            (11, None),
            (12, None),
            (12, Some(0)),
            (12, Some(2)),
            (13, None),
            (13, Some(1)),
            (14, None),
        ]
        .map(key)
        .to_vec()
    }

    /// A phase with some of the objects, on these ranks.
    fn phase(objects: &[(usize, u32)]) -> Phase {
        let object = |&(object, rank): &(usize, u32)| Object {
            migratable: keys()[object].rank().is_none(),
            ..Object::new(1.0, RankId(rank))
        };
        let indices = objects.iter().map(|&(object, _)| ObjectIdx::from(object));
        Phase::builder(3).objects(objects.iter().map(object)).indices(indices).build().expect("a phase")
    }

    fn placement(ranks: &[u32]) -> Assignment {
        Assignment::new(ranks.iter().copied().map(RankId).collect())
    }

    #[test]
    fn what_is_in_both_goes_along_and_the_rest_is_where_it_was_recorded() {
        // 10 goes along, 11 is gone, 14 is new; 12 stays on rank 2, and may not migrate on both sides.
        let before = phase(&[(0, 0), (1, 0), (4, 2)]);
        let next = phase(&[(0, 1), (4, 2), (7, 1)]);
        let carried = carry(&before, &placement(&[2, 1, 2]), &next, &keys());
        assert_eq!(carried.assignment, placement(&[2, 2, 1]));
        assert_eq!(carried.changes, Changes { n_new: 1, n_gone: 1, ..Changes::default() });
    }

    #[test]
    fn what_may_not_migrate_in_one_of_two_phases_is_never_carried() {
        // 12 may migrate in the first phase, 13 in the second.
        let before = phase(&[(2, 0), (6, 1)]);
        let next = phase(&[(4, 2), (5, 1)]);
        let carried = carry(&before, &placement(&[1, 1]), &next, &keys());
        assert_eq!(carried.assignment, placement(&[2, 1]));
        assert_eq!(carried.changes, Changes { n_freed: 1, n_fixed: 1, ..Changes::default() });
    }

    #[test]
    fn between_equal_phases_everything_is_carried() {
        let all = phase(&[(0, 0), (1, 1), (3, 0), (6, 1)]);
        let moved = placement(&[2, 0, 0, 1]);
        let carried = carry(&all, &moved, &all, &keys());
        assert_eq!((carried.assignment, carried.changes), (moved, Changes::default()));
    }
}
