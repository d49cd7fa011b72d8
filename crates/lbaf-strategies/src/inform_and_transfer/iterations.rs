// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gossip and transfers, again and again, and the best that came of it.

use lbaf_model::{Assignment, Belief, BoundScope, RankId, Slot, Statistics, Totals, View, Work, works};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::information::Knowledge;
use super::original::{self, Distribution};
use super::turn::{Deeds, Scene, Turn};
use super::works::Works;
use super::{Concurrency, InformAndTransfer, Stage, TransferStrategy};
use crate::{Context, IterationStats, Outcome, Problem};

/// How good a placement is: the largest excess over bounds, then the largest cost, then how uneven costs are.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Quality(f64, f64, f64);

impl Quality {
    fn of(works: &[Work]) -> Self {
        let excess = works.iter().map(|work| work.excess()).fold(0.0, f64::max);
        let cost = works.iter().map(|work| work.cost()).fold(0.0, f64::max);
        Quality(excess, cost, works.iter().map(|work| work.cost() * work.cost()).sum())
    }
}

pub(super) fn run(
    parameters: &InformAndTransfer,
    problem: &Problem<'_>,
    context: &mut Context<'_>,
) -> Outcome {
    let Problem { phase, initial, model, .. } = *problem;
    let n_ranks = phase.n_ranks();
    let mut totals = Totals::new(phase, initial.clone());
    let mut now = works(model, phase, totals.ranks());
    let mut best: (Quality, usize, Assignment) = (Quality::of(&now), 0, initial.clone());
    let mut iterations = Vec::new();
    let mut notes = notes(parameters, problem);
    let mut n_unseen = 0_u64;
    for iteration in 1..=parameters.n_iterations {
        let stage = Stage { streams: context.streams(), iteration, n_ranks };
        let knowledge = Knowledge::spread(parameters, n_ranks, stage);
        let heard: Vec<f64> = now.iter().map(|work| work.cost()).collect();
        let loads = Statistics::of(totals.ranks().iter().map(|rank| rank.load));
        let mean_work = Statistics::of(heard.iter().copied()).mean();
        let destinations = Distribution::new(phase.rank_ids().zip(heard.iter().copied()), mean_work);
        let scene = Scene {
            parameters,
            problem: *problem,
            heard: &heard,
            destinations: &destinations,
            mean_work,
            mean_load: loads.mean(),
            max_load: loads.max,
            bounds_nodes: model.bounds().iter().any(|bound| bound.scope == BoundScope::Node),
        };
        let deeds = transfer(scene, &mut totals, &mut now, &knowledge, stage);
        n_unseen = n_unseen.saturating_add(deeds.n_unseen);
        // Sums that followed every transfer have drifted, and what is reported must not.
        totals.renew();
        now = works(model, phase, totals.ranks());
        let quality = Quality::of(&now);
        let stats = IterationStats {
            iteration: iteration as usize,
            load_imbalance: Statistics::of(totals.ranks().iter().map(|rank| rank.load)).imbalance(),
            max_work: quality.1,
            largest_excess: quality.0,
            n_transfers: deeds.n_transfers,
            n_rejections: deeds.n_rejections,
            n_messages: knowledge.n_messages,
            knowledge: Some(knowledge.ratio()),
        };
        context.iteration(&stats, totals.assignment());
        iterations.push(stats);
        if quality < best.0 {
            best = (quality, iteration as usize, totals.assignment().clone());
        }
        let imbalance = Statistics::of(now.iter().map(|work| work.cost())).imbalance();
        if quality.0 == 0.0 && imbalance <= parameters.target_imbalance {
            break;
        }
    }
    if n_unseen > 0 {
        notes.push(format!(
            "{n_unseen} parts of clusters were not looked at: a cluster has too many; `max_objects_per_transfer` and \
             `deterministic_transfer: false` look at fewer"
        ));
    }
    let (_, best_iteration, assignment) = best;
    Outcome { assignment, iterations, best_iteration, proven_bound: None, notes }
}

fn notes(parameters: &InformAndTransfer, problem: &Problem<'_>) -> Vec<String> {
    let phase = problem.phase;
    let n_others = phase.n_ranks().saturating_sub(1);
    let mut notes = Vec::new();
    if n_others > 0 && parameters.fanout as usize > n_others {
        notes.push(format!(
            "`fanout` {} is more than there are other ranks, a rank tells all {n_others}",
            parameters.fanout
        ));
    }
    let clusters = parameters.transfer_strategy == TransferStrategy::Clustering;
    let in_cluster = |slot| phase.is_migratable(slot) && phase.memory(slot).block.is_some();
    if clusters && phase.n_objects() > 0 && !phase.slots().any(in_cluster) {
        notes.push(
            "no migratable object works on a memory block: `transfer_strategy: Clustering` has nothing to move, \
             Recursive has"
                .to_owned(),
        );
    }
    notes
}

