// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the data of a run that fit into a page of limited size: iterations, values of ranks, matrices and
//! objects.

mod iterations;
mod rank_pairs;
mod rank_values;

use lbaf_run::summary::Summary;
use lbaf_text::number::counted;

pub(super) use self::rank_pairs::PairTables;
use super::detail::{Share, detail};
use super::placements::Placements;
use super::view::{Page, PhaseView, RankPairs, RunView};
use crate::SavedRun;
use crate::error::PageError;

/// Size limit of a page in bytes, small enough for mail. It applies up to about 1800 ranks; [`BYTES_PER_RANK`] sets a
/// larger limit for more ranks.
const PAGE_BYTES: usize = 4_900_000;

/// Number of bytes per rank to which the data of a page are limited if this limit is larger than [`PAGE_BYTES`] leaves
/// for data.
const BYTES_PER_RANK: usize = 2000;

/// Numbers of objects and neighbours per rank to try, in descending order.
const SHARES: [Share; 6] = [
    Share { n_objects: 256, n_neighbours: 32 },
    Share { n_objects: 64, n_neighbours: 16 },
    Share { n_objects: 24, n_neighbours: 12 },
    Share { n_objects: 12, n_neighbours: 8 },
    Share { n_objects: 6, n_neighbours: 5 },
    Share { n_objects: 3, n_neighbours: 3 },
];

/// Remaining bytes of the page.
pub(super) struct SizeBudget {
    bytes: usize,
    /// Number of runs that have not been fitted yet.
    n_runs: usize,
}

impl SizeBudget {
    /// Returns the budget for the data of these runs.
    pub(super) fn new(runs: &[SavedRun]) -> Self {
        let n_ranks = runs.iter().map(|run| run.summary.input.n_ranks).max().unwrap_or(0);
        let of_ranks = n_ranks * BYTES_PER_RANK;
        let bytes = PAGE_BYTES.saturating_sub(Page::frame_size()).max(of_ranks);
        SizeBudget { bytes, n_runs: runs.len() }
    }

    /// Limits the iterations and the values of ranks to the budget of this run, and adds as many matrices and objects
    /// of ranks as fit.
    ///
    /// Adds sentences on omitted data. If the placements are unknown, `placements` contains a sentence with the reason.
    pub(super) fn fit(
        &mut self,
        run: &mut RunView,
        summary: &Summary,
        tables: PairTables<'_>,
        placements: Result<Placements, String>,
    ) -> Result<(), PageError> {
        let part = self.bytes / self.n_runs;
        self.n_runs -= 1;
        let order = longest_first(summary);
        let dropped = iterations::fit(run, &order, part / 3)?;
        run.left_out.extend(dropped);
        let of_values = rank_values::size(&run.phases);
        let others = run.size()?.saturating_sub(of_values);
        let free = part.saturating_sub(others);
        let dropped = rank_pairs::fit(run, summary, tables, &order, free / 4)?;
        run.left_out.extend(dropped);
        let of_pairs = run.phases.iter().flat_map(|phase| &phase.pairs).map(RankPairs::size);
        let free = free.saturating_sub(of_pairs.sum());
        // Charts of all ranks have priority over objects of individual ranks.
        let most = if placements.is_ok() { free / 3 * 2 } else { free };
        let dropped = rank_values::fit(run, &order, most);
        run.left_out.extend(dropped);
        let free = free.saturating_sub(rank_values::size(&run.phases));
        match placements {
            Ok(placements) => {
                let left_out = add_details(summary, &placements, &mut run.phases, &order, free)?;
                run.left_out.extend(left_out);
            }
            Err(why) => run.left_out.push(why),
        }
        self.bytes = self.bytes.saturating_sub(run.size()?);
        Ok(())
    }
}

