// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of the strategy `External`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Runs a command that reads the problem as JSON on standard input and writes a placement to standard output.
///
/// **When to use it.** To compare your own strategy, in any language, with the other strategies on the same data,
/// bounds and metrics. `examples/external/lpt.py` is a template without dependencies; `docs/external.md` describes
/// the JSON.
///
/// **Checks.** The placement is checked like every placement of a strategy: every object must have a rank,
/// non-migratable objects must stay, and bounds must hold if `promises` contains `bounds`. If an object has an
/// invalid rank or a non-migratable object moved, the run ends with an error that names the object. If a promised
/// bound is exceeded, the run ends with exit code 5, after it has written its outputs.
///
/// **Reproducibility.** Results are reproducible if the command is. Equal problems give equal JSON, byte for byte,
/// and the JSON contains `seed`.
///
/// **Cost.** The run time of the command, its start-up for each problem unless `persistent`, and less than a
/// second to exchange 100,000 objects with 400,000 edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct External {
    /// Program and arguments, run without a shell: `[python3, lpt.py]`. Relative paths are relative to the
    /// directory of the configuration.
    pub command: Vec<String>,
    /// Seconds allowed for an answer (60). If it takes longer, the command is killed and the run ends with an error.
    #[serde(default = "minute")]
    pub time_limit: f64,
    /// True: a process serves one phase or cell after the other, with one line of JSON for each problem and each
    /// answer. False: one process per problem. Phases and cells that are computed concurrently use separate
    /// processes (false).
    #[serde(default)]
    pub persistent: bool,
    /// Properties of the answers that the user guarantees (none).
    #[serde(default)]
    pub promises: Vec<Promise>,
    /// True to include `collection` and `index` of objects in the problem: their positions in collections (false).
    #[serde(default)]
    pub indices: bool,
    /// True to include the loads of objects in each subphase in the problem (false).
    #[serde(default)]
    pub subphases: bool,
    /// Parameters of the command, passed on unchanged (none).
    #[serde(default)]
    pub parameters: Map<String, Value>,
}

/// Guaranteed property of all answers of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// Placements keep the bounds of the work model. A placement that violates a bound then ends the run with exit
    /// code 5 instead of a warning.
    Bounds,
    /// Answers do not depend on `seed`, so a study runs the command once instead of once per seed.
    SeedIgnored,
}

fn minute() -> f64 {
    60.0
}

impl Default for External {
    /// Returns parameters without a command. They cannot be run.
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
    /// Name in configurations.
    pub const NAME: &'static str = "External";

    /// Creates a strategy for a command, with default parameters.
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

    fn uses_random_numbers(&self) -> bool {
        !self.promises.contains(&Promise::SeedIgnored)
    }

    /// Returns an error, because this crate starts no processes. `lbaf-external` makes a strategy of these parameters
    /// that runs the command.
    fn rebalance(&self, _: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let message = "commands are not run here; build the strategy with `lbaf_external::ExternalStrategy`";
        Err(StrategyError::Parameter {
            strategy: self.name(),
            key: "command".to_owned(),
            message: message.to_owned(),
        })
    }
}
