// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gossip in the words of vt: `TemperedLB`.

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

/// Iterations of two stages: ranks with less than their share make themselves known by gossip, then those with
/// more give objects to ranks that they heard of, one by one, to the emptiest with the greatest probability.
///
/// **When to use it.** To know what vt's balancer of this name does with the same arguments, on any number of ranks.
/// With the default knowledge a rank knows a part of the others only, and no rank knows all. `homeward: true` adds a
/// central step at the end, which vt lacks: less work or fewer migrations.
///
/// **Promises.** The result is never worse than the start. With `rollback` it is the best iteration of the best trial:
/// the smallest largest work, of several the first, as in vt, also where the start is as good; without it the last
/// iteration. With `homeward` the most even of several counts, and the result may be better than all iterations, and
/// by `migration_weight` a twentieth of the gain worse. No accepted transfer breaks a bound of the work model that was
/// kept.
///
/// **Cost.** An iteration costs O(ranks x fanout x rounds) unions of sets, and for each offer O(degree of the
/// object) and a few draws, or a look at all known ranks where hardly one has room; `NormByMaxExcludeIneligible` and
/// `Recursive` look at all known ranks for each offer, and with `concurrency: snapshot` `Recursive` may take long,
/// because all ranks give to the same few. The way home costs O(objects log objects + edges), and for each rank the
/// time of some thousand looks at exchanges at most.
///
/// **Reference.** J. Lifflander et al., Optimizing distributed load balancing for workloads with time-varying
/// imbalance, CLUSTER 2021, doi:10.1109/Cluster48925.2021.00039; H. Menon, L. Kale, A distributed dynamic load
/// balancer for iterative applications, SC13, doi:10.1145/2503210.2503284.
///
/// **Other implementations.** vt's, with its keys and defaults. There loads alone count, here the work model of the
/// run does. vt repeats itself for some arguments only, aborts with `transfer: Recursive`, and skips phases that are
/// balanced within 3 %; here everything repeats, `Recursive` offers objects as LBAF does, and nothing is skipped. Its
/// `SmallObjects` counts objects that cannot migrate among those to be moved away; here only those that can.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "vt's arguments, each by itself")]
pub struct TemperedLB {
    /// What decides how far gossip goes: `Log` a number of rounds and of ranks told in each that grow slowly with the
    /// number of ranks, `Complete` one round to all, `UserDefined` as `fanout` and `rounds` say (Log).
    pub knowledge: Knowledge,
    /// Ranks that a rank tells in a round. With `Log`: of P ranks and k rounds the k-th root of P, rounded up.
    pub fanout: Option<u32>,
    /// Rounds of gossip in each iteration. With `Log`: log P / log fanout, rounded up; the root of log2 P, rounded,
    /// if there is no `fanout` either.
    pub rounds: Option<u32>,
    /// Iterations of each trial (4).
    pub iters: u32,
    /// Trials, each from where the phase starts with other random numbers; the best counts (1).
    pub trials: u32,
    /// When a transfer is accepted (`ModifiedGrapevine`).
    pub criterion: TemperedCriterion,
    /// Whether ranks pass on what they hear at once (`AsyncInform`, the default), or wait until a round has ended.
    pub inform: Inform,
    /// How objects are transferred (Original).
    pub transfer: TemperedTransfer,
    /// In which order a rank offers its objects (`FewestMigrations`).
    pub ordering: Ordering,
    /// How likely it is that an object goes to one of the ranks known (`NormByMax`).
    pub cmf: TemperedCmf,
    /// Makes vt repeat itself. Here everything repeats; `Recursive` then goes to the best rank and draws none
    /// (false).
    pub deterministic: bool,
    /// Whether the best iteration is the result, or the last if it is no worse than the start (true).
    pub rollback: bool,
    /// Whether no rank is asked to have less than the largest object (false).
    pub targetpole: bool,
    /// `SwapClusters`: bytes that a rank may have, 0 for no limit (0).
    pub memory_threshold: Option<f64>,
    /// `SwapClusters`: factor on the load of a rank; `TemperedWMin`: on that of an object (1).
    pub alpha: Option<f64>,
    /// `SwapClusters`: seconds per byte of the larger of the volumes that a rank sends to and receives from others;
    /// `TemperedWMin`: the same of an object (0).
    pub beta: Option<f64>,
    /// `SwapClusters`: seconds per byte that stays on a rank; `TemperedWMin`: seconds for each object (0).
    pub gamma: Option<f64>,
    /// `SwapClusters`: seconds per byte of blocks that are away from home (0).
    pub delta: Option<f64>,
    /// `SwapClusters`: what it costs to exceed `memory_threshold`; only infinity makes it a limit (infinity).
    pub epsilon: Option<f64>,
    /// Whether ranks act one after the other on the true placement (`live`), or all at once on the one before
    /// (`snapshot`, as on a real machine) (snapshot).
    pub concurrency: Concurrency,
    /// Whether the best iteration is followed by a way home: what crowds on a rank goes elsewhere if that lowers the
    /// largest work, objects return that need not be away, also in exchange for fewer others, and the slowest ranks
    /// exchange objects where that gains much. With `SwapClusters` clusters return, and that is all. vt has no such
    /// step (false).
    pub homeward: bool,
    /// With `homeward`: how much migrations weigh at its end, 0 or more. With 0 the largest work does not rise there.
    /// With 1 it may rise by 1 % of its distance to the best possible for each 1 % of migrations saved, with 2 by
    /// 2 %, and never by more than a twentieth of what was gained over the start (1; 0 with `SwapClusters`).
    pub migration_weight: Option<f64>,
}