/// The transfer stage of an iteration.
fn transfer(
    scene: Scene<'_>,
    totals: &mut Totals<'_>,
    works: &mut [Work],
    knowledge: &Knowledge,
    stage: Stage,
) -> Deeds {
    let mut order: Vec<RankId> = scene.problem.phase.rank_ids().collect();
    let parameters = scene.parameters;
    if !parameters.deterministic_transfer && parameters.transfer_strategy != TransferStrategy::Original {
        order.shuffle(&mut stage.order());
    }
    let passes: &[Pass] = match parameters.transfer_strategy {
        TransferStrategy::Recursive => &[Pass::Recursive],
        TransferStrategy::Original => &[Pass::Original],
        TransferStrategy::Clustering if parameters.separate_subclustering => {
            &[Pass::SwapClusters, Pass::GiveSubcluster]
        }
        TransferStrategy::Clustering => &[Pass::Clustering],
    };
    let mut all = Deeds::default();
    for &pass in passes {
        // As in LBAF: whoever draws lots gives parts of clusters away only where no cluster was swapped.
        if pass == Pass::GiveSubcluster && all.n_transfers > 0 && !parameters.deterministic_transfer {
            break;
        }
        let turns = Turns { scene, pass, knowledge, stage };
        match parameters.concurrency {
            Concurrency::Live => turns.live(&order, totals, works, &mut all),
            Concurrency::Snapshot => turns.snapshot(&order, totals, works, &mut all),
        }
    }
    all
}

/// What a rank does in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    Recursive,
    Original,
    Clustering,
    SwapClusters,
    GiveSubcluster,
}

/// The turns of all ranks in a pass.
struct Turns<'a> {
    scene: Scene<'a>,
    pass: Pass,
    knowledge: &'a Knowledge,
    stage: Stage,
}

impl Turns<'_> {
    /// One rank after the other, each on what the others left.
    fn live(&self, order: &[RankId], totals: &mut Totals<'_>, works: &mut [Work], all: &mut Deeds) {
        for &rank in order {
            let deeds = self.turn(rank, totals, Works::Live(works));
            all.n_transfers += deeds.n_transfers;
            all.n_rejections += deeds.n_rejections;
            all.n_unseen = all.n_unseen.saturating_add(deeds.n_unseen);
        }
    }

    /// All ranks at once on what was when the pass began. Then transfers are made, rank by rank in the order given,
    /// but for those whose objects are no longer where they were.
    fn snapshot(&self, order: &[RankId], totals: &mut Totals<'_>, works: &mut [Work], all: &mut Deeds) {
        let (before, works_before) = (&*totals, &*works);
        let decide = |&rank: &RankId| {
            let works = Works::Believed(works_before, FxHashMap::default());
            self.turn(rank, &mut Belief::new(before), works)
        };
        let decided: Vec<Deeds> = order.par_iter().map(decide).collect();
        for deeds in decided {
            all.n_rejections += deeds.n_rejections;
            all.n_unseen = all.n_unseen.saturating_add(deeds.n_unseen);
            for made in &deeds.transfers {
                let are_on =
                    |objects: &[Slot], rank| objects.iter().all(|&slot| totals.rank_of(slot) == rank);
                if are_on(&made.objects, made.from) && are_on(&made.returned, made.to) {
                    totals.apply(&made.transfer());
                    Works::Live(works).update(totals, self.scene.problem.model, [made.from, made.to]);
                    all.n_transfers += made.objects.len() + made.returned.len();
                } else {
                    all.n_rejections += 1;
                }
            }
        }
    }

    fn turn<V: View>(&self, rank: RankId, view: &mut V, works: Works<'_>) -> Deeds {
        if self.pass == Pass::Original && !original::is_above(works.of(rank), self.scene.mean_work) {
            return Deeds::default();
        }
        let peers = self.knowledge.peers(rank);
        let random = self.stage.turn(rank, u32::from(self.pass == Pass::GiveSubcluster));
        let mut turn = Turn { scene: self.scene, view, works, rank, peers, random, deeds: Deeds::default() };
        match self.pass {
            Pass::Recursive => turn.recursive(),
            Pass::Original => turn.original(),
            Pass::Clustering => turn.clustering(),
            Pass::SwapClusters => drop(turn.swap_clusters()),
            Pass::GiveSubcluster => turn.give_subcluster(),
        }
        turn.deeds
    }
}
