// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of the report on load models.

use lbaf_model::{DataSet, Phase};
use lbaf_study::LoadModel;

use super::load_model;
use crate::error::Keyed;
use crate::raw::simulation::{Report as Raw, ReportSettings, TrialName};

/// Settings of the report on load models.
pub struct Report {
    /// Load models, without duplicates.
    pub load_models: Vec<LoadModel>,
    /// Horizons: distances in phase numbers between a predicted phase and the last phase that the prediction uses.
    /// Ascending and without duplicates; `None` for the default.
    horizons: Option<Vec<u32>>,
    /// Maximum number of phases whose loads are predicted.
    pub most_phases: usize,
    /// Strategy that balances predicted loads.
    pub balance: TrialName,
}

/// Default horizons, in steps between consecutive phases.
const HORIZONS: [u32; 4] = [1, 2, 5, 10];

/// Default maximum number of predicted phases: sufficient for means, and predicted within seconds for a hundred
/// thousand objects.
const MOST_PHASES: usize = 16;

impl Report {
    /// Checks the section. `configured`, the load model of the simulation, comes first. If a model predicts the sum of
    /// several phases, its prediction of a single phase is examined.
    pub(super) fn new(raw: &Raw, configured: &LoadModel) -> Keyed<Option<Self>> {
        let Raw::Some(ReportSettings { load_models, horizons, max_phases, balance }) = raw else {
            return Ok(None);
        };
        let others = match load_models {
            None => default_models(),
            Some(models) => {
                let model = |(at, model)| load_model(model, &format!("report.load_models.{at}"));
                models.iter().enumerate().map(model).collect::<Keyed<_>>()?
            }
        };
        let mut models: Vec<LoadModel> = Vec::new();
        for model in [configured.clone()].into_iter().chain(others).map(LoadModel::of_one_phase) {
            if !models.contains(&model) {
                models.push(model);
            }
        }
        let mut horizons = horizons.clone();
        if let Some(horizons) = &mut horizons {
            horizons.sort_unstable();
            horizons.dedup();
            if horizons.first() == Some(&0) {
                let message = "a horizon must be at least 1 phase, not 0";
                return Err(("report.horizons".to_owned(), message.to_owned()));
            }
        }
        let most_phases = max_phases.unwrap_or(MOST_PHASES);
        Ok(Some(Report { load_models: models, horizons, most_phases, balance: *balance }))
    }

    /// Returns the horizons in phase numbers. By default they are multiples of the smallest distance between
    /// consecutive phases: if only every tenth phase was recorded, no other distances can be examined.
    pub fn horizons(&self, data: &DataSet) -> Vec<u32> {
        self.horizons.clone().unwrap_or_else(|| {
            let distance = |pair: &[Phase]| pair[1].id().0 - pair[0].id().0;
            let step = data.phases().windows(2).map(distance).min().unwrap_or(1);
            let horizon = |steps: u32| u32::try_from(step.checked_mul(u64::from(steps))?).ok();
            HORIZONS.into_iter().filter_map(horizon).collect()
        })
    }
}

/// Returns common load models of vt that depend on loads alone: last phase, median of recent phases, and their trend.
fn default_models() -> Vec<LoadModel> {
    let of = || Box::new(LoadModel::Measured);
    vec![
        LoadModel::naive(),
        LoadModel::PersistenceMedianLastN { n: 5, of: of() },
        LoadModel::LinearModel { n: 5, of: of() },
    ]
}
