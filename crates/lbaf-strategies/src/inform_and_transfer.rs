// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gossip: ranks tell each other of themselves, and give objects to those they know.

use lbaf_model::RankId;
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::strategy::Streams;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

mod clustering;
mod criterion;
mod information;
mod iterations;
mod order;
mod original;
mod preset;
mod rank_set;
mod recursive;
mod subclusters;
mod target;
mod turn;
mod works;

pub use criterion::Criterion;
use criterion::Gain;
pub use order::{End, Order};
pub use original::{Cmf, DestLoad, Rescan, SenderLoad};
pub use preset::Preset;

/// Iterations of two stages: gossip, by which ranks come to know of each other, and transfers from each rank to
/// ranks that it knows.
///
/// **When to use it.** To study balancers that need no central rank: nobody ever knows everything, and a rank
/// decides by itself. Objects that share memory can move together (`transfer_strategy: Clustering`).
///
/// **Promises.** The result is the best iteration: the smallest maximum work, of several the most even. It is
/// never worse than the start. With `criterion: Tempered` and `concurrency: live` the maximum work never rises while
/// bounds are kept no better, unless `Original` transfers look at a snapshot of destinations. No accepted
/// transfer makes the largest violation of a bound larger (of bounds for ranks, or of those for nodes, not of both
/// kinds together); with `concurrency: snapshot` several together may.
///
/// **Cost.** An iteration costs O(ranks x fanout x rounds) unions of sets, and for each offer O(degree of its
/// objects) once and O(1) for each known peer: O(objects x (degree + peers)) in all for `Recursive`, which tries 32
/// objects as company of others for each object at most, and O(clusters^2) for each pair of a rank and a known peer
/// for `Clustering`.
///
/// **Reference.** H. Menon, L. Kale, A distributed dynamic load balancer for iterative applications, SC13,
/// doi:10.1145/2503210.2503284; J. Lifflander et al., Optimizing distributed load balancing for workloads with
/// time-varying imbalance, CLUSTER 2021, doi:10.1109/Cluster48925.2021.00039; P. Pebay, J. Lifflander,
/// SAND2019-5139.
///
/// **Other implementations.** LBAF's of this name, with its keys. LBAF takes a rank over a bound to have infinite
/// work, so that differences become nan and targets are drawn wrongly; here bounds order before cost. LBAF does
/// not repeat itself, this does; and LBAF returns the last iteration, this the best. `Original` is how vt's
/// `TemperedLB` and the program behind SAND2019-5139 transfer objects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "preset::Given")]
#[schemars(!from, default, deny_unknown_fields)]
pub struct InformAndTransfer {
    /// A published setting; keys that are given beside it count more than it (none).
    pub preset: Option<Preset>,
    /// Iterations at most (8).
    pub n_iterations: u32,
    /// Rounds of gossip in each iteration; 0 is 1, as in LBAF (4).
    pub n_rounds: u32,
    /// Ranks that a rank tells in a round (4).
    pub fanout: u32,
    /// Other ranks that a rank can remember; nothing for all (nothing).
    pub max_knowledge: Option<u32>,
    /// In which order a rank offers its objects (arbitrary).
    pub order_strategy: Order,
    /// From which end of that order it takes them: `end` as LBAF does, or `start` (end).
    pub order_from: End,
    /// How objects are transferred (Recursive).
    pub transfer_strategy: TransferStrategy,
    /// When a transfer is accepted (Tempered).
    pub criterion: Criterion,
    /// Objects in one transfer at most, or in a part of a cluster; nothing for no limit (nothing).
    pub max_objects_per_transfer: Option<u32>,
    /// The best peer is chosen, and ranks go by number. Else peers are drawn by how much a transfer is worth,
    /// and ranks go in random order (false).
    pub deterministic_transfer: bool,
    /// Iterations end when the imbalance of work is not above this (0).
    pub target_imbalance: f64,
    /// Parts of clusters are given away only by ranks whose load is at least this part of the largest (0).
    pub subclustering_threshold: f64,
    /// What a part of a cluster must be worth at least, as a part of the load of its rank (0).
    pub subclustering_minimum_improvement: f64,
    /// What a swap of clusters must be worth, as a part of the load of the own one; and how far below the mean
    /// load parts of clusters may leave their rank, as a part of it (0.05).
    pub cluster_swap_rtol: f64,
    /// Parts looked at for each cluster, at most; 0 keeps clusters whole, nothing is no limit (nothing).
    pub max_subclusters: Option<u32>,
    /// All ranks swap clusters before the first gives a part of one away (false).
    pub separate_subclustering: bool,
    /// Whether ranks act one after the other on the true placement (`live`), or all at once on the one before
    /// (`snapshot`, as on a real machine) (live).
    pub concurrency: Concurrency,
    /// `Original`: the work that the criterion takes the sender to have (current).
    pub sender_load: SenderLoad,
    /// `Original`: what happens to the list of objects after an accepted transfer (continue).
    pub rescan: Rescan,
    /// `Original`: the work that the criterion takes the destination to have (live).
    pub dest_load: DestLoad,
    /// `Original`: when the probabilities of destinations are computed (transfer).
    pub cmf: Cmf,
}

