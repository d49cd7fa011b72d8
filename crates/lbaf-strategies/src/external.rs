// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of `External` as users write them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Runs a command that reads the problem as JSON on standard input and answers with a placement.
///
/// **When to use it.** For a strategy of your own in any language, compared with the others on the same data, bounds and
/// figures. `examples/external/lpt.py` is a template without dependencies; `docs/external.md` describes the JSON.
///
/// **Checks.** The placement is checked like that of every strategy: a rank for every object, non-migratable objects where
/// they were, bounds that `promises` names. Anything else ends the run with an error that names the object.
///
/// **Repeatability.** As good as the command's: the same problem has the same JSON, byte for byte, and `seed` is in it.
///
/// **Cost.** That of the command, its start unless `persistent`, and less than a second to exchange 100,000 objects with
/// 400,000 edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct External {
    /// The program and its arguments, without a shell: `[python3, lpt.py]`. Relative paths start at the directory of the
    /// configuration.
    pub command: Vec<String>,
    /// Seconds that an answer may take; then the command is killed and the run ends with an error (60).
    #[serde(default = "minute")]
    pub time_limit: f64,
    /// True for one process that answers for all phases and cells, a line each way, false for one process each (false). Phases
    /// and cells that are computed at the same time have a process each.
    #[serde(default)]
    pub persistent: bool,
    /// Properties of the answers that the user vouches for (none).
    #[serde(default)]
    pub promises: Vec<Promise>,
    /// True if the problem needs `collection` and `index` of objects, their places in collections (false).
    #[serde(default)]
    pub indices: bool,
    /// True if the problem needs the loads of objects in each subphase (false).
    #[serde(default)]
    pub subphases: bool,
    /// The command's own parameters, passed on as they are (none).
    #[serde(default)]
    pub parameters: Map<String, Value>,
}

/// A property of all answers of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// Placements keep the bounds of the work model. One that breaks a bound then ends the run with exit code 5 instead of
    /// a warning.
    Bounds,
    /// Answers do not depend on `seed`, so a study asks once instead of once per seed.
    SeedIgnored,
}

fn minute() -> f64 {
    60.0
}

impl Default for External {
    /// Without a command, which nothing can run.
    fn default() -> Self {
        External {
            command: Vec::new(),
            time_limit: minute(),
            persistent: false,
            promises: Vec::new(),
            indices: false,
            subphases: false,
            parameters: Map::new(),
        }
    }
}

impl External {
    /// The name in configurations.
    pub const NAME: &'static str = "External";

    /// A command with default parameters.
    pub fn of<Argument: Into<String>>(command: impl IntoIterator<Item = Argument>) -> Self {
        External { command: command.into_iter().map(Into::into).collect(), ..External::default() }
    }
}

impl Strategy for External {
    fn name(&self) -> &'static str {
        External::NAME
    }

    fn parameters(&self) -> Value {
        crate::parameters::parameters(self)
    }

    fn honours_bounds(&self) -> bool {
        self.promises.contains(&Promise::Bounds)
    }

    fn needs_coordinates(&self) -> bool {
        self.indices
    }

    fn needs_subphases(&self) -> bool {
        self.subphases
    }

    fn external(&self) -> Option<&External> {
        Some(self)
    }

    fn draws(&self) -> bool {
        !self.promises.contains(&Promise::SeedIgnored)
    }

    /// Strategies start no processes: `lbaf-external` makes one of these parameters that does.
    fn rebalance(&self, _: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let message = "commands are not run here; build the strategy with `lbaf_external::ExternalStrategy`";
        Err(StrategyError::Parameter {
            strategy: self.name(),
            key: "command".to_owned(),
            message: message.to_owned(),
        })
    }
}
