// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tasks took in each subphase.

use crate::walker::{Walked, Walker};

/// The `subphases` of each task, where they were asked for; all behind one another. Empty where no task has any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubphaseTimes {
    /// By task, up to the last one that has any: where its times end.
    ends: Vec<u32>,
    times: Vec<(u32, f64)>,
}

impl SubphaseTimes {
    /// Number and seconds of each subphase of a task, ascending; nothing if it has none, or if nobody asked.
    pub fn of(&self, task: usize) -> &[(u32, f64)] {
        let Some(&end) = self.ends.get(task) else { return &[] };
        &self.times[self.start(task)..end as usize]
    }

    /// Whether no task has any.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    fn start(&self, task: usize) -> usize {
        let before = task.min(self.ends.len()).checked_sub(1);
        before.map_or(0, |before| self.ends[before] as usize)
    }

    /// Takes what is said of the next task that has any, ascending.
    pub(crate) fn put(&mut self, task: usize, times: impl Iterator<Item = (u32, f64)>) {
        self.begin(task);
        self.times.extend(times);
        self.end();
    }

    /// Reads what the array ahead says of the next task. Of several arrays of a task the last counts.
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
        // vt writes them in order.
        if !times.is_sorted_by_key(|&(number, _)| number) {
            times.sort_unstable_by_key(|&(number, _)| number);
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(here.complain(format!("the task has subphase {} twice", pair[0].0)));
        }
        self.end();
        Ok(())
    }

    /// Tasks before `task` that nothing was said of have nothing. Where its times begin.
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

/// The number and the seconds of the subphase ahead.
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
