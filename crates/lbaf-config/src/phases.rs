// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selections of phases: numbers, ranges, windows as in vt's specification files, or `all`.

mod parse;

use std::fmt;

use crate::vt_files::{Anchor, Window};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Selection of phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Every phase.
    #[default]
    All,
    /// Phases in at least one part.
    Parts(Vec<Part>),
}

/// Part of a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A single phase, which must be in the data.
    Phase(u64),
    /// Range from a first to a larger last phase. Phases of the range may be missing in the data.
    Range(u64, u64),
    /// Window around a phase, or around all multiples of a number. Phases of the window may be missing in the data.
    Window(Window),
}

impl fmt::Display for Selection {
    /// Formats the selection in the notation of [`Selection::parse`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Selection::Parts(parts) = self else { return f.write_str("all") };
        for (position, part) in parts.iter().enumerate() {
            let comma = if position > 0 { ", " } else { "" };
            match part {
                Part::Phase(phase) => write!(f, "{comma}{phase}")?,
                Part::Range(first, last) => write!(f, "{comma}{first}-{last}")?,
                Part::Window(window) => write!(f, "{comma}{window}")?,
            }
        }
        Ok(())
    }
}

impl Selection {
    /// True if a phase is selected.
    pub fn contains(&self, phase: u64) -> bool {
        match self {
            Selection::All => true,
            Selection::Parts(parts) => parts.iter().any(|part| part.contains(phase)),
        }
    }

    /// Returns the first single phase of the selection that the data do not have. `phases` is true for the phases of
    /// the data.
    pub fn missing_from(&self, phases: impl Fn(u64) -> bool) -> Option<u64> {
        self.parts().iter().find_map(|part| match part {
            Part::Phase(phase) => Some(*phase).filter(|&phase| !phases(phase)),
            Part::Range(..) | Part::Window(_) => None,
        })
    }

    /// Returns the first and last phases of ranges that the data do not have, in the order of the selection. `phases`
    /// is true for the phases of the data. Phases inside a range may be missing, but its first and last phase should
    /// exist.
    pub fn ends_missing_from(&self, phases: impl Fn(u64) -> bool) -> Vec<u64> {
        let ends = self.parts().iter().flat_map(|part| match part {
            Part::Range(first, last) => vec![*first, *last],
            Part::Phase(_) | Part::Window(_) => Vec::new(),
        });
        ends.filter(|&end| !phases(end)).collect()
    }

    /// Returns the phases as ascending, non-adjacent ranges; `None` if unbounded.
    pub fn bounded(&self) -> Option<Vec<(u64, u64)>> {
        let Selection::Parts(parts) = self else { return None };
        let mut ranges = parts.iter().map(|part| part.bounded()).collect::<Option<Vec<_>>>()?;
        ranges.sort_unstable();
        let mut apart: Vec<(u64, u64)> = Vec::new();
        for (first, last) in ranges {
            match apart.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => apart.push((first, last)),
            }
        }
        Some(apart)
    }

    /// Returns the last phase; `None` if the selection is unbounded or empty.
    pub fn last(&self) -> Option<u64> {
        self.bounded()?.last().map(|&(_, last)| last)
    }

    /// Reads `3`, `0-10`, `0-10, 20`, `%100 -3 3` or `all`.
    ///
    /// # Errors
    /// At the first invalid part.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim() == "all" { Ok(Selection::All) } else { parse::parts(text).map(Selection::Parts) }
    }

    fn parts(&self) -> &[Part] {
        match self {
            Selection::All => &[],
            Selection::Parts(parts) => parts,
        }
    }
}

impl Part {
    fn contains(self, phase: u64) -> bool {
        match self {
            Part::Phase(own) => phase == own,
            Part::Range(first, last) => (first..=last).contains(&phase),
            Part::Window(window) => window.contains(phase),
        }
    }

