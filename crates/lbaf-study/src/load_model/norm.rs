// SPDX-License-Identifier: MIT OR Apache-2.0
//! Predictions from the load of each subphase.

use lbaf_model::ObjectIdx;

use super::{LoadModel, back};
use crate::History;

impl LoadModel {
    /// True if the model uses loads of subphases, which the phases must then contain.
    pub fn needs_subphases(&self) -> bool {
        let looks =
            |model: &&LoadModel| matches!(model, LoadModel::Norm { .. } | LoadModel::SelectSubphases { .. });
        self.parts().iter().any(looks)
    }
}

/// `(sum over s of load_s^p)^(1/p)`; the largest for infinite `p`. An object without subphases has its whole
/// load in one. The next phases equal the last one.
pub(super) fn norm(history: &History<'_>, object: ObjectIdx, time: i64, p: f64) -> Option<f64> {
    let (load, times) = history.subphases(object, back(time.min(-1))?)?;
    if times.is_empty() {
        return Some(load);
    }
    let largest = times.iter().map(|&(_, seconds)| seconds).fold(0.0, f64::max);
    if largest <= 0.0 || p.is_infinite() {
        return Some(largest);
    }
    // Fractions of the largest value have powers that do not overflow and do not all vanish.
    let sum: f64 = times.iter().map(|&(_, seconds)| (seconds / largest).powf(p)).sum();
    Some(largest * sum.powf(p.recip()))
}

/// Sum over some subphases, by their numbers in the files. The next phases equal the last one.
pub(super) fn selected(history: &History<'_>, object: ObjectIdx, time: i64, wanted: &[u32]) -> Option<f64> {
    let (_, times) = history.subphases(object, back(time.min(-1))?)?;
    let wanted = times.iter().filter(|(number, _)| wanted.contains(number));
    Some(wanted.map(|&(_, seconds)| seconds).sum::<f64>() + 0.0)
}
