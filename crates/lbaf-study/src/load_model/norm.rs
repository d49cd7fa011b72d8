// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an object costs by what it took in each subphase.

use lbaf_model::ObjectIdx;

use super::{LoadModel, back};
use crate::History;

impl LoadModel {
    /// Whether it looks at what objects took in each subphase, which the phases have to say then.
    pub fn needs_subphases(&self) -> bool {
        let looks =
            |model: &&LoadModel| matches!(model, LoadModel::Norm { .. } | LoadModel::SelectSubphases { .. });
        self.parts().iter().any(looks)
    }
}

/// `(sum over s of load_s^p)^(1/p)`, of infinite `p` the largest. Of what has no subphases the load, which then is all in
/// one. The next phases are as the last one was.
pub(super) fn norm(history: &History<'_>, object: ObjectIdx, time: i64, p: f64) -> Option<f64> {
    let (load, times) = history.subphases(object, back(time.min(-1))?)?;
    if times.is_empty() {
        return Some(load);
    }
    let largest = times.iter().map(|&(_, seconds)| seconds).fold(0.0, f64::max);
    if largest <= 0.0 || p.is_infinite() {
        return Some(largest);
    }
    // Parts of the largest have powers that neither overflow nor vanish together.
    let sum: f64 = times.iter().map(|&(_, seconds)| (seconds / largest).powf(p)).sum();
    Some(largest * sum.powf(p.recip()))
}

/// The sum over some subphases, by their numbers in the files. The next phases are as the last one was.
pub(super) fn selected(history: &History<'_>, object: ObjectIdx, time: i64, wanted: &[u32]) -> Option<f64> {
    let (_, times) = history.subphases(object, back(time.min(-1))?)?;
    let wanted = times.iter().filter(|(number, _)| wanted.contains(number));
    Some(wanted.map(|&(_, seconds)| seconds).sum::<f64>() + 0.0)
}
