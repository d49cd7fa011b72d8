// SPDX-License-Identifier: MIT OR Apache-2.0
//! Colours, pens and markers of series, the same in all charts.
//!
//! The colours of `before`, `after` and the first six runs are those of Okabe and Ito, distinguishable with every
//! common colour blindness. `before` and `after` also differ without colour: `before` is pale and wide, with rings as
//! points; `after` is dark and narrow, with squares. Both are visible where they coincide. The first twelve runs also
//! differ by marker. Shades become darker with the value, also on a grey print.

use plotters::style::RGBColor;

/// Stroke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pen {
    pub(crate) color: RGBColor,
    pub(crate) width_pt: f64,
    /// Dash and gap, in millimetres.
    pub(crate) dash_mm: Option<(f64, f64)>,
}

/// Marker of a single point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    /// Ring.
    Circle,
    /// Filled square.
    Square,
    /// Filled triangle.
    Triangle,
    /// Filled square on its corner.
    Diamond,
    /// Filled triangle on its tip.
    Down,
    /// Filled disc.
    Disc,
    /// Square filled with white.
    OpenSquare,
    /// Triangle filled with white.
    OpenTriangle,
    /// Square on its corner, filled with white.
    OpenDiamond,
    /// Triangle on its tip, filled with white.
    OpenDown,
    /// Diagonal cross.
    Cross,
    /// Upright cross.
    Plus,
    /// Short horizontal stroke.
    Bar,
}

/// Look of a series: its line, its points and the area below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    pub(crate) pen: Pen,
    pub(crate) marker: Marker,
    pub(crate) fill: Option<RGBColor>,
}

pub(crate) const INK: RGBColor = RGBColor(0, 0, 0);
pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// Axes and their ticks.
pub(crate) const AXIS: Pen = Pen { color: INK, width_pt: 0.5, dash_mm: None };

/// State before a strategy.
pub(crate) const BEFORE: Look = Look {
    pen: Pen { color: RGBColor(230, 159, 0), width_pt: 1.6, dash_mm: None },
    marker: Marker::Circle,
    fill: Some(RGBColor(252, 236, 204)),
};

/// State after a strategy.
pub(crate) const AFTER: Look = Look {
    pen: Pen { color: RGBColor(0, 114, 178), width_pt: 1.0, dash_mm: None },
    marker: Marker::Square,
    fill: None,
};

/// Lower bound for all placements, and Pareto front.
pub(crate) const BOUND: Look = Look {
    pen: Pen { color: INK, width_pt: 0.8, dash_mm: Some((0.35, 0.55)) },
    marker: Marker::Bar,
    fill: None,
};

/// Lower bound for placements under a restriction.
pub(crate) const RESTRICTED: Pen = Pen { color: INK, width_pt: 0.8, dash_mm: Some((0.35, 1.4)) };

/// Mean over ranks.
pub(crate) const MEAN: Pen = Pen { color: INK, width_pt: 0.6, dash_mm: Some((1.6, 0.9)) };

/// Line between rows of a chart.
pub(crate) const BETWEEN_ROWS: Pen = Pen { color: RGBColor(200, 200, 200), width_pt: 0.4, dash_mm: None };

/// Upper bound.
pub(crate) const LIMIT: Pen = Pen { color: RGBColor(213, 94, 0), width_pt: 0.9, dash_mm: Some((2.4, 0.8)) };

/// Colours, markers and dashes of compared runs. The first six colours are those of Okabe and Ito; the others are dark
/// enough for white paper.
const RUNS: [Look; 12] = [
    one_of_runs(RGBColor(0, 114, 178), Marker::Square, None),
    one_of_runs(RGBColor(213, 94, 0), Marker::Triangle, Some((2.0, 0.7))),
    one_of_runs(RGBColor(0, 158, 115), Marker::Diamond, Some((0.7, 0.5))),
    one_of_runs(RGBColor(204, 121, 167), Marker::Cross, None),
    one_of_runs(RGBColor(86, 180, 233), Marker::Down, Some((2.0, 0.6))),
    one_of_runs(RGBColor(0, 0, 0), Marker::Disc, Some((0.7, 0.7))),
    one_of_runs(RGBColor(120, 70, 50), Marker::OpenSquare, None),
    one_of_runs(RGBColor(153, 153, 51), Marker::OpenTriangle, Some((2.0, 0.7))),
    one_of_runs(RGBColor(136, 34, 85), Marker::OpenDiamond, Some((0.7, 0.5))),
    one_of_runs(RGBColor(119, 119, 119), Marker::Plus, None),
    one_of_runs(RGBColor(51, 34, 136), Marker::OpenDown, Some((2.0, 0.6))),
    one_of_runs(RGBColor(68, 170, 153), Marker::Bar, Some((0.7, 0.7))),
];

/// Number of runs with different colours.
pub(crate) const MOST_RUNS: usize = RUNS.len();

