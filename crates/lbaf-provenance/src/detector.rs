// SPDX-License-Identifier: MIT OR Apache-2.0
//! An algorithm, and what it may not call an anomaly.

use crate::{Algorithm, Guards};

/// An algorithm, and what it may not call an anomaly. By default what suits load data, of which an object has tens to
/// hundreds of samples: the median absolute deviation with all guards; `docs/anomalies.md` has the comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Detector {
    /// How samples are scored, and from which score on they are outliers.
    pub algorithm: Algorithm,
    /// What is no anomaly all the same.
    pub guards: Guards,
}