/// What decides how far gossip goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Knowledge {
    /// `fanout` and `rounds`.
    UserDefined,
    /// One round, in which every rank that begins tells all others.
    Complete,
    /// What `fanout` and `rounds` leave open follows from the number of ranks.
    #[default]
    Log,
}

/// What makes a transfer acceptable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TemperedCriterion {
    /// The destination does not end above the target.
    Grapevine,
    /// The destination does not end above what the source had.
    #[default]
    ModifiedGrapevine,
}

/// Whether ranks wait with what they hear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Inform {
    /// They pass on all that a round brought.
    SyncInform,
    /// They pass on what they knew and what the first message of a round brought.
    #[default]
    AsyncInform,
}

/// How objects are transferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TemperedTransfer {
    /// Ranks above the target offer single objects to ranks drawn by how little they have.
    #[default]
    Original,
    /// Every object of every rank is offered, with others where one alone is of no use (as in LBAF).
    Recursive,
    /// Pairs of ranks exchange clusters of objects that share a block, under a lock: CCM-LB, whatever the criterion.
    SwapClusters,
}

/// In which order a rank offers its objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Ordering {
    /// As in the data.
    Arbitrary,
    /// By number of object.
    #[serde(rename = "ElmID")]
    ElmId,
    /// First the smallest object that alone ends the excess over the target, then smaller ones descending, then
    /// larger ones ascending.
    #[default]
    FewestMigrations,
    /// The smallest objects whose sum ends the excess, the largest of them first; then the others, ascending.
    SmallObjects,
    /// Descending.
    LargestObjects,
}

/// How likely it is that an object goes to a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TemperedCmf {
    /// To ranks below the target, by 1 - work / target.
    Original,
    /// To ranks below the target when the turn began, by 1 - work / most, where most is the largest work among
    /// them, and the target at least.
    #[default]
    NormByMax,
    /// The same of ranks that may have the object by the criterion.
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

    fn draws(&self) -> bool {
        // Ranks that know all others have nothing to draw before they exchange clusters.
        self.transfer != TemperedTransfer::SwapClusters || self.knowledge != Knowledge::Complete
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let mut outcome = self.spread(problem, context)?;
        if self.knowledge == Knowledge::Complete && (self.fanout.is_some() || self.rounds.is_some()) {
            outcome.notes.push("`knowledge: Complete` does not look at `fanout` and `rounds`".to_owned());
        }
        let coefficients = self.coefficients();
        if self.transfer != TemperedTransfer::SwapClusters && !coefficients.is_empty() {
            outcome.notes.push(format!(
                "only `transfer: SwapClusters` looks at {}, as in vt; `work_model` says what work is",
                coefficients.iter().map(|(key, _)| *key).collect::<Vec<_>>().join(", ")
            ));
        }
        Ok(outcome)
    }
}

impl TemperedLB {
    /// Gossip and transfers, with whatever the problem says that work is.
    pub(crate) fn spread(
        &self,
        problem: &Problem<'_>,
        context: &mut Context<'_>,
    ) -> Result<Outcome, StrategyError> {
        let (fanout, rounds) = self.reach(problem.phase.n_ranks())?;
        self.check(rounds)?;
        Ok(gossip::run(&self.gossip(fanout, rounds), problem, context)?)
    }

