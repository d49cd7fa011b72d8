// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gossip strategies: in each iteration, ranks spread information about themselves, then transfer objects to ranks they
//! have heard of. [`InformAndTransfer`](crate::InformAndTransfer) has LBAF's parameter names,
//! [`TemperedLB`](crate::TemperedLB) vt's.

use lbaf_model::RankId;
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::Streams;
use crate::primitives::migration_reduction::homing::Rules;

mod clustering;
mod clusters;
mod criterion;
mod distribution;
pub(crate) mod inform_and_transfer;
mod information;
mod iterations;
mod order;
mod original;
mod peer_columns;
mod rank_set;
mod recursive;
mod subclusters;
mod swap_clusters;
mod target;
pub(crate) mod tempered;
pub(crate) mod tempered_wmin;
mod transfers;
mod turn;

pub use criterion::Criterion;
use criterion::Gain;
pub(crate) use information::{Information, Manner};
pub(crate) use iterations::run;
pub use order::{End, Order};
pub(crate) use original::Destinations;
pub use original::{Cmf, DestLoad, Rescan, SenderLoad};

/// Parameters of all gossip strategies.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent settings")]
pub(crate) struct Gossip {
    /// Maximum number of iterations of a trial.
    pub(crate) n_iterations: u32,
    /// Maximum number of trials. Each begins with the initial placement; the best trial is the result. No trial follows
    /// one that ended early because it reached `target_imbalance`.
    pub(crate) n_trials: u32,
    pub(crate) information: Information,
    pub(crate) order: Order,
    pub(crate) order_from: End,
    /// True: `FewestMigrations` and `SmallObjects` select objects as in vt (argument `marginal` of `Order::list`).
    pub(crate) order_marginal: bool,
    pub(crate) transfer: Transfers,
    pub(crate) criterion: Criterion,
    /// True: the transfer algorithm `Original` accepts transfers with a gain of 0.
    pub(crate) accepts_ties: bool,
    /// True: the target load of a rank is at least the load of the largest object, and its target work at least the
    /// work of this load on the fastest rank.
    pub(crate) target_pole: bool,
    pub(crate) max_objects_per_transfer: Option<u32>,
    pub(crate) deterministic_transfer: bool,
    pub(crate) target_imbalance: f64,
    pub(crate) subclustering_threshold: f64,
    pub(crate) subclustering_minimum_improvement: f64,
    pub(crate) cluster_swap_rtol: f64,
    pub(crate) max_subclusters: Option<u32>,
    pub(crate) separate_subclustering: bool,
    pub(crate) concurrency: Concurrency,
    pub(crate) sender_load: SenderLoad,
    pub(crate) rescan: Rescan,
    pub(crate) dest_load: DestLoad,
    pub(crate) destinations: Destinations,
    /// True: the result of a trial is its best iteration. False: its last iteration.
    pub(crate) rollback: bool,
    /// Choice among equally good iterations.
    pub(crate) ties: Ties,
    /// True: a migration reduction follows the iterations.
    pub(crate) homeward: bool,
    /// Weight of migrations in the migration reduction, if given.
    pub(crate) migration_weight: Option<f64>,
    pub(crate) turns: TurnOrder,
}

/// Order in which ranks act, or in which transfers of concurrent ranks are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnOrder {
    ByNumber,
    Random,
    MostWorkFirst,
}

/// Choice among iterations with the same excess over bounds and the same maximum work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ties {
    /// The first of them. It is also preferred to an equally good start.
    First,
    /// The most even of them, or the start if none is more even than the start.
    MostEven,
}

impl Gossip {
    /// True if the transfer algorithm moves clusters or their parts.
    fn moves_clusters(&self) -> bool {
        matches!(self.transfer, Transfers::Clustering | Transfers::SwapClusters)
    }

    /// Returns the rules of the migration reduction.
    fn rules(&self) -> Rules {
        Rules {
            whole: self.moves_clusters(),
            localizing: self.criterion == Criterion::StrictLocalizing,
            migration_weight: self.migration_weight.unwrap_or(0.0),
        }
    }
}

/// Transfer algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfers {
    Recursive,
    Clustering,
    Original,
    SwapClusters,
}

/// Concurrency of the ranks' decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Concurrency {
    /// One rank after the other, each on the placement that the ranks before it left.
    #[default]
    Live,
    /// All ranks concurrently, on the placement at the start of the iteration. Transfers are then carried out rank
    /// by rank. A transfer is rejected if its objects have moved meanwhile. It is also rejected if it would now take
    /// one of its two ranks further over a bound without reducing the larger violation of the two. `SwapClusters`
    /// instead acts in rounds: pairs of ranks exchange clusters concurrently, on the placement after the previous
    /// round.
    Snapshot,
}

/// Random numbers of an iteration, with an independent stream for each decision.
#[derive(Clone, Copy)]
struct Stage {
    streams: Streams,
    iteration: u32,
    n_ranks: usize,
}

impl Stage {
    /// Returns the random numbers of a rank in its turn. `pass` is 0 in the first pass over the ranks, then 1.
    fn turn(&self, rank: RankId, pass: u32) -> ChaCha8Rng {
        self.part(pass, rank.index())
    }

    /// Returns the random numbers for the order in which ranks act.
    fn order(&self) -> ChaCha8Rng {
        self.part(2, 0)
    }

    /// Returns the random numbers by which a rank selects receivers in a round.
    fn round(&self, round: u32, rank: usize) -> ChaCha8Rng {
        self.part(2 * round + 3, rank)
    }

    /// Returns the random numbers by which a rank selects from the information it receives in a round.
    fn memory(&self, round: u32, rank: usize) -> ChaCha8Rng {
        self.part(2 * round + 4, rank)
    }

    fn part(&self, what: u32, rank: usize) -> ChaCha8Rng {
        self.streams.stream(u64::from(self.iteration) << 44 | u64::from(what) << 32 | rank as u64)
    }
}
