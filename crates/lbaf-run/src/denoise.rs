// SPDX-License-Identifier: MIT OR Apache-2.0
//! Removal of noise from recorded times.

use std::collections::BTreeMap;

use lbaf_config::RunConfig;
use lbaf_model::{DataSet, Phase, PhaseId, Slot};
use lbaf_noise::{AnomalySummary, Decomposition, Doubt, Judgement, Label, Labelling, Labels};
use lbaf_reader::{Recorded, Request};
use lbaf_text::number::{percent, signed_percent};

use crate::Messages;
use crate::RunError;
use crate::input::Input;
use crate::summary;
use crate::summary::doubt;

/// Attribute of tasks in files and pictures: 1 for anomalies, 0 otherwise.
pub const ANOMALY: &str = "anomaly";
/// Attribute of tasks: outlier score, in the unit of the detector; -1 for tasks without a score.
pub const OUTLIER_SCORE: &str = "outlier_score";
/// Attribute of tasks: load without noise, in seconds.
pub const DENOISED_LOAD: &str = "denoised_load";

/// Noise removed from the data of a run.
pub struct Noise {
    /// The data as measured.
    pub measured: DataSet,
    /// Judgements and loads without noise, by phase and slot.
    tasks: BTreeMap<PhaseId, (Vec<Judgement>, Vec<f64>)>,
    /// Results for the summary.
    pub findings: summary::Denoised,
}

impl Noise {
    /// Returns [`ANOMALY`], [`OUTLIER_SCORE`] and [`DENOISED_LOAD`] of a task; empty for unread phases.
    pub fn of_task(&self, phase: PhaseId, slot: Slot) -> Vec<(&'static str, f64)> {
        let Some((judgements, loads)) = self.tasks.get(&phase) else { return Vec::new() };
        let judgement = judgements[slot.index()];
        let is_anomaly = f64::from(u8::from(judgement.label == Label::Outlier));
        let score = judgement.score.min(f64::MAX);
        vec![(ANOMALY, is_anomaly), (OUTLIER_SCORE, score), (DENOISED_LOAD, loads[slot.index()])]
    }
}

/// Removes and returns the noise of recorded loads; `None` without `denoise`. Typical times are estimated from all
/// phases of the data, selected or not.
pub(crate) fn denoise(
    run: &RunConfig,
    input: &Input,
    recorded: &mut Recorded,
    messages: &dyn Messages,
) -> Result<Option<Noise>, RunError> {
    let Some(labelling) = &run.denoise else { return Ok(None) };
    let has_all = recorded.data.phases().len() == recorded.findings.phases_recorded.len();
    let others = if has_all { None } else { Some(all_phases(run, input, labelling, messages)?) };
    let known = others.as_ref().unwrap_or(recorded);
    let labels = labelling.label(&known.data, &known.findings.repeats);
    let (mut phases, mut tasks) = (Vec::new(), BTreeMap::new());
    for phase in recorded.data.phases() {
        let at = known.data.phases().binary_search_by_key(&phase.id(), Phase::id);
        let at = at.expect("invariant: all phases were read");
        let loads = labels.denoised_loads(at).to_vec();
        phases.push(denoised(phase, &loads)?);
        tasks.insert(phase.id(), (labels.of_phase(at).to_vec(), loads));
    }
    let findings = findings(labelling, &labels);
    let keys = recorded.data.keys().to_vec();
    let denoised = DataSet::new(keys, recorded.data.n_ranks(), phases);
    let measured = std::mem::replace(&mut recorded.data, denoised);
    Ok(Some(Noise { measured, tasks, findings }))
}

/// Reads all phases of the data.
fn all_phases(
    run: &RunConfig,
    input: &Input,
    labelling: &Labelling,
    messages: &dyn Messages,
) -> Result<Recorded, RunError> {
    let request = Request {
        coordinates: labelling.grouping.needs_coordinates(),
        nodes: run.nodes,
        ..Request::default().within(run.memory_bytes)
    };
    input.read(&request, messages)
}

/// Returns a phase with these loads, by slot. They come from the data of all phases, in which the phase has the same
/// slots.
fn denoised(phase: &Phase, loads: &[f64]) -> Result<Phase, RunError> {
    if loads == phase.columns().load {
        // A clone shares the columns.
        return Ok(phase.clone());
    }
    phase.with_loads(loads.to_vec()).map_err(|error| RunError::Input(format!("loads without noise: {error}")))
}

fn findings(labelling: &Labelling, labels: &Labels<'_>) -> summary::Denoised {
    let overall = AnomalySummary::of(labels).overall;
    let parts = Decomposition::of(labels).overall();
    let found = format!(
        "{} of {} tasks are anomalies ({})",
        overall.n_anomalies,
        overall.n_tasks,
        percent(overall.rate())
    );
    let doubt = Doubt::of(labels).map(|why| doubt::sentence(why, labelling, parts.imbalance));
    let of_imbalance = doubt.clone().unwrap_or_else(|| {
        format!(
            "the mean imbalance of the recorded placements is {}, to which noise contributes {}",
            percent(parts.imbalance),
            signed_percent(parts.noise),
        )
    });
    summary::Denoised {
        labelling: lbaf_config::labelling_in_json(labelling),
        n_tasks: overall.n_tasks,
        n_anomalies: overall.n_anomalies,
        excess_seconds: overall.excess_seconds,
        mean_imbalance: parts.imbalance,
        mean_noise: parts.noise,
        no_estimate_reason: doubt,
        note: format!(
            "{found}; their times were replaced by the typical times of their objects (`denoise`); {of_imbalance}"
        ),
        simulated: format!(
            "{found}; the scenario `denoised` predicts loads from typical times instead of these times; {of_imbalance}"
        ),
    }
}
