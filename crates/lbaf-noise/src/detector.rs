// SPDX-License-Identifier: MIT OR Apache-2.0
//! An algorithm, and what it may not call an anomaly.

use crate::{Algorithm, Guards, Sstd};

/// An algorithm, and what it may not call an anomaly. By default what suits load data, of which an object has tens to
/// hundreds of samples: the median absolute deviation with all guards; `docs/anomalies.md` has the comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Detector {
    /// Score of samples, and the score from which they are outliers.
    pub algorithm: Algorithm,
    /// Outliers that are no anomalies.
    pub guards: Guards,
}

impl Detector {
    /// Number of samples that the detector needs to find anything odd, however odd it is. A sample is part of the mean that
    /// [`Sstd`](crate::Sstd) compares it with, and (n - 1)/√n standard deviations from it at most.
    pub fn samples_needed(&self) -> u64 {
        let of_algorithm = match self.algorithm {
            Algorithm::Sstd(Sstd { sigma }) => {
                let root = f64::midpoint(sigma, sigma.hypot(2.0));
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

    /// Those of the table in `docs/anomalies.md`.
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
