// SPDX-License-Identifier: MIT OR Apache-2.0
//! `TemperedLB`: gossip with vt's parameter names.

use lbaf_model::{BoundScope, Ccm, CcmParameters, ModelError, OnRankVolume, RankQuantity, UpperBound};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::gossip::{self, Destinations, Gossip, Information, Manner, Ties, Transfers, TurnOrder};
use crate::parameters::{beyond, parameters};
use crate::{
    Cmf, Concurrency, Context, Criterion, DestLoad, End, Order, Outcome, Problem, Rescan, SenderLoad,
    Strategy, StrategyError, WorkByArguments,
};

/// Iterations of two stages: gossip, in which underloaded ranks announce themselves, and transfers of single
/// objects from overloaded ranks to ranks they have heard of, preferably to those with little work.
///
/// **When to use it.** To study vt's balancer of this name with the same arguments, on any number of ranks. With
/// the default `knowledge` every rank hears of only a part of the others. `homeward: true` adds a central step at
/// the end that vt lacks; it reduces the maximum work or the migrations.
///
/// **Promises.** The result is never worse than the start. With `rollback` it is the best iteration of the best
/// trial: the one with the smallest maximum work, and the first of iterations with equal maximum work. As in vt,
/// this iteration is preferred to an equally good start. Without `rollback` the result of a trial is its last
/// iteration. With `homeward` or `SwapClusters`, the most even of iterations with equal maximum work is chosen. With
/// `homeward`, the result may be better than all iterations or, depending on `migration_weight`, worse by up to 5 %
/// of the reduction since the start. A transfer that takes a rank further over a bound of the work model is accepted
/// only if it reduces the larger violation of the two ranks.
///
/// **Cost.** An iteration costs O(ranks x fanout x rounds) unions of sets. Each offer costs O(degree of the object)
/// and a few draws, or an inspection of all known ranks if hardly any of them is below the target.
/// `NormByMaxExcludeIneligible` and `Recursive` inspect all known ranks for each offer. `Recursive` with
/// `concurrency: snapshot` may take long, because all ranks give objects to the same few ranks. The migration
/// reduction costs O(objects log objects + edges), and at most a few thousand evaluations of exchanges per rank.
/// Gossip runs on all threads, and so do the decisions of ranks with `concurrency: snapshot`; transfers are made one
/// after the other.
///
/// **Reference.** J. Lifflander et al., Optimizing distributed load balancing for workloads with time-varying
/// imbalance, CLUSTER 2021, doi:10.1109/Cluster48925.2021.00039; H. Menon, L. Kale, A distributed dynamic load
/// balancer for iterative applications, SC13, doi:10.1145/2503210.2503284.
///
/// **Other implementations.** vt's `TemperedLB`, with the same parameters and defaults. vt balances loads only;
/// here the work model of the run applies. vt is reproducible for some arguments only, aborts with
/// `transfer: Recursive`, and skips phases with an imbalance below 3 %. Here every run is reproducible,
/// `Recursive` offers objects as in LBAF, and no phase is skipped. vt's `SmallObjects` also sums objects that
/// cannot migrate; here only migratable objects count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "independent arguments of vt")]
pub struct TemperedLB {
    /// Reach of gossip. `Log`: fanout and number of rounds grow slowly with the number of ranks. `Complete`: one
    /// round to all ranks. `UserDefined`: as given by `fanout` and `rounds` (Log).
    pub knowledge: Knowledge,
    /// Number of ranks to which a rank sends in each round. Default with `Log`: the k-th root of P for P ranks and k
    /// rounds, rounded up.
    pub fanout: Option<u32>,
    /// Rounds of gossip in each iteration. Default with `Log` for P ranks: log P / log fanout, rounded up; if
    /// `fanout` is not given either, the square root of log2 P, rounded.
    pub rounds: Option<u32>,
    /// Number of iterations of each trial (4).
    pub iters: u32,
    /// Number of trials. Each begins with the placement at the start of the phase and uses other random numbers;
    /// the best trial is the result (1).
    pub trials: u32,
    /// Acceptance criterion of transfers (`ModifiedGrapevine`).
    pub criterion: TemperedCriterion,
    /// Time at which ranks forward information. `AsyncInform`: immediately. `SyncInform`: after the end of a round
    /// (`AsyncInform`).
    pub inform: Inform,
    /// Transfer algorithm (Original).
    pub transfer: TemperedTransfer,
    /// Order of the objects that a rank offers (`FewestMigrations`).
    pub ordering: Ordering,
    /// Probabilities of the known ranks to receive an object (`NormByMax`).
    pub cmf: TemperedCmf,
    /// True: `Recursive` chooses the best rank instead of drawing a rank. In vt this makes runs reproducible; here
    /// they always are (false).
    pub deterministic: bool,
    /// True: the result is the best iteration. False: the result is the last iteration, or the start if that is
    /// better (true).
    pub rollback: bool,
    /// True: the target of a rank is at least the work of the largest object on the fastest rank (false).
    pub targetpole: bool,
    /// With `SwapClusters`: maximum memory of a rank in bytes, 0 for no limit (0).
    pub memory_threshold: Option<f64>,
    /// With `SwapClusters`: factor on the load of a rank. In `TemperedWMin`: factor on the load of an object (1).
    pub alpha: Option<f64>,
    /// With `SwapClusters`: seconds per byte of the larger of the off-rank volumes that a rank sends and receives. In
    /// `TemperedWMin`: the same for an object (0).
    pub beta: Option<f64>,
    /// With `SwapClusters`: seconds per byte of on-rank volume. In `TemperedWMin`: seconds per object (0).
    pub gamma: Option<f64>,
    /// With `SwapClusters`: seconds per byte of homing volume (0).
    pub delta: Option<f64>,
    /// With `SwapClusters`: infinity makes `memory_threshold` an upper bound, 0 ignores it; other values are invalid
    /// (infinity).
    pub epsilon: Option<f64>,
    /// `live`: ranks act one after the other on the current placement. `snapshot`: all ranks act concurrently on
    /// the placement at the start of the iteration, as on a real machine (snapshot).
    pub concurrency: Concurrency,
    /// True: a migration reduction follows the best iteration. Migrated objects on ranks with much work move on to
    /// ranks with little work. Objects return to their initial rank where the maximum work allows it; another object
    /// may leave this rank to make room. The ranks with the most work exchange objects if this reduces the maximum
    /// work much. With `SwapClusters`, clusters only return. vt has no such step (false).
    pub homeward: bool,
    /// With `homeward`: weight of migrations against maximum work, at least 0. With 0 the migration reduction does
    /// not increase the maximum work. With 1, each 1 % of migrations saved may increase the distance of the maximum
    /// work from its lower bound by about 1 %, with 2 by about 2 %. In total, the maximum work increases by at most
    /// 5 % of its reduction since the start (1; 0 with `SwapClusters`).
    pub migration_weight: Option<f64>,
}

