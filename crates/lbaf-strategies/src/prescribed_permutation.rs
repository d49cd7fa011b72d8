// SPDX-License-Identifier: MIT OR Apache-2.0
//! The placement that the user prescribes.

use std::collections::BTreeMap;

use lbaf_model::RankId;
use serde::{Deserialize, Serialize};

use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Puts every object on the rank that the user prescribes, for example one found by an exact solver.
///
/// Objects are named by the number in their files (`id`, or `seq_id` where there is no `id`). The map must
/// name every object that may migrate and no other. O(objects log objects). As in LBAF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrescribedPermutation {
    /// Number of an object -> rank.
    pub permutation: BTreeMap<u64, u32>,
}

impl Strategy for PrescribedPermutation {
    fn name(&self) -> &'static str {
        "PrescribedPermutation"
    }

    fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let Problem { phase, initial, keys, .. } = *problem;
        let refuse = |message| Err(StrategyError::Parameters { strategy: self.name(), message });
        let mut left = self.permutation.clone();
        let mut assignment = initial.clone();
        let mut unnamed = Vec::new();
        for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
            let number = keys[phase.object(slot).index()].number;
            match left.remove(&number) {
                Some(rank) if (rank as usize) < phase.n_ranks() => assignment.set(slot, RankId(rank)),
                Some(rank) => {
                    return refuse(format!(
                        "object {number} is sent to rank {rank}, but phase {} has {} ranks (0 to {})",
                        phase.id(),
                        phase.n_ranks(),
                        phase.n_ranks() - 1
                    ));
                }
                None => unnamed.push(number),
            }
        }
        if let Some(number) = unnamed.first() {
            return refuse(format!(
                "`permutation` leaves out {} of the objects of phase {}, the first of them {number}",
                unnamed.len(),
                phase.id()
            ));
        }
        if let Some((number, _)) = left.first_key_value() {
            return refuse(format!(
                "`permutation` names objects that phase {} has not or that may not migrate: {} of them, the first \
                 {number}",
                phase.id(),
                left.len()
            ));
        }
        Ok(Outcome::at_once(assignment))
    }
}
