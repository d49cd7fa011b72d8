// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judgement of a sample by a detector.

/// Label of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Too few samples to judge; 0 in Chimbuko.
    #[default]
    Unlabelled,
    /// Similar to the other samples; 1 in Chimbuko.
    Normal,
    /// Unlike the other samples: an anomaly; -1 in Chimbuko.
    Outlier,
}

/// Score and label of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Measure of how unlikely the sample is: larger is less likely, on a scale of the algorithm. -1 if not scored.
    pub score: f64,
    /// Label that follows from the score and the guards.
    pub label: Label,
}

impl Judgement {
    /// Judgement of a sample among too few samples.
    pub const UNLABELLED: Judgement = Judgement { score: -1.0, label: Label::Unlabelled };

    /// True if the sample is an outlier.
    pub fn is_outlier(&self) -> bool {
        self.label == Label::Outlier
    }
}

impl Default for Judgement {
    fn default() -> Self {
        Judgement::UNLABELLED
    }
}

/// Returns the position of the most normal sample of a step, for comparison with the anomalies of the step. It is the
/// sample with the lowest score among those labelled normal, the first in a tie; a normal sample without a score counts
/// with its -1. `None` if no sample is labelled normal.
pub fn most_normal(judgements: &[Judgement]) -> Option<usize> {
    let normal = judgements.iter().enumerate().filter(|(_, judgement)| judgement.label == Label::Normal);
    // Zeros of either sign are equal here.
    normal
        .reduce(|best, other| if other.1.score < best.1.score { other } else { best })
        .map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_normal_is_the_first_of_the_lowest() {
        let judged = |score, label| Judgement { score, label };
        let judgements = [
            Judgement::UNLABELLED,
            judged(0.5, Label::Outlier),
            judged(2.0, Label::Normal),
            judged(0.0, Label::Normal),
            judged(-0.0, Label::Normal),
        ];
        assert_eq!(most_normal(&judgements), Some(3));
        assert_eq!(most_normal(&judgements[..2]), None);
    }
}
