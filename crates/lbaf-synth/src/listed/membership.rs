// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which rank and which block every listed object belongs to.

use std::fmt;

use crate::SynthError;
use crate::by_id::ById;
use crate::listed::TaskSpec;

/// What an object belongs to, and to one of it only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A rank.
    Rank(u64),
    /// A memory block.
    Block(u64),
}

impl Owner {
    /// Where the list of its objects is.
    fn key(self) -> String {
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

/// The owner of every object, in their order; `kind` makes the owner of an id.
///
/// # Errors
/// The first list that names an object which does not exist or has an owner already.
pub(super) fn owners<'a>(
    tasks: &ById<TaskSpec>,
    kind: fn(u64) -> Owner,
    lists: impl Iterator<Item = (u64, &'a [u64])>,
) -> Result<Vec<Option<u64>>, SynthError> {
    let mut owners = vec![None; tasks.len()];
    for (id, list) in lists {
        let owner = kind(id);
        for (at, &task) in list.iter().enumerate() {
            let key = || format!("{}.{at}", owner.key());
            let Some(position) = tasks.position(task) else {
                return Err(SynthError::UnknownTask { key: key(), entry: owner.to_string(), task });
            };
            if let Some(first) = owners[position].replace(id) {
                return Err(SynthError::TaskTwice { key: key(), task, first: kind(first), second: owner });
            }
        }
    }
    Ok(owners)
}
