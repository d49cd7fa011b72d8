// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of executions.

/// Step and index in the name of an execution, `rank:step:index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EventLabel {
    /// Step in which the execution was recorded, but not necessarily judged.
    pub(crate) step: i64,
    /// Index of the execution in that step.
    pub(crate) index: i64,
}

impl EventLabel {
    /// Parses a name; `None` for names of another form, such as `root`, the parent of outermost executions.
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
