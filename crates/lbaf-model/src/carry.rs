// SPDX-License-Identifier: MIT OR Apache-2.0
//! Carries the placement of a phase over to a later phase, as if no object migrated in between.

use std::ops::AddAssign;

use crate::{Assignment, ObjectIdx, ObjectKey, Phase, Slot};

/// A placement carried from a phase to a later phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Placement of the objects of the later phase.
    pub assignment: Assignment,
    /// Numbers of objects that could not be carried.
    pub changes: Changes,
}

/// Numbers of objects that are migratable in only one of two phases. Such objects of the later phase keep
/// their recorded rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Migratable objects that are new in the later phase.
    pub n_new: usize,
    /// Migratable objects that the later phase does not have.
    pub n_gone: usize,
    /// Objects that became migratable.
    pub n_freed: usize,
    /// Objects that became non-migratable.
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

/// Returns the placement of `next` that keeps the ranks of `assignment`, a placement of `before`.
///
/// Objects that are non-migratable in either phase, or new in `next`, keep their recorded rank. `keys`
/// contains the keys of all objects of the data set, by [`ObjectIdx`]. O(objects) if the phases have all
/// objects of the data set, else O(objects log objects).
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

/// Returns the slot of an object; `None` unless it is migratable in the phase.
fn movable_in(phase: &Phase, object: ObjectIdx) -> Option<Slot> {
    phase.slot_of(object).filter(|&slot| phase.is_migratable(slot))
}

/// True if a phase has a non-migratable object with the number of a migratable `object`. In `keys`, objects
/// with the same number are adjacent, migratable ones first.
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

    /// Objects 10 to 14, of which 12 and 13 also occur as non-migratable objects.
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

    /// A phase with these objects, given by position in [`keys`] and rank.
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
    fn common_objects_are_carried_and_the_others_keep_their_recorded_rank() {
        // 10 is carried, 11 is gone, 14 is new. 12 is non-migratable in both phases and stays on rank 2.
        let before = phase(&[(0, 0), (1, 0), (4, 2)]);
        let next = phase(&[(0, 1), (4, 2), (7, 1)]);
        let carried = carry(&before, &placement(&[2, 1, 2]), &next, &keys());
        assert_eq!(carried.assignment, placement(&[2, 2, 1]));
        assert_eq!(carried.changes, Changes { n_new: 1, n_gone: 1, ..Changes::default() });
    }

    #[test]
    fn objects_that_are_non_migratable_in_one_phase_are_not_carried() {
        // 12 is migratable in the first phase, 13 in the second.
        let before = phase(&[(2, 0), (6, 1)]);
        let next = phase(&[(4, 2), (5, 1)]);
        let carried = carry(&before, &placement(&[1, 1]), &next, &keys());
        assert_eq!(carried.assignment, placement(&[2, 1]));
        assert_eq!(carried.changes, Changes { n_freed: 1, n_fixed: 1, ..Changes::default() });
    }

    #[test]
    fn all_objects_are_carried_between_equal_phases() {
        let all = phase(&[(0, 0), (1, 1), (3, 0), (6, 1)]);
        let moved = placement(&[2, 0, 0, 1]);
        let carried = carry(&all, &moved, &all, &keys());
        assert_eq!((carried.assignment, carried.changes), (moved, Changes::default()));
    }
}