/// Reach of gossip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Knowledge {
    /// Given by `fanout` and `rounds`.
    UserDefined,
    /// One round, in which every rank that starts sends to all others.
    Complete,
    /// Derived from the number of ranks, unless `fanout` or `rounds` is given.
    #[default]
    Log,
}

/// Acceptance criterion of transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TemperedCriterion {
    /// The work of the destination does not exceed the target.
    Grapevine,
    /// The work of the destination does not exceed the previous work of the source.
    #[default]
    ModifiedGrapevine,
}

/// Time at which ranks forward information.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Inform {
    /// After the end of a round: ranks forward their previous knowledge and all messages of the round.
    SyncInform,
    /// Immediately: ranks forward their previous knowledge and the first message of a round.
    #[default]
    AsyncInform,
}

/// Transfer algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TemperedTransfer {
    /// Ranks above the target offer single objects to other ranks, preferably to those with little work.
    #[default]
    Original,
    /// Every rank offers each of its objects, together with others if one alone is not accepted (as in LBAF).
    Recursive,
    /// Pairs of ranks exchange clusters of objects that share a block, under a lock: CCM-LB. `criterion` has no
    /// effect.
    SwapClusters,
}

/// Order of the objects that a rank offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Ordering {
    /// Order of the data.
    Arbitrary,
    /// Ascending number of the object.
    #[serde(rename = "ElmID")]
    ElmId,
    /// First the smallest object that removes the excess over the target on its own, then the smaller objects in
    /// descending order of load, then the larger objects in ascending order.
    #[default]
    FewestMigrations,
    /// The smallest objects whose sum removes the excess, the largest of them first; then the other objects in
    /// ascending order of load.
    SmallObjects,
    /// Descending load.
    LargestObjects,
}

