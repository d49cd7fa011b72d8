// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases of several windows as ranges.

use std::ops::RangeInclusive;

use crate::vt_files::Anchor;
use crate::vt_files::window::Window;

/// Iterator over the ascending ranges of enabled phases of a [`crate::vt_files::Specification`]. Creation takes O(n
/// log n) for n windows. Each range takes a search for its start, and further searches for windows that extend it. A
/// search inspects all periodic windows, and finds windows around single phases by bisection.
#[derive(Clone, Debug)]
pub struct Ranges {
    /// Windows around single phases, ascending, with overlapping or adjacent ones joined.
    single: Vec<(u64, u64)>,
    periodic: Vec<Window>,
    /// Phase at which the next search begins; `None` at the end.
    next: Option<u64>,
    last: u64,
}

impl Ranges {
    pub(crate) fn new(windows: &[Window], phases: RangeInclusive<u64>) -> Self {
        let (first, last) = phases.into_inner();
        let is_single = |window: &&Window| matches!(window.anchor(), Anchor::Phase(_));
        let mut single: Vec<(u64, u64)> =
            windows.iter().filter(is_single).filter_map(|window| window.span_from(0)).collect();
        single.sort_unstable();
        single.dedup_by(|next, kept| {
            let touches = next.0 <= kept.1.saturating_add(1);
            if touches {
                kept.1 = kept.1.max(next.1);
            }
            touches
        });
        let periodic = windows.iter().filter(|window| !is_single(window)).copied().collect();
        Ranges { single, periodic, next: Some(first).filter(|&first| first <= last), last }
    }

    /// Returns the first interval that ends at `phase` or later, for each periodic window and for all other windows
    /// together.
    fn spans_from(&self, phase: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        let single = self.single.get(self.single.partition_point(|&(_, last)| last < phase)).copied();
        self.periodic.iter().filter_map(move |window| window.span_from(phase)).chain(single)
    }
}

impl Iterator for Ranges {
    type Item = RangeInclusive<u64>;

    fn next(&mut self) -> Option<RangeInclusive<u64>> {
        let from = self.next.take()?;
        let (first, mut last) = (self.spans_from(from))
            .map(|(first, last)| (first.max(from), last))
            .min()
            .filter(|&(first, _)| first <= self.last)?;
        // Other windows may begin within the range, or directly after it.
        while last < self.last {
            let beyond = last + 1;
            let reach =
                self.spans_from(beyond).filter(|&(first, _)| first <= beyond).map(|(_, last)| last).max();
            let Some(reach) = reach else { break };
            last = reach;
        }
        let last = last.min(self.last);
        self.next = last.checked_add(1).filter(|&next| next <= self.last);
        Some(first..=last)
    }
}
