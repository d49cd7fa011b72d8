// SPDX-License-Identifier: MIT OR Apache-2.0
//! Detectors: an algorithm with guards.

use crate::{Algorithm, Guards, Sstd};

/// Algorithm, with guards against outliers that are not anomalies. The default is the median absolute deviation, with
/// guards that require at least five samples and a deviation by more than a tenth of the median. It suits load data
/// with tens to hundreds of samples per object. `docs/anomalies.md` compares detectors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Detector {
    /// Algorithm that computes the scores of samples and the threshold for outliers.
    pub algorithm: Algorithm,
    /// Conditions under which outliers are not anomalies.
    pub guards: Guards,
}

impl Detector {
    /// Number of samples below which the detector finds no anomaly, however far a sample deviates. For
    /// [`Sstd`](crate::Sstd), a sample is part of the mean, so its distance is at most (n - 1)/√n standard deviations.
    pub fn samples_needed(&self) -> u64 {
        let of_algorithm = match self.algorithm {
            Algorithm::Sstd(Sstd { sigma }) => {
                let root = f64::midpoint(sigma, libm::hypot(sigma, 2.0));
                let below = (root * root).floor();
                #[expect(clippy::cast_sign_loss, reason = "a square is not negative")]
                let below = below as u64;
                below + 1
            }
            _ => 1,
        };
        of_algorithm.max(self.guards.min_samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the numbers of samples in a table of `docs/anomalies.md`.
    #[test]
    fn deviations_from_a_mean_need_many_samples() {
        let needed = |algorithm, guards| Detector { algorithm, guards }.samples_needed();
        for (sigma, expected) in [(3.0, 11), (6.0, 38), (12.0, 146)] {
            assert_eq!(needed(Algorithm::Sstd(Sstd { sigma }), Guards::default()), expected);
            let n = expected as f64;
            assert!((n - 1.0) / n.sqrt() > sigma && (n - 2.0) / (n - 1.0).sqrt() <= sigma);
        }
        assert_eq!(needed(Algorithm::default(), Guards::default()), 5);
        assert_eq!(needed(Algorithm::default(), Guards::NONE), 1);
    }
}