    fn bounded(self) -> Option<(u64, u64)> {
        match self {
            Part::Phase(phase) => Some((phase, phase)),
            Part::Range(first, last) => Some((first, last)),
            Part::Window(window) => match window.anchor() {
                Anchor::Phase(phase) => Some((phase.saturating_sub(window.before()), phase + window.after())),
                Anchor::Every(_) => None,
            },
        }
    }
}

impl<'de> Deserialize<'de> for Selection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SelectionVisitor)
    }
}

struct SelectionVisitor;

impl<'de> Visitor<'de> for SelectionVisitor {
    type Value = Selection;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("phases: a number, a list, a range like \"0-10\", a window like \"%100 -3 3\", or `all`")
    }

    fn visit_u64<E: Error>(self, phase: u64) -> Result<Selection, E> {
        Ok(Selection::Parts(vec![Part::Phase(phase)]))
    }

    fn visit_i64<E: Error>(self, phase: i64) -> Result<Selection, E> {
        let negative = || E::custom(parse::negative(&phase.to_string()));
        self.visit_u64(u64::try_from(phase).map_err(|_| negative())?)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Selection, E> {
        Selection::parse(text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Selection, A::Error> {
        let mut parts = Vec::new();
        while let Some(item) = items.next_element::<Selection>()? {
            match item {
                Selection::All => return Err(A::Error::custom(parse::NOT_ALONE)),
                Selection::Parts(more) => parts.extend(more),
            }
        }
        Ok(Selection::Parts(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(text: &str) -> Selection {
        Selection::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn numbers_ranges_and_lists_select_their_phases() {
        let selected: Vec<u64> = (0..10).filter(|&phase| selection("3, 5-7").contains(phase)).collect();
        assert_eq!(selected, [3, 5, 6, 7]);
        assert!(selection("all").contains(u64::MAX));
    }

    #[test]
    fn windows_select_as_in_specifications() {
        let selected = |text| (0..=210).filter(|&phase| selection(text).contains(phase)).collect::<Vec<_>>();
        assert_eq!(
            selected("%100 -3 3"),
            [0, 1, 2, 3, 97, 98, 99, 100, 101, 102, 103, 197, 198, 199, 200, 201, 202, 203]
        );
        assert_eq!(selected("20 -2 1"), [18, 19, 20, 21]);
        assert_eq!(selected("0-3, %100 -1 0; 7"), [0, 1, 2, 3, 7, 99, 100, 199, 200]);
    }

    #[test]
    fn only_individually_selected_phases_must_exist() {
        let missing = |text| selection(text).missing_from(|phase| phase < 3);
        for text in ["all", "0-100", "%100 -3 3", "200 -5 5", "50 0 0", "7-9"] {
            assert_eq!(missing(text), None, "{text}");
        }
        for (text, phase) in [("2 4", 4), ("7-7", 7), ("%2 0 0, 0-9, 5", 5)] {
            assert_eq!(missing(text), Some(phase), "{text}");
        }
    }

    #[test]
    fn only_endpoints_of_ranges_should_exist() {
        let missing = |text| selection(text).ends_missing_from(|phase| phase < 3);
        assert_eq!(missing("0-100, 1-2, 5-8"), [100, 5, 8]);
        assert!(missing("%100 -3 3, 200 -5 5, 9").is_empty());
    }

    #[test]
    fn overlapping_or_adjacent_parts_are_joined() {
        let bounded = |text| selection(text).bounded();
        assert_eq!(bounded("7-9, 0-2, 3, 8-12, 20"), Some(vec![(0, 3), (7, 12), (20, 20)]));
        assert_eq!(bounded("5, 5"), Some(vec![(5, 5)]));
        assert_eq!(bounded("0-18446744073709551615, 7"), Some(vec![(0, u64::MAX)]));
        assert_eq!(bounded("10 -20 5, 200 -5 0"), Some(vec![(0, 15), (195, 200)]));
        assert_eq!(bounded("all"), None);
        assert_eq!(bounded("0-3, %100 -3 3"), None);
    }
}
