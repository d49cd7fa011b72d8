// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks and blocks as owners of objects.

use std::fmt;

/// Owner of objects. An object has at most one owner of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A rank.
    Rank(u64),
    /// A memory block.
    Block(u64),
}

impl Owner {
    /// Returns the key of the list of its objects.
    pub(crate) fn key(self) -> String {
        match self {
            Owner::Rank(id) => format!("ranks.{id}.tasks"),
            Owner::Block(id) => format!("shared_blocks.{id}.tasks"),
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::Rank(id) => write!(f, "rank {id}"),
            Owner::Block(id) => write!(f, "block {id}"),
        }
    }
}
