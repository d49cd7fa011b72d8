// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of tasks in each subphase.

use serde::{Deserialize, Serialize};

use crate::walker::{Walked, Walker};

/// Subphases of each task, if requested, stored consecutively. Empty if no task has any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SubphaseTimes {
    /// End of the times of each task, up to the last task with subphases.
    ends: Vec<u32>,
    times: Vec<(u32, f64)>,
}

impl SubphaseTimes {
    /// Returns the number and the seconds of each subphase of a task, in ascending order of numbers. Empty if the
    /// task has none or subphases were not requested.
    pub fn of(&self, task: usize) -> &[(u32, f64)] {
        let Some(&end) = self.ends.get(task) else { return &[] };
        &self.times[self.start(task)..end as usize]
    }

    /// True if no task has subphases.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    fn start(&self, task: usize) -> usize {
        let before = task.min(self.ends.len()).checked_sub(1);
        before.map_or(0, |before| self.ends[before] as usize)
    }

    /// Stores the subphases of `task`, whose numbers must ascend. Tasks must ascend from call to call, and tasks
    /// without subphases may be left out.
    pub(crate) fn put(&mut self, task: usize, times: impl Iterator<Item = (u32, f64)>) {
        self.begin(task);
        self.times.extend(times);
        self.end();
    }

    /// Reads the subphases of the next task from the current array. If a task has several arrays, the last one
    /// counts.
    pub(crate) fn walk<const PLACED: bool>(
        &mut self,
        task: usize,
        walker: &mut Walker<'_, PLACED>,
    ) -> Walked<()> {
        let start = self.begin(task);
        let here = *walker;
        walker.array(|walker, _| {
            self.times.push(walk_subphase(walker)?);
            Ok(())
        })?;
        let times = &mut self.times[start..];
        // vt writes them in order, so sorting is rarely needed.
        if !times.is_sorted_by_key(|&(number, _)| number) {
            times.sort_unstable_by_key(|&(number, _)| number);
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(here.complain(format!("the task has subphase {} twice", pair[0].0)));
        }
        self.end();
        Ok(())
    }

    /// Returns the start of the times of `task`. Gives omitted earlier tasks an empty list.
    fn begin(&mut self, task: usize) -> usize {
        let start = self.start(task);
        self.ends.resize(task, start as u32);
        self.times.truncate(start);
        start
    }

    fn end(&mut self) {
        self.ends.push(self.times.len() as u32);
    }
}

/// Reads the number and the seconds of the current subphase.
fn walk_subphase<const PLACED: bool>(walker: &mut Walker<'_, PLACED>) -> Walked<(u32, f64)> {
    let here = *walker;
    let (mut number, mut seconds) = (None, None);
    walker.object(|walker, key| {
        match key {
            "id" => {
                let here = *walker;
                let id = walker.unsigned()?;
                number = Some(u32::try_from(id).map_err(|_| here.mismatch("a subphase below 2^32"))?);
            }
            "time" => seconds = Some(walker.magnitude()?),
            _ => walker.skip(),
        }
        Ok(())
    })?;
    let missing = |key: &str| here.complain(format!("the subphase has no `{key}`"));
    Ok((number.ok_or_else(|| missing("id"))?, seconds.ok_or_else(|| missing("time"))?))
}
