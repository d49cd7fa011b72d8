// SPDX-License-Identifier: MIT OR Apache-2.0
//! Holders of a block: the ranks that own objects of the block.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use crate::RankId;
use crate::sizes::take_one;

/// Holders of a block with the number of their objects of the block. Most blocks have few holders, which are kept
/// without a tree.
#[derive(Clone, Debug)]
pub(crate) enum Holders {
    /// At most [`FEW`] holders, ascending.
    Few(SmallVec<[(RankId, u32); 2]>),
    /// Holders of a block that had more of them at some time.
    Many(BTreeMap<RankId, u32>),
}

/// Largest number of holders in a list, where adding one takes time in proportion to their number.
const FEW: usize = 16;

impl Default for Holders {
    fn default() -> Self {
        Holders::Few(SmallVec::new())
    }
}

impl Holders {
    /// Returns the number of objects of a rank.
    pub(crate) fn count(&self, rank: RankId) -> u32 {
        match self {
            Holders::Few(few) => position(few, rank).map_or(0, |at| few[at].1),
            Holders::Many(many) => many.get(&rank).copied().unwrap_or(0),
        }
    }

    /// Adds an object of a rank.
    pub(crate) fn add(&mut self, rank: RankId) {
        match self {
            Holders::Few(few) => match position(few, rank) {
                Ok(at) => few[at].1 += 1,
                Err(at) if few.len() < FEW => few.insert(at, (rank, 1)),
                Err(_) => *self = Holders::Many(few.drain(..).chain([(rank, 1)]).collect()),
            },
            Holders::Many(many) => *many.entry(rank).or_insert(0) += 1,
        }
    }

    /// Removes an object of a rank, if it has one.
    pub(crate) fn remove(&mut self, rank: RankId) {
        match self {
            Holders::Few(few) => {
                if let Ok(at) = position(few, rank) {
                    few[at].1 -= 1;
                    if few[at].1 == 0 {
                        few.remove(at);
                    }
                }
            }
            Holders::Many(many) => take_one(many, rank),
        }
    }

    /// Iterates over the holders, ascending, with the numbers of their objects.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (RankId, u32)> + '_ {
        let (few, many) = match self {
            Holders::Few(few) => (Some(few.iter().copied()), None),
            Holders::Many(many) => (None, Some(many.iter().map(|(&rank, &count)| (rank, count)))),
        };
        few.into_iter().flatten().chain(many.into_iter().flatten())
    }
}

fn position(few: &[(RankId, u32)], rank: RankId) -> Result<usize, usize> {
    few.binary_search_by_key(&rank, |&(holder, _)| holder)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Objects of ranks come and go in any order.
        #[test]
        fn holders_are_the_ranks_with_objects(
            steps in prop::collection::vec((0..40_u32, prop::bool::weighted(0.6)), 0..300),
        ) {
            let (mut holders, mut expected) = (Holders::default(), BTreeMap::<RankId, u32>::new());
            for (rank, comes) in steps {
                let rank = RankId(rank);
                let count = expected.get(&rank).copied().unwrap_or(0);
                if comes {
                    holders.add(rank);
                    expected.insert(rank, count + 1);
                } else if count > 0 {
                    holders.remove(rank);
                    expected.insert(rank, count - 1);
                }
                expected.retain(|_, &mut count| count > 0);
                prop_assert!(holders.iter().eq(expected.iter().map(|(&rank, &count)| (rank, count))));
                prop_assert_eq!(holders.count(rank), expected.get(&rank).copied().unwrap_or(0));
            }
        }
    }
}
