// SPDX-License-Identifier: MIT OR Apache-2.0
//! Identities and dense indices.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Key of 16 bytes that identifies an object across phases and files.
///
/// Keys with packed ids sort before keys with sequence numbers. Within each kind, keys sort by number, rank and
/// piece. This order determines the dense indices of a data set, and thereby the order in which objects and edges are
/// summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    /// True if `number` is a sequence number (`seq_id`), false if it is a packed id.
    pub is_sequence: bool,
    /// Number in the files.
    pub number: u64,
    /// Rank plus one for a non-migratable object, 0 for a migratable one.
    rank_plus_one: u32,
    /// Number of the piece if the object was split, else 0.
    piece: u16,
}

impl ObjectKey {
    /// Creates the key of an object. The number of a non-migratable object may occur on every rank, so its
    /// key includes its rank.
    pub fn new(is_sequence: bool, number: u64, rank: Option<RankId>) -> Self {
        ObjectKey { is_sequence, number, rank_plus_one: rank.map_or(0, |RankId(rank)| rank + 1), piece: 0 }
    }

    /// Returns the key of a piece of the object. Piece 0 has the key of the whole object, and the keys of the
    /// other pieces directly follow.
    #[must_use]
    pub fn piece(self, piece: u16) -> Self {
        ObjectKey { piece, ..self }
    }

    /// Returns the rank of a non-migratable object; `None` for a migratable one.
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
        #[repr(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// Returns the value as an index into a slice.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// Converts an index that fits into the type. Only debug builds check it, because readers limit all counts.
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
    /// Dense index of an object within a data set. An object has the same index in every phase.
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
    /// A node: one or several ranks that share memory.
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
