// SPDX-License-Identifier: MIT OR Apache-2.0
//! Search for the schedule with the shortest run.

use lbaf_model::{Phase, RankId, synchronised_bound};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::progress::Progress;
use super::{Forecast, Simulation};
use crate::{Balancer, PhaseBound, Schedule, Simulated, SimulationError};

/// Maximum number of phases of a run for which the best schedule is searched.
pub const MOST_SEARCHED_PHASES: usize = 512;

/// The search keeps up to this number of partial runs, or one more than the number of phases if that is
/// larger.
const LEAST_KEPT: usize = 64;

/// Factor on lower bounds: bounds and times are summed in different orders, so rounding may raise a bound
/// above a time.
const ROUNDING: f64 = 1.0 - 1e-9;

/// A partial run.
#[derive(Clone)]
struct State<'a> {
    progress: Progress<'a>,
    /// Seconds so far.
    elapsed: f64,
    /// Number of phases that had ended at the last balancing; 0 if there was none.
    balanced_at: usize,
}

/// Dynamic programming over the phases, as in Boulmier, Abdennadher and Chopard (2021), arXiv 2104.01688. The
/// remainder of a run depends on the current placement alone, unless the load model uses past placements. Of
/// several partial runs with the same placement, only the one with the least time so far is continued.
///
/// If the result of a strategy does not depend on the initial placement, the placement depends only on the
/// phase after which the run was balanced last. There are then at most as many partial runs as phases so far.
/// Other strategies lead to more placements and partial runs. If these are too many, `thin` drops some, and
/// the result is the best schedule found.
///
/// A partial run is also dropped if its time plus the lower bounds of the remaining phases is not less than
/// the time of the best periodic schedule.
pub(super) fn best(
    simulation: &Simulation<'_>,
    balancer: &Balancer<'_>,
) -> Result<Simulated, SimulationError> {
    let phases = simulation.data.phases();
    if phases.len() > MOST_SEARCHED_PHASES {
        return Err(SimulationError::TooManyPhases { n_phases: phases.len(), most: MOST_SEARCHED_PHASES });
    }
    let mut best = periodic(simulation, balancer)?;
    let limit = best.seconds();
    let mut ahead = lower_bound(simulation);
    let most_kept = LEAST_KEPT.max(phases.len() + 1);
    let mut states = vec![State { progress: Progress::new(simulation), elapsed: 0.0, balanced_at: 0 }];
    let mut is_proven = true;
    for (phase, bound) in phases.iter().zip(simulation.bounds) {
        ahead -= least_seconds(simulation, phase, *bound);
        let branches: Vec<_> = states.par_iter().map(|state| state.branches(simulation, balancer)).collect();
        states = branches.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        states.retain(|state| state.elapsed + ahead * ROUNDING < limit);
        states.sort_by(|a, b| a.elapsed.total_cmp(&b.elapsed));
        merge(&mut states, simulation);
        is_proven &= states.len() <= most_kept;
        thin(&mut states, most_kept);
    }
    for State { progress, .. } in states {
        if progress.simulated.seconds() < best.seconds() {
            best = progress.simulated;
        }
    }
    Ok(Simulated { is_proven: Some(is_proven), ..best })
}

impl<'a> State<'a> {
    /// Returns the run continued by a phase without balancing before it, and with balancing. The second is
    /// missing before the first phase, if the balancer returns `None`, or if the run has the recorded placements.
    fn branches(
        &self,
        simulation: &Simulation<'a>,
        balancer: &Balancer<'_>,
    ) -> Result<Vec<State<'a>>, SimulationError> {
        let n_ended = self.progress.simulated.phases.len();
        let mut branches = Vec::with_capacity(2);
        for is_wanted in [false, true] {
            let mut next = self.clone();
            next.progress.advance(simulation, is_wanted && n_ended > 0, balancer)?;
            let Some(phase) = next.progress.simulated.phases.last() else { continue };
            next.elapsed += phase.seconds_with_costs();
            if phase.balancing.is_some() {
                next.balanced_at = n_ended;
            }
            if phase.balancing.is_some() == is_wanted {
                branches.push(next);
            }
        }
        Ok(branches)
    }
}

/// Returns the fastest of these runs: never balanced, and balanced after every 1, 2, 4, 8, ... phases.
fn periodic(simulation: &Simulation<'_>, balancer: &Balancer<'_>) -> Result<Simulated, SimulationError> {
    let mut best = simulation.follow(&Schedule::Never, balancer)?;
    let n_phases = simulation.data.phases().len() as u64;
    for period in (0..).map(|power| 1 << power).take_while(|&period| period < n_phases) {
        let run = simulation.follow(&Schedule::Every(period), balancer)?;
        if run.seconds() < best.seconds() {
            best = run;
        }
    }
    Ok(Simulated { n_skipped: 0, ..best })
}

/// Returns a lower bound on the seconds of all phases, for any placements.
fn lower_bound(simulation: &Simulation<'_>) -> f64 {
    let phases = simulation.data.phases().iter().zip(simulation.bounds);
    phases.map(|(phase, bound)| least_seconds(simulation, phase, *bound)).sum()
}

/// Returns a lower bound on the seconds of a phase that holds for all placements, including infeasible ones.
fn least_seconds(simulation: &Simulation<'_>, phase: &Phase, bound: PhaseBound) -> f64 {
    if simulation.subphases && phase.subphases().is_some() {
        synchronised_bound(phase).map_or(0.0, |bound| bound.seconds())
    } else {
        bound.of_all
    }
}

/// Keeps the first of several states with the same placements, and therefore the same remainder of the run.
fn merge(states: &mut Vec<State<'_>>, simulation: &Simulation<'_>) {
    let depth = match &simulation.forecast {
        Forecast::Predicted(model) if model.needs_placements() => usize::MAX,
        _ => 1,
    };
    let mut known: FxHashSet<Vec<&[RankId]>> = FxHashSet::default();
    let is_first = states.iter().map(|state| known.insert(state.progress.placements(depth)));
    let mut is_first = is_first.collect::<Vec<bool>>().into_iter();
    states.retain(|_| is_first.next().unwrap_or(false));
}

/// Keeps at most `most` states: the fastest of each group with the same last balancing, then the second
/// fastest of each group, and so on.
fn thin(states: &mut Vec<State<'_>>, most: usize) {
    if states.len() <= most {
        return;
    }
    let mut n_by_balancing = vec![0; 1 + states.iter().map(|state| state.balanced_at).max().unwrap_or(0)];
    let mut ranked: Vec<(usize, State<'_>)> = std::mem::take(states)
        .into_iter()
        .map(|state| {
            let n_before = &mut n_by_balancing[state.balanced_at];
            *n_before += 1;
            (*n_before, state)
        })
        .collect();
    ranked.sort_by_key(|(place, _)| *place);
    ranked.truncate(most);
    states.extend(ranked.into_iter().map(|(_, state)| state));
}
