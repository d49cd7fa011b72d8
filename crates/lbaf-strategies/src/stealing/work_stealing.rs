// SPDX-License-Identifier: MIT OR Apache-2.0
//! Idle ranks steal, in simulated time.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::parameters::parameters;
use crate::primitives::seconds::Seconds;
use crate::{Context, IterationStats, Outcome, Problem, Protocol, Strategy, StrategyError};

mod queue;
mod simulation;
mod victim_selection;

use simulation::{Simulated, simulate};

/// Simulates work stealing: every rank runs its objects one after the other, and a rank that has none left takes
/// some from another. The placement is who ran what.
///
/// Each rank has a queue of clusters, the objects that share a block on it (an object without a block is a cluster
/// of its own). It runs first what may not migrate, which is never stolen, then its queue from the front; running
/// an object takes its load times the `rank_alpha` of the rank. A rank with nothing left asks another one, and
/// gets units, clusters or single objects, from the back of that queue, the last one first. It runs the first
/// at once and keeps others in its own queue, where they can be stolen again. What has begun is not stolen, and
/// with it all of a cluster that was stolen or begun as one. A rank ends when nothing waits anywhere, or when
/// everybody was asked and nothing that waits can come to it any more.
///
/// **When to use it.** To ask what a runtime that steals would make of the same objects, what it would gain over
/// a balancer, what latency costs it, and how far memory holds it back.
///
/// **Memory.** A thief takes only what exceeds no bound of the work model, nor exceeds one further, on either
/// side; what has been run still counts, with its block, on the rank that ran it. So the placement keeps all
/// bounds that the start keeps, as it must if it is to be replayed; a machine that frees blocks when they were
/// used last could steal more.
///
/// **What is not simulated.** Communication and homing take no time, whatever they cost in the work model.
///
/// **Statistics.** One iteration. Transfers are objects stolen, each as often as it was; rejections are requests
/// that were answered with nothing; every request and every answer is a message. A note says when the last rank
/// ends and how long ranks were idle until then.
///
/// **Guarantees.** With `discretion` no rank ends later than the last one would without stealing. Without it and
/// without bounds or latency, no rank is idle while anything waits, so that for single objects and ranks of equal
/// speed the last rank ends at most (1 - 1/P) times the largest object after the mean (R. L. Graham, SIAM J.
/// Appl. Math. 17 (1969), doi:10.1137/0117039).
///
/// **Cost.** O((n + steals) log P) for n objects and P ranks, and O(1) for each request in vain. Under bounds a
/// request may look at everything that waits on the victim.
///
/// **Reference.** R. D. Blumofe, C. E. Leiserson, Scheduling multithreaded computations by work stealing, J. ACM
/// 46 (1999), doi:10.1145/324133.324234; there victims are `random` and one unit is stolen at a time.
///
/// **Other implementations.** LBAF has a simulator of work stealing for problems with limited memory on a branch
/// that was never merged, so there is nothing to be compatible with. vt has none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WorkStealing {
    /// What a unit is: a `cluster` or an `object` (cluster).
    pub steal: Granularity,
    /// How many units a thief takes at most: `one`, `half` of those that wait on the victim, or a number (one).
    pub steal_size: StealSize,
    /// Whom a thief asks, one after the other until somebody gives: the rank with most seconds waiting first
    /// (`most_loaded`), all ranks in a `random` order, or its neighbours around a `ring`, from the one that gave
    /// last (`most_loaded`).
    pub victim: VictimOrder,
    /// The order of clusters in queues, and of the objects of each: `element_id`, `increasing_loads` or
    /// `decreasing_loads` (`element_id`).
    pub order: QueueOrder,
    /// Whether the victim keeps what it would end no later than the thief (true).
    pub discretion: bool,
    /// Seconds from request to answer (0).
    pub steal_time: f64,
}

/// What is stolen as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// All objects of a rank that share a block.
    #[default]
    Cluster,
    /// One object.
    Object,
}

/// How much is stolen at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StealSize {
    /// At most so many units. `one` in configurations, or a number.
    Count(NonZeroU32),
    /// Half of the units that wait on the victim, rounded up.
    Half,
}

/// Whom a thief asks first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VictimOrder {
    /// The rank on which most seconds wait, as if every rank knew of it.
    #[default]
    MostLoaded,
    /// Any: from a random rank on, in random steps around the ring of ranks.
    Random,
    /// The next rank, and on.
    Ring,
}

