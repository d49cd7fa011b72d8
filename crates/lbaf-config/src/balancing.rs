// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases to balance, and their initial placement.

use std::num::NonZeroU64;

use super::Selection;
use super::error::Keyed;
use super::raw::{Algorithm, Placement};

/// Phases to balance, and their initial placement.
pub struct Balancing {
    /// Selected phases. Only multiples of the modulus among them are balanced.
    pub phases: Selection,
    modulus: Option<NonZeroU64>,
    /// Largest imbalance of work at which a phase is skipped, unless a rank exceeds an upper bound; 0 skips none.
    pub min_imbalance: f64,
    /// True if a phase starts with the final placement of the previous phase.
    pub carry: bool,
}

impl Balancing {
    /// Checks the settings.
    pub(super) fn new(raw: &Algorithm) -> Keyed<Self> {
        let refuse = |key: &str, message: String| Err((format!("algorithm.{key}"), message));
        if !(raw.min_imbalance >= 0.0 && raw.min_imbalance.is_finite()) {
            let message = format!("an imbalance must be a finite number from 0, not {}", raw.min_imbalance);
            return refuse("min_imbalance", message);
        }
        let modulus = raw.phase_modulus.and_then(NonZeroU64::new);
        if raw.phase_modulus.is_some() && modulus.is_none() {
            let message = "the period must be 1 or more, not 0".to_owned();
            return refuse("phase_modulus", message);
        }
        Ok(Balancing {
            phases: raw.phase_id.clone(),
            modulus,
            min_imbalance: raw.min_imbalance,
            carry: matches!(raw.placement, Placement::Carry),
        })
    }

    /// Balances `phases`, each from its recorded placement and at any imbalance.
    pub fn only(phases: Selection) -> Self {
        Balancing { phases, modulus: None, min_imbalance: 0.0, carry: false }
    }

    /// True if a phase is selected and is a multiple of the modulus, at any imbalance.
    pub fn contains(&self, phase: u64) -> bool {
        self.phases.contains(phase) && self.is_divisible(phase)
    }

    /// True if a phase is a multiple of the modulus, or if there is no modulus.
    pub fn is_divisible(&self, phase: u64) -> bool {
        self.modulus.is_none_or(|modulus| phase % modulus == 0)
    }
}