/// Probabilities of ranks to receive an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TemperedCmf {
    /// Ranks below the target, proportional to 1 - work / target.
    Original,
    /// Ranks that are below the target at the beginning of the turn, proportional to 1 - work / most, where `most`
    /// is the maximum work among them, but at least the target.
    #[default]
    NormByMax,
    /// Ranks that the criterion accepts as receivers of the object, with weights as in `NormByMax`.
    NormByMaxExcludeIneligible,
}

impl Default for TemperedLB {
    fn default() -> Self {
        TemperedLB {
            knowledge: Knowledge::Log,
            fanout: None,
            rounds: None,
            iters: 4,
            trials: 1,
            criterion: TemperedCriterion::ModifiedGrapevine,
            inform: Inform::AsyncInform,
            transfer: TemperedTransfer::Original,
            ordering: Ordering::FewestMigrations,
            cmf: TemperedCmf::NormByMax,
            deterministic: false,
            rollback: true,
            targetpole: false,
            memory_threshold: None,
            alpha: None,
            beta: None,
            gamma: None,
            delta: None,
            epsilon: None,
            concurrency: Concurrency::Snapshot,
            homeward: false,
            migration_weight: None,
        }
    }
}

impl Strategy for TemperedLB {
    fn name(&self) -> &'static str {
        "TemperedLB"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn additions(&self) -> Vec<String> {
        beyond(
            &self.parameters(),
            &[
                ("concurrency", json!("snapshot")),
                ("homeward", json!(false)),
                ("migration_weight", Value::Null),
            ],
        )
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn work_by_arguments(&self) -> Result<Option<WorkByArguments>, StrategyError> {
        if self.transfer != TemperedTransfer::SwapClusters {
            return Ok(None);
        }
        let parameters = self.work_model()?.unwrap_or_default();
        Ok(Some(WorkByArguments { parameters, given: self.coefficients() }))
    }

    fn keeps_blocks_whole(&self) -> bool {
        self.transfer == TemperedTransfer::SwapClusters
    }

    fn uses_random_numbers(&self) -> bool {
        // Neither exchanges of clusters nor the result of gossip with complete knowledge depends on random numbers.
        self.transfer != TemperedTransfer::SwapClusters || self.knowledge != Knowledge::Complete
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let mut outcome = self.spread(problem, context)?;
        if self.knowledge == Knowledge::Complete && (self.fanout.is_some() || self.rounds.is_some()) {
            outcome.notes.push("`fanout` and `rounds` have no effect with `knowledge: Complete`".to_owned());
        }
        let coefficients = self.coefficients();
        if self.transfer != TemperedTransfer::SwapClusters && !coefficients.is_empty() {
            outcome.notes.push(format!(
                "without `transfer: SwapClusters`, these parameters have no effect, as in vt: {}; \
                 `work_model` defines work",
                coefficients.iter().map(|(key, _)| *key).collect::<Vec<_>>().join(", ")
            ));
        }
        Ok(outcome)
    }
}

impl TemperedLB {
    /// Runs gossip and transfers with the work model of the problem.
    pub(crate) fn spread(
        &self,
        problem: &Problem<'_>,
        context: &mut Context<'_>,
    ) -> Result<Outcome, StrategyError> {
        let (fanout, rounds) = self.reach(problem.phase.n_ranks())?;
        self.check(rounds)?;
        Ok(gossip::run(&self.gossip(fanout, rounds), problem, context)?)
    }

