// SPDX-License-Identifier: MIT OR Apache-2.0
//! Colours of ranks and objects.
//!
//! Ranks are coloured from blue through grey to red, as in vt-tv; objects from light yellow through green to dark
//! green. The colours of objects stand out on every rank. Objects with larger values are darker, so values can be
//! compared even in a grey print. If objects have few distinct values, each value can have its own colour instead. In
//! the grey palette, ranks are light and objects dark.

use std::fmt;

use lbaf_plot::Palette;

/// RGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// Colours of text and of the page.
pub(crate) const BLACK: Colour = Colour(0, 0, 0);
pub(crate) const WHITE: Colour = Colour(255, 255, 255);
/// Colour of outlines and less important text.
pub(crate) const GREY: Colour = Colour(90, 90, 90);

/// Colours at equal distances along a range, with linear interpolation between neighbours.
pub(crate) type Ramp = &'static [Colour];

const OF_RANKS: Ramp = &[Colour(59, 76, 192), Colour(221, 221, 221), Colour(231, 4, 28)];
const OF_OBJECTS: Ramp =
    &[Colour(255, 250, 170), Colour(160, 205, 70), Colour(45, 135, 45), Colour(0, 62, 38)];

const GREYS_OF_RANKS: Ramp = &[Colour(250, 250, 250), Colour(176, 176, 176)];
const GREYS_OF_OBJECTS: Ramp = &[Colour(136, 136, 136), Colour(0, 0, 0)];

/// Returns the ramp for ranks.
pub(crate) fn of_ranks(palette: Palette) -> Ramp {
    match palette {
        Palette::Colour => OF_RANKS,
        Palette::Grey => GREYS_OF_RANKS,
    }
}

/// Returns the ramp for objects.
pub(crate) fn of_objects(palette: Palette) -> Ramp {
    match palette {
        Palette::Colour => OF_OBJECTS,
        Palette::Grey => GREYS_OF_OBJECTS,
    }
}

/// Returns a colour for each of `n` distinct values, at most 20. In the grey palette, readers can distinguish only a
/// few.
pub(crate) fn of_values(palette: Palette, n: usize) -> Vec<Colour> {
    let of = |value: usize| match palette {
        Palette::Colour => OF_VALUES[value.min(OF_VALUES.len() - 1)],
        Palette::Grey => Colour::at(GREYS_OF_OBJECTS, value as f64 / (n.max(2) - 1) as f64),
    };
    (0..n).map(of).collect()
}

/// Colours of distinct values: Matplotlib's palette tab20, the saturated ones first, so that neighbours differ clearly.
const OF_VALUES: [Colour; 20] = [
    Colour(31, 119, 180),
    Colour(255, 127, 14),
    Colour(44, 160, 44),
    Colour(214, 39, 40),
    Colour(148, 103, 189),
    Colour(140, 86, 75),
    Colour(227, 119, 194),
    Colour(127, 127, 127),
    Colour(188, 189, 34),
    Colour(23, 190, 207),
    Colour(174, 199, 232),
    Colour(255, 187, 120),
    Colour(152, 223, 138),
    Colour(255, 152, 150),
    Colour(197, 176, 213),
    Colour(196, 156, 148),
    Colour(247, 182, 210),
    Colour(199, 199, 199),
    Colour(219, 219, 141),
    Colour(158, 218, 229),
];

impl Colour {
    /// Returns the colour at position `place` of a ramp, from 0 at its start to 1 at its end.
    #[expect(clippy::cast_sign_loss, reason = "places and colour components are not negative")]
    pub(crate) fn at(ramp: Ramp, place: f64) -> Self {
        let along = place.clamp(0.0, 1.0) * (ramp.len() - 1) as f64;
        let below = (along as usize).min(ramp.len() - 2);
        let (from, to, part) = (ramp[below], ramp[below + 1], along - below as f64);
        let mixed =
            |from: u8, to: u8| (f64::from(from) + part * (f64::from(to) - f64::from(from))).round() as u8;
        Colour(mixed(from.0, to.0), mixed(from.1, to.1), mixed(from.2, to.2))
    }

    /// Returns the lightness in a grey print, from 0 to 255.
    pub(crate) fn lightness(self) -> f64 {
        0.2126 * f64::from(self.0) + 0.7152 * f64::from(self.1) + 0.0722 * f64::from(self.2)
    }

    /// Returns black or white, depending on which of them is readable on this colour.
    pub(crate) fn ink(self) -> Self {
        if self.lightness() > 110.0 { BLACK } else { WHITE }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_go_through_their_colours() {
        assert_eq!(Colour::at(OF_RANKS, 0.0), Colour(59, 76, 192));
        assert_eq!(Colour::at(OF_RANKS, 0.5), Colour(221, 221, 221));
        assert_eq!(Colour::at(OF_RANKS, 1.0), Colour(231, 4, 28));
        // Halfway from 59 to 221.
        assert_eq!(Colour::at(OF_RANKS, 0.25).0, 140);
        assert_eq!(Colour::at(OF_RANKS, 7.0), Colour(231, 4, 28));
        assert_eq!(Colour(1, 16, 255).to_string(), "#0110ff");
    }

    #[test]
    fn objects_darken_along_their_range() {
        let grey: Vec<f64> =
            (0..=20).map(|i| Colour::at(OF_OBJECTS, f64::from(i) / 20.0).lightness()).collect();
        assert!(grey.windows(2).all(|pair| pair[0] - pair[1] > 5.0), "{grey:?}");
    }

    #[test]
    fn text_is_readable_on_every_rank() {
        for ramp in [OF_RANKS, GREYS_OF_RANKS] {
            for i in 0..=100 {
                let colour = Colour::at(ramp, f64::from(i) / 100.0);
                assert!((colour.lightness() - colour.ink().lightness()).abs() > 100.0, "{colour}");
            }
        }
    }

    #[test]
    fn no_grey_object_is_as_light_as_a_rank() {
        let [lightest, darkest] = [Colour::at(GREYS_OF_OBJECTS, 0.0), Colour::at(GREYS_OF_RANKS, 1.0)];
        assert!(darkest.lightness() - lightest.lightness() >= 40.0);
        for ramp in [GREYS_OF_RANKS, GREYS_OF_OBJECTS] {
            assert!(ramp.iter().all(|&Colour(red, green, blue)| red == green && green == blue));
        }
        assert_eq!(of_values(Palette::Grey, 3), [136, 68, 0].map(|grey| Colour(grey, grey, grey)));
        assert_eq!(of_values(Palette::Grey, 1), [GREYS_OF_OBJECTS[0]]);
    }

    #[test]
    fn values_have_different_colours() {
        let mut colours = OF_VALUES.to_vec();
        colours.sort();
        colours.dedup();
        assert_eq!(colours.len(), 20);
    }
}
