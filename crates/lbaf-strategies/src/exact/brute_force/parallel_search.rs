// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parallel search in rounds. Result and number of steps do not depend on the number of threads.

use lbaf_model::{Assignment, Work};
use rayon::prelude::*;

use super::comparison::beats;
use super::instance::Instance;
use super::search::Search;
use crate::{Cancel, Cancelled};

/// Maximum number of concurrent searches. More searches serve more threads, but exchange their results less often.
const WIDTH: usize = 32;
/// Number of steps after which a search pauses in a round. The number can be exceeded slightly, because a search
/// tries the last unit on all ranks before it pauses.
const ROUND: u64 = 8192;

/// Result of a search.
pub(super) struct End {
    /// Best known maximum work, and its placement if the search beat the start.
    pub(super) best: (Work, Option<Assignment>),
    pub(super) n_steps: u64,
    /// True if no choice remains.
    pub(super) is_complete: bool,
}

/// Searches for a placement better than `start` until the search is complete or about `max_steps` steps are
/// made.
///
/// In a round, each search makes up to a fixed number of steps independently. Between rounds, all searches receive the
/// best known work, and completed searches are replaced by parts of the remaining ones.
///
/// # Errors
/// If the search was cancelled.
pub(super) fn search(
    instance: &Instance<'_>,
    start: Work,
    max_steps: u64,
    cancel: &Cancel,
) -> Result<End, Cancelled> {
    let mut best = (start, None);
    let mut searches = vec![Search::new(instance, start)];
    // Steps of completed searches.
    let mut n_steps_before = 0;
    let mut n_steps = 0;
    loop {
        let share = ((max_steps - n_steps) / searches.len() as u64).clamp(1, ROUND);
        searches.par_iter_mut().for_each(|search| search.run(instance, share, cancel));
        cancel.check()?;
        for (work, assignment) in searches.iter_mut().filter_map(Search::take_found) {
            if beats(work, best.0) {
                best = (work, Some(assignment));
            }
        }
        searches.retain(|search| {
            n_steps_before += if search.is_done() { search.n_steps() } else { 0 };
            !search.is_done()
        });
        n_steps = n_steps_before + searches.iter().map(Search::n_steps).sum::<u64>();
        if searches.is_empty() || n_steps >= max_steps {
            return Ok(End { best, n_steps, is_complete: searches.is_empty() });
        }
        for search in &mut searches {
            search.tell(best.0);
        }
        while searches.len() < WIDTH {
            // Divide the search that can be divided nearest to the root, where most choices remain; in a tie, the first
            // search.
            let divisible = searches.iter_mut().filter(|search| search.divisible_at().is_some());
            let Some(search) = divisible.min_by_key(|search| search.divisible_at()) else { break };
            let Some(part) = search.divide(instance) else { break };
            searches.push(part);
        }
    }
}
