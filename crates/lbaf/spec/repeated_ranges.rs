// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compact form of ranges of phases that repeat at equal distances.

/// Formats ascending ranges, with repeated ones as one item: `0-3`, `97-103, 197-203, .., 497-503 (every 100)`.
pub(super) fn items(ranges: &[(u64, u64)]) -> Vec<String> {
    let mut items = Vec::new();
    let mut rest = ranges;
    while let Some(&first) = rest.first() {
        // Repetition that covers the most ranges; among equals, that of the smallest group.
        let repeated = (1..=MAX_GROUP).filter_map(|size| Some((size, repetitions(rest, size)?)));
        let n = if let Some((size, n)) = repeated.rev().max_by_key(|(size, n)| size * n) {
            items.push(pattern(&rest[..size * n], size));
            size * n
        } else {
            items.push(range(first));
            1
        };
        rest = &rest[n..];
    }
    items
}

/// Largest number of ranges in a repeated group.
const MAX_GROUP: usize = 8;

/// Returns the number of repetitions of the first `size` ranges at equal distances; `None` below four, because a list
/// is then short enough.
fn repetitions(ranges: &[(u64, u64)], size: usize) -> Option<usize> {
    const FEWEST: usize = 4;
    let distance = ranges.get(size)?.0 - ranges[0].0;
    let follows = |(a, b): &(&(u64, u64), &(u64, u64))| b.0 - a.0 == distance && b.1 - a.1 == distance;
    let n = 1 + ranges.iter().zip(&ranges[size..]).take_while(follows).count() / size;
    (n >= FEWEST).then_some(n)
}

/// Formats repeated groups of ranges: the first two and the last.
fn pattern(ranges: &[(u64, u64)], size: usize) -> String {
    let list = |ranges: &[(u64, u64)]| ranges.iter().copied().map(range).collect::<Vec<_>>().join(", ");
    let distance = ranges[size].0 - ranges[0].0;
    let last = list(&ranges[ranges.len() - size..]);
    format!("{}, .., {last} (every {distance})", list(&ranges[..2 * size]))
}

/// Formats a phase or a range of phases.
pub(super) fn range((first, last): (u64, u64)) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_ranges_form_one_item() {
        let every = |n: u64, distance| (0..n).map(move |i| (i * distance, i * distance));
        assert_eq!(items(&every(6, 10).collect::<Vec<_>>()), ["0, 10, .., 50 (every 10)"]);
        assert_eq!(items(&every(3, 10).collect::<Vec<_>>()), ["0", "10", "20"]);
        let around = [(0, 3), (97, 103), (197, 203), (297, 303), (397, 403), (497, 500)];
        assert_eq!(items(&around), ["0-3", "97-103, 197-203, .., 397-403 (every 100)", "497-500"]);
        assert_eq!(
            items(&[(0, 1), (4, 5), (8, 9), (12, 13), (20, 20), (22, 30)]),
            ["0-1, 4-5, .., 12-13 (every 4)", "20", "22-30"]
        );
        let odd_not_by_3: Vec<(u64, u64)> =
            (0..50).filter(|n| n % 2 == 1 && n % 3 > 0).map(|n| (n, n)).collect();
        assert_eq!(items(&odd_not_by_3), ["1, 5, 7, 11, .., 43, 47 (every 6)", "49"]);
        assert!(items(&[]).is_empty());
        assert_eq!(items(&[(7, 7)]), ["7"]);
    }
}
