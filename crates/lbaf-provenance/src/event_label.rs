// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names of executions.

/// A name of an execution, `rank:step:index`, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EventLabel {
    /// The step in which it was seen; it may be judged in a later one.
    pub(crate) step: i64,
    /// Which one of that step it is.
    pub(crate) index: i64,
}

impl EventLabel {
    /// The numbers of a name; none for the parent that nobody has, `root`.
    pub(crate) fn of(event_id: &str) -> Option<Self> {
        let mut parts = event_id.split(':');
        let mut number = || parts.next()?.trim().parse().ok();
        let (_rank, step, index): (i64, _, _) = (number()?, number()?, number()?);
        parts.next().is_none().then_some(EventLabel { step, index })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_three_numbers() {
        assert_eq!(EventLabel::of("3:12:225"), Some(EventLabel { step: 12, index: 225 }));
        for other in ["root", "", "1:2", "1:2:3:4", "a:2:3"] {
            assert_eq!(EventLabel::of(other), None, "{other}");
        }
    }
}
