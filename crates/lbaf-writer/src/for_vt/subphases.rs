// SPDX-License-Identifier: MIT OR Apache-2.0
//! Subphases numbered from 0 on, as many for every task. vt takes the position of a time for its number, and asks every
//! object that migrates for the load of every subphase of its rank.

use serde::Deserialize;
use serde_json::value::RawValue;

/// More are not filled up: nearly all that is written would be zeros.
pub(super) const MOST: u64 = 1 << 12;

#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

/// The subphases of a task as JSON with all of the first `n`, if that is something else than what is there. Tasks that
/// need not be full are left alone unless numbers are missing between theirs.
pub(super) fn full(there: Option<&RawValue>, n: u64, must_be_full: bool) -> Option<String> {
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
    let of_number = |number: u64| {
        let position = numbers.iter().rposition(|&other| other == number);
        position.map_or_else(|| format!(r#"{{"id":{number},"time":0.0}}"#), |at| there[at].get().to_owned())
    };
    Some(format!("[{}]", (0..n).map(of_number).collect::<Vec<_>>().join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(there: &str, n: u64, must_be_full: bool) -> Option<String> {
        let there: Option<Box<RawValue>> = (!there.is_empty()).then(|| serde_json::from_str(there).unwrap());
        full(there.as_deref(), n, must_be_full)
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
}