/// In which order a rank runs what it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QueueOrder {
    /// By number of the object, of a cluster its first.
    #[default]
    ElementId,
    /// The smallest first, so that the largest are stolen.
    IncreasingLoads,
    /// The largest first.
    DecreasingLoads,
}

impl StealSize {
    const ONE: StealSize = StealSize::Count(NonZeroU32::MIN);
}

impl QueueOrder {
    /// What comes first has the smallest key.
    fn key(self, load: f64) -> Seconds {
        Seconds(match self {
            QueueOrder::ElementId => 0.0,
            QueueOrder::IncreasingLoads => load,
            QueueOrder::DecreasingLoads => -load,
        })
    }
}

impl Default for WorkStealing {
    fn default() -> Self {
        WorkStealing {
            steal: Granularity::Cluster,
            steal_size: StealSize::ONE,
            victim: VictimOrder::MostLoaded,
            order: QueueOrder::ElementId,
            discretion: true,
            steal_time: 0.0,
        }
    }
}

impl Strategy for WorkStealing {
    fn name(&self) -> &'static str {
        "WorkStealing"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn draws(&self) -> bool {
        self.victim == VictimOrder::Random
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        if !(self.steal_time >= 0.0 && self.steal_time.is_finite()) {
            return Err(StrategyError::Parameter {
                strategy: self.name(),
                key: "steal_time".to_owned(),
                message: format!("expected seconds from 0 on, found {}", self.steal_time),
            });
        }
        let simulated = simulate(self, problem, context);
        context.check()?;
        let notes = vec![note(&simulated, problem)];
        let Simulated { assignment, n_steals, n_stolen, n_failed, .. } = simulated;
        let stats = IterationStats {
            n_transfers: n_stolen,
            n_rejections: n_failed,
            n_messages: 2 * (n_steals + n_failed) as u64,
            ..IterationStats::of(problem, &assignment)
        };
        context.iteration(&stats, &assignment);
        let iterations = vec![stats];
        Ok(Outcome {
            protocol: Protocol::Peers,
            iterations,
            best_iteration: 1,
            notes,
            ..Outcome::at_once(assignment)
        })
    }
}

/// What placements cannot say: when everything is done.
fn note(simulated: &Simulated, problem: &Problem<'_>) -> String {
    let phase = problem.phase;
    let busy = |assignment: &lbaf_model::Assignment| {
        let mut seconds = vec![0.0; phase.n_ranks()];
        for slot in phase.slots() {
            let rank = assignment.rank_of(slot).index();
            seconds[rank] += phase.ranks()[rank].alpha * phase.load(slot);
        }
        seconds
    };
    let without = busy(problem.initial).into_iter().fold(0.0, f64::max);
    let idle: f64 = busy(&simulated.assignment).iter().map(|busy| (simulated.makespan - busy).max(0.0)).sum();
    format!(
        "phase {}: with work stealing the last rank ends after {} s, without it after {} s; steals: {}, objects \
         stolen: {}, requests in vain: {}, idle time of all ranks: {} s",
        phase.id(),
        rounded(simulated.makespan),
        rounded(without),
        simulated.n_steals,
        simulated.n_stolen,
        simulated.n_failed,
        rounded(idle)
    )
}

/// Six significant digits.
fn rounded(seconds: f64) -> f64 {
    format!("{seconds:.5e}").parse().unwrap_or(seconds)
}

impl Serialize for StealSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            StealSize::ONE => serializer.serialize_str("one"),
            StealSize::Count(count) => serializer.serialize_u32(count.get()),
            StealSize::Half => serializer.serialize_str("half"),
        }
    }
}

impl JsonSchema for StealSize {
    fn schema_name() -> Cow<'static, str> {
        "StealSize".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "oneOf": [
                { "const": "one", "type": "string", "description": "One unit." },
                {
                    "const": "half",
                    "type": "string",
                    "description": "Half of the units that wait on the victim, rounded up.",
                },
                { "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": "At most so many units." },
            ]
        })
    }
}

impl<'de> Deserialize<'de> for StealSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = StealSize;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one, half or a number from 1 on")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<StealSize, E> {
                match text {
                    "one" => Ok(StealSize::ONE),
                    "half" => Ok(StealSize::Half),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<StealSize, E> {
                let count = u32::try_from(number).ok().and_then(NonZeroU32::new);
                count
                    .map(StealSize::Count)
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Unsigned(number), &self))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
