// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answer of a command, and its checks.

use lbaf_model::Assignment;
use lbaf_strategies::{Context, IterationStats, Outcome, PlacementError, Problem, Protocol};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::Value;

use crate::ExternalError;
use crate::mapping::Mapping;

/// Placement and the iterations that led to it. `placement` is required; persistent commands must also give `turn`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Answer of an External strategy")]
pub(crate) struct Answer {
    /// Rank of every object, in the order of `objects`.
    #[schemars(with = "Vec<u32>")]
    placement: Vec<Entry>,
    /// Iterations of the command in their order, for tables and charts. If there are any, `placement` must equal
    /// the placement of one of them or the start.
    #[serde(default)]
    #[schemars(with = "Vec<Iteration>")]
    iterations: Vec<Mapping<Iteration>>,
    /// Sentences for the user, shown after the run.
    #[serde(default)]
    notes: Vec<String>,
    /// Value of `turn` in the problem; required from persistent commands.
    #[serde(default)]
    #[schemars(with = "Option<u64>")]
    turn: Value,
}

/// Iteration of the command. Its imbalance, work and transfers are computed from its placement.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Iteration {
    /// Rank of every object after the iteration.
    #[schemars(with = "Vec<u32>")]
    placement: Vec<Entry>,
    /// Number of transfers that were considered and rejected. Default 0.
    #[serde(default)]
    n_rejections: usize,
    /// Number of messages that ranks would have exchanged in a real run. Default 0. If an iteration has
    /// messages, the strategy counts as distributed, otherwise as central.
    #[serde(default)]
    n_messages: u64,
    /// Average number of ranks that a rank knows, as a fraction of all other ranks, from 0 to 1.
    #[serde(default)]
    knowledge: Option<f64>,
}

/// Entry of a placement: a rank, or any other JSON value, which is invalid.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Rank(u32),
    Other(Box<Value>),
}

/// Returns the JSON Schema (draft 2020-12) of the answer that a command prints on standard output.
pub fn answer_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.into_generator().into_root_schema_for::<Answer>().to_value()
}

impl Answer {
    /// Reads an answer.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, ExternalError> {
        /// Maximum number of characters that a message quotes from an answer.
        const BEGINNING: usize = 80;
        let parsed = serde_json::from_slice(bytes).map(|Mapping(answer)| answer);
        parsed.map_err(|source| {
            // A character has at most four bytes.
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * BEGINNING)]);
            ExternalError::Form { source, beginning: text.trim().chars().take(BEGINNING).collect() }
        })
    }

    /// Returns an error if the `turn` of the answer differs from that of the problem. If the problem has no `turn`, the
    /// answer may have any.
    pub(crate) fn check_turn(&self, expected: Option<u64>) -> Result<(), ExternalError> {
        match expected {
            Some(expected) if self.turn.as_u64() != Some(expected) => {
                Err(ExternalError::Turn { given: self.turn.to_string(), expected })
            }
            _ => Ok(()),
        }
    }

    /// Checks placements and knowledge of the answer and returns the outcome. Statistics of iterations are computed
    /// from their placements, except rejections, messages and knowledge, which are copied from the answer.
    pub(crate) fn outcome(
        self,
        problem: &Problem<'_>,
        context: &mut Context<'_>,
    ) -> Result<Outcome, ExternalError> {
        let assignment = checked(self.placement, problem, "placement")?;
        let mut iterations = Vec::with_capacity(self.iterations.len());
        let mut best_iteration = (assignment == *problem.initial).then_some(0);
        let mut before = problem.initial.clone();
        for (at, Mapping(iteration)) in self.iterations.into_iter().enumerate() {
            let after = checked(iteration.placement, problem, &format!("iterations[{at}].placement"))?;
            if let Some(given) = iteration.knowledge.filter(|knowledge| !(0.0..=1.0).contains(knowledge)) {
                return Err(ExternalError::Knowledge { iteration: at, given });
            }
            let stats = IterationStats {
                iteration: at + 1,
                n_transfers: after.migrations_from(&before).count(),
                n_rejections: iteration.n_rejections,
                n_messages: iteration.n_messages,
                knowledge: iteration.knowledge,
                ..IterationStats::of(problem, &after)
            };
            context.iteration(&stats, &after);
            if best_iteration.is_none() && after == assignment {
                best_iteration = Some(at + 1);
            }
            iterations.push(stats);
            before = after;
        }
        let best_iteration = match best_iteration {
            Some(best) => best,
            None if iterations.is_empty() => 0,
            None => return Err(ExternalError::NoIteration),
        };
        let is_between_peers = iterations.iter().any(|iteration| iteration.n_messages > 0);
        let protocol = if is_between_peers { Protocol::Peers } else { Protocol::Central };
        Ok(Outcome {
            protocol,
            iterations,
            best_iteration,
            notes: self.notes,
            ..Outcome::at_once(assignment)
        })
    }
}

/// Checks a list of entries and returns it as an assignment. `place` is the name of the list in errors.
fn checked(entries: Vec<Entry>, problem: &Problem<'_>, place: &str) -> Result<Assignment, PlacementError> {
    let rank = |entry| match entry {
        Entry::Rank(rank) => Ok(rank),
        Entry::Other(value) => Err(value.to_string()),
    };
    problem.placement(place, entries.into_iter().map(rank))
}
