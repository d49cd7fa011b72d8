// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparisons of ranks by objects that ran on several of them.

use std::collections::BTreeMap;

use lbaf_model::DataSet;
use rayon::prelude::*;

use super::center::{Center, Weighted};
use crate::median::median;
use crate::repetitions::Bases;

/// Variance of an object's mean that more times do not reduce, because the load itself changes. In units of the
/// variance of a single time.
const VARIANCE_OF_OBJECT: f64 = 0.1;

/// Number of sweeps over medians of objects and of phases.
const SWEEPS: usize = 3;

/// Objects that ran on several ranks.
pub(super) struct Comparisons {
    /// Stays of objects on each rank.
    stays: Vec<Vec<Stay>>,
    n_objects: usize,
    /// Group of each rank. Ranks of a group are connected by objects that ran on several of them.
    pub(super) groups: Vec<usize>,
    pub(super) n_migrated_tasks: Vec<usize>,
    /// Number of tasks with a time above 0, without skipped ones.
    pub(super) n_tasks: usize,
}

/// Times of an object on a rank.
#[derive(Clone, Copy, Debug)]
struct Stay {
    object: usize,
    n_times: f64,
    /// Median logarithm of the times, without effects of phases, which are common to all objects.
    log: f64,
}

/// One time of an object.
#[derive(Clone, Copy)]
struct Time {
    at: u32,
    rank: u32,
    log: f64,
}

impl Comparisons {
    pub(super) fn of(data: &DataSet, bases: &Bases, n_skipped: usize) -> Self {
        let n_ranks = data.n_ranks();
        let mut comparisons = Comparisons {
            stays: vec![Vec::new(); n_ranks],
            n_objects: 0,
            groups: (0..n_ranks).collect(),
            n_migrated_tasks: vec![0; n_ranks],
            n_tasks: 0,
        };
        let mut by_object = comparisons.times_of_migrated(data, bases, n_skipped);
        let of_phases = phase_effects(&by_object, data.phases().len());
        for (object, times) in by_object.iter_mut().enumerate() {
            times.sort_by_key(|time| time.rank);
            for times in times.chunk_by(|one, next| one.rank == next.rank) {
                let mut logs: Vec<f64> =
                    times.iter().map(|time| time.log - of_phases[time.at as usize]).collect();
                let log = median(&mut logs).expect("invariant: a chunk has a time");
                let rank = times[0].rank as usize;
                comparisons.stays[rank].push(Stay { object, n_times: times.len() as f64, log });
                comparisons.n_migrated_tasks[rank] += times.len();
            }
            comparisons.connect(times);
        }
        comparisons.n_objects = by_object.len();
        comparisons.number_groups();
        comparisons
    }

    /// Returns the times of each object that ran on several ranks, and counts the tasks of all objects.
    fn times_of_migrated(&mut self, data: &DataSet, bases: &Bases, n_skipped: usize) -> Vec<Vec<Time>> {
        let mut first_ranks = vec![None; data.n_objects()];
        let mut has_migrated = vec![false; data.n_objects()];
        let tasks = || tasks(data, bases, n_skipped);
        for (object, time) in tasks() {
            has_migrated[object] |= *first_ranks[object].get_or_insert(time.rank) != time.rank;
            self.n_tasks += 1;
        }
        let mut places = vec![None; data.n_objects()];
        let mut n_migrated = 0;
        for (place, _) in places.iter_mut().zip(&has_migrated).filter(|(_, has_migrated)| **has_migrated) {
            *place = Some(n_migrated);
            n_migrated += 1;
        }
        let mut times = vec![Vec::new(); n_migrated];
        if n_migrated > 0 {
            for (object, time) in tasks() {
                if let Some(place) = places[object] {
                    times[place].push(time);
                }
            }
        }
        times
    }

    /// Merges the groups of the ranks on which an object ran.
    fn connect(&mut self, times: &[Time]) {
        for pair in times.windows(2) {
            let (one, other) = (self.root(pair[0].rank as usize), self.root(pair[1].rank as usize));
            self.groups[one.max(other)] = one.min(other);
        }
    }

    fn root(&mut self, rank: usize) -> usize {
        let mut root = rank;
        while self.groups[root] != root {
            self.groups[root] = self.groups[self.groups[root]];
            root = self.groups[root];
        }
        root
    }