const fn one_of_runs(color: RGBColor, marker: Marker, dash_mm: Option<(f64, f64)>) -> Look {
    Look { pen: Pen { color, width_pt: 1.1, dash_mm }, marker, fill: None }
}

/// Returns the look of a compared run; runs are numbered from 0. From the thirteenth run on, colours repeat with a
/// narrower line and another marker.
pub(crate) fn run(number: usize) -> Look {
    let look = RUNS[number % RUNS.len()];
    let round = number / RUNS.len();
    if round == 0 {
        return look;
    }
    let marker = RUNS[(number + OTHER_MARKER * round) % RUNS.len()].marker;
    Look { pen: Pen { width_pt: 0.6, ..look.pen }, marker, ..look }
}

/// Number of runs by which markers are shifted against colours each time that colours repeat.
const OTHER_MARKER: usize = 5;

/// Colours of stacked parts from the bottom: dark and light in turn, so that neighbours differ on a grey print.
pub(crate) const PARTS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(230, 159, 0), RGBColor(120, 70, 50), RGBColor(190, 190, 190)];

/// Shades from the smallest to the largest value, at equal distances.
const SHADES: [RGBColor; 5] = [
    RGBColor(204, 224, 241),
    RGBColor(146, 192, 222),
    RGBColor(75, 151, 201),
    RGBColor(14, 88, 162),
    RGBColor(6, 36, 88),
];

/// Palest shade beside empty cells, which are white: a position among the shades, from 0 to 1.
pub(crate) const BESIDE_WHITE: f64 = 0.25;

/// Returns the shade at a position from 0 (palest) to 1 (darkest).
pub(crate) fn shade(part: f64) -> RGBColor {
    let place = part.clamp(0.0, 1.0) * (SHADES.len() - 1) as f64;
    let left = (0..SHADES.len() - 2).take_while(|&left| (left + 1) as f64 <= place).count();
    let (from, to, share) = (SHADES[left], SHADES[left + 1], place - left as f64);
    let mixed = |a: u8, b: u8| byte(f64::from(a) + (f64::from(b) - f64::from(a)) * share);
    RGBColor(mixed(from.0, to.0), mixed(from.1, to.1), mixed(from.2, to.2))
}

/// Returns a pale version of a colour, for areas under its lines.
pub(crate) fn pale(RGBColor(red, green, blue): RGBColor) -> RGBColor {
    let mixed = |part: u8| byte(f64::from(part) + (255.0 - f64::from(part)) * 0.78);
    RGBColor(mixed(red), mixed(green), mixed(blue))
}

/// Returns the grey of the same brightness.
pub(crate) fn grey(color: RGBColor) -> RGBColor {
    let RGBColor(red, green, blue) = color;
    let brightness = byte(0.2126 * f64::from(red) + 0.7152 * f64::from(green) + 0.0722 * f64::from(blue));
    RGBColor(brightness, brightness, brightness)
}

#[allow(clippy::cast_sign_loss, reason = "brightness is not negative, and the cast saturates at 0")]
fn byte(brightness: f64) -> u8 {
    brightness.round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brightness(color: RGBColor) -> i32 {
        i32::from(grey(color).0)
    }

    #[test]
    fn before_and_after_differ_in_grey() {
        assert!(brightness(BEFORE.pen.color) - brightness(AFTER.pen.color) > 50);
        assert!(brightness(PAPER) - brightness(BEFORE.pen.color) > 50);
    }

    #[test]
    fn neighbouring_parts_differ_in_grey() {
        for pair in PARTS.windows(2) {
            let apart = (brightness(pair[0]) - brightness(pair[1])).abs();
            assert!(apart > 50, "{pair:?} {apart}");
        }
    }

    #[test]
    fn more_is_darker() {
        let shades: Vec<i32> = (0..=100).map(|i| brightness(shade(f64::from(i) / 100.0))).collect();
        assert!(shades.windows(2).all(|pair| pair[1] <= pair[0]), "{shades:?}");
        assert!(shades[0] - shades[100] > 160);
    }

    #[test]
    fn runs_differ_by_colour_and_without_colour() {
        let start = std::iter::once(BEFORE);
        let looks: Vec<Look> = start.chain((0..MOST_RUNS).map(run)).collect();
        for (i, a) in looks.iter().enumerate() {
            for b in &looks[..i] {
                assert!(a.marker != b.marker, "{i}");
                assert!(a.pen.color != b.pen.color, "{i}");
            }
            assert!(brightness(PAPER) - brightness(a.pen.color) > 80, "{i} is visible in grey print");
        }
        // Further runs differ by the combination of both.
        let looks: Vec<Look> = (0..60).map(run).collect();
        let is_same = |a: &Look, b: &Look| a.marker == b.marker && a.pen.color == b.pen.color;
        assert!(looks.iter().enumerate().all(|(i, a)| !looks[..i].iter().any(|b| is_same(a, b))));
    }
}
