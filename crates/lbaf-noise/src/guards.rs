// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions under which outliers are not anomalies.

use crate::{Judgement, Label};

/// Conditions under which outliers are not anomalies: too few samples, or an irrelevant deviation. Chimbuko has no
/// such guards.
///
/// With too few samples, the score is -1. The other guards change labels but no scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guards {
    /// With fewer samples, no sample is labelled or scored, and no threshold moves.
    pub min_samples: u64,
    /// Outliers below this value are normal; in the unit of the samples. 0 turns the guard off.
    pub min_severity: f64,
    /// Outliers that differ from the median by at most this fraction of it are normal. 0 turns the guard off;
    /// otherwise all samples are kept for their median.
    pub min_relative: f64,
}

impl Guards {
    /// All guards off, as in Chimbuko.
    pub const NONE: Guards = Guards { min_samples: 0, min_severity: 0.0, min_relative: 0.0 };

    /// True if the guards need the median.
    pub(crate) fn want_median(&self) -> bool {
        self.min_relative > 0.0
    }

    /// Applies the guards to the judgement of a sample. `median` is the median of all samples, needed only if
    /// [`want_median`](Self::want_median) is true.
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
    fn without_guards_judgements_do_not_change() {
        let outlier = Judgement { score: 9.0, label: Label::Outlier };
        for value in [-1.0, 0.0, 4.0] {
            assert_eq!(Guards::NONE.apply(outlier, value, 4.0), outlier);
        }
    }
}
