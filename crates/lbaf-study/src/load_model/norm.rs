// SPDX-License-Identifier: MIT OR Apache-2.0
//! Predictions from the load of each subphase.

use lbaf_model::ObjectIdx;

use super::{LoadModel, back};
use crate::History;

impl LoadModel {
    /// True if the data must be read with subphases, because the model uses their loads.
    pub fn needs_subphases(&self) -> bool {
        let looks =
            |model: &&LoadModel| matches!(model, LoadModel::Norm { .. } | LoadModel::SelectSubphases { .. });
        self.parts().iter().any(looks)
    }
}

/// Returns `(sum over s of load_s^p)^(1/p)` over the subphases of an object, or the largest load of a
/// subphase if `p` is infinite. If the subphases are unknown, the whole load counts as one subphase. Future
/// phases have the value of the last phase.
pub(super) fn norm(history: &History<'_>, object: ObjectIdx, time: i64, p: f64) -> Option<f64> {
    let (load, times) = history.subphases(object, back(time.min(-1))?)?;
    if times.is_empty() {
        return Some(load);
    }
    let largest = times.iter().map(|&(_, seconds)| seconds).fold(0.0, f64::max);
    if largest <= 0.0 || p.is_infinite() {
        return Some(largest);
    }
    // Powers of values divided by the largest one do not overflow, and at least one does not underflow.
    let sum: f64 = times.iter().map(|&(_, seconds)| libm::pow(seconds / largest, p)).sum();
    Some(largest * libm::pow(sum, p.recip()))
}

/// Returns the sum of the loads of an object in the `wanted` subphases, given by their numbers in the files; 0
/// if its subphases are unknown. Future phases have the value of the last phase.
pub(super) fn selected(history: &History<'_>, object: ObjectIdx, time: i64, wanted: &[u32]) -> Option<f64> {
    let (_, times) = history.subphases(object, back(time.min(-1))?)?;
    let wanted = times.iter().filter(|(number, _)| wanted.contains(number));
    Some(wanted.map(|&(_, seconds)| seconds).sum::<f64>() + 0.0)
}
