// SPDX-License-Identifier: MIT OR Apache-2.0
//! Subphases numbered from 0 on, as many for every task. vt takes the position of a time for its number, and asks every
//! object that migrates for the load of every subphase of its rank.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::WriteError;

/// Subphases of 0 s in all written files together: their number is bounded, since a single number in the data can ask
/// for any.
pub(super) struct Room {
    n: AtomicU64,
    most: u64,
}

impl Room {
    /// Room for about 400 MB, or for data of `n_bytes` to become about four times as large.
    pub(super) fn of(n_bytes: u64) -> Self {
        Room { n: AtomicU64::new(0), most: (1 << 24) + n_bytes / 8 }
    }

    /// Takes room for `n`, if there is any left.
    fn take(&self, n: u64) -> bool {
        let add = |sum: u64| Some(sum.saturating_add(n));
        let before = self.n.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        before.is_ok_and(|before| before.saturating_add(n) <= self.most)
    }

    /// Checks that there was room for everything.
    pub(super) fn check(&self) -> Result<(), WriteError> {
        let (n, most) = (self.n.load(Ordering::Relaxed), self.most);
        if n > most { Err(WriteError::Subphases { n, most }) } else { Ok(()) }
    }
}

#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

/// The subphases of a task as JSON with all of the first `n`, if that is something else than what is there. Tasks that
/// need not be full are left alone unless numbers are missing between theirs, and all are where there is no room.
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
    // Of several with one number the last counts.
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
    fn times_keep_their_numbers_and_their_spelling() {
        let expected = r#"[{"id":0,"time":0.0},{"id":1,"time":3e-1}]"#;
        assert_eq!(filled(r#"[{"id":1,"time":3e-1}]"#, 2, true).as_deref(), Some(expected));
        let expected = r#"[{"id":0,"time":2.0},{"id":1,"time":3e-1}]"#;
        assert_eq!(
            filled(r#"[{"id":1,"time":3e-1},{"id":0,"time":2.0}]"#, 2, false).as_deref(),
            Some(expected)
        );
    }

    #[test]
    fn what_is_full_or_need_not_be_stays() {
        assert_eq!(filled(r#"[{"id":0,"time":1.0},{"id":1,"time":1.0}]"#, 2, true), None);
        assert_eq!(filled(r#"[{"id":0,"time":1.0}]"#, 2, false), None);
        assert_eq!(filled("", 2, false), None);
        assert_eq!(filled("", 0, true), None);
        assert_eq!(filled("", 1, true).as_deref(), Some(r#"[{"id":0,"time":0.0}]"#));
    }

    #[test]
    fn of_two_with_one_number_the_last_counts() {
        let there = r#"[{"id":1,"time":1.0},{"id":1,"time":2.0}]"#;
        assert_eq!(filled(there, 2, true).as_deref(), Some(r#"[{"id":0,"time":0.0},{"id":1,"time":2.0}]"#));
    }

    #[test]
    fn room_is_for_all_tasks_together() {
        let room = Room { n: AtomicU64::new(0), most: 5 };
        assert!(full(None, 3, true, &room).is_some());
        assert!(full(None, 2, true, &room).is_some() && room.check().is_ok());
        assert_eq!(full(None, u64::MAX, true, &room), None);
        assert!(matches!(room.check(), Err(WriteError::Subphases { n: u64::MAX, most: 5 })));
    }
}
