// SPDX-License-Identifier: MIT OR Apache-2.0
//! Diffusion: load flows between neighbouring ranks until all have equal work.

use lbaf_model::{Totals, works};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::IterationStats;
use crate::parameters::parameters;
use crate::primitives::exchange_search::Search;
use crate::primitives::list_scheduling::relieved;
use crate::{Context, Outcome, Problem, Protocol, Strategy, StrategyError};

mod flows;
mod load_transfer;
mod neighbourhood;

use flows::flows;
use load_transfer::hand_over;
use neighbourhood::Neighbourhood;

/// Lets load flow between neighbouring ranks along differences in work, until work is even.
///
/// Neighbours are ranks whose objects communicate. After the flows are computed, objects are selected that carry
/// the flows.
///
/// **When to use it.** If objects should stay near their communication partners, and ranks should exchange
/// information only with their neighbours. Few objects move, over short distances. Flows between distant ranks need
/// many iterations, and large objects cannot carry small flows. `LocalSearch` comes closer to the optimum.
///
/// **Bounds.** Ranks over a bound first hand out objects like `Greedy` until they are within the bound. After that,
/// no transfer takes a rank or node further over a bound, and the maximum work never rises.
///
/// **Cost.** O(sweeps x pairs of neighbours + n log n + edges) for each iteration, with n objects.
///
/// **Reference.** First order: G. Cybenko, Dynamic load balancing for distributed memory multiprocessors, J.
/// Parallel Distrib. Comput. 7 (1989), doi:10.1016/0743-7315(89)90021-X. Second order: S. Muthukrishnan, B. Ghosh,
/// M. Schultz, First- and second-order diffusive methods for rapid, coarse, distributed load balancing, Theory
/// Comput. Syst. 31 (1998), doi:10.1007/s002240000092.
///
/// **Other implementations.** LBAF and vt have no such strategy. Charm++'s `DiffusionLB` also derives neighbours
/// from communication, and carries flows with objects that communicate with the receiver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Diffusion {
    /// Order of the diffusion scheme. With `first`, a step moves a fraction of the difference. With `second`,
    /// it also moves a multiple of the flow of the previous step, which takes fewer steps (second).
    pub order: DiffusionOrder,
    /// Weight of the previous step with `second`: from 1 (no weight) to below 2 (1.6).
    pub beta: f64,
    /// Additional neighbours, used if communication alone does not connect all ranks (hypercube).
    pub topology: Topology,
    /// Maximum number of diffusion steps before objects are selected (64).
    pub sweeps: usize,
    /// Maximum number of iterations; each selects and moves objects (20).
    pub n_iterations: usize,
}

/// Order of the diffusion scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffusionOrder {
    /// First order, by Cybenko.
    First,
    /// Second order, by Muthukrishnan, Ghosh and Schultz.
    #[default]
    Second,
}

/// Neighbours by rank number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    /// The next rank and the previous one.
    Ring,
    /// Ranks whose numbers differ in one bit.
    #[default]
    Hypercube,
}

impl Default for Diffusion {
    fn default() -> Self {
        Diffusion {
            order: DiffusionOrder::Second,
            beta: 1.6,
            topology: Topology::Hypercube,
            sweeps: 64,
            n_iterations: 20,
        }
    }
}

impl Strategy for Diffusion {
    fn name(&self) -> &'static str {
        "Diffusion"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        if !(1.0..2.0).contains(&self.beta) {
            let (key, message) = ("beta".to_owned(), "must be at least 1 and less than 2".to_owned());
            return Err(StrategyError::Parameter { strategy: self.name(), key, message });
        }
        let cancel = context.cancel().clone();
        let momentum = if self.order == DiffusionOrder::Second { self.beta } else { 1.0 };
        let neighbourhood = Neighbourhood::of(problem, self.topology);
        let totals = Totals::new(problem.phase, relieved(problem, problem.initial, &cancel));
        let works = works(problem.model, problem.phase, totals.ranks());
        let mut search = Search::new(problem, totals, works);
        let mut iterations = Vec::new();
        for iteration in 1..=self.n_iterations {
            cancel.check()?;
            let (flows, n_sweeps) = flows(&search, &neighbourhood, momentum, self.sweeps, &cancel);
            let before = search.n_exchanges();
            let n_rejections = hand_over(&mut search, &neighbourhood, &flows, &cancel);
            cancel.check()?;
            if search.n_exchanges() == before {
                break;
            }
            let mut stats = IterationStats::of(problem, search.placement());
            stats.iteration = iteration;
            stats.n_transfers = search.n_moved_since(before);
            stats.n_rejections = n_rejections;
            // In each sweep, the two ranks of a pair exchange their works.
            stats.n_messages = (2 * n_sweeps * neighbourhood.pairs().len()) as u64;
            context.iteration(&stats, search.placement());
            iterations.push(stats);
        }
        let notes = neighbourhood.note(self.topology).into_iter().collect();
        let best_iteration = iterations.len();
        let assignment = search.into_parts().0.into_assignment();
        Ok(Outcome {
            protocol: Protocol::Peers,
            iterations,
            best_iteration,
            notes,
            ..Outcome::at_once(assignment)
        })
    }
}