    /// The work model that the arguments describe, in vt's reading of gamma and of memory, if clusters are swapped
    /// and any of its coefficients is given. A strategy is told what work is: it is for the caller to pose the
    /// problem with this.
    ///
    /// # Errors
    /// If a coefficient makes no sense, with its key.
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
                self.refused(key, format!("it must be a number that is not negative, not {value}"))
            }
            ModelError::BadParameter { value, .. } => {
                self.refused("memory_threshold", format!("it must be a number of bytes, not {value}"))
            }
            error => self.refused("epsilon", error.to_string()),
        };
        Ccm::new(parameters.clone()).map_err(wrong)?;
        Ok(Some(parameters))
    }

    /// The keys given that say what work is, with their values.
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

    /// Fanout and rounds among so many ranks.
    fn reach(&self, n_ranks: usize) -> Result<(u32, u32), StrategyError> {
        let given = |key: &str, value: Option<u32>| {
            value.ok_or_else(|| self.refused(key, "`knowledge: UserDefined` needs it".to_owned()))
        };
        let (p, others) = (n_ranks.max(2) as f64, n_ranks.saturating_sub(1) as u32);
        let root = |rounds: u32| p.powf(1.0 / f64::from(rounds.max(1)));
        // The root of a power, where rounding must not add one.
        #[expect(clippy::cast_sign_loss, reason = "from 1 on")]
        let up = |value: f64| (value - 1e-9).ceil().max(1.0) as u32;
        match self.knowledge {
            Knowledge::UserDefined => Ok((given("fanout", self.fanout)?, given("rounds", self.rounds)?)),
            Knowledge::Complete => Ok((others, 1)),
            // Beyond all others a fanout says nothing, and nobody asked for it.
            Knowledge::Log => Ok(match (self.fanout, self.rounds) {
                (Some(fanout), Some(rounds)) => (fanout, rounds),
                (Some(fanout), None) => (fanout, up(p.ln() / f64::from(fanout.max(2)).ln())),
                (None, Some(rounds)) => (up(root(rounds)).min(others), rounds),
                (None, None) => {
                    let rounds = up(p.log2().sqrt().round());
                    (up(root(rounds)).min(others), rounds)
                }
            }),
        }
    }

    fn check(&self, rounds: u32) -> Result<(), StrategyError> {
        /// Numbers of rounds and iterations are parts of the names of random streams.
        const MOST_ROUNDS: u32 = 1000;
        const MOST_ITERATIONS: u64 = 1_000_000;
        if self.fanout == Some(0) {
            return Err(self.refused("fanout", "0 means that nobody tells anybody anything".to_owned()));
        }
        if rounds == 0 || rounds > MOST_ROUNDS {
            return Err(self.refused("rounds", format!("it must be from 1 to {MOST_ROUNDS}, not {rounds}")));
        }
        if let Some(weight) = self.migration_weight
            && !(weight >= 0.0 && weight.is_finite())
        {
            let message = format!("it must be finite and not negative, not {weight}");
            return Err(self.refused("migration_weight", message));
        }
        for (key, value) in [("iters", self.iters), ("trials", self.trials)] {
            if value == 0 {
                return Err(self.refused(key, "0 means that nothing is tried".to_owned()));
            }
        }
        if u64::from(self.iters) * u64::from(self.trials) > MOST_ITERATIONS {
            let message = format!("with `trials` they are too many, at most {MOST_ITERATIONS} make sense");
            return Err(self.refused("iters", message));
        }
        Ok(())
    }

    fn refused(&self, key: &str, message: String) -> StrategyError {
        StrategyError::Parameter { strategy: self.name(), key: key.to_owned(), message }
    }

    fn gossip(&self, fanout: u32, rounds: u32) -> Gossip {
        Gossip {
            n_iterations: self.iters,
            n_trials: self.trials,
            information: Information {
                n_rounds: rounds,
                fanout: fanout as usize,
                max_knowledge: None,
                manner: Manner::Underloaded {
                    at_once: self.inform == Inform::AsyncInform,
                    // Those above the target, too, have clusters that others may want.
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
            // Where clusters are swapped vt takes the last iteration: exchanges that gain something make it the most
            // even as well.
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
