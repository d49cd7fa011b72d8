// SPDX-License-Identifier: MIT OR Apache-2.0
//! Completion of subphases: they are numbered from 0, and every migratable object gets the same number of them. vt
//! uses the position of a time as the number of the subphase, and accesses the load of every subphase of the rank
//! when an object migrates.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::WriteError;

/// Budget of added subphases of 0 s for all written files together. Without a bound, a single subphase with a large
/// number in the data could require arbitrarily many.
pub(super) struct Room {
    n: AtomicU64,
    most: u64,
}

impl Room {
    /// Returns the budget for data of `n_bytes`: subphases that take about 400 MB plus three times the size of the
    /// data.
    pub(super) fn of(n_bytes: u64) -> Self {
        Room { n: AtomicU64::new(0), most: (1 << 24) + n_bytes / 8 }
    }

    /// Takes `n` from the budget. Returns false if it is exceeded.
    fn take(&self, n: u64) -> bool {
        let add = |sum: u64| Some(sum.saturating_add(n));
        let before = self.n.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        before.is_ok_and(|before| before.saturating_add(n) <= self.most)
    }

    /// Checks that the budget was not exceeded.
    pub(super) fn check(&self) -> Result<(), WriteError> {
        let (n, most) = (self.n.load(Ordering::Relaxed), self.most);
        if n > most { Err(WriteError::Subphases { n, most }) } else { Ok(()) }
    }
}

#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

/// Returns the subphases 0 to `n` - 1 of a task as JSON; `None` if the task needs no change, its subphases cannot be
/// read, or the budget is exceeded. Without `must_be_full`, a task whose subphases are numbered from 0 in order needs
/// no change, even if it has fewer than `n`.
pub(super) fn full(there: Option<&RawValue>, n: u64, must_be_full: bool, room: &Room) -> Option<String> {
    let there: Vec<&RawValue> = match there {
        None => Vec::new(),
        Some(there) => serde_json::from_str(there.get()).ok()?,
    };
    let numbers = there.iter().map(|subphase| serde_json::from_str::<Numbered>(subphase.get()));
    let numbers: Vec<u64> =
        numbers.map(|numbered| numbered.map(|numbered| numbered.id)).collect::<Result<_, _>>().ok()?;
    let in_order = numbers.iter().copied().eq(0..numbers.len() as u64);
    if n == 0 || in_order && (!must_be_full || numbers.len() as u64 == n) {
        return None;
    }
    // Of several subphases with the same number, the last one counts.
    let by_number: FxHashMap<u64, &RawValue> = numbers.into_iter().zip(there).collect();
    if !room.take(n.saturating_sub(by_number.len() as u64)) {
        return None;
    }
    let mut full = "[".to_owned();
    for number in 0..n {
        let comma = if number == 0 { "" } else { "," };
        let _ = match by_number.get(&number) {
            Some(recorded) => write!(full, "{comma}{recorded}"),
            None => write!(full, r#"{comma}{{"id":{number},"time":0.0}}"#),
        };
    }
    full.push(']');
    Some(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(there: &str, n: u64, must_be_full: bool) -> Option<String> {
        let there: Option<Box<RawValue>> = (!there.is_empty()).then(|| serde_json::from_str(there).unwrap());
        full(there.as_deref(), n, must_be_full, &Room::of(0))
    }

    #[test]
    fn times_keep_their_numbers_and_their_notation() {
        let expected = r#"[{"id":0,"time":0.0},{"id":1,"time":3e-1}]"#;
        assert_eq!(filled(r#"[{"id":1,"time":3e-1}]"#, 2, true).as_deref(), Some(expected));
        let expected = r#"[{"id":0,"time":2.0},{"id":1,"time":3e-1}]"#;
        assert_eq!(
            filled(r#"[{"id":1,"time":3e-1},{"id":0,"time":2.0}]"#, 2, false).as_deref(),
            Some(expected)
        );
    }

    #[test]
    fn complete_lists_and_optional_ones_are_unchanged() {
        assert_eq!(filled(r#"[{"id":0,"time":1.0},{"id":1,"time":1.0}]"#, 2, true), None);
        assert_eq!(filled(r#"[{"id":0,"time":1.0}]"#, 2, false), None);
        assert_eq!(filled("", 2, false), None);
        assert_eq!(filled("", 0, true), None);
        assert_eq!(filled("", 1, true).as_deref(), Some(r#"[{"id":0,"time":0.0}]"#));
    }

    #[test]
    fn the_last_of_two_subphases_with_the_same_number_counts() {
        let there = r#"[{"id":1,"time":1.0},{"id":1,"time":2.0}]"#;
        assert_eq!(filled(there, 2, true).as_deref(), Some(r#"[{"id":0,"time":0.0},{"id":1,"time":2.0}]"#));
    }

    #[test]
    fn the_budget_is_shared_by_all_tasks() {
        let room = Room { n: AtomicU64::new(0), most: 5 };
        assert!(full(None, 3, true, &room).is_some());
        assert!(full(None, 2, true, &room).is_some() && room.check().is_ok());
        assert_eq!(full(None, u64::MAX, true, &room), None);
        assert!(matches!(room.check(), Err(WriteError::Subphases { n: u64::MAX, most: 5 })));
    }
}
