// SPDX-License-Identifier: MIT OR Apache-2.0
//! CCM-LB: pairs of ranks exchange clusters under a lock.
//!
//! A rank above the target sorts the peers it has heard of by the gain of an exchange, estimated from the information
//! spread by gossip, and requests the lock of the best one. A peer that grants its lock sends its current clusters. The
//! two ranks make the best exchange of two clusters, one of which may be empty, and release the lock. Meanwhile, both
//! are locked for all others. Requests to locked ranks are refused and never wait, so deadlocks cannot occur.
//!
//! Concurrent ranks act in rounds. In each round, every rank above the target with a peer left to ask sends a request.
//! Of conflicting requests, the one with the largest estimated gain is granted. A refused rank asks its other peers
//! first, then repeats the refused request.
//!
//! J. Lifflander et al., A Communication- and Memory-Aware Model for Load Balancing Tasks, arXiv:2404.16793.

use lbaf_model::{RankId, Totals, View, Work};
use rayon::prelude::*;

use super::information::Knowledge;
use super::turn::{Deeds, Scene};
use super::{Concurrency, Gain};
use crate::Locks;
use crate::primitives::works::Works;

mod candidates;
mod charge;
mod clusters;
mod current;
mod exchange;
mod limits;
#[cfg(test)]
mod test_phases;

use candidates::{Answer, Candidates};
use clusters::Clusters;
use current::{Current, Known};
use exchange::Exchange;

/// Request of a rank for the lock of another rank.
#[derive(Clone, Copy, Debug)]
struct Asked {
    gain: Gain,
    by: RankId,
    of: RankId,
    /// True if the request was refused before.
    is_retry: bool,
}

/// Makes all exchanges of an iteration. `order` is the order in which ranks act with `concurrency: live`.
pub(super) fn transfer(
    scene: Scene<'_>,
    totals: &mut Totals<'_>,
    works: &mut [Work],
    knowledge: &Knowledge,
    order: &[RankId],
) -> Deeds {
    let clusters = Clusters::of_all(totals);
    let loads = clusters.par_iter().map(Clusters::loads).collect();
    let heard = Heard { clusters, loads, works: works.to_vec(), totals: totals.clone() };
    let mut deeds = Deeds::default();
    let mut asking: Vec<Candidates> = order
        .par_iter()
        .filter(|rank| super::original::is_above(works[rank.index()], scene.target.work))
        .map(|&rank| Candidates::new(rank, scene, &heard, knowledge))
        .collect();
    // Answers to the last requests, in the order of `asking`.
    let mut answers: Vec<Option<Answer>> = vec![None; asking.len()];
    let mut current = Current::new(heard.clusters.len());
    let mut locks = Locks::default();
    match scene.parameters.concurrency {
        Concurrency::Live => {
            for candidates in &mut asking {
                // A rank that acts alone is always granted the lock.
                while let Some(asked) = next_request(candidates, scene, &heard, works) {
                    locks.n_rounds += 1;
                    locks.n_requests += 1;
                    let mut known = current.take([asked.by, asked.of]);
                    let exchange = found(asked, &mut known, &heard, scene, totals, works);
                    current.keep([asked.by, asked.of], known);
                    candidates.answered(Answer::Granted { exchanged: exchange.is_some() });
                    carry_out(exchange, scene, totals, works, &mut current, &mut deeds);
                }
            }
        }
        Concurrency::Snapshot => loop {
            let next = |(candidates, answer): (&mut Candidates, &mut Option<Answer>)| {
                answer.take().into_iter().for_each(|answer| candidates.answered(answer));
                next_request(candidates, scene, &heard, works)
            };
            let requests: Vec<Option<Asked>> = asking.par_iter_mut().zip(&mut answers).map(next).collect();
            let requests: Vec<(usize, Asked)> =
                (0..).zip(&requests).filter_map(|(at, asked)| Some((at, (*asked)?))).collect();
            if requests.is_empty() {
                break;
            }
            let granted = grant(&requests, scene, totals);
            locks.n_rounds += 1;
            locks.n_requests += requests.len() as u64;
            locks.n_retries += requests.iter().filter(|(_, asked)| asked.is_retry).count() as u64;
            locks.n_conflicts += (requests.len() - granted.len()) as u64;
            for &(at, _) in &requests {
                answers[at] = Some(Answer::Refused);
            }
            let (view, now) = (&*totals, &*works);
            let known = granted.iter().map(|(_, asked)| current.take([asked.by, asked.of]));
            let mut known: Vec<[Known; 2]> = known.collect();
            let exchanges: Vec<Option<Exchange>> = granted
                .par_iter()
                .zip(&mut known)
                .map(|(&(_, asked), known)| found(asked, known, &heard, scene, view, now))
                .collect();
            // Stored before the first exchange, which may change clusters of other pairs.
            for (&(_, asked), known) in granted.iter().zip(known) {
                current.keep([asked.by, asked.of], known);
            }
            for ((at, _), exchange) in granted.into_iter().zip(exchanges) {
                answers[at] = Some(Answer::Granted { exchanged: exchange.is_some() });
                carry_out(exchange, scene, totals, works, &mut current, &mut deeds);
            }
        },
    }
    deeds.locks = Some(locks);
    deeds
}

