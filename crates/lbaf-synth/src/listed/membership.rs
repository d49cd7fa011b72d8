// SPDX-License-Identifier: MIT OR Apache-2.0
//! Membership of listed objects in ranks and blocks.

use crate::by_id::ById;
use crate::listed::TaskSpec;
use crate::{Owner, SynthError};

/// Returns the id of the owner of each object; `None` for an object in no list. `kind` converts the id of a list to an
/// owner.
///
/// # Errors
/// For the first list with an object that is unknown or already has an owner.
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