/// Adds objects to the phases of a run as far as they fit, and returns sentences on omitted objects.
///
/// All phases get the same share: the largest that fits, estimated first from the phase with the most work. If even the
/// smallest share is too large, only the phases with the most work get it.
fn add_details(
    summary: &Summary,
    placements: &Placements,
    phases: &mut [PhaseView],
    order: &[usize],
    most: usize,
) -> Result<Vec<String>, PageError> {
    let Some(&longest) = order.first() else { return Ok(Vec::new()) };
    // Most phases are similar, so the size of one phase shows if a share may fit for all.
    let (mut used, mut chosen) = (usize::MAX, SHARES[SHARES.len() - 1]);
    for share in SHARES {
        let alone = add_to_phase(summary, placements, longest, &mut phases[longest], share)?;
        if alone.saturating_mul(phases.len()) > most {
            continue;
        }
        used = 0;
        for (at, shown) in phases.iter_mut().enumerate() {
            used += add_to_phase(summary, placements, at, shown, share)?;
        }
        if used <= most {
            chosen = share;
            break;
        }
    }
    if used > most {
        add_to_longest(summary, placements, phases, order, chosen, most)?;
    }
    Ok(left_out(summary, phases, chosen))
}

/// Adds the share of a phase and returns its size in bytes.
fn add_to_phase(
    summary: &Summary,
    placements: &Placements,
    at: usize,
    shown: &mut PhaseView,
    share: Share,
) -> Result<usize, PageError> {
    let Some((phase, before, after)) = placements.phase(at, &summary.phases[at]) else { return Ok(0) };
    let detail = detail(phase, placements.keys(), (before, after), share)?;
    let size = detail.size();
    shown.detail = Some(detail);
    Ok(size)
}

/// Adds a share to the phases with the most work until the limit is reached, and removes the objects of all other
/// phases.
fn add_to_longest(
    summary: &Summary,
    placements: &Placements,
    phases: &mut [PhaseView],
    order: &[usize],
    share: Share,
    most: usize,
) -> Result<(), PageError> {
    for phase in phases.iter_mut() {
        phase.detail = None;
    }
    let mut used = 0;
    for &at in order {
        let size = add_to_phase(summary, placements, at, &mut phases[at], share)?;
        if used + size > most {
            phases[at].detail = None;
            break;
        }
        used += size;
    }
    Ok(())
}

/// Returns the positions of the phases, descending by maximum work before balancing. With equal work, the last comes
/// first, because the page initially shows that phase.
fn longest_first(summary: &Summary) -> Vec<usize> {
    let work = |at: usize| summary.phases[at].before.work.max;
    let mut longest_first: Vec<usize> = (0..summary.phases.len()).rev().collect();
    longest_first.sort_by(|&a, &b| work(b).total_cmp(&work(a)));
    longest_first
}

/// Describes the phases whose data are on the page.
fn shown_for(n_kept: usize, n_phases: usize) -> String {
    match n_kept {
        0 => "not shown".to_owned(),
        n => format!("shown only for the {n} of {} with the most work", counted(n_phases, "phase")),
    }
}

/// Returns sentences on omitted objects and neighbours.
fn left_out(summary: &Summary, phases: &[PhaseView], share: Share) -> Vec<String> {
    let Share { n_objects, n_neighbours } = share;
    let mut sentences = Vec::new();
    let n_without = phases.iter().filter(|phase| phase.detail.is_none()).count();
    if n_without > 0 {
        sentences.push(format!(
            "Objects and neighbours of ranks are {}, to limit the size of the page.",
            shown_for(phases.len() - n_without, phases.len())
        ));
    }
    let most =
        summary.phases.iter().map(|phase| phase.before.num_objects.max.max(phase.after.num_objects.max));
    let lacks_neighbours =
        phases.iter().filter_map(|phase| phase.detail.as_ref()).any(|detail| detail.neighbours.is_partial);
    if lacks_neighbours || most.fold(0.0, f64::max) > n_objects as f64 {
        sentences.push(format!(
            "For each rank, only the {n_objects} largest objects by load and the {n_neighbours} neighbours with the largest \
             volume are shown, before and after."
        ));
    }
    sentences
}
