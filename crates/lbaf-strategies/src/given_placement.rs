// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placements from other programs, and their faults.

use lbaf_model::{Assignment, RankId, Slot};
use thiserror::Error;

use crate::Problem;

/// Fault of a placement from another program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlacementError {
    /// A placement with too few or too many entries.
    #[error(
        "the length of {place} is {n_given} instead of {n_objects}; it needs one rank for each object, in the order of \
         `objects`"
    )]
    Length {
        /// Name of the placement.
        place: String,
        /// Number of entries.
        n_given: usize,
        /// Number of objects of the phase.
        n_objects: usize,
    },
    /// An entry that is not a rank of the problem.
    #[error(
        "{place}[{position}] puts object {object} on `{given}`; ranks are whole numbers from 0 to {last_rank}"
    )]
    NoRank {
        /// Name of the placement.
        place: String,
        /// Position of the object.
        position: usize,
        /// Name of the object in files, or its index without keys.
        object: String,
        /// The entry.
        given: String,
        /// Last rank of the problem.
        last_rank: usize,
    },
    /// A non-migratable object on another rank.
    #[error(
        "{place}[{position}] moves object {object}, which is not migratable, from rank {from} to {to}; leave objects with \
         `migratable` false on their `rank`"
    )]
    Moved {
        /// Name of the placement.
        place: String,
        /// Position of the object.
        position: usize,
        /// Name of the object in files, or its index without keys.
        object: String,
        /// Rank of the object at the start.
        from: u32,
        /// Rank of the object in the placement.
        to: u32,
    },
}

impl Problem<'_> {
    /// Checks a placement from another program: each object has an existing rank, and non-migratable objects stay.
    /// `place` is the name of the placement. `ranks` has an entry for each object, in the order of slots: a rank, or
    /// the text of an entry that is not a rank number.
    ///
    /// # Errors
    /// If the number of entries or an entry is wrong. The first wrong entry is reported.
    pub fn placement(
        &self,
        place: &str,
        ranks: impl ExactSizeIterator<Item = Result<u32, String>>,
    ) -> Result<Assignment, PlacementError> {
        let Problem { phase, initial, .. } = *self;
        let place = || place.to_owned();
        if ranks.len() != phase.n_objects() {
            let (n_given, n_objects) = (ranks.len(), phase.n_objects());
            return Err(PlacementError::Length { place: place(), n_given, n_objects });
        }
        let object = |slot: Slot| {
            let object = phase.object(slot);
            self.keys.get(object.index()).map_or_else(|| object.to_string(), ToString::to_string)
        };
        let rank_of = |(slot, entry): (Slot, Result<u32, String>)| {
            let (position, start) = (slot.index(), initial.rank_of(slot));
            let given = match entry {
                Ok(rank) if (rank as usize) < phase.n_ranks() => {
                    if rank == start.0 || phase.is_migratable(slot) {
                        return Ok(RankId(rank));
                    }
                    let (place, object, from) = (place(), object(slot), start.0);
                    return Err(PlacementError::Moved { place, position, object, from, to: rank });
                }
                Ok(rank) => rank.to_string(),
                Err(given) => given,
            };
            let last_rank = phase.n_ranks().saturating_sub(1);
            Err(PlacementError::NoRank { place: place(), position, object: object(slot), given, last_rank })
        };
        phase.slots().zip(ranks).map(rank_of).collect::<Result<_, _>>().map(Assignment::new)
    }
}

#[cfg(test)]
mod tests {
    use lbaf_model::{LoadOnly, Object, Phase};

    use super::*;

    fn message(ranks: &[Result<u32, &str>]) -> Result<Assignment, String> {
        let objects = [Object::new(1.0, RankId(0)), Object::sentinel(2.0, RankId(1))];
        let phase = Phase::builder(2).objects(objects).build().unwrap();
        let model = LoadOnly::default();
        let ranks = ranks.iter().map(|rank| rank.map_err(ToOwned::to_owned));
        let problem = Problem::recorded(&phase, &model, &[]);
        problem.placement("placement", ranks).map_err(|error| error.to_string())
    }

    #[test]
    fn faults_name_the_object() {
        let wrong = |ranks: &[_]| message(ranks).unwrap_err();
        assert_eq!(message(&[Ok(1), Ok(1)]), Ok(Assignment::new(vec![RankId(1); 2])));
        assert!(wrong(&[Ok(1)]).starts_with("the length of placement is 1 instead of 2"));
        assert!(wrong(&[Ok(2), Ok(1)]).starts_with("placement[0] puts object 0 on `2`"));
        assert!(wrong(&[Ok(1), Err("1.5")]).starts_with("placement[1] puts object 1 on `1.5`"));
        assert!(wrong(&[Ok(1), Ok(0)]).starts_with("placement[1] moves object 1, which is not migratable"));
    }
}
