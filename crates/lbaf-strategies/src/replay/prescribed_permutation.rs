// SPDX-License-Identifier: MIT OR Apache-2.0
//! `PrescribedPermutation`: placement that the user prescribes.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::{Context, MapSource, Outcome, Permutation, PlacementMap, Problem, Strategy, StrategyError};

pub(crate) mod placement;

use placement::{Wrong, by_migration, by_object, by_rank};

/// Puts every object on the rank that the user prescribes, for example a placement found by an exact solver.
///
/// The number of an object is its `id` in files, or its `seq_id` if there is no `id`. O(objects log objects).
///
/// **Other implementations.** LBAF supports only the mapping of objects to ranks. If the mapping has a wrong
/// length, LBAF's message reports a different length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrescribedPermutation {
    /// Placement in one of three forms. Either a mapping object -> rank, which must contain every migratable
    /// object and no other. Or a mapping rank -> list of objects, which may also contain non-migratable objects on
    /// their ranks. Or the path of a file: YAML or JSON with either mapping, or a table of migrations with the
    /// columns `phase`, `object` and `to_rank` (optionally `id_kind`, and `from_rank` as a check), as written by
    /// runs. Objects that the table does not list for a phase stay.
    pub permutation: Permutation,
}

impl Strategy for PrescribedPermutation {
    fn name(&self) -> &'static str {
        "PrescribedPermutation"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn placement_map(&self) -> Option<PlacementMap<'_>> {
        let (source, content) = match &self.permutation {
            Permutation::File(file) => (MapSource::File(&file.path), file.content.as_deref()),
            inline => (MapSource::Parameters, Some(inline)),
        };
        Some(PlacementMap { key: "permutation", source, content })
    }

    fn set_map(&mut self, content: Arc<Permutation>) {
        if let Permutation::File(file) = &mut self.permutation {
            file.content = Some(content);
        }
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let (path, permutation) = match &self.permutation {
            Permutation::File(file) => {
                (Some(&file.path), file.content.as_deref().unwrap_or(&self.permutation))
            }
            inline => (None, inline),
        };
        let assignment = match permutation {
            Permutation::Ranks(ranks) => by_object(problem, ranks),
            Permutation::Objects(ranks) => by_rank(problem, ranks),
            Permutation::Migrations(phases) => {
                by_migration(problem, phases.get(&problem.phase.id().0).map_or(&[], Vec::as_slice))
            }
            Permutation::File(_) => {
                Err(Wrong { key: None, message: "the file has not been read".to_owned() })
            }
        };
        assignment.map(Outcome::silent).map_err(|Wrong { key, message }| {
            // Keys of a file are not in the configuration.
            let (key, message) = match path {
                Some(path) => (None, format!("{path}: {message}")),
                None => (key, message),
            };
            let key = key.map_or_else(|| "permutation".to_owned(), |key| format!("permutation.{key}"));
            StrategyError::Parameter { strategy: self.name(), key, message }
        })
    }
}
