// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gossip: ranks tell each other of themselves, and give objects to those they know.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::gossip::{self, Destinations, Gossip, Information, Manner, Ties, Transfers, TurnOrder};
use crate::parameters::{beyond, parameters};
use crate::{
    Cmf, Concurrency, Context, Criterion, DestLoad, End, Order, Outcome, Problem, Rescan, SenderLoad,
    Strategy, StrategyError,
};

mod preset;

pub use preset::Preset;

/// Iterations of two stages: gossip, by which ranks come to know of each other, and transfers from each rank to
/// ranks that it knows.
///
/// **When to use it.** To study balancers that need no central rank: nobody ever knows everything, and a rank
/// decides by itself. Objects that share memory can move together (`transfer_strategy: Clustering`).
///
/// **Promises.** The result is the best iteration: the smallest maximum work, of several the most even; or what
/// `homeward` makes of it. It is never worse than the start. With `criterion: Tempered` and `concurrency: live` the
/// maximum work never rises while bounds are kept no better, unless `Original` transfers look at a snapshot of
/// destinations. No accepted transfer makes the largest violation of a bound larger (of bounds for ranks, or of those
/// for nodes, not of both kinds together).
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
    /// Whether the best iteration is followed by a way home: what crowds on a rank goes elsewhere if that lowers the
    /// largest work, objects return that need not be away, also in exchange for fewer others, and the slowest ranks
    /// exchange objects where that gains much. Clusters, and objects under `StrictLocalizing`, do nothing but return
    /// (false).
    pub homeward: bool,
    /// With `homeward`: how much migrations weigh at its end, 0 or more. With 0 the largest work does not rise there.
    /// With 1 it may rise by 1 % of its distance to the best possible for each 1 % of migrations saved, with 2 by
    /// 2 %, and never by more than a twentieth of what was gained over the start (0).
    pub migration_weight: f64,
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
            homeward: false,
            migration_weight: 0.0,
        }
    }
}

impl Strategy for InformAndTransfer {
    fn name(&self) -> &'static str {
        "InformAndTransfer"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn additions(&self) -> Vec<String> {
        beyond(
            &self.parameters(),
            &[
                ("preset", Value::Null),
                ("concurrency", json!("live")),
                ("homeward", json!(false)),
                ("migration_weight", json!(0.0)),
            ],
        )
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn keeps_blocks_whole(&self) -> bool {
        self.transfer_strategy == TransferStrategy::Clustering && self.max_subclusters == Some(0)
    }

    fn draws(&self) -> bool {
        true
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        self.check()?;
        Ok(gossip::run(&self.gossip(), problem, context)?)
    }
}

impl InformAndTransfer {
    fn gossip(&self) -> Gossip {
        Gossip {
            n_iterations: self.n_iterations,
            n_trials: 1,
            information: Information {
                // LBAF, too, sends once if there are to be no rounds.
                n_rounds: self.n_rounds.max(1),
                fanout: self.fanout as usize,
                max_knowledge: self.max_knowledge.map(|most| most as usize),
                manner: Manner::Everybody,
            },
            order: self.order_strategy,
            order_from: self.order_from,
            order_marginal: false,
            transfer: match self.transfer_strategy {
                TransferStrategy::Recursive => Transfers::Recursive,
                TransferStrategy::Clustering => Transfers::Clustering,
                TransferStrategy::Original => Transfers::Original,
            },
            criterion: self.criterion,
            accepts_ties: false,
            target_pole: false,
            max_objects_per_transfer: self.max_objects_per_transfer,
            deterministic_transfer: self.deterministic_transfer,
            target_imbalance: self.target_imbalance,
            subclustering_threshold: self.subclustering_threshold,
            subclustering_minimum_improvement: self.subclustering_minimum_improvement,
            cluster_swap_rtol: self.cluster_swap_rtol,
            max_subclusters: self.max_subclusters,
            separate_subclustering: self.separate_subclustering,
            concurrency: self.concurrency,
            sender_load: self.sender_load,
            rescan: self.rescan,
            dest_load: self.dest_load,
            destinations: Destinations::Below(self.cmf),
            rollback: true,
            ties: Ties::MostEven,
            homeward: self.homeward,
            migration_weight: Some(self.migration_weight).filter(|&weight| weight > 0.0),
            turns: match self.transfer_strategy {
                TransferStrategy::Original => TurnOrder::ByNumber,
                _ if self.deterministic_transfer => TurnOrder::ByNumber,
                _ => TurnOrder::Random,
            },
        }
    }

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
            ("migration_weight", self.migration_weight),
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
