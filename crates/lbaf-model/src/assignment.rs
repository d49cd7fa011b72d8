// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assignment of objects to ranks: a placement.

use crate::{RankId, Slot};

/// Rank of every object of one phase, by slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    ranks: Vec<RankId>,
}

/// An object whose rank differs between two assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The object.
    pub slot: Slot,
    /// Rank before the migration.
    pub from: RankId,
    /// Rank after the migration.
    pub to: RankId,
}

impl Assignment {
    /// Creates an assignment from the rank of each object, by slot.
    pub fn new(ranks: Vec<RankId>) -> Self {
        Assignment { ranks }
    }

    /// Returns the rank that owns an object.
    #[inline]
    pub fn rank_of(&self, slot: Slot) -> RankId {
        self.ranks[slot.index()]
    }

    /// Assigns an object to a rank.
    #[inline]
    pub fn set(&mut self, slot: Slot, rank: RankId) {
        self.ranks[slot.index()] = rank;
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// True if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Returns the rank of each object, by slot.
    pub fn as_slice(&self) -> &[RankId] {
        &self.ranks
    }

    /// Returns the migrations that lead from `initial` to this assignment, ascending by slot.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn migrations_from<'a>(&'a self, initial: &'a Assignment) -> impl Iterator<Item = Migration> + 'a {
        assert_eq!(self.len(), initial.len(), "the assignments belong to different phases");
        self.ranks
            .iter()
            .zip(&initial.ranks)
            .enumerate()
            .filter(|(_, (to, from))| to != from)
            .map(|(slot, (&to, &from))| Migration { slot: Slot::from(slot), from, to })
    }
}
