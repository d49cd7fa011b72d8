// SPDX-License-Identifier: MIT OR Apache-2.0
//! What no algorithm may call an anomaly.

use crate::{Judgement, Label};

/// What no algorithm may call an anomaly: too little is known, or it does not matter. Chimbuko has none of them.
///
/// Scores are not changed by them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guards {
    /// With fewer samples than these nothing is labelled or scored, and no threshold moves.
    pub min_samples: u64,
    /// An outlier with less is normal; in the unit of the samples. Off at 0.
    pub min_severity: f64,
    /// An outlier that is not further from the median than this part of it is normal. Off at 0; otherwise all samples are
    /// kept, for their median.
    pub min_relative: f64,
}

impl Guards {
    /// All off, as in Chimbuko.
    pub const NONE: Guards = Guards { min_samples: 0, min_severity: 0.0, min_relative: 0.0 };

    /// Whether they ask for the median.
    pub(crate) fn want_median(&self) -> bool {
        self.min_relative > 0.0
    }

    /// What remains of a judgement of a sample. The median matters only if it is wanted.
    pub(crate) fn apply(&self, judgement: Judgement, value: f64, median: f64) -> Judgement {
        let is_small = self.min_severity > 0.0 && value < self.min_severity;
        let is_near = self.want_median() && (value - median).abs() <= self.min_relative * median.abs();
        match judgement.label {
            Label::Outlier if is_small || is_near => Judgement { label: Label::Normal, ..judgement },
            _ => judgement,
        }
    }
}

impl Default for Guards {
    fn default() -> Self {
        Guards { min_samples: 5, min_severity: 0.0, min_relative: 0.1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_that_do_not_matter_are_normal() {
        let guards = Guards { min_samples: 0, min_severity: 3.0, min_relative: 0.25 };
        let outlier = Judgement { score: 9.0, label: Label::Outlier };
        let label = |value, median| guards.apply(outlier, value, median).label;
        assert_eq!(label(2.9, 1.0), Label::Normal);
        assert_eq!(label(3.0, 1.0), Label::Outlier);
        assert_eq!(label(5.0, 4.0), Label::Normal);
        assert_eq!(label(5.1, 4.0), Label::Outlier);
        assert_eq!(guards.apply(outlier, 5.0, 4.0).score, 9.0);
        assert_eq!(guards.apply(Judgement::UNLABELLED, 5.0, 4.0), Judgement::UNLABELLED);
    }

    #[test]
    fn none_of_them_changes_nothing() {
        let outlier = Judgement { score: 9.0, label: Label::Outlier };
        for value in [-1.0, 0.0, 4.0] {
            assert_eq!(Guards::NONE.apply(outlier, value, 4.0), outlier);
        }
    }
}
