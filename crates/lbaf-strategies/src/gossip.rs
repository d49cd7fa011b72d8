// SPDX-License-Identifier: MIT OR Apache-2.0
//! The gossip family: iterations in which ranks tell each other of themselves, and then transfer objects to ranks
//! that they know. [`InformAndTransfer`](crate::InformAndTransfer) and [`TemperedLB`](crate::TemperedLB) are two
//! vocabularies for it.

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

/// Everything that can be set, in neither vocabulary.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "settings, each by itself")]
pub(crate) struct Gossip {
    /// Iterations of a trial at most.
    pub(crate) n_iterations: u32,
    /// Trials, each from the start; the best counts.
    pub(crate) n_trials: u32,
    pub(crate) information: Information,
    pub(crate) order: Order,
    pub(crate) order_from: End,
    /// Whether `FewestMigrations` counts the smallest object that ends the excess alone among the small ones.
    pub(crate) order_marginal: bool,
    pub(crate) transfer: Transfers,
    pub(crate) criterion: Criterion,
    /// Whether `Original` makes transfers that are worth nothing.
    pub(crate) accepts_ties: bool,
    /// Whether no rank is asked to have less work than the largest object.
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
    /// Whether the best iteration of a trial is its result, or the last.
    pub(crate) rollback: bool,
    /// Which of equally good iterations is the best.
    pub(crate) ties: Ties,
    /// Whether objects return at the end whose migration was of no use.
    pub(crate) homeward: bool,
    /// How much a migration then weighs against the largest work; nothing where it was not said.
    pub(crate) migration_weight: Option<f64>,
    pub(crate) turns: TurnOrder,
}

/// In which order ranks act that act one after the other, or whose decisions are carried out so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnOrder {
    ByNumber,
    Random,
    MostWorkFirst,
}

/// Which of several iterations with the same largest work is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ties {
    /// The first, also where the start is as good.
    First,
    /// The most even, if it is more even than the start.
    MostEven,
}

impl Gossip {
    /// Whether objects that share a block move together.
    fn moves_clusters(&self) -> bool {
        matches!(self.transfer, Transfers::Clustering | Transfers::SwapClusters)
    }

    /// How objects return at the end.
    fn rules(&self) -> Rules {
        Rules {
            whole: self.moves_clusters(),
            localizing: self.criterion == Criterion::StrictLocalizing,
            migration_weight: self.migration_weight.unwrap_or(0.0),
        }
    }
}

/// How objects are transferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfers {
    Recursive,
    Clustering,
    Original,
    SwapClusters,
}

/// When ranks decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Concurrency {
    /// One after the other, each seeing what those before it did.
    #[default]
    Live,
    /// All at once, each on what was when the iteration began. A transfer of objects that are gone when it is
    /// made, or that would then break a bound, counts as rejected.
    Snapshot,
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

    /// What becomes of what a rank is told in a round.
    fn memory(&self, round: u32, rank: usize) -> ChaCha8Rng {
        self.part(2 * round + 4, rank)
    }

    fn part(&self, what: u32, rank: usize) -> ChaCha8Rng {
        self.streams.stream(u64::from(self.iteration) << 44 | u64::from(what) << 32 | rank as u64)
    }
}
