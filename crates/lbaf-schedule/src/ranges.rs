// SPDX-License-Identifier: MIT OR Apache-2.0
//! The phases of several windows as ranges.

use std::ops::RangeInclusive;

use crate::window::Window;

/// The enabled phases of a [`crate::Specification`], ascending.
#[derive(Clone, Debug)]
pub struct Ranges<'a> {
    windows: &'a [Window],
    /// Where to go on, unless all is said.
    next: Option<u64>,
    last: u64,
}

impl<'a> Ranges<'a> {
    pub(crate) fn new(windows: &'a [Window], phases: RangeInclusive<u64>) -> Self {
        let (first, last) = phases.into_inner();
        Ranges { windows, next: Some(first).filter(|&first| first <= last), last }
    }
}

impl Iterator for Ranges<'_> {
    type Item = RangeInclusive<u64>;

    fn next(&mut self) -> Option<RangeInclusive<u64>> {
        let from = self.next.take()?;
        let spans = |phase: u64| self.windows.iter().filter_map(move |window| window.span_from(phase));
        let (first, mut last) = spans(from)
            .map(|(first, last)| (first.max(from), last))
            .min()
            .filter(|&(first, _)| first <= self.last)?;
        // Others may begin before this one ends, or right behind it.
        while last < self.last {
            let beyond = last + 1;
            let reach = spans(beyond).filter(|&(first, _)| first <= beyond).map(|(_, last)| last).max();
            let Some(reach) = reach else { break };
            last = reach;
        }
        let last = last.min(self.last);
        self.next = last.checked_add(1).filter(|&next| next <= self.last);
        Some(first..=last)
    }
}