    /// Returns the work model that the arguments describe, with vt's definition of `gamma` and of memory. `None` if
    /// clusters are not swapped or no coefficient is given. The strategy uses the work model of the problem, so the
    /// caller must build the problem with the returned one.
    ///
    /// # Errors
    /// If a coefficient is invalid. The error names its key.
    pub fn work_model(&self) -> Result<Option<CcmParameters>, StrategyError> {
        if self.transfer != TemperedTransfer::SwapClusters || self.coefficients().is_empty() {
            return Ok(None);
        }
        let default = CcmParameters::default();
        let bound = |limit| UpperBound {
            quantity: RankQuantity::MemoryWithSerialized,
            limit,
            scope: BoundScope::Rank,
        };
        let parameters = CcmParameters {
            alpha: self.alpha.unwrap_or(default.alpha),
            beta: self.beta.unwrap_or(default.beta),
            gamma: self.gamma.unwrap_or(default.gamma),
            delta: self.delta.unwrap_or(default.delta),
            epsilon: self.epsilon.unwrap_or(default.epsilon),
            on_rank_volume: OnRankVolume::Vt,
            bounds: self.memory_threshold.filter(|&limit| limit != 0.0).map(bound).into_iter().collect(),
        };
        let wrong = |error| match error {
            ModelError::BadParameter { name: key @ ("alpha" | "beta" | "gamma" | "delta"), value } => {
                self.refused(key, format!("expected a finite number of at least 0, found {value}"))
            }
            ModelError::BadParameter { value, .. } => {
                self.refused("memory_threshold", format!("expected a number of bytes, found {value}"))
            }
            error => self.refused("epsilon", error.to_string()),
        };
        Ccm::new(parameters.clone()).map_err(wrong)?;
        Ok(Some(parameters))
    }

    /// Returns the given coefficients of the work model with their keys.
    pub fn coefficients(&self) -> Vec<(&'static str, f64)> {
        let given = [
            ("memory_threshold", self.memory_threshold),
            ("alpha", self.alpha),
            ("beta", self.beta),
            ("gamma", self.gamma),
            ("delta", self.delta),
            ("epsilon", self.epsilon),
        ];
        given.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }

    /// Returns fanout and number of rounds for a number of ranks.
    fn reach(&self, n_ranks: usize) -> Result<(u32, u32), StrategyError> {
        let given = |key: &str, value: Option<u32>| {
            value.ok_or_else(|| {
                self.refused(key, "`knowledge: UserDefined` requires this parameter".to_owned())
            })
        };
        let (p, others) = (n_ranks.max(2) as f64, n_ranks.saturating_sub(1) as u32);
        let root = |rounds: u32| libm::pow(p, 1.0 / f64::from(rounds.max(1)));
        // Rounds up. The root of an exact power is an integer, which a rounding error must not increase by one.
        #[expect(clippy::cast_sign_loss, reason = "the value is at least 1")]
        let up = |value: f64| (value - 1e-9).ceil().max(1.0) as u32;
        match self.knowledge {
            Knowledge::UserDefined => Ok((given("fanout", self.fanout)?, given("rounds", self.rounds)?)),
            Knowledge::Complete => Ok((others, 1)),
            // A computed fanout is limited to the number of other ranks, because a larger one would cause a note.
            Knowledge::Log => Ok(match (self.fanout, self.rounds) {
                (Some(fanout), Some(rounds)) => (fanout, rounds),
                (Some(fanout), None) => (fanout, up(libm::log(p) / libm::log(f64::from(fanout.max(2))))),
                (None, Some(rounds)) => (up(root(rounds)).min(others), rounds),
                (None, None) => {
                    let rounds = up(libm::log2(p).sqrt().round());
                    (up(root(rounds)).min(others), rounds)
                }
            }),
        }
    }

