// SPDX-License-Identifier: MIT OR Apache-2.0
//! Samples: the times of all tasks, grouped by function.

use std::ops::Range;

use lbaf_model::{DataSet, Slot};

use crate::Functions;
use crate::rank_effects::RankEffects;
use crate::repetitions::Bases;

/// Microseconds in a second. Thresholds mean the same as in Chimbuko, whose database has this unit.
const MICROSECONDS: f64 = 1e6;

/// Times that models learn, in microseconds: by function, then by phase, then by slot. 16 bytes each.
pub(crate) struct Samples {
    /// Position of the first sample of each function, then the number of all samples.
    starts: Vec<usize>,
    pub(crate) values: Vec<f64>,
    /// Position of the phase of each sample among all phases.
    phases: Vec<u32>,
    /// Position of each sample, by phase and slot; [`NONE`] for times that are not learnt.
    places: Vec<Vec<u32>>,
}

/// Marker for a time that is not a sample.
const NONE: u32 = u32::MAX;

/// Converts seconds to microseconds, the unit of samples; saturates at the largest finite number.
pub fn microseconds(seconds: f64) -> f64 {
    (seconds * MICROSECONDS).min(f64::MAX)
}

impl Samples {
    /// Groups all times by function, without phases that repeat another and the first `n_skipped` times of each
    /// object. Removes the effects of ranks if `rank_effects.are_taken_out`. O(tasks).
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
            // Position within the function first; its start is added below.
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

    /// Returns the range of the samples of a function.
    pub(crate) fn range(&self, function: usize) -> Range<usize> {
        self.starts[function]..self.starts[function + 1]
    }

    /// Returns the phase of each sample of a function, by position among all phases.
    pub(crate) fn phases(&self, function: usize) -> &[u32] {
        &self.phases[self.range(function)]
    }

    /// True if a function has at most one sample in each phase: its samples are a time series.
    pub(crate) fn is_series(&self, function: usize) -> bool {
        self.phases(function).is_sorted_by(|one, next| one < next)
    }

    /// Returns the samples of a function, phase by phase, without phases that have none.
    pub(crate) fn steps(&self, function: usize) -> impl Iterator<Item = &[f64]> {
        let range = self.range(function);
        let mut values = &self.values[range.clone()];
        self.phases[range].chunk_by(|one, next| one == next).map(move |step| {
            let (first, rest) = values.split_at(step.len());
            values = rest;
            first
        })
    }

    /// Returns the position of the sample of each slot of a phase; `None` for times that are not learnt. Empty for a
    /// phase that repeats another.
    pub(crate) fn of_phase(&self, at: usize) -> impl ExactSizeIterator<Item = Option<usize>> {
        self.places[at].iter().map(|&place| (place != NONE).then_some(place as usize))
    }
}
