// SPDX-License-Identifier: MIT OR Apache-2.0
//! The placement that a map says.

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

/// Puts every object on the rank that a map says: as vt replays one.
///
/// Without `map`, after phase p every rank takes what its file lists under phase p + 1 of the same data set, so that
/// files written with `offline_lb_compatible` can be checked before vt gets them. Objects that the map does not name
/// stay, and so does everything in a phase that it says nothing of; both are told. O(objects log objects).
///
/// **Other implementations.** vt's `OfflineLB` aborts where a rank has no object that may migrate, and ignores what
/// such a rank would be given; here neither matters. Of a map in another data set or in a file vt knows nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OfflineLB {
    /// The path of a file as [`PrescribedPermutation`](crate::PrescribedPermutation) takes it, or the stem of another
    /// data set (also as `{data_stem: ..}`), in which a phase has the placement for the same phase here. Default: the
    /// data set itself, the next phase of which has it.
    pub map: Option<OfflineMap>,
    /// What the map says; `None` until it was read. Strategies touch no file.
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

    fn draws(&self) -> bool {
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
        let content =
            content.ok_or_else(|| wrong(Wrong { key: None, message: "the map was not read".to_owned() }))?;
        let (assignment, notes) = replayed::follow(problem, content).map_err(wrong)?;
        Ok(Outcome { notes, ..Outcome::silent(assignment) })
    }
}
