// SPDX-License-Identifier: MIT OR Apache-2.0
//! Iterations of gossip and transfers, and choice of the best.

use lbaf_model::{Assignment, RankTotals, Statistics, Totals, Work, works};

use super::distribution::Distribution;
use super::information::Knowledge;
use super::transfers::transfer;
use super::turn::{Scene, Target};
use super::{Gossip, Stage, Ties, Transfers};
use crate::primitives::migration_reduction::homing::homeward;
use crate::primitives::works::bounds_nodes;
use crate::{Cancelled, Context, IterationStats, Locks, Outcome, Problem, Protocol};

/// Quality of a placement; smaller is better: the largest excess over bounds, then the maximum cost, then the sum of
/// squared costs (0 with [`Ties::First`]).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Quality(f64, f64, f64);

impl Quality {
    fn of(works: &[Work], ties: Ties) -> Self {
        let excess = works.iter().map(|work| work.excess()).fold(0.0, f64::max);
        let cost = works.iter().map(|work| work.cost()).fold(0.0, f64::max);
        let unevenness = match ties {
            Ties::First => 0.0,
            Ties::MostEven => works.iter().map(|work| work.cost() * work.cost()).sum(),
        };
        Quality(excess, cost, unevenness)
    }
}

/// Runs the trials of a gossip strategy, and the migration reduction if it is enabled.
///
/// # Errors
/// If the run was cancelled.
pub(crate) fn run(
    parameters: &Gossip,
    problem: &Problem<'_>,
    context: &mut Context<'_>,
) -> Result<Outcome, Cancelled> {
    let Problem { phase, initial, model, .. } = *problem;
    let totals = Totals::new(phase, initial.clone());
    let start = Quality::of(&works(model, phase, totals.ranks()), parameters.ties);
    let mut best = Best::start(start, initial);
    let mut iterations = Vec::new();
    let mut notes = notes(parameters, problem);
    let mut n_unseen = 0_u64;
    for (trial, totals) in (0..).zip(std::iter::repeat_n(totals, parameters.n_trials as usize)) {
        let trial = Trial { parameters, problem: *problem, start, n_before: trial * parameters.n_iterations };
        let n_made = iterations.len();
        let found = trial.run(totals, context, &mut iterations, &mut n_unseen)?;
        // Without rollback, the result of a trial is its last iteration. The best of these results is kept.
        if best.iteration == 0 || found.quality < best.quality {
            best = found;
        }
        // A trial that ended early reached `target_imbalance`.
        if n_made + parameters.n_iterations as usize > iterations.len() {
            break;
        }
    }
    if n_unseen > 0 {
        notes.push(format!(
            "{n_unseen} parts of clusters were not considered, because a cluster has too many parts; reduce \
             the number of parts with `max_objects_per_transfer` or `deterministic_transfer: false`"
        ));
    }
    if parameters.homeward {
        let last = iterations.last().map_or(0, |stats: &IterationStats| stats.iteration);
        let home = homeward(problem, best.assignment.clone(), parameters.rules(), context.cancel());
        context.check()?;
        notes.extend(home.note(phase.id()));
        let n_transfers = home.assignment.migrations_from(&best.assignment).count();
        // If neither an iteration nor the reduction improves the start, no iteration is added.
        if best.iteration > 0 || n_transfers > 0 {
            best.assignment = home.assignment;
            let stats = IterationStats {
                iteration: last + 1,
                n_transfers,
                ..IterationStats::of(problem, &best.assignment)
            };
            context.iteration(&stats, &best.assignment);
            iterations.push(stats);
            best.iteration = iterations.len();
        }
    }
    Ok(Outcome {
        protocol: Protocol::Peers,
        iterations,
        best_iteration: best.iteration,
        notes,
        ..Outcome::at_once(best.assignment)
    })
}

/// Best placement so far.
struct Best {
    quality: Quality,
    /// Position among the iterations of all trials, from 1; 0 is the start.
    iteration: usize,
    assignment: Assignment,
}

impl Best {
    fn start(quality: Quality, initial: &Assignment) -> Self {
        Best { quality, iteration: 0, assignment: initial.clone() }
    }

    /// True if the placement `found` of the given quality is better. With [`Ties::First`], also true if `self` is the
    /// start and `found` is a different placement of equal quality.
    fn yields_to(&self, quality: Quality, found: &Assignment, ties: Ties) -> bool {
        let is_start = self.iteration == 0;
        let equals_start = || is_start && quality == self.quality && *found != self.assignment;
        quality < self.quality || (ties == Ties::First && equals_start())
    }
}

/// Trial: a sequence of iterations from the start.
struct Trial<'a> {
    parameters: &'a Gossip,
    problem: Problem<'a>,
    start: Quality,
    /// Number of iterations of all previous trials.
    n_before: u32,
}

