// SPDX-License-Identifier: MIT OR Apache-2.0
//! `TemperedWMin`: `TemperedLB` on the work of each object, including its communication.

use lbaf_model::{Affine, AffineParameters, Assignment, Phase, RankQuantity, Statistics, UpperBound, Vertex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::gossip::tempered::TemperedTransfer;
use crate::parameters::parameters;
use crate::{Context, IterationStats, Observer, Outcome, Problem, Strategy, StrategyError, TemperedLB};

/// [`TemperedLB`] on per-object work: `alpha x load + beta x max(received, sent) + gamma`, with the off-rank
/// volumes of the recorded placement. The work of an object stays constant while it moves, and the strategy
/// balances only these works. As for every strategy, results are reported with the work model of the run.
///
/// **When to use it.** To study vt's balancer of this name. Unlike strategies that evaluate the work model, it does
/// not take into account that volumes become on-rank when objects move. It refuses bounds on loads if works differ
/// from loads, because it does not balance loads.
///
/// **Cost.** As [`TemperedLB`], plus O(objects + edges) once.
///
/// **Reference.** J. Lifflander et al., Optimizing distributed load balancing for workloads with time-varying
/// imbalance, CLUSTER 2021, doi:10.1109/Cluster48925.2021.00039.
///
/// **Other implementations.** vt's `TemperedWMin`, with the same parameters and defaults as `TemperedLB`. When vt
/// replays recorded data, `beta` has no effect; here it has an effect.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TemperedWMin(pub TemperedLB);

impl Strategy for TemperedWMin {
    fn name(&self) -> &'static str {
        "TemperedWMin"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn additions(&self) -> Vec<String> {
        self.0.additions()
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn uses_random_numbers(&self) -> bool {
        true
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let TemperedWMin(tempered) = self;
        if tempered.transfer == TemperedTransfer::SwapClusters {
            let message =
                "`SwapClusters` is not available, because works of objects are balanced; use `TemperedLB`";
            return Err(StrategyError::Parameter {
                strategy: self.name(),
                key: "transfer".to_owned(),
                message: message.to_owned(),
            });
        }
        let named = |error| match error {
            StrategyError::Parameter { key, message, .. } => {
                StrategyError::Parameter { strategy: self.name(), key, message }
            }
            error => error,
        };
        let weighted = self.weighted(problem.phase)?;
        let bounds_load = |bound: &&UpperBound| {
            matches!(
                bound.quantity,
                RankQuantity::Load | RankQuantity::MigratableLoad | RankQuantity::SentinelLoad
            )
        };
        if let (Some(_), Some(bound)) = (&weighted, problem.model.bounds().iter().find(bounds_load)) {
            let message = format!(
                "cannot keep the bound on {}, because works of objects are balanced instead of loads; use \
                 `TemperedLB`",
                bound.quantity
            );
            return Err(StrategyError::Parameters { strategy: self.name(), message });
        }
        let phase = weighted.as_ref().unwrap_or(problem.phase);
        let bounds = problem.model.bounds().to_vec();
        let model = Affine::new(AffineParameters { bounds, ..AffineParameters::default() })
            .expect("invariant: bounds come from a valid model");
        let (streams, cancel) = (context.streams(), context.cancel().clone());
        let mut translated = Translated { problem: *problem, outer: context, iterations: Vec::new() };
        let mut own = Context::with_streams(streams, &mut translated).with_cancel(&cancel);
        let by_object = Problem { phase, model: &model, ..*problem };
        let mut outcome = tempered.spread(&by_object, &mut own).map_err(named)?;
        outcome.iterations = translated.iterations;
        let of_clusters = |key: &&str| ["memory_threshold", "delta", "epsilon"].contains(key);
        let unused = tempered.coefficients().into_iter().map(|(key, _)| key);
        let unused: Vec<&str> = unused.filter(of_clusters).collect();
        if !unused.is_empty() {
            outcome.notes.push(format!("TemperedWMin ignores {}", unused.join(", ")));
        }
        Ok(outcome)
    }
}

impl TemperedWMin {
    /// Returns the phase with works as loads, or `None` if works equal loads.
    fn weighted(&self, phase: &Phase) -> Result<Option<Phase>, StrategyError> {
        let TemperedWMin(tempered) = self;
        let coefficient = |key: &str, given: Option<f64>, default: f64| {
            let value = given.unwrap_or(default);
            let wrong = !(value >= 0.0 && value.is_finite());
            let message = format!("expected a finite number of at least 0, found {value}");
            let error = StrategyError::Parameter { strategy: self.name(), key: key.to_owned(), message };
            if wrong { Err(error) } else { Ok(value) }
        };
        let alpha = coefficient("alpha", tempered.alpha, 1.0)?;
        let beta = coefficient("beta", tempered.beta, 0.0)?;
        let gamma = coefficient("gamma", tempered.gamma, 0.0)?;
        if (alpha, beta, gamma) == (1.0, 0.0, 0.0) {
            return Ok(None);
        }
        let recorded = phase.recorded_assignment();
        let graph = phase.communication();
        let mut columns = phase.columns().clone();
        for slot in phase.slots() {
            let rank = recorded.rank_of(slot);
            let crosses = |vertex: Vertex| match vertex {
                Vertex::Object(other) => recorded.rank_of(other) != rank,
                Vertex::Rank(other) => other != rank,
            };
            let sent: f64 =
                graph.outgoing(slot).filter(|&(to, _)| crosses(to)).map(|(_, volume)| volume.bytes).sum();
            let received: f64 =
                graph.incoming(slot).filter(|&(from, _)| crosses(from)).map(|(_, volume)| volume.bytes).sum();
            columns.load[slot.index()] = alpha * phase.load(slot) + beta * sent.max(received) + gamma;
        }
        let works = Statistics::of(columns.load.iter().copied());
        Phase::new(phase.id(), columns).map(Some).map_err(|_| StrategyError::Parameters {
            strategy: self.name(),
            message: format!("works of objects are too large; the largest is {}", works.max),
        })
    }
}

/// Observer that recomputes imbalance, maximum work and excess of each iteration with the work model of the run.
struct Translated<'a, 'c, 'o> {
    problem: Problem<'a>,
    outer: &'c mut Context<'o>,
    iterations: Vec<IterationStats>,
}

impl Observer for Translated<'_, '_, '_> {
    fn iteration(&mut self, stats: &IterationStats, assignment: &Assignment) {
        let IterationStats { load_imbalance, max_work, largest_excess, .. } =
            IterationStats::of(&self.problem, assignment);
        let stats = IterationStats { load_imbalance, max_work, largest_excess, ..*stats };
        self.outer.iteration(&stats, assignment);
        self.iterations.push(stats);
    }
}
