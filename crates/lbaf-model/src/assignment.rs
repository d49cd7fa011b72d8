// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which rank owns each object: the only thing that a strategy produces.

use crate::{RankId, Slot};

/// Object -> rank, by slot of one phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    ranks: Vec<RankId>,
}

/// An object whose rank differs between two assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The object.
    pub slot: Slot,
    /// Where it was.
    pub from: RankId,
    /// Where it is.
    pub to: RankId,
}

impl Assignment {
    /// The rank of each object, by slot.
    pub fn new(ranks: Vec<RankId>) -> Self {
        Assignment { ranks }
    }

    /// The rank that owns an object.
    #[inline]
    pub fn rank_of(&self, slot: Slot) -> RankId {
        self.ranks[slot.index()]
    }

    /// Gives an object to a rank.
    #[inline]
    pub fn set(&mut self, slot: Slot, rank: RankId) {
        self.ranks[slot.index()] = rank;
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The rank of each object, by slot.
    pub fn as_slice(&self) -> &[RankId] {
        &self.ranks
    }

    /// What has to migrate to come from `initial` to here, by slot.
    ///
    /// # Panics
    /// If the assignments are of different phases, that is of different lengths.
    pub fn migrations_from<'a>(&'a self, initial: &'a Assignment) -> impl Iterator<Item = Migration> + 'a {
        assert_eq!(self.len(), initial.len(), "assignments of different phases");
        self.ranks
            .iter()
            .zip(&initial.ranks)
            .enumerate()
            .filter(|(_, (to, from))| to != from)
            .map(|(slot, (&to, &from))| Migration { slot: Slot::from(slot), from, to })
    }
}