impl Trial<'_> {
    /// Runs the trial from the start, which has the given totals. Appends statistics to `iterations` and adds the
    /// number of parts of clusters that were not considered to `n_unseen`. Returns the best iteration (without
    /// rollback, the last), or the start if the start is better.
    fn run(
        &self,
        mut totals: Totals<'_>,
        context: &mut Context<'_>,
        iterations: &mut Vec<IterationStats>,
        n_unseen: &mut u64,
    ) -> Result<Best, Cancelled> {
        let Trial { parameters, problem, start, n_before } = *self;
        let Problem { phase, initial, model, .. } = problem;
        let mut now = works(model, phase, totals.ranks());
        let mut best = Best::start(start, initial);
        let cancel = context.cancel().clone();
        for iteration in 1..=parameters.n_iterations {
            cancel.check()?;
            let stage = Stage {
                streams: context.streams(),
                iteration: n_before + iteration,
                n_ranks: phase.n_ranks(),
            };
            let heard: Vec<f64> = now.iter().map(|work| work.cost()).collect();
            let target = self.target(&heard, totals.ranks());
            let below: Vec<bool> =
                now.iter().map(|work| work.cost() < target.work && !work.is_over_bound()).collect();
            let knowledge = Knowledge::spread(&parameters.information, &below, stage, &cancel);
            cancel.check()?;
            let destinations = Distribution::new(phase.rank_ids().zip(heard.iter().copied()), target.work);
            let scene = Scene {
                parameters,
                problem,
                heard: &heard,
                destinations: &destinations,
                target,
                bounds_nodes: bounds_nodes(model),
                cancel: &cancel,
            };
            let deeds = transfer(scene, &mut totals, &mut now, &knowledge, stage);
            cancel.check()?;
            *n_unseen = n_unseen.saturating_add(deeds.n_unseen);
            // Recomputed, because updates with every transfer accumulate rounding errors, and reported values must be
            // exact.
            totals.renew();
            now = works(model, phase, totals.ranks());
            let quality = Quality::of(&now, parameters.ties);
            let stats = IterationStats {
                iteration: (n_before + iteration) as usize,
                load_imbalance: Statistics::of(totals.ranks().iter().map(|rank| rank.load)).imbalance(),
                max_work: quality.1,
                largest_excess: quality.0,
                n_transfers: deeds.n_transfers,
                n_rejections: deeds.n_rejections,
                n_messages: n_messages(knowledge.n_messages, deeds.locks),
                locks: deeds.locks,
                knowledge: Some(knowledge.ratio()),
            };
            context.iteration(&stats, totals.assignment());
            iterations.push(stats);
            if !parameters.rollback || best.yields_to(quality, totals.assignment(), parameters.ties) {
                best = Best { quality, iteration: iterations.len(), assignment: totals.assignment().clone() };
            }
            let imbalance = Statistics::of(now.iter().map(|work| work.cost())).imbalance();
            if quality.0 == 0.0 && imbalance <= parameters.target_imbalance {
                break;
            }
        }
        if (start.0, start.1) < (best.quality.0, best.quality.1) {
            return Ok(Best::start(start, initial));
        }
        Ok(best)
    }

    /// Returns the target of an iteration, given works and totals at its start.
    fn target(&self, works: &[f64], totals: &[RankTotals]) -> Target {
        let Problem { phase, model, .. } = self.problem;
        let loads = Statistics::of(totals.iter().map(|rank| rank.load));
        let mut work = Statistics::of(works.iter().copied()).mean();
        let mut load = loads.mean();
        if self.parameters.target_pole {
            let largest = phase.slots().map(|slot| phase.load(slot)).fold(0.0, f64::max);
            let floor = model.load_floor();
            let alpha = phase.ranks().iter().map(|rank| rank.alpha).fold(f64::INFINITY, f64::min);
            work = work.max(floor.slope * alpha * largest + floor.constant);
            load = load.max(largest);
        }
        Target { work, load, mean_load: loads.mean(), max_load: loads.max }
    }
}

fn notes(parameters: &Gossip, problem: &Problem<'_>) -> Vec<String> {
    let phase = problem.phase;
    let n_others = phase.n_ranks().saturating_sub(1);
    let mut notes = Vec::new();
    let fanout = parameters.information.fanout;
    if n_others > 0 && fanout > n_others {
        notes.push(format!(
            "`fanout` {fanout} exceeds the number of other ranks ({n_others}), so each rank sends to every other rank"
        ));
    }
    if !parameters.homeward && parameters.migration_weight.is_some() {
        notes.push("`migration_weight` has no effect without `homeward`".to_owned());
    }
    let in_cluster = |slot| phase.is_migratable(slot) && phase.memory(slot).block.is_some();
    if parameters.moves_clusters() && phase.n_objects() > 0 && !phase.slots().any(in_cluster) {
        let (swap, other) = match parameters.transfer {
            Transfers::SwapClusters => ("transfer: SwapClusters", "transfer: Original"),
            _ => ("transfer_strategy: Clustering", "transfer_strategy: Recursive"),
        };
        notes.push(format!(
            "no migratable object has a memory block, so `{swap}` moves nothing; use `{other}` instead"
        ));
    }
    notes
}

/// Returns the number of messages of gossip and locks, or the largest `u64` on overflow.
fn n_messages(of_knowledge: u64, locks: Option<Locks>) -> u64 {
    of_knowledge.saturating_add(locks.map_or(0, Locks::n_messages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_messages_does_not_overflow() {
        let locks = |n_requests| Some(Locks { n_rounds: 1, n_requests, n_conflicts: 1, n_retries: 0 });
        // Of 3 requests, 1 is refused (2 messages) and 2 are granted (3 messages each).
        assert_eq!(n_messages(7, locks(3)), 7 + 2 + 3 * 2);
        assert_eq!(n_messages(u64::MAX, locks(3)), u64::MAX);
        assert_eq!(n_messages(7, locks(u64::MAX)), u64::MAX);
        assert_eq!(n_messages(7, None), 7);
    }
}
