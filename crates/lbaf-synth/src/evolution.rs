// SPDX-License-Identifier: MIT OR Apache-2.0
//! Patterns: changes of loads that move through the data set, besides drift.
//!
//! A pattern multiplies the loads of objects in a window of *places*: ranks or objects on a line, like cells along an
//! axis of a domain. If the places are ranks, a pattern causes imbalance even if objects are placed at random. Patterns
//! use no random numbers.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::SynthError;
use crate::error::{require, require_magnitude};

/// A spot of constant width that moves with constant speed and wraps around, such as particles that cross a
/// periodic domain. In phase p it covers k = max(1, round(`width` N)) of N places, from place round((`start` +
/// p `speed`) N) mod N, continuing with place 0 after the last. It covers exactly k places in every phase.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HotSpot {
    /// Factor on the loads in the spot.
    pub factor: f64,
    /// Fraction of the places that the spot covers, above 0 and up to 1.
    pub width: f64,
    /// Distance that the spot moves from one phase to the next, as a fraction of the places; backwards if
    /// negative; default 0.
    #[serde(default)]
    pub speed: f64,
    /// Position of the spot in the first phase, as a fraction of the places; default 0.
    #[serde(default)]
    pub start: f64,
    /// Kind of places.
    #[serde(default)]
    pub across: Places,
}

/// A front followed by a refined zone of constant width, as in adaptive meshes that follow a shock. The front
/// enters before the first place, crosses all places with constant speed, leaves after the last and enters
/// again. If the factor is above 1, the sum of loads grows while the zone enters and shrinks while it leaves.
///
/// In phase p the front has passed f = floor(t (N + k) / `period`) of N + k positions, where t = p mod `period`
/// and k = max(1, round(`width` N)). The zone consists of those places from f - k to f - 1 that exist, 0 to
/// N - 1. No place is refined in phase 0. If `period` = N + k, every place is refined in exactly k phases of a
/// period.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// Factor on the loads in the zone.
    pub factor: f64,
    /// Fraction of the places that the complete zone covers, above 0 and up to 1.
    pub width: f64,
    /// Number of phases from one entry of the front to the next.
    pub period: u32,
    /// Kind of places.
    #[serde(default)]
    pub across: Places,
}

/// Places that a pattern moves across.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Places {
    /// Ranks on which objects start, ascending. A pattern covers all objects that start on a covered rank.
    #[default]
    Ranks,
    /// Migratable objects in the order of their indices, wherever they start.
    Objects,
}

/// A pattern in one phase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    factor: f64,
    across: Places,
    window: Window,
}

impl Pattern {
    /// Multiplies the loads of covered objects. `loads` begins with the migratable objects. `starts` has their start
    /// ranks, as positions among the ranks on which objects start. Other loads stay unchanged.
    pub(crate) fn apply(&self, loads: &mut [f64], starts: &[u32]) {
        for ((object, load), &start) in (0..).zip(loads).zip(starts) {
            let place = if self.across == Places::Ranks { start } else { object };
            if self.window.covers(place) {
                *load = (*load * self.factor).min(f64::MAX);
            }
        }
    }
}

/// Returns the patterns of a phase with `n_objects` migratable objects that start on `n_mapped` ranks.
pub(crate) fn patterns(
    (hot_spot, wave): (Option<HotSpot>, Option<Wave>),
    phase: u32,
    n_mapped: u32,
    n_objects: u32,
) -> impl Iterator<Item = Pattern> {
    let n_places = move |across| if across == Places::Ranks { n_mapped } else { n_objects };
    let spot = hot_spot.map(|spot| Pattern {
        factor: spot.factor,
        across: spot.across,
        window: spot.window(phase, n_places(spot.across)),
    });
    let wave = wave.map(|wave| Pattern {
        factor: wave.factor,
        across: wave.across,
        window: wave.window(phase, n_places(wave.across)),
    });
    spot.into_iter().chain(wave)
}

/// Places covered in a phase: `length` of them from `first`, continuing with place 0 after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    first: u64,
    length: u64,
    n_places: u64,
}

impl Window {
    /// True if a place is covered.
    pub(crate) fn covers(self, place: u32) -> bool {
        let place = u64::from(place);
        let offset =
            if place >= self.first { place - self.first } else { place + self.n_places - self.first };
        offset < self.length
    }
}

impl HotSpot {
    pub(crate) fn validate(&self) -> Result<(), SynthError> {
        require_magnitude("hot_spot.factor", self.factor)?;
        require_width("hot_spot.width", self.width)?;
        for (key, share) in [("hot_spot.speed", self.speed), ("hot_spot.start", self.start)] {
            require(share.is_finite(), key, share, "it must be finite")?;
        }
        Ok(())
    }

    /// Places covered in a phase.
    pub(crate) fn window(&self, phase: u32, n_places: u32) -> Window {
        let position = (self.start + self.speed * f64::from(phase)).rem_euclid(1.0);
        let first = nearest(position, n_places) % u64::from(n_places.max(1));
        Window { first, length: length(self.width, n_places), n_places: n_places.into() }
    }
}

impl Wave {
    pub(crate) fn validate(&self) -> Result<(), SynthError> {
        require_magnitude("wave.factor", self.factor)?;
        require_width("wave.width", self.width)?;
        require(self.period > 0, "wave.period", self.period, "a period must have at least one phase")
    }

