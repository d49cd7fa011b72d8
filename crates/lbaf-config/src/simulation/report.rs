// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which load models are examined, and how.

use lbaf_model::{DataSet, Phase};
use lbaf_study::LoadModel;

use super::load_model;
use crate::error::Keyed;
use crate::raw::simulation::{Report as Raw, ReportSettings, TrialName};

/// What is reported of load models.
pub struct Report {
    /// Each once.
    pub load_models: Vec<LoadModel>,
    /// How many phase numbers ahead they predict, ascending and each once; nothing if nobody says it.
    horizons: Option<Vec<u32>>,
    /// Most phases that are predicted.
    pub most_phases: usize,
    pub balance: TrialName,
}

/// How far ahead by default, in steps between neighbouring phases.
const HORIZONS: [u32; 4] = [1, 2, 5, 10];

/// Enough for means, and seconds for a hundred thousand objects.
const MOST_PHASES: usize = 16;

impl Report {
    /// Checks what the user wrote; nothing if there is to be no report. `configured` is examined first, and one that
    /// predicts several phases together by what it predicts for one.
    pub(super) fn new(raw: &Raw, configured: &LoadModel) -> Keyed<Option<Self>> {
        let Raw::Some(ReportSettings { load_models, horizons, max_phases, balance }) = raw else {
            return Ok(None);
        };
        let others = match load_models {
            None => usual(),
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
                return Err(("report.horizons".to_owned(), "phases ahead from 1 on, not 0".to_owned()));
            }
        }
        let most_phases = max_phases.unwrap_or(MOST_PHASES);
        Ok(Some(Report { load_models: models, horizons, most_phases, balance: *balance }))
    }

    /// How many phase numbers ahead load models predict. By default in steps of the smallest distance between neighbouring
    /// phases: of a run of which every tenth phase was recorded, nothing else can be examined.
    pub fn horizons(&self, data: &DataSet) -> Vec<u32> {
        self.horizons.clone().unwrap_or_else(|| {
            let distance = |pair: &[Phase]| pair[1].id().0 - pair[0].id().0;
            let step = data.phases().windows(2).map(distance).min().unwrap_or(1);
            let horizon = |steps: u32| u32::try_from(step.checked_mul(u64::from(steps))?).ok();
            HORIZONS.into_iter().filter_map(horizon).collect()
        })
    }
}

/// The models of vt that look at nothing but loads, as most of its users have them: the last phase, what is usual of late,
/// and where it is going.
fn usual() -> Vec<LoadModel> {
    let of = || Box::new(LoadModel::Measured);
    vec![
        LoadModel::naive(),
        LoadModel::PersistenceMedianLastN { n: 5, of: of() },
        LoadModel::LinearModel { n: 5, of: of() },
    ]
}