/// Information spread by gossip: the state at the start of the iteration.
struct Heard<'p> {
    clusters: Vec<Clusters>,
    /// Loads of the clusters of each rank, ascending.
    loads: Vec<Vec<f64>>,
    works: Vec<Work>,
    totals: Totals<'p>,
}

/// Returns the next request of a rank. `None` if the rank is no longer above the target, has no candidate, or the run
/// was cancelled.
fn next_request(
    candidates: &mut Candidates,
    scene: Scene<'_>,
    heard: &Heard<'_>,
    works: &[Work],
) -> Option<Asked> {
    let by = candidates.rank();
    if scene.cancel.is_cancelled() || !super::original::is_above(works[by.index()], scene.target.work) {
        return None;
    }
    let (gain, of, is_retry) = candidates.best(scene, heard)?;
    Some(Asked { gain, by, of, is_retry })
}

/// Returns the granted requests. In descending order of estimated gain, a request is granted if neither of its ranks is
/// in an exchange; with bounds on nodes, no rank of their nodes may be.
fn grant(requests: &[(usize, Asked)], scene: Scene<'_>, totals: &Totals<'_>) -> Vec<(usize, Asked)> {
    let mut sorted = requests.to_vec();
    sorted.sort_by(|(_, a), (_, b)| b.gain.cmp(&a.gain).then(a.by.cmp(&b.by)));
    let mut is_locked = vec![false; totals.ranks().len()];
    let mates =
        |rank: RankId| if scene.bounds_nodes { totals.node_of(rank).to_vec() } else { vec![rank.index()] };
    sorted.retain(|(_, asked)| {
        let free = !is_locked[asked.by.index()] && !is_locked[asked.of.index()];
        if free {
            for rank in mates(asked.by).into_iter().chain(mates(asked.of)) {
                is_locked[rank] = true;
            }
        }
        free
    });
    sorted
}

/// Updates the clusters of the two ranks of a granted request, and returns their best exchange, if any has a gain.
fn found(
    asked: Asked,
    known: &mut [Known; 2],
    heard: &Heard<'_>,
    scene: Scene<'_>,
    totals: &Totals<'_>,
    works: &[Work],
) -> Option<Exchange> {
    let first = |rank: RankId| &heard.clusters[rank.index()];
    let [own, others] = known;
    let own = own.renew(first(asked.by), asked.of, totals);
    let others = others.renew(first(asked.of), asked.by, totals);
    exchange::best(scene, totals, works, own, others)
}

fn carry_out(
    exchange: Option<Exchange>,
    scene: Scene<'_>,
    totals: &mut Totals<'_>,
    works: &mut [Work],
    current: &mut Current,
    deeds: &mut Deeds,
) {
    let Some(Exchange { made, after, changes }) = exchange else {
        deeds.n_rejections += 1;
        return;
    };
    totals.apply_with(&made.transfer(), after);
    current.record(&made, &changes);
    Works::Live(works).update(totals, scene.problem.model, [made.from, made.to]);
    deeds.n_transfers += made.objects.len() + made.returned.len();
}
