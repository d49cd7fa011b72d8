// SPDX-License-Identifier: MIT OR Apache-2.0
//! `OfflineLB`: placement that a map prescribes.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::replay::prescribed_permutation::placement::Wrong;
use crate::{Context, MapSource, Outcome, Permutation, PlacementMap, Problem, Strategy, StrategyError};

mod map;
mod replayed;

pub use map::{DataSetMap, OfflineMap};

/// Puts every object on the rank that a map prescribes, like the replay of vt.
///
/// Without `map`, every rank receives, after phase p, the objects that its file lists under phase p + 1. So files
/// written with `offline_lb_compatible` can be checked before vt reads them.
///
/// Objects that are not in the map stay on their rank. A note reports the number of these objects, but not for a
/// table of migrations, which lists only the objects that move. If a phase is not in the map, all objects stay, and
/// a note reports the phase. A map whose objects for a phase include no migratable object of the phase is an error.
/// O(objects log objects).
///
/// **Other implementations.** vt's `OfflineLB` aborts if a rank has no migratable object, and ignores the objects
/// that this rank should receive. Here, the rank receives its objects. vt cannot read a map from another data set
/// or from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OfflineLB {
    /// Map of the placement: the path of a file in a format of
    /// [`PrescribedPermutation`](crate::PrescribedPermutation), or the stem of another data set (also as
    /// `{data_stem: ..}`). From another data set, each phase gets the placement of the phase with the same number.
    /// Default: each phase gets the placement of the next phase of its own data set.
    pub map: Option<OfflineMap>,
    /// Content of the map; `None` until it has been read. Strategies do not read files.
    #[serde(skip)]
    pub content: Option<Arc<Permutation>>,
}

impl Strategy for OfflineLB {
    fn name(&self) -> &'static str {
        "OfflineLB"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn placement_map(&self) -> Option<PlacementMap<'_>> {
        let source = match &self.map {
            Some(OfflineMap::Path(path)) => MapSource::FileOrStem(path),
            Some(OfflineMap::DataSet(data)) => MapSource::DataSet(&data.data_stem, data.suffix.as_deref()),
            None => MapSource::NextPhase,
        };
        Some(PlacementMap { key: "map", source, content: self.content.as_deref() })
    }

    fn set_map(&mut self, content: Arc<Permutation>) {
        self.content = Some(content);
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let wrong = |Wrong { message, .. }| StrategyError::Parameter {
            strategy: self.name(),
            key: "map".to_owned(),
            message: match &self.map {
                Some(map) => format!("{map}: {message}"),
                None => message,
            },
        };
        let content = self.content.as_ref();
        let content = content
            .ok_or_else(|| wrong(Wrong { key: None, message: "the map has not been read".to_owned() }))?;
        let (assignment, notes) = replayed::follow(problem, content).map_err(wrong)?;
        Ok(Outcome { notes, ..Outcome::silent(assignment) })
    }
}
