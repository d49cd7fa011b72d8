// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels of the times of an object: what they are around until they change for good.
//!
//! Noise is what returns to the level it came from. One time that deviates may be noise; two in succession, on the same
//! side, are another level, from the first of them on. While a series is recorded it takes three to say so.

mod change_points;
mod confirmed;
mod jitter;

use std::ops::Range;

use crate::median::median;
use crate::{Guards, Order};

/// A level of a series of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// The position of its first time in the series.
    pub(crate) since: usize,
    /// That of the time by which the level is known: the same if later times are known too.
    pub(crate) known: usize,
}

impl Level {
    /// The first level of every series.
    pub(crate) const FIRST: Level = Level { since: 0, known: 0 };
}

/// Number of successive anomalies on the same side that are a level.
pub(crate) fn n_successive(order: Order) -> usize {
    match order {
        Order::Batch => 2,
        Order::Online => confirmed::SUCCESSIVE,
    }
}

/// The levels of a series, ascending. None but the first is known of fewer times than the guards want.
pub(crate) fn levels(times: &[f64], order: Order, guards: &Guards) -> Vec<Level> {
    let min_samples = usize::try_from(guards.min_samples).unwrap_or(usize::MAX);
    if times.len() < min_samples {
        return vec![Level::FIRST];
    }
    match order {
        Order::Online => confirmed::levels(times, min_samples, guards.min_relative),
        Order::Batch => {
            let series = jitter::logarithms(times);
            let tolerance = jitter::tolerance(&series, guards.min_relative);
            let starts = change_points::change_points(&series, tolerance);
            starts.into_iter().map(|since| Level { since, known: since }).collect()
        }
    }
}

/// True if two times may be of one level of a series.
pub(crate) fn are_alike(one: f64, other: f64, times: &[f64], guards: &Guards) -> bool {
    let tolerance = jitter::tolerance(&jitter::logarithms(times), guards.min_relative);
    one == other || (one / other).ln().abs() <= tolerance
}

/// Times as they would be at one level, that of most of them; as they were recorded, at the first one and by what was known
/// then. Where a level is 0, times are as at the other one: that something rests is no anomaly, nor is that it works.
pub(crate) fn aligned(times: &[f64], levels: &[Level], order: Order) -> Vec<f64> {
    let range = |at: usize| {
        let end = levels.get(at + 1).map_or(times.len(), |next: &Level| next.since);
        levels[at].since..end
    };
    let middle = |range: Range<usize>| median(&mut times[range].to_vec()).unwrap_or(0.0);
    let longest = (0..levels.len()).rev().max_by_key(|&at| range(at).len()).unwrap_or(0);
    let reference = match order {
        Order::Batch => middle(range(longest)),
        Order::Online => middle(range(0)),
    };
    if reference <= 0.0 {
        return times.to_vec();
    }
    let to_reference = |time: f64, level: f64| match level {
        level if level > 0.0 => time * (reference / level),
        _ => reference,
    };
    let mut all = Vec::with_capacity(times.len());
    for (at, level) in levels.iter().enumerate() {
        match order {
            Order::Batch => {
                let level = middle(range(at));
                let is_reference = at == longest;
                all.extend(
                    times[range(at)]
                        .iter()
                        .map(|&time| if is_reference { time } else { to_reference(time, level) }),
                );
            }
            Order::Online => {
                let end = levels.get(at + 1).map_or(times.len(), |next| next.known);
                let until = |position: usize| middle(level.since..position + 1);
                all.extend((level.known..end).map(|position| match at {
                    0 => times[position],
                    _ => to_reference(times[position], until(position)),
                }));
            }
        }
    }
    all
}

/// The levels of all places, each place an object or an index that was rebuilt under other ids. Levels are numbered by
/// place, there in their order, and in phases by position among all.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    /// By place, the number of its first level, and one more.
    starts: Vec<usize>,
    /// By level, the first phase that has it, and the one by which it is known.
    phases: Vec<(u32, u32)>,
}

impl Levels {
    /// The levels of series one after the other, with the phases that their times are of.
    pub(crate) fn of<'s>(series: impl ExactSizeIterator<Item = (&'s [Level], &'s [u32])>) -> Self {
        let mut levels = Levels { starts: Vec::with_capacity(series.len() + 1), phases: Vec::new() };
        for (of_series, phases) in series {
            levels.starts.push(levels.phases.len());
            // What has no times has a level all the same.
            let phase = |at: usize| phases.get(at).copied().unwrap_or(0);
            let of_phases = |level: &Level| match level.since {
                0 => (0, 0),
                since => (phase(since), phase(level.known)),
            };
            levels.phases.extend(of_series.iter().map(of_phases));
        }
        levels.starts.push(levels.phases.len());
        levels
    }

    /// Number of levels of all places.
    pub(crate) fn len(&self) -> usize {
        self.phases.len()
    }

    /// The numbers of the levels of a place.
    pub(crate) fn of_place(&self, place: usize) -> Range<usize> {
        self.starts[place]..self.starts[place + 1]
    }

    /// The level that a place has in a phase.
    pub(crate) fn at(&self, place: usize, phase: usize) -> usize {
        let range = self.of_place(place);
        let later = self.phases[range.clone()].partition_point(|(since, _)| *since as usize <= phase);
        range.start + later.max(1) - 1
    }

    /// The level that a place is known to have in a phase by what was recorded until then.
    pub(crate) fn known_at(&self, place: usize, phase: usize) -> usize {
        let range = self.of_place(place);
        let later = self.phases[range.clone()].partition_point(|(_, known)| *known as usize <= phase);
        range.start + later.max(1) - 1
    }
}
