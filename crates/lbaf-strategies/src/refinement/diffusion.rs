// SPDX-License-Identifier: MIT OR Apache-2.0
//! Load that flows between neighbouring ranks until all have the same.

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

/// Each rank compares itself with its neighbours, and work flows along the differences, step by step, until it is even;
/// then objects are chosen that carry what has flowed. Neighbours are ranks whose objects communicate.
///
/// **When to use it.** Where objects should stay near their partners, and ranks should ask nobody but their neighbours.
/// It moves few objects, over short ways. Flows between far ranks need many iterations, and objects that are larger than
/// what should flow cannot carry it: `LocalSearch` comes closer to the optimum.
///
/// **Bounds.** Ranks over a bound first hand out what they have, as Greedy does, until they are within it. After that no
/// transfer brings a rank or node further over a bound, and none gives the receiver more work than the giver had: the
/// maximum work never rises.
///
/// **Cost.** For each iteration O(sweeps x neighbours + n log n + edges), where neighbours are pairs of ranks.
///
/// **Reference.** First order: G. Cybenko, Dynamic load balancing for distributed memory multiprocessors, J. Parallel
/// Distrib. Comput. 7 (1989), doi:10.1016/0743-7315(89)90021-X. Second order: S. Muthukrishnan, B. Ghosh,
/// M. Schultz, First- and second-order diffusive methods for rapid, coarse, distributed load balancing, Theory Comput.
/// Syst. 31 (1998), doi:10.1007/s002240000092.
///
/// **Other implementations.** LBAF and vt have none. Charm++'s `DiffusionLB` takes neighbours from communication too,
/// and realises its flows by objects that talk to the receiver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Diffusion {
    /// What flows in a step: a part of the difference (`first`), or also of what flowed in the step before, which takes
    /// fewer steps (second).
    pub order: DiffusionOrder,
    /// How much of the step before counts with `second`: from 1, nothing, to below 2 (1.6).
    pub beta: f64,
    /// Who is whose neighbour beside ranks that communicate, if those alone are not connected (hypercube).
    pub topology: Topology,
    /// Steps of flow before objects are chosen, at most (64).
    pub sweeps: usize,
    /// Times that objects are chosen and moved, at most (20).
    pub n_iterations: usize,
}

/// Order of the scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffusionOrder {
    /// Cybenko's.
    First,
    /// That of Muthukrishnan, Ghosh and Schultz.
    #[default]
    Second,
}

/// Neighbours by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    /// The next rank and the one before.
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

    fn draws(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        if !(1.0..2.0).contains(&self.beta) {
            let (key, message) = ("beta".to_owned(), "must be a number from 1 to below 2".to_owned());
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
            // Each sweep both neighbours tell each other what they have.
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