    fn check(&self, rounds: u32) -> Result<(), StrategyError> {
        /// Maximum number of rounds, and of iterations of all trials. The number of a random stream has a limited
        /// number of bits for both.
        const MOST_ROUNDS: u32 = 1000;
        const MOST_ITERATIONS: u64 = 1_000_000;
        if self.fanout == Some(0) {
            return Err(self.refused("fanout", "expected at least 1, found 0".to_owned()));
        }
        if rounds == 0 || rounds > MOST_ROUNDS {
            return Err(self.refused("rounds", format!("expected 1 to {MOST_ROUNDS}, found {rounds}")));
        }
        if let Some(weight) = self.migration_weight
            && !(weight >= 0.0 && weight.is_finite())
        {
            let message = format!("expected a finite number of at least 0, found {weight}");
            return Err(self.refused("migration_weight", message));
        }
        for (key, value) in [("iters", self.iters), ("trials", self.trials)] {
            if value == 0 {
                return Err(self.refused(key, "expected at least 1, found 0".to_owned()));
            }
        }
        if u64::from(self.iters) * u64::from(self.trials) > MOST_ITERATIONS {
            let message = format!("the product with `trials` must be at most {MOST_ITERATIONS}");
            return Err(self.refused("iters", message));
        }
        Ok(())
    }

    fn refused(&self, key: &str, message: String) -> StrategyError {
        StrategyError::Parameter { strategy: self.name(), key: key.to_owned(), message }
    }

    pub(super) fn gossip(&self, fanout: u32, rounds: u32) -> Gossip {
        Gossip {
            n_iterations: self.iters,
            n_trials: self.trials,
            information: Information {
                n_rounds: rounds,
                fanout: fanout as usize,
                max_knowledge: None,
                manner: Manner::Underloaded {
                    at_once: self.inform == Inform::AsyncInform,
                    // Ranks above the target also have clusters to exchange.
                    all_begin: self.transfer == TemperedTransfer::SwapClusters,
                },
            },
            order: match self.ordering {
                Ordering::Arbitrary => Order::Arbitrary,
                Ordering::ElmId => Order::ElementId,
                Ordering::FewestMigrations => Order::FewestMigrations,
                Ordering::SmallObjects => Order::SmallObjects,
                Ordering::LargestObjects => Order::DecreasingLoads,
            },
            order_from: End::Start,
            order_marginal: true,
            transfer: match self.transfer {
                TemperedTransfer::Original => Transfers::Original,
                TemperedTransfer::Recursive => Transfers::Recursive,
                TemperedTransfer::SwapClusters => Transfers::SwapClusters,
            },
            criterion: match self.criterion {
                TemperedCriterion::Grapevine => Criterion::Grapevine,
                TemperedCriterion::ModifiedGrapevine => Criterion::ModifiedGrapevine,
            },
            accepts_ties: true,
            target_pole: self.targetpole,
            max_objects_per_transfer: None,
            deterministic_transfer: self.deterministic,
            target_imbalance: 0.0,
            subclustering_threshold: 0.0,
            subclustering_minimum_improvement: 0.0,
            cluster_swap_rtol: 0.0,
            max_subclusters: Some(0),
            separate_subclustering: false,
            concurrency: self.concurrency,
            sender_load: SenderLoad::Current,
            rescan: Rescan::Continue,
            dest_load: DestLoad::Live,
            destinations: match self.cmf {
                TemperedCmf::Original => Destinations::Below(Cmf::Transfer),
                TemperedCmf::NormByMax => Destinations::NormByMax,
                TemperedCmf::NormByMaxExcludeIneligible => Destinations::Eligible,
            },
            rollback: self.rollback,
            // When clusters are swapped, vt takes the last iteration. Without bounds, every exchange reduces the larger
            // work of its two ranks, so the last iteration is usually also the most even one.
            ties: match self.transfer {
                TemperedTransfer::Original | TemperedTransfer::Recursive if !self.homeward => Ties::First,
                _ => Ties::MostEven,
            },
            homeward: self.homeward,
            migration_weight: self.migration_weight.or(match self.transfer {
                TemperedTransfer::Original | TemperedTransfer::Recursive if self.homeward => Some(1.0),
                _ => None,
            }),
            turns: TurnOrder::MostWorkFirst,
        }
    }
}
