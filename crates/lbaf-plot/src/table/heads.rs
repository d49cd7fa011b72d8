// SPDX-License-Identifier: MIT OR Apache-2.0
//! Heads of columns.

use super::Quantity;
use crate::unit::Unit;

/// Head of a quantity.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// Head shared with neighbours of the same group; empty without a group.
    pub(super) group: String,
    pub(super) own: String,
}

/// Returns heads with units. A unit common to a group is printed with the group.
pub(super) fn of(quantities: &[Quantity], units: &[Unit]) -> Vec<Head> {
    let mut heads = Vec::with_capacity(quantities.len());
    let mut together = quantities.iter().zip(units).peekable();
    while let Some(first) = together.next() {
        let mut group = vec![first];
        let name = &first.0.group;
        while let Some(next) = together.next_if(|(next, _)| !name.is_empty() && next.group == *name) {
            group.push(next);
        }
        let one_unit = !name.is_empty() && group.iter().all(|(_, unit)| unit.name == first.1.name);
        let head = |(quantity, unit): (&Quantity, &Unit)| {
            if one_unit {
                Head { group: unit.axis_label(name), own: quantity.name.clone() }
            } else {
                Head { group: name.clone(), own: unit.axis_label(&quantity.name) }
            }
        };
        heads.extend(group.into_iter().map(head));
    }
    heads
}

/// Wraps a head into lines of at most nine characters, or the length of its longest word, so that heads rarely widen
/// columns.
pub(super) fn wrapped(head: &str) -> Vec<String> {
    const TYPICAL: usize = 9;
    let length = |text: &str| text.chars().count();
    let widest = head.split_whitespace().map(length).max().unwrap_or(0).max(TYPICAL);
    lbaf_text::wrapped(head, |line| length(line) <= widest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_break_between_words() {
        let cases: [(&str, &[&str]); 5] = [
            ("", &[]),
            ("max work (s)", &["max work", "(s)"]),
            ("load imbalance", &["load", "imbalance"]),
            ("off-rank volume (MB)", &["off-rank", "volume", "(MB)"]),
            ("incomprehensibilities of \u{3bb}", &["incomprehensibilities", "of \u{3bb}"]),
        ];
        for (head, lines) in cases {
            assert_eq!(wrapped(head), lines, "{head}");
        }
    }
}
