// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases of a simulated run, on the assumed machine.

use std::borrow::Cow;

use lbaf_config::{Layers, RunConfig};
use lbaf_model::DataSet;
use lbaf_reader::Recorded;

use super::assumed_machine::{self, AssumedMachine};
use crate::{Noise, RunError};

/// Phases of a run, on the assumed machine.
pub(super) struct ScenarioPhases<'a> {
    /// The phases as measured.
    pub(super) data: Cow<'a, DataSet>,
    /// The phases without noise; `None` without `denoise`.
    pub(super) denoised: Option<Cow<'a, DataSet>>,
}

impl<'a> ScenarioPhases<'a> {
    pub(super) fn new(
        run: &RunConfig,
        layers: &Layers,
        recorded: &'a Recorded,
        noise: Option<&'a Noise>,
    ) -> Result<(Self, Option<AssumedMachine>), RunError> {
        let on_machine = |data: &'a DataSet| {
            let assumed = assumed_machine::assumed(run, layers, data)?;
            Ok::<_, RunError>(match assumed {
                Some((data, machine)) => (Cow::Owned(data), Some(machine)),
                None => (Cow::Borrowed(data), None),
            })
        };
        let Some(noise) = noise else {
            let (data, machine) = on_machine(&recorded.data)?;
            return Ok((ScenarioPhases { data, denoised: None }, machine));
        };
        let (data, machine) = on_machine(&noise.measured)?;
        let (denoised, _) = on_machine(&recorded.data)?;
        Ok((ScenarioPhases { data, denoised: Some(denoised) }, machine))
    }
}
