// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of all tasks, put together by function.

use std::ops::Range;

use lbaf_model::{DataSet, Slot};

use crate::Functions;
use crate::rank_effects::RankEffects;
use crate::repetitions::Bases;

/// Microseconds in a second: models are in the unit of the database, so that thresholds of Chimbuko mean the same.
const MICROSECONDS: f64 = 1e6;

/// The times that models learn from, in microseconds: by function, there by phase, there by slot. 20 bytes each.
pub(crate) struct Samples {
    /// Where the samples of a function begin, and where those of the last one end.
    starts: Vec<usize>,
    pub(crate) values: Vec<f64>,
    /// Position of the phase of each sample among all phases.
    phases: Vec<u32>,
    /// By phase and slot, where the sample is; [`NONE`] for times that nobody learns from.
    places: Vec<Vec<u32>>,
}

/// No sample.
const NONE: u32 = u32::MAX;

/// Seconds as microseconds, the unit of samples; at most the largest number.
pub fn microseconds(seconds: f64) -> f64 {
    (seconds * MICROSECONDS).min(f64::MAX)
}

impl Samples {
    /// Puts the times of all phases together but for those that repeat another, and for the first `n_skipped` of each
    /// object. Effects of ranks are taken out of them. O(tasks).
    pub(crate) fn of(
        data: &DataSet,
        functions: &Functions,
        bases: &Bases,
        rank_effects: &RankEffects,
        n_skipped: usize,
    ) -> Self {
        let mut n_seen = vec![0_usize; if n_skipped > 0 { data.n_objects() } else { 0 }];
        let mut counts = vec![0_usize; functions.len() + 1];
        let mut places: Vec<Vec<u32>> = Vec::with_capacity(data.phases().len());
        for (at, phase) in data.phases().iter().enumerate() {
            if !bases.is_measured(at) {
                places.push(Vec::new());
                continue;
            }
            // First the position within the function, and below where that begins.
            let place = |slot: Slot| {
                let object = phase.object(slot);
                if let Some(n_seen) = n_seen.get_mut(object.index()) {
                    *n_seen += 1;
                    if *n_seen <= n_skipped {
                        return NONE;
                    }
                }
                let count = &mut counts[functions.of_object(object)];
                *count += 1;
                (*count - 1) as u32
            };
            places.push(phase.slots().map(place).collect());
        }
        let mut sum = 0;
        let start = |count: &usize| {
            let start = sum;
            sum += count;
            start
        };
        let starts: Vec<usize> = counts.iter().map(start).collect();
        let (mut values, mut phases) = (vec![0.0; sum], vec![0; sum]);
        for (at, (phase, places)) in data.phases().iter().zip(&mut places).enumerate() {
            for (slot, place) in phase.slots().zip(places).filter(|(_, place)| **place != NONE) {
                let sample = starts[functions.of_object(phase.object(slot))] + *place as usize;
                *place = sample as u32;
                values[sample] = microseconds(rank_effects.time(phase, slot));
                phases[sample] = at as u32;
            }
        }
        Samples { starts, values, phases, places }
    }

    /// Number of functions.
    pub(crate) fn n_functions(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where the samples of a function are.
    pub(crate) fn range(&self, function: usize) -> Range<usize> {
        self.starts[function]..self.starts[function + 1]
    }

    /// The phases of the samples of a function, by position among all.
    pub(crate) fn phases(&self, function: usize) -> &[u32] {
        &self.phases[self.range(function)]
    }

    /// Whether a function has no two samples in a phase, so that they are a series in time.
    pub(crate) fn is_series(&self, function: usize) -> bool {
        self.phases(function).is_sorted_by(|one, next| one < next)
    }

    /// The samples of a function in each phase that has some.
    pub(crate) fn steps(&self, function: usize) -> impl Iterator<Item = &[f64]> {
        let range = self.range(function);
        let mut values = &self.values[range.clone()];
        self.phases[range].chunk_by(|one, next| one == next).map(move |step| {
            let (first, rest) = values.split_at(step.len());
            values = rest;
            first
        })
    }

    /// By slot of a phase, which sample it is; `None` for times that nobody learns from. Empty for a phase that repeats
    /// another.
    pub(crate) fn of_phase(&self, at: usize) -> impl ExactSizeIterator<Item = Option<usize>> {
        self.places[at].iter().map(|&place| (place != NONE).then_some(place as usize))
    }
}
