// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases with predicted loads.

use lbaf_model::{ModelError, Phase};

use crate::{History, LoadModel};

/// Predicts the load of each object of `phase`, in the phase `ahead` phase numbers after the next phase of
/// the history. `None` for objects without a prediction.
///
/// O(objects x phases that the model uses). If the model repeats the last phase, and both phases have the
/// same objects, the loads of the last phase are copied.
pub(crate) fn predictions(
    model: &LoadModel,
    history: &History<'_>,
    phase: &Phase,
    ahead: u32,
) -> Vec<Option<f64>> {
    match history.last() {
        Some(last) if model.is_naive() && last.phase.columns().objects == phase.columns().objects => {
            last.phase.columns().load.iter().copied().map(Some).collect()
        }
        _ => phase.slots().map(|slot| model.predict(history, phase.object(slot), ahead)).collect(),
    }
}

/// Returns a phase with predicted loads. Objects without a prediction keep their load in `phase`.
///
/// # Errors
/// If loads or their sums overflow.
pub(crate) fn predicted(phase: &Phase, predictions: &[Option<f64>]) -> Result<Phase, ModelError> {
    let load = predictions.iter().zip(&phase.columns().load);
    phase.with_loads(load.map(|(prediction, &load)| prediction.unwrap_or(load)).collect())
}
