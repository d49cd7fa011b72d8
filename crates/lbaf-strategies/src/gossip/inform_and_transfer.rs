// SPDX-License-Identifier: MIT OR Apache-2.0
//! `InformAndTransfer`: gossip with LBAF's parameter names.

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

/// Iterations of two stages: gossip, in which ranks spread information about themselves, and transfers of objects
/// to ranks that the sender has heard of.
///
/// **When to use it.** To study balancers without a central rank: every rank decides independently, with partial
/// knowledge of the others. Objects that share memory can move together (`transfer_strategy: Clustering`).
///
/// **Promises.** The result is the best iteration, the one with the smallest maximum work, and the most even one
/// among equals. With `homeward` it is the best iteration after the migration reduction. It is never worse than
/// the start. With `criterion: Tempered` and `concurrency: live` the maximum work increases only if that reduces
/// the excess over bounds; `Original` transfers with `dest_load: snapshot` are an exception. No accepted transfer
/// increases the largest violation of a bound, if all bounds apply to ranks or all apply to nodes.
///
/// **Cost.** An iteration costs O(ranks x fanout x rounds) unions of sets. Each offer costs O(degree of its
/// objects) once, and O(1) for each known peer. In total, `Recursive` costs O(objects x (degree + peers)), because a
/// rank with m objects adds at most 32 m objects to the offers of its turn. `Clustering` costs O(clusters^2) for each
/// pair of a rank and a known peer. Gossip runs on all threads, and so do the decisions of ranks with
/// `concurrency: snapshot`; transfers are made one after the other.
///
/// **Reference.** H. Menon, L. Kale, A distributed dynamic load balancer for iterative applications, SC13,
/// doi:10.1145/2503210.2503284; J. Lifflander et al., Optimizing distributed load balancing for workloads with
/// time-varying imbalance, CLUSTER 2021, doi:10.1109/Cluster48925.2021.00039; P. Pebay, J. Lifflander,
/// SAND2019-5139.
///
/// **Other implementations.** LBAF has this strategy, with the same parameter names. In LBAF a rank over a bound
/// has infinite work, so that differences become nan and destinations are drawn wrongly; here, bounds take
/// precedence over cost. LBAF is not reproducible and returns the last iteration; this implementation is
/// reproducible and returns the best one. `Original` is the transfer algorithm of vt's `TemperedLB` and of the
/// program used for SAND2019-5139.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "preset::Given")]
#[schemars(!from, default, deny_unknown_fields)]
pub struct InformAndTransfer {
    /// Published settings; parameters given in addition take precedence (null).
    pub preset: Option<Preset>,
    /// Maximum number of iterations (8).
    pub n_iterations: u32,
    /// Rounds of gossip in each iteration; 0 counts as 1, as in LBAF (4).
    pub n_rounds: u32,
    /// Number of ranks to which a rank sends in each round (4).
    pub fanout: u32,
    /// Maximum number of other ranks that a rank remembers; null for no limit (null).
    pub max_knowledge: Option<u32>,
    /// Order of the objects that a rank offers (arbitrary).
    pub order_strategy: Order,
    /// End of the ordered list from which objects are taken: `end` as in LBAF, or `start` (end).
    pub order_from: End,
    /// Transfer algorithm (Recursive).
    pub transfer_strategy: TransferStrategy,
    /// Acceptance criterion of transfers (Tempered).
    pub criterion: Criterion,
    /// Maximum number of objects in a transfer or in a part of a cluster; null for no limit (null).
    pub max_objects_per_transfer: Option<u32>,
    /// True: objects go to the best peer, and ranks act in ascending order. False: peers are drawn with
    /// probabilities proportional to the gain of the transfer minus the smallest gain of any peer, and ranks act in
    /// random order. No effect with `Original`, where destinations are drawn and ranks act in ascending order
    /// (false).
    pub deterministic_transfer: bool,
    /// Iterations stop once the imbalance of work is at most this value (0).
    pub target_imbalance: f64,
    /// Minimum load of a rank that gives away parts of clusters, as a fraction of the maximum load (0).
    pub subclustering_threshold: f64,
    /// Minimum gain of giving away a part of a cluster, as a fraction of the load of its rank (0).
    pub subclustering_minimum_improvement: f64,
    /// Minimum gain of a swap of clusters, as a fraction of the load of the cluster given. Also the fraction of
    /// the mean load by which a rank that gives away a part of a cluster may fall below the mean (0.05).
    pub cluster_swap_rtol: f64,
    /// Maximum number of parts of clusters that a rank considers, as a multiple of its number of clusters; 0 keeps
    /// clusters whole, null for no limit (null).
    pub max_subclusters: Option<u32>,
    /// True: all ranks swap clusters before the first rank gives away a part of a cluster (false).
    pub separate_subclustering: bool,
    /// `live`: ranks act one after the other on the current placement. `snapshot`: all ranks act concurrently on
    /// the placement at the start of the iteration, as on a real machine (live).
    pub concurrency: Concurrency,
    /// With `Original`: work of the sender that the criterion uses (current).
    pub sender_load: SenderLoad,
    /// With `Original`: treatment of the remaining objects after an accepted transfer (continue).
    pub rescan: Rescan,
    /// With `Original`: work of the destination that the criterion uses (live).
    pub dest_load: DestLoad,
    /// With `Original`: time at which the probabilities of destinations are computed, which is after every transfer,
    /// at the beginning of the turn of a rank, or at the start of the iteration (transfer).
    pub cmf: Cmf,
    /// True: a migration reduction follows the best iteration. Migrated objects on ranks with much work move on to
    /// ranks with little work. Objects return to their initial rank where the maximum work allows it; another object
    /// may leave this rank to make room. The ranks with the most work exchange objects if this reduces the maximum
    /// work much. Clusters, and objects under `StrictLocalizing`, only return (false).
    pub homeward: bool,
    /// With `homeward`: weight of migrations against maximum work, at least 0. With 0 the migration reduction does
    /// not increase the maximum work. With 1, each 1 % of migrations saved may increase the distance of the maximum
    /// work from its lower bound by about 1 %, with 2 by about 2 %. In total, the maximum work increases by at most
    /// 5 % of its reduction since the start (0).
    pub migration_weight: f64,
}

