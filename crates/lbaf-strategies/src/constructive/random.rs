// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random placement.

use lbaf_model::RankId;
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::random_stream;
use crate::parameters::parameters;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Places every migratable object on a uniformly drawn rank, except one object per rank: a baseline that any
/// balancer should beat. O(objects).
///
/// Equivalent to vt's balancer of this name, with different random numbers. The object with the lowest id of
/// each rank stays, so that no rank loses all its objects. Packed ids count as lower than sequence numbers
/// (`seq_id`); in vt, they count as higher. If a rank has objects of both kinds, the object that stays may
/// therefore differ from that in vt. vt hangs if a rank has no migratable object; this strategy does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RandomLB {
    /// Seed of the random numbers. Default: the seed of the run, or vt's default 123456789 if the run has none.
    pub seed: Option<u64>,
    /// Draws a different seed in every run (false). The seed is reported, so that the run can be repeated.
    pub randomize_seed: bool,
}

#[expect(clippy::derivable_impls, reason = "the defaults are documented here")]
impl Default for RandomLB {
    fn default() -> Self {
        RandomLB { seed: None, randomize_seed: false }
    }
}

/// Default seed of vt's RandomLB.
pub const VT_SEED: u64 = 123_456_789;

impl Strategy for RandomLB {
    fn name(&self) -> &'static str {
        "RandomLB"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn randomizes_seed(&self) -> bool {
        self.randomize_seed
    }

    fn settle_seed(&mut self, of_run: Option<u64>, random: &dyn Fn() -> u64) {
        self.seed = self.randomize_seed.then(random).or(self.seed).or(of_run).or(Some(VT_SEED));
    }

    fn uses_random_numbers(&self) -> bool {
        self.seed.is_none()
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let Problem { phase, initial, .. } = *problem;
        let mut random = match self.seed {
            Some(seed) => random_stream(seed, phase.id().0, 0),
            None => context.stream(0),
        };
        let mut assignment = initial.clone();
        let n_ranks = phase.n_ranks() as u64;
        // Objects ascend, packed ids before sequence numbers, so the first object of a rank has the lowest id.
        let mut has_one = vec![false; phase.n_ranks()];
        for slot in context.cancel().polled(phase.slots().filter(|&slot| phase.is_migratable(slot))) {
            let drawn = RankId(random.random_range(0..n_ranks) as u32);
            if std::mem::replace(&mut has_one[initial.rank_of(slot).index()], true) {
                assignment.set(slot, drawn);
            }
        }
        context.check()?;
        Ok(Outcome::silent(assignment))
    }
}
