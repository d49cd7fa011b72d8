// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rotation of all objects by one rank.

use lbaf_model::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Moves every migratable object from rank r to (r + 1) mod P: a test of migration itself. O(objects).
///
/// Without sentinels and with ranks of equal speed, the imbalance stays the same. Equivalent to vt's balancer of this
/// name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RotateLB {}

impl Strategy for RotateLB {
    fn name(&self) -> &'static str {
        "RotateLB"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let Problem { phase, initial, .. } = *problem;
        let mut assignment = initial.clone();
        for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
            let next = (initial.rank_of(slot).index() + 1) % phase.n_ranks();
            assignment.set(slot, RankId::from(next));
        }
        Ok(Outcome::silent(assignment))
    }
}
