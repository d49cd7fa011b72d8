// SPDX-License-Identifier: MIT OR Apache-2.0
//! `PhaseStepper`: every object stays on its rank.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Keeps every object on its rank, for statistics of the recorded placement and as a reference. O(objects). The
/// name is the same as in LBAF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhaseStepper {}

impl Strategy for PhaseStepper {
    fn name(&self) -> &'static str {
        "PhaseStepper"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn keeps_placement(&self) -> bool {
        true
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        Ok(Outcome::silent(problem.initial.clone()))
    }
}