/// How objects are transferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TransferStrategy {
    /// Every object of every rank is offered, with others where one alone is of no use (LBAF).
    #[default]
    Recursive,
    /// Objects that share a block move together, or a part of them does (LBAF).
    Clustering,
    /// Overloaded ranks offer single objects to peers drawn by how little they have (vt, SAND2019-5139).
    Original,
}

/// When ranks decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Concurrency {
    /// One after the other, each seeing what those before it did.
    #[default]
    Live,
    /// All at once, each on what was when the iteration began. A transfer of objects that are gone when it is
    /// made counts as rejected.
    Snapshot,
}

impl Default for InformAndTransfer {
    fn default() -> Self {
        InformAndTransfer {
            preset: None,
            n_iterations: 8,
            n_rounds: 4,
            fanout: 4,
            max_knowledge: None,
            order_strategy: Order::Arbitrary,
            order_from: End::End,
            transfer_strategy: TransferStrategy::Recursive,
            criterion: Criterion::Tempered,
            max_objects_per_transfer: None,
            deterministic_transfer: false,
            target_imbalance: 0.0,
            subclustering_threshold: 0.0,
            subclustering_minimum_improvement: 0.0,
            cluster_swap_rtol: 0.05,
            max_subclusters: None,
            separate_subclustering: false,
            concurrency: Concurrency::Live,
            sender_load: SenderLoad::Current,
            rescan: Rescan::Continue,
            dest_load: DestLoad::Live,
            cmf: Cmf::Transfer,
        }
    }
}

impl Strategy for InformAndTransfer {
    fn name(&self) -> &'static str {
        "InformAndTransfer"
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        self.check()?;
        Ok(iterations::run(self, problem, context))
    }
}

impl InformAndTransfer {
    fn check(&self) -> Result<(), StrategyError> {
        /// Numbers of rounds and iterations are parts of the names of random streams.
        const MOST_ROUNDS: u32 = 1000;
        const MOST_ITERATIONS: u32 = 1_000_000;
        let refuse = |key: &str, message: String| {
            Err(StrategyError::Parameter { strategy: self.name(), key: key.to_owned(), message })
        };
        for (key, value, most) in
            [("n_rounds", self.n_rounds, MOST_ROUNDS), ("n_iterations", self.n_iterations, MOST_ITERATIONS)]
        {
            if value > most {
                return refuse(key, format!("{value} is too many, at most {most} make sense"));
            }
        }
        for (key, value) in [
            ("target_imbalance", self.target_imbalance),
            ("subclustering_threshold", self.subclustering_threshold),
            ("subclustering_minimum_improvement", self.subclustering_minimum_improvement),
            ("cluster_swap_rtol", self.cluster_swap_rtol),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                return refuse(key, format!("it must be a number that is not negative, not {value}"));
            }
        }
        if self.max_objects_per_transfer == Some(0) {
            return refuse("max_objects_per_transfer", "0 means that nothing is ever transferred".to_owned());
        }
        Ok(())
    }
}

/// An iteration, as far as random numbers are concerned: every part that decides by itself has its own stream.
#[derive(Clone, Copy)]
struct Stage {
    streams: Streams,
    iteration: u32,
    n_ranks: usize,
}

impl Stage {
    /// What a rank draws in its turn of a pass, the first or the second.
    fn turn(&self, rank: RankId, pass: u32) -> ChaCha8Rng {
        self.part(pass, rank.index())
    }

    /// In which order ranks act.
    fn order(&self) -> ChaCha8Rng {
        self.part(2, 0)
    }

    /// Whom a rank tells in a round.
    fn round(&self, round: u32, rank: usize) -> ChaCha8Rng {
        self.part(2 * round + 3, rank)
    }

    /// What a rank forgets in a round.
    fn memory(&self, round: u32, rank: usize) -> ChaCha8Rng {
        self.part(2 * round + 4, rank)
    }

    fn part(&self, what: u32, rank: usize) -> ChaCha8Rng {
        self.streams.stream(u64::from(self.iteration) << 44 | u64::from(what) << 32 | rank as u64)
    }
}
