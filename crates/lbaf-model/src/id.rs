// SPDX-License-Identifier: MIT OR Apache-2.0
//! Identities and dense indices.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What identifies an object across phases and files. 16 bytes, because there is one for every object.
///
/// The order (packed ids before sequence numbers, then by number, by rank, by piece) fixes the dense indices of a
/// data set, and through them every order of summation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    /// Whether `number` is a sequence number (`seq_id`) and not a packed id.
    pub is_sequence: bool,
    /// The number in the files.
    pub number: u64,
    /// The rank plus one of an object that may not migrate, 0 for the rest.
    rank_plus_one: u32,
    /// Which piece of the object it is, where objects were split.
    piece: u16,
}

impl ObjectKey {
    /// The key of an object. One that may not migrate needs its rank, because its number may occur on each.
    pub fn new(is_sequence: bool, number: u64, rank: Option<RankId>) -> Self {
        ObjectKey { is_sequence, number, rank_plus_one: rank.map_or(0, |RankId(rank)| rank + 1), piece: 0 }
    }

    /// The key of a piece of the object. Piece 0 has the key of the whole, and the others come right behind.
    #[must_use]
    pub fn piece(self, piece: u16) -> Self {
        ObjectKey { piece, ..self }
    }

    /// The rank of an object that may not migrate; `None` for the rest.
    pub fn rank(self) -> Option<RankId> {
        self.rank_plus_one.checked_sub(1).map(RankId)
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_sequence { "seq_id " } else { "id " }, self.number)?;
        self.rank().map_or(Ok(()), |rank| write!(f, " of rank {rank}"))?;
        if self.piece > 0 { write!(f, ", piece {}", self.piece) } else { Ok(()) }
    }
}

macro_rules! index {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// The value as an index into a slice.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// The reader checks that counts fit, so this does not truncate.
            #[inline]
            fn from(index: usize) -> Self {
                debug_assert!(<$inner>::try_from(index).is_ok());
                $name(index as $inner)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

index! {
    /// Dense index of an object within a data set, the same object in every phase.
    ObjectIdx(u32)
}
index! {
    /// Position of an object in the columns of one phase. Slots ascend with [`ObjectIdx`].
    Slot(u32)
}
index! {
    /// A rank: a process that owns objects.
    RankId(u32)
}
index! {
    /// A node: a host of several ranks.
    NodeId(u32)
}
index! {
    /// Dense index of a memory block within one phase.
    BlockIdx(u32)
}
index! {
    /// Number of a phase in the run.
    PhaseId(u64)
}
