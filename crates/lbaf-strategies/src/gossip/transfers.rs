// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfer stage: ranks act one after the other or concurrently.

use std::cmp::Reverse;

use lbaf_model::{Belief, RankId, Slot, Totals, View, Work};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::information::Knowledge;
use super::original::{self, Destinations};
use super::peer_columns::PeerColumns;
use super::turn::{Deeds, Made, Scene, Turn};
use super::{Concurrency, Stage, Transfers, TurnOrder, swap_clusters};
use crate::primitives::works::{Works, keeps_bounds};

/// Runs the transfer stage of an iteration, and returns statistics of all turns. The caller must
/// [renew](Totals::renew) `totals` and compute `works` again.
pub(super) fn transfer(
    scene: Scene<'_>,
    totals: &mut Totals<'_>,
    works: &mut [Work],
    knowledge: &Knowledge,
    stage: Stage,
) -> Deeds {
    let mut order: Vec<RankId> = scene.problem.phase.rank_ids().collect();
    let parameters = scene.parameters;
    match parameters.turns {
        TurnOrder::ByNumber => {}
        TurnOrder::Random => order.shuffle(&mut stage.order()),
        TurnOrder::MostWorkFirst => order.sort_by_key(|rank| Reverse(works[rank.index()])),
    }
    if parameters.transfer == Transfers::SwapClusters {
        return swap_clusters::transfer(scene, totals, works, knowledge, &order);
    }
    let passes: &[Pass] = match parameters.transfer {
        Transfers::Recursive => &[Pass::Recursive],
        Transfers::Original => &[Pass::Original],
        Transfers::Clustering if parameters.separate_subclustering => {
            &[Pass::SwapClusters, Pass::GiveSubcluster]
        }
        Transfers::Clustering => &[Pass::Clustering],
        Transfers::SwapClusters => &[],
    };
    let mut all = Deeds::default();
    for &pass in passes {
        // As in LBAF: without deterministic transfers, parts are given away only if no cluster was swapped.
        if pass == Pass::GiveSubcluster && all.n_transfers > 0 && !parameters.deterministic_transfer {
            break;
        }
        let reads_totals = passes.len() > 1 || !scene.problem.model.bounds().is_empty();
        let turns = Turns { scene, pass, knowledge, stage, reads_totals };
        match parameters.concurrency {
            Concurrency::Live => turns.live(&order, totals, works, &mut all),
            Concurrency::Snapshot => turns.snapshot(&order, totals, works, &mut all),
        }
    }
    all
}

/// Actions of a rank in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    Recursive,
    Original,
    Clustering,
    SwapClusters,
    GiveSubcluster,
}

/// Turns of all ranks in a pass.
struct Turns<'a> {
    scene: Scene<'a>,
    pass: Pass,
    knowledge: &'a Knowledge,
    stage: Stage,
    /// True if concurrent ranks need the totals and works after earlier transfers: for bounds, or in the next pass.
    reads_totals: bool,
}

impl Turns<'_> {
    /// Runs one rank after the other, each on the placement that the ranks before it left.
    fn live(&self, order: &[RankId], totals: &mut Totals<'_>, works: &mut [Work], all: &mut Deeds) {
        for &rank in order {
            if self.scene.cancel.is_cancelled() {
                return;
            }
            let deeds = self.turn(rank, totals, Works::Live(works));
            all.n_transfers += deeds.n_transfers;
            all.n_rejections += deeds.n_rejections;
            all.n_unseen = all.n_unseen.saturating_add(deeds.n_unseen);
        }
    }

    /// Runs all ranks concurrently on the placement at the start of the pass. Then carries out the transfers that still
    /// [hold](Self::holds), rank by rank in the given order.
    fn snapshot(&self, order: &[RankId], totals: &mut Totals<'_>, works: &mut [Work], all: &mut Deeds) {
        let (before, works_before) = (&*totals, &*works);
        let decide = |&rank: &RankId| {
            let works = Works::Believed(works_before, FxHashMap::default());
            self.turn(rank, &mut Belief::new(before), works)
        };
        let decided: Vec<Deeds> = order.par_iter().map(decide).collect();
        for deeds in decided {
            if self.scene.cancel.is_cancelled() {
                return;
            }
            all.n_rejections += deeds.n_rejections;
            all.n_unseen = all.n_unseen.saturating_add(deeds.n_unseen);
            for made in &deeds.transfers {
                if self.holds(made, totals, works) {
                    if self.reads_totals {
                        totals.apply(&made.transfer());
                        Works::Live(works).update(totals, self.scene.problem.model, [made.from, made.to]);
                    } else {
                        totals.place(&made.transfer());
                    }
                    all.n_transfers += made.objects.len() + made.returned.len();
                } else {
                    all.n_rejections += 1;
                }
            }
        }
    }

    /// True if a transfer can still be made: its objects have not moved, and it keeps bounds (see [`keeps_bounds`]) in
    /// the current placement.
    fn holds(&self, made: &Made, totals: &Totals<'_>, works: &[Work]) -> bool {
        let are_on = |objects: &[Slot], rank| objects.iter().all(|&slot| totals.rank_of(slot) == rank);
        if !are_on(&made.objects, made.from) || !are_on(&made.returned, made.to) {
            return false;
        }
        let model = self.scene.problem.model;
        model.bounds().is_empty() || {
            let before = (works[made.from.index()], works[made.to.index()]);
            keeps_bounds(before, totals.works_after(model, &made.transfer()))
        }
    }

    fn turn<V: View>(&self, rank: RankId, view: &mut V, works: Works<'_>) -> Deeds {
        let is_idle =
            self.pass == Pass::Original && !original::is_above(works.of(rank), self.scene.target.work);
        if is_idle || self.scene.cancel.is_cancelled() {
            return Deeds::default();
        }
        let known = self.knowledge.of(rank);
        let random = self.stage.turn(rank, u32::from(self.pass == Pass::GiveSubcluster));
        let draws =
            self.pass == Pass::Original && self.scene.parameters.destinations == Destinations::NormByMax;
        let peers = if draws { Vec::new() } else { self.knowledge.peers(rank) };
        let scene = self.scene;
        let (columns, values, deeds) = (None, Vec::new(), Deeds::default());
        let mut turn = Turn { scene, view, works, rank, known, peers, columns, values, random, deeds };
        if self.pass != Pass::Original {
            turn.columns = PeerColumns::of(&*turn.view, &turn.works, &turn.peers, scene.problem.model);
        }
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
