// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a detector says of a sample.

/// What a detector makes of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Too few samples to say; 0 in Chimbuko.
    #[default]
    Unlabelled,
    /// As the others; 1 in Chimbuko.
    Normal,
    /// Unlike the others: an anomaly; -1 in Chimbuko.
    Outlier,
}

/// A sample as a detector judged it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// How unlikely the sample is; what that means depends on the algorithm, larger is less likely. -1 if it was never
    /// scored.
    pub score: f64,
    /// What follows from it.
    pub label: Label,
}

impl Judgement {
    /// That nobody can tell.
    pub const UNLABELLED: Judgement = Judgement { score: -1.0, label: Label::Unlabelled };

    /// Whether the sample is unlike the others.
    pub fn is_outlier(&self) -> bool {
        self.label == Label::Outlier
    }
}

impl Default for Judgement {
    fn default() -> Self {
        Judgement::UNLABELLED
    }
}

/// The most normal sample of a step, for comparison with its anomalies: the one with the lowest score of those that are
/// normal, the first of equal ones.
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
