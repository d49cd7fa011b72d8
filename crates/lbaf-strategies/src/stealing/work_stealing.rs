// SPDX-License-Identifier: MIT OR Apache-2.0
//! `WorkStealing`: work stealing in simulated time.

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

/// Simulates work stealing: a rank that has run its objects steals objects from another rank. In the resulting
/// placement, each object is on the rank that ran it.
///
/// Each rank has a queue of clusters. A cluster consists of the migratable objects on the rank that share a block;
/// an object without a block is a cluster of its own. A rank first runs its non-migratable objects, which are never
/// stolen, then its queue from the front. The run time of an object is its load multiplied by the `rank_alpha` of
/// the rank.
///
/// A rank with an empty queue sends requests to other ranks. It steals waiting units, which are clusters or single
/// objects, from the back of a victim's queue. The thief keeps the order of the stolen units: it runs the first at
/// once, and appends the others to its own queue, where they can be stolen again. A rank stops when no unit waits
/// on any rank. It also stops when all ranks have refused its request and no waiting unit can become available.
///
/// **When to use it.** To estimate the gain of a work-stealing runtime over a balancer, and the influence of
/// latency and memory.
///
/// **Memory.** A thief takes a unit only if this does not increase the excess of either rank over the bounds of the
/// work model. Objects that have run still count, with their block, on the rank that ran them. Therefore, the
/// result of a feasible placement is feasible and can be replayed. A machine that frees blocks after their last use
/// could steal more.
///
/// **Not simulated.** Communication and homing take no time, regardless of their cost in the work model.
///
/// **Statistics.** There is one iteration. Transfers are stolen objects, counted once per steal. Rejections are
/// refused requests. Every request and every answer is a message. A note states the makespan and the idle time of
/// all ranks.
///
/// **Guarantees.** With `discretion` the makespan is never larger than without stealing. Without `discretion`,
/// bounds and latency, no rank is idle while a unit waits. For single objects on equal ranks without non-migratable
/// objects, the makespan is then at most `mean + (1 - 1/P) * largest object` (R. L. Graham, SIAM J. Appl. Math. 17
/// (1969), doi:10.1137/0117039).
///
/// **Cost.** O(n log n + (n + r) log P) for n objects and r requests on P ranks. With `discretion` or bounds, a
/// request may inspect all units that wait on the victim. With bounds on nodes, on sent or received volumes, or on
/// `homed_blocks_ratio`, each steal may also wake idle ranks.
///
/// **Reference.** R. D. Blumofe, C. E. Leiserson, Scheduling multithreaded computations by work stealing, J. ACM 46
/// (1999), doi:10.1145/324133.324234. Their victims are `random`, and a thief steals one unit at a time.
///
/// **Other implementations.** An unmerged branch of LBAF simulates work stealing with limited memory in another
/// way. vt has no work stealing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WorkStealing {
    /// Unit of stealing: a `cluster` or an `object` (cluster).
    pub steal: Granularity,
    /// Maximum number of units per steal: `one`, `half` of the units that wait on the victim, or a number (one).
    pub steal_size: StealSize,
    /// Victim selection, the order in which a thief sends requests until a rank gives a unit. `most_loaded`:
    /// first the rank whose queue takes longest to run. `random`: all ranks in a random order. `ring`: in
    /// ascending order around the ring of ranks, beginning with the next rank or, after a steal, with the
    /// last victim (`most_loaded`).
    pub victim: VictimOrder,
    /// Order of clusters in queues, and of the objects of each cluster: `element_id`, `increasing_loads` or
    /// `decreasing_loads` (`element_id`).
    pub order: QueueOrder,
    /// True: the victim keeps units that it would finish no later than the thief (true).
    pub discretion: bool,
    /// Latency in seconds from request to answer (0).
    pub steal_time: f64,
}

/// Unit of stealing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// All objects of a rank that share a block.
    #[default]
    Cluster,
    /// A single object.
    Object,
}

/// Maximum number of units per steal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StealSize {
    /// A number of units; 1 is `one` in configurations.
    Count(NonZeroU32),
    /// Half of the units that wait on the victim, rounded up.
    Half,
}

/// Victim selection: the order in which a thief sends requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VictimOrder {
    /// First the rank whose queue takes longest to run. Assumes that every rank knows these times.
    #[default]
    MostLoaded,
    /// From a random rank, in steps of a random size around the ring of ranks. Each other rank is reached once.
    Random,
    /// In ascending order around the ring of ranks, beginning with the next rank or, after a steal, with the last
    /// victim.
    Ring,
}

/// Order in which a rank runs its queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QueueOrder {
    /// Ascending number of the object. The number of a cluster is the smallest number of its objects.
    #[default]
    ElementId,
    /// Smallest load first, so that the units with the largest loads are stolen first.
    IncreasingLoads,
    /// Largest load first.
    DecreasingLoads,
}

impl StealSize {
    const ONE: StealSize = StealSize::Count(NonZeroU32::MIN);
}

impl QueueOrder {
    /// Returns the sort key of a load. The unit with the smallest key is first.
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

    fn uses_random_numbers(&self) -> bool {
        self.victim == VictimOrder::Random
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        if !(self.steal_time >= 0.0 && self.steal_time.is_finite()) {
            return Err(StrategyError::Parameter {
                strategy: self.name(),
                key: "steal_time".to_owned(),
                message: format!("expected a finite time of at least 0 seconds, found {}", self.steal_time),
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

/// Returns a note on makespan, steals and idle time.
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
        "phase {}: makespan with work stealing: {} s, without it: {} s; steals: {}, objects stolen: {}, failed \
         requests: {}, idle time of all ranks: {} s",
        phase.id(),
        rounded(simulated.makespan),
        rounded(without),
        simulated.n_steals,
        simulated.n_stolen,
        simulated.n_failed,
        rounded(idle)
    )
}

/// Rounds to six significant digits.
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
                { "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": "This number of units." },
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
                f.write_str("`one`, `half` or a number of at least 1")
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
