// SPDX-License-Identifier: MIT OR Apache-2.0
//! `TemperedLB` on what each object costs by itself, communication included.

use lbaf_model::{Affine, AffineParameters, Assignment, Phase, RankQuantity, Statistics, UpperBound, Vertex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::gossip::tempered::TemperedTransfer;
use crate::parameters::parameters;
use crate::{Context, IterationStats, Observer, Outcome, Problem, Strategy, StrategyError, TemperedLB};

/// [`TemperedLB`] on per-object work: `alpha x load + beta x max(received, sent) + gamma`, of the volumes that cross
/// ranks as recorded. What an object costs does not change while it moves, and only that is balanced; what the
/// result is worth is said by the work model of the run, as for every strategy.
///
/// **When to use it.** To know what vt's balancer of this name would do. Strategies that see the work model itself
/// know which volumes stop crossing ranks, this one does not. It refuses bounds on loads, which it does not see.
///
/// **Cost.** That of [`TemperedLB`], and O(objects + edges) once.
///
/// **Reference.** J. Lifflander et al., Optimizing distributed load balancing for workloads with time-varying
/// imbalance, CLUSTER 2021, doi:10.1109/Cluster48925.2021.00039.
///
/// **Other implementations.** vt's, with the keys and defaults of its `TemperedLB`; when vt replays recorded data its
/// beta does nothing, here it does.
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

    fn draws(&self) -> bool {
        true
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let TemperedWMin(tempered) = self;
        if tempered.transfer == TemperedTransfer::SwapClusters {
            let message = "objects have works of their own here; `TemperedLB` swaps clusters".to_owned();
            return Err(StrategyError::Parameter {
                strategy: self.name(),
                key: "transfer".to_owned(),
                message,
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
                "works of objects are balanced, which say nothing of the bound on {}; `TemperedLB` keeps it",
                bound.quantity
            );
            return Err(StrategyError::Parameters { strategy: self.name(), message });
        }
        let phase = weighted.as_ref().unwrap_or(problem.phase);
        let bounds = problem.model.bounds().to_vec();
        let model = Affine::new(AffineParameters { bounds, ..AffineParameters::default() })
            .expect("invariant: bounds of a model that was checked");
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
            outcome.notes.push(format!("TemperedWMin does not look at {}", unused.join(", ")));
        }
        Ok(outcome)
    }
}

impl TemperedWMin {
    /// The phase with works in the place of loads; nothing where they are the loads.
    fn weighted(&self, phase: &Phase) -> Result<Option<Phase>, StrategyError> {
        let TemperedWMin(tempered) = self;
        let coefficient = |key: &str, given: Option<f64>, default: f64| {
            let value = given.unwrap_or(default);
            let wrong = !(value >= 0.0 && value.is_finite());
            let message = format!("it must be a number that is not negative, not {value}");
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
            message: format!("the works of objects are beyond all measure, the largest is {}", works.max),
        })
    }
}

/// Tells what the work model of the run says of iterations that balanced something else.
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