    /// Numbers each group by its lowest rank.
    fn number_groups(&mut self) {
        for rank in 0..self.groups.len() {
            self.groups[rank] = self.root(rank);
        }
    }

    /// Number of ranks with at least `min_objects` comparisons.
    pub(super) fn n_judged(&self, min_objects: usize) -> usize {
        self.stays.iter().filter(|stays| stays.len() >= min_objects).count()
    }

    /// Estimates the effect of each rank, given the effects of the others; `None` for a rank without comparisons.
    /// O(stays).
    pub(super) fn estimates(&self, known: &[f64]) -> Vec<Option<Center>> {
        // By object: number of times, and sum of their logarithms without effects of ranks.
        let mut totals = vec![(0.0, 0.0); self.n_objects];
        for (stays, known) in self.stays.iter().zip(known) {
            for stay in stays {
                let (n_times, sum) = &mut totals[stay.object];
                *n_times += stay.n_times;
                *sum += stay.n_times * (stay.log - known);
            }
        }
        let estimate = |(stays, known): (&Vec<Stay>, &f64)| {
            let comparison = |stay: &Stay| {
                let (n_times, sum) = totals[stay.object];
                let n_elsewhere = n_times - stay.n_times;
                let elsewhere = (sum - stay.n_times * (stay.log - known)) / n_elsewhere;
                let variance = 1.0 / stay.n_times + 1.0 / n_elsewhere + VARIANCE_OF_OBJECT;
                Weighted { value: stay.log - elsewhere, weight: 1.0 / variance }
            };
            Center::of(&stays.iter().map(comparison).collect::<Vec<_>>())
        };
        self.stays.par_iter().zip(known).map(estimate).collect()
    }

    /// Returns the effect of the median rank of each group, by number of the group. In a group of even size it is the
    /// faster of the two middle ranks: if half of the ranks are slow, the slower half is found.
    pub(super) fn references(&self, known: &[f64]) -> Vec<f64> {
        let mut of_groups: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for ((stays, group), known) in self.stays.iter().zip(&self.groups).zip(known) {
            if !stays.is_empty() {
                of_groups.entry(*group).or_default().push(*known);
            }
        }
        let mut references = vec![0.0; known.len()];
        for (group, mut known) in of_groups {
            let middle = (known.len() - 1) / 2;
            references[group] = *known.select_nth_unstable_by(middle, f64::total_cmp).1;
        }
        references
    }
}

/// Returns all times for comparisons: positive times of measured phases, without the first `n_skipped` of each object.
fn tasks<'d>(
    data: &'d DataSet,
    bases: &'d Bases,
    n_skipped: usize,
) -> impl Iterator<Item = (usize, Time)> + 'd {
    let mut n_seen = vec![0; if n_skipped > 0 { data.n_objects() } else { 0 }];
    let measured = data.phases().iter().enumerate().filter(|(at, _)| bases.is_measured(*at));
    let all = measured.flat_map(|(at, phase)| {
        phase.slots().map(move |slot| {
            (
                phase.object(slot).index(),
                phase.load(slot),
                at as u32,
                phase.recorded_assignment().rank_of(slot).0,
            )
        })
    });
    all.filter_map(move |(object, load, at, rank)| {
        if let Some(n_seen) = n_seen.get_mut(object) {
            *n_seen += 1;
            if *n_seen <= n_skipped {
                return None;
            }
        }
        (load > 0.0).then(|| (object, Time { at, rank, log: libm::log(load) }))
    })
}

/// Returns the logarithm of the common slowdown of all objects that migrated, by position of the phase. Alternates
/// between medians of objects and of phases.
fn phase_effects(by_object: &[Vec<Time>], n_phases: usize) -> Vec<f64> {
    let mut effects = vec![0.0; n_phases];
    for _ in 0..SWEEPS {
        let mut of_phases = vec![Vec::new(); n_phases];
        for times in by_object {
            let mut logs: Vec<f64> = times.iter().map(|time| time.log - effects[time.at as usize]).collect();
            let usual = median(&mut logs).expect("invariant: an object that migrated has times");
            for time in times {
                of_phases[time.at as usize].push(time.log - usual);
            }
        }
        effects = of_phases.iter_mut().map(|logs| median(logs).unwrap_or(0.0)).collect();
    }
    effects
}
