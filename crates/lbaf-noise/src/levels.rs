// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels of the times of an object. A level is the value around which times vary until they change for good.
//!
//! After noise, times return to the previous level. A single deviating time counts as noise. Two successive times that
//! deviate on the same side form another level, which begins with the first of them. In phase order, where later times
//! are unknown, three successive times are needed for a new level, but only one for the return to an earlier level.

mod change_points;
mod confirmed;
mod jitter;

use std::ops::Range;

use crate::median::median;
use crate::{Guards, Order};

/// Level of a series of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Position of its first time in the series.
    pub(crate) since: usize,
    /// Position of the time at which the level becomes known: `since` in batch order, in which all times are known.
    pub(crate) known: usize,
}

impl Level {
    /// The first level of every series.
    pub(crate) const FIRST: Level = Level { since: 0, known: 0 };
}

/// Number of successive anomalies on the same side that form a level.
pub(crate) fn n_successive(order: Order) -> usize {
    match order {
        Order::Batch => 2,
        Order::Online => confirmed::SUCCESSIVE,
    }
}

/// Returns the levels of a series, ascending. With fewer times than the guards require there is only the first level.
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

/// True if two times of a series differ by at most its tolerance and can belong to one level.
pub(crate) fn are_alike(one: f64, other: f64, times: &[f64], guards: &Guards) -> bool {
    let tolerance = jitter::tolerance(&jitter::logarithms(times), guards.min_relative);
    one == other || libm::log(one / other).abs() <= tolerance
}

/// Returns the times rescaled to a reference level: in batch order the level with the most times, in phase order the
/// first one. A time is multiplied by the median of the reference level and divided by the median of its own level. In
/// phase order, its own level is the one known at that time, with the median of the times of this level so far. Times
/// of the reference level are unchanged. If the median of the own level is 0, a time becomes the median of the
/// reference level, because neither idling nor working is an anomaly. If the median of the reference level is 0, times
/// are unchanged.
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

/// Levels of the times of all places. A place is an object, or an index of a collection whose objects are rebuilt
/// under other ids. Levels are numbered by place, then by time. Phases are given by position.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    /// Number of the first level of each place, then the number of all levels.
    starts: Vec<usize>,
    /// First phase of each level, and the phase in which it becomes known.
    phases: Vec<(u32, u32)>,
}

impl Levels {
    /// Collects the levels of several series, each with the phases of its times.
    pub(crate) fn of<'s>(series: impl ExactSizeIterator<Item = (&'s [Level], &'s [u32])>) -> Self {
        let mut levels = Levels { starts: Vec::with_capacity(series.len() + 1), phases: Vec::new() };
        for (of_series, phases) in series {
            levels.starts.push(levels.phases.len());
            // A place without times still has one level.
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

    /// Returns the numbers of the levels of a place.
    pub(crate) fn of_place(&self, place: usize) -> Range<usize> {
        self.starts[place]..self.starts[place + 1]
    }

    /// Returns the level of a place in a phase.
    pub(crate) fn at(&self, place: usize, phase: usize) -> usize {
        let range = self.of_place(place);
        let later = self.phases[range.clone()].partition_point(|(since, _)| *since as usize <= phase);
        range.start + later.max(1) - 1
    }

    /// Returns the level of a place in a phase, as known from the phases up to this one.
    pub(crate) fn known_at(&self, place: usize, phase: usize) -> usize {
        let range = self.of_place(place);
        let later = self.phases[range.clone()].partition_point(|(_, known)| *known as usize <= phase);
        range.start + later.max(1) - 1
    }
}
