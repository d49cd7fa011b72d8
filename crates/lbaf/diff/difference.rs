// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of two ascending lists.

use std::cmp::Ordering;
use std::iter;

use serde::Serialize;

/// A value from each of the two data sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Pair<T> {
    pub(super) a: T,
    pub(super) b: T,
}

/// Entry with its values in the two data sets; `None` where it is absent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Difference<K, T> {
    pub(super) key: K,
    pub(super) a: Option<T>,
    pub(super) b: Option<T>,
}

/// Returns all differences of two lists, each strictly ascending by key. Linear.
pub(super) fn differences<K: Ord, T: PartialEq>(
    a: impl Iterator<Item = (K, T)>,
    b: impl Iterator<Item = (K, T)>,
) -> Vec<Difference<K, T>> {
    joined(a, b).filter(|difference| difference.a != difference.b).collect()
}

/// Returns every key of two lists, each strictly ascending, with its value in each list. Linear.
pub(super) fn joined<K: Ord, T>(
    a: impl Iterator<Item = (K, T)>,
    b: impl Iterator<Item = (K, T)>,
) -> impl Iterator<Item = Difference<K, T>> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    iter::from_fn(move || {
        let order = match (a.peek(), b.peek()) {
            (Some((left, _)), Some((right, _))) => left.cmp(right),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        let left = if order.is_le() { a.next() } else { None };
        let right = if order.is_ge() { b.next() } else { None };
        Some(match (left, right) {
            (Some((key, a)), Some((_, b))) => Difference { key, a: Some(a), b: Some(b) },
            (Some((key, a)), None) => Difference { key, a: Some(a), b: None },
            (None, Some((key, b))) => Difference { key, a: None, b: Some(b) },
            (None, None) => return None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Entry = (u32, char);

    fn keys(a: &[Entry], b: &[Entry]) -> Vec<(u32, Option<char>, Option<char>)> {
        let difference = |difference: Difference<u32, char>| (difference.key, difference.a, difference.b);
        differences(a.iter().copied(), b.iter().copied()).into_iter().map(difference).collect()
    }

    #[test]
    fn finds_changed_entries_and_entries_of_one_list() {
        let a = [(1, 'a'), (2, 'b'), (4, 'd'), (9, 'i')];
        let b = [(0, 'z'), (2, 'b'), (4, 'x'), (5, 'e')];
        let expected = [
            (0, None, Some('z')),
            (1, Some('a'), None),
            (4, Some('d'), Some('x')),
            (5, None, Some('e')),
            (9, Some('i'), None),
        ];
        assert_eq!(keys(&a, &b), expected);
    }

    #[test]
    fn equal_and_empty_lists_do_not_differ() {
        let list = [(1, 'a'), (7, 'b')];
        assert_eq!(keys(&list, &list), []);
        assert_eq!(keys(&[], &[]), []);
        assert_eq!(keys(&list, &[]), [(1, Some('a'), None), (7, Some('b'), None)]);
        assert_eq!(keys(&[], &list[..1]), [(1, None, Some('a'))]);
    }
}