/// Transfer algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TransferStrategy {
    /// Every rank offers each of its objects, together with others if one alone is not accepted (LBAF).
    #[default]
    Recursive,
    /// Objects that share a block move together, as a whole cluster or as a part of it (LBAF).
    Clustering,
    /// Overloaded ranks offer single objects to peers, preferably to those with little work (vt, SAND2019-5139).
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

    fn uses_random_numbers(&self) -> bool {
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
                // As in LBAF, `n_rounds: 0` means one round.
                n_rounds: self.n_rounds.max(1),
                fanout: self.fanout as usize,
                max_knowledge: self.max_knowledge.map(|most| most as usize),
                manner: Manner::All,
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
        /// Maximum number of rounds and of iterations. The number of a random stream has a limited number of bits for
        /// both.
        const MOST_ROUNDS: u32 = 1000;
        const MOST_ITERATIONS: u32 = 1_000_000;
        let refuse = |key: &str, message: String| {
            Err(StrategyError::Parameter { strategy: self.name(), key: key.to_owned(), message })
        };
        for (key, value, most) in
            [("n_rounds", self.n_rounds, MOST_ROUNDS), ("n_iterations", self.n_iterations, MOST_ITERATIONS)]
        {
            if value > most {
                return refuse(key, format!("expected at most {most}, found {value}"));
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
                return refuse(key, format!("expected a finite number of at least 0, found {value}"));
            }
        }
        if self.max_objects_per_transfer == Some(0) {
            return refuse("max_objects_per_transfer", "expected at least 1, found 0".to_owned());
        }
        Ok(())
    }
}
