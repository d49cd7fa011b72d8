// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of objects in their collections.

use serde::{Deserialize, Serialize};

use crate::walker::{Walked, Walker};

/// The `collection_id` and the `index` of each task's object, if requested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Indices {
    /// For each task: the collection of its object, and the end of the object's index in `numbers`.
    ends: Vec<(Option<u64>, u32)>,
    numbers: Vec<i64>,
}

impl Indices {
    /// Returns the collection and the index of the object of a task, given by its position in the phase. A missing
    /// collection is `None`, and a missing index is empty. Returns `None` if both are missing or were not requested.
    pub fn of(&self, task: usize) -> Option<(Option<u64>, &[i64])> {
        let &(collection, end) = self.ends.get(task)?;
        let start = task.checked_sub(1).map_or(0, |before| self.ends[before].1);
        let index = &self.numbers[start as usize..end as usize];
        (collection.is_some() || !index.is_empty()).then_some((collection, index))
    }

    /// Reads the collection and the index of the next task's object from the current entity. If a task has several
    /// entities, the last one counts.
    pub(crate) fn walk<const PLACED: bool>(
        &mut self,
        task: usize,
        mut walker: Walker<'_, PLACED>,
    ) -> Walked<()> {
        self.ends.truncate(task);
        let start = self.ends.last().map_or(0, |&(_, end)| end);
        self.numbers.truncate(start as usize);
        let mut collection = None;
        walker.object(|walker, key| {
            match key {
                "collection_id" => collection = Some(walker.unsigned()?),
                "index" => {
                    self.numbers.truncate(start as usize);
                    walker.array(|walker, _| {
                        self.numbers.push(walker.integer()?);
                        Ok(())
                    })?;
                }
                _ => walker.skip(),
            }
            Ok(())
        })?;
        self.ends.push((collection, self.numbers.len() as u32));
        Ok(())
    }
}