    /// Places refined in a phase.
    pub(crate) fn window(&self, phase: u32, n_places: u32) -> Window {
        let (n, zone) = (u64::from(n_places), length(self.width, n_places));
        let time = u64::from(phase % self.period);
        let front = time * (n + zone) / u64::from(self.period);
        let first = front.saturating_sub(zone);
        Window { first, length: front.min(n) - first, n_places: n }
    }
}

/// Returns the number of places of a width, at least one.
fn length(width: f64, n_places: u32) -> u64 {
    nearest(width, n_places).max(1)
}

/// Returns the integer nearest to a fraction of the places.
#[expect(clippy::cast_sign_loss, reason = "fractions are not negative")]
fn nearest(share: f64, n_places: u32) -> u64 {
    (share * f64::from(n_places)).round() as u64
}

fn require_width(key: &str, width: f64) -> Result<(), SynthError> {
    require(width > 0.0 && width <= 1.0, key, width, "it must be a fraction above 0 and at most 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(window: Window, n_places: u32) -> Vec<u32> {
        (0..n_places).filter(|&place| window.covers(place)).collect()
    }

    fn spot(width: f64, speed: f64, start: f64) -> HotSpot {
        HotSpot { factor: 2.0, width, speed, start, across: Places::Ranks }
    }

    fn wave(width: f64, period: u32) -> Wave {
        Wave { factor: 2.0, width, period, across: Places::Ranks }
    }

    #[test]
    fn the_spot_moves_on_and_wraps_around() {
        let spot = spot(0.3, 0.2, 0.5);
        let by_phase: Vec<Vec<u32>> = (0..6).map(|phase| covered(spot.window(phase, 10), 10)).collect();
        let expected =
            [vec![5, 6, 7], vec![7, 8, 9], vec![0, 1, 9], vec![1, 2, 3], vec![3, 4, 5], vec![5, 6, 7]];
        assert_eq!(by_phase, expected);
    }

    #[test]
    fn the_spot_may_move_backwards_or_stay() {
        let backwards = spot(0.1, -0.1, 0.0);
        assert_eq!(covered(backwards.window(1, 10), 10), [9]);
        assert_eq!(covered(backwards.window(10, 10), 10), [0]);
        assert_eq!(covered(spot(0.2, 0.0, 0.2).window(77, 10), 10), [2, 3]);
    }

    #[test]
    fn the_spot_covers_the_same_number_of_places_in_every_phase() {
        for (width, n_places, expected) in
            [(0.3, 10, 3), (0.25, 1000, 250), (0.001, 7, 1), (1.0, 13, 13), (0.999, 3, 3), (0.5, 1, 1)]
        {
            for phase in 0..200 {
                let window = spot(width, 0.037, 0.9).window(phase, n_places);
                assert_eq!(covered(window, n_places).len(), expected, "{width} of {n_places}, phase {phase}");
            }
        }
    }

    #[test]
    fn over_a_whole_turn_the_spot_covers_every_place_equally() {
        // The spot moves over all 20 places in 20 phases. It covers 0.15 x 20 = 3 places, so each place is hot in 3
        // phases.
        let mut times = [0; 20];
        for phase in 0..20 {
            for place in covered(spot(0.15, 0.05, 0.35).window(phase, 20), 20) {
                times[place as usize] += 1;
            }
        }
        assert_eq!(times, [3; 20]);
    }

    #[test]
    fn the_wave_enters_passes_and_leaves() {
        // 4 places and a zone of 2: six positions in a period of six phases.
        let wave = wave(0.5, 6);
        let by_phase: Vec<Vec<u32>> = (0..8).map(|phase| covered(wave.window(phase, 4), 4)).collect();
        let expected = [vec![], vec![0], vec![0, 1], vec![1, 2], vec![2, 3], vec![3], vec![], vec![0]];
        assert_eq!(by_phase, expected);
    }

    #[test]
    fn over_a_period_of_all_positions_every_place_is_refined_equally_often() {
        for (width, n_places, zone) in [(0.2, 50, 10), (1.0, 9, 9), (0.01, 5, 1)] {
            let wave = wave(width, n_places + zone);
            let mut times = vec![0; n_places as usize];
            for phase in 0..wave.period {
                let refined = covered(wave.window(phase, n_places), n_places);
                assert!(refined.len() <= zone as usize);
                for place in refined {
                    times[place as usize] += 1;
                }
            }
            assert_eq!(times, vec![zone; n_places as usize]);
        }
    }

    #[test]
    fn a_wave_of_another_period_is_whole_while_it_is_inside() {
        let wave = wave(0.2, 7);
        let lengths: Vec<usize> = (0..7).map(|phase| covered(wave.window(phase, 100), 100).len()).collect();
        // The front is at floor(120 t / 7): 0, 17, 34, 51, 68, 85, 102.
        assert_eq!(lengths, [0, 17, 20, 20, 20, 20, 18]);
    }

    #[test]
    fn without_places_nothing_is_covered() {
        for phase in 0..5 {
            assert_eq!(covered(spot(0.5, 0.3, 0.0).window(phase, 0), 0), Vec::<u32>::new());
            assert_eq!(covered(wave(0.5, 3).window(phase, 0), 0), Vec::<u32>::new());
        }
    }
}
