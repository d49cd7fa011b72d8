// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which phases: a number, a list, a range, or all.

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A selection of phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Selection {
    /// Every phase there is.
    #[default]
    All,
    /// These, as inclusive ranges in the order given.
    Ranges(Vec<(u64, u64)>),
}

impl Selection {
    /// Whether a phase is selected.
    pub(crate) fn contains(&self, phase: u64) -> bool {
        match self {
            Selection::All => true,
            Selection::Ranges(ranges) => ranges.iter().any(|&(first, last)| (first..=last).contains(&phase)),
        }
    }

    /// A phase that is named by itself and is not among `phases`.
    pub(crate) fn missing_from(&self, phases: impl Fn(u64) -> bool) -> Option<u64> {
        let Selection::Ranges(ranges) = self else {
            return None;
        };
        ranges.iter().find(|&&(first, last)| first == last && !phases(first)).map(|&(phase, _)| phase)
    }

    /// Phases at the ends of ranges that are not there: ranges may have gaps, but should not go beyond the data.
    pub(crate) fn ends_missing_from(&self, phases: impl Fn(u64) -> bool) -> Vec<u64> {
        let Selection::Ranges(ranges) = self else { return Vec::new() };
        let ends =
            ranges.iter().filter(|(first, last)| first < last).flat_map(|&(first, last)| [first, last]);
        ends.filter(|&end| !phases(end)).collect()
    }

    /// The phases as ascending ranges of which none touches the next, unless they go on for ever.
    pub(crate) fn bounded(&self) -> Option<Vec<(u64, u64)>> {
        let Selection::Ranges(ranges) = self else { return None };
        let mut ranges = ranges.clone();
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

    /// Reads `3`, `0-10`, `0-10, 20` or `all`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.trim() == "all" {
            return Ok(Selection::All);
        }
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            match (first.trim().parse(), last.trim().parse()) {
                (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
                _ => Err(format!("expected phases like 3, \"0-10\", \"0-3, 7\" or all, found {text:?}")),
            }
        };
        // `0 - 3` and `[0, 1]` mean what they look like.
        let joined =
            text.trim().trim_start_matches('[').trim_end_matches(']').replace(" -", "-").replace("- ", "-");
        joined
            .split([',', ' '])
            .filter(|part| !part.is_empty())
            .map(range)
            .collect::<Result<Vec<_>, _>>()
            .and_then(|ranges| {
                if ranges.is_empty() {
                    Err("expected phases like 3, \"0-10\", \"0-3, 7\" or all, found nothing".to_owned())
                } else {
                    Ok(Selection::Ranges(ranges))
                }
            })
    }
}

/// Ascending phases in few words: `0-3, 7`.
pub(crate) fn ranges(phases: &[u64]) -> String {
    let run = |run: &[u64]| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run.iter().map(u64::to_string).collect(),
    };
    let runs: Vec<String> = phases.chunk_by(|a, b| a + 1 == *b).map(run).collect();
    if runs.is_empty() { "none".to_owned() } else { runs.join(", ") }
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
        f.write_str("phases: a number, a list, a range like \"0-10\", or all")
    }

    fn visit_u64<E: Error>(self, phase: u64) -> Result<Selection, E> {
        Ok(Selection::Ranges(vec![(phase, phase)]))
    }

    fn visit_i64<E: Error>(self, phase: i64) -> Result<Selection, E> {
        let phase = u64::try_from(phase).map_err(|_| E::custom("phases are numbered from 0"))?;
        self.visit_u64(phase)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Selection, E> {
        Selection::parse(text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Selection, A::Error> {
        let mut ranges = Vec::new();
        while let Some(item) = items.next_element::<Selection>()? {
            match item {
                Selection::All => return Err(A::Error::custom("`all` stands alone, not in a list")),
                Selection::Ranges(more) => ranges.extend(more),
            }
        }
        Ok(Selection::Ranges(ranges))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_a_range_and_a_list_select_what_they_say() {
        let selection = Selection::parse("3, 5-7").expect("valid");
        let selected: Vec<u64> = (0..10).filter(|&phase| selection.contains(phase)).collect();
        assert_eq!(selected, [3, 5, 6, 7]);
        assert_eq!(Selection::parse("[3, 5 - 7]"), Ok(selection));
        assert!(Selection::parse("all").expect("valid").contains(u64::MAX));
    }

    #[test]
    fn only_phases_named_by_themselves_must_exist() {
        let selection = Selection::parse("0-100").expect("valid");
        assert_eq!(selection.missing_from(|phase| phase < 3), None);
        assert_eq!(Selection::parse("2 4").expect("valid").missing_from(|phase| phase < 3), Some(4));
    }

    #[test]
    fn ranges_that_overlap_or_touch_become_one() {
        let bounded = |text| Selection::parse(text).expect("valid").bounded();
        assert_eq!(bounded("7-9, 0-2, 3, 8-12, 20"), Some(vec![(0, 3), (7, 12), (20, 20)]));
        assert_eq!(bounded("5, 5"), Some(vec![(5, 5)]));
        assert_eq!(bounded("all"), None);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "a", "7-3", "-1", "1-2-3", "1;2"] {
            assert!(Selection::parse(text).is_err(), "{text}");
        }
    }
}
