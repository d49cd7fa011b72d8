// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one font of all charts, compiled in.

use std::sync::{Arc, OnceLock};

use plotters::style::{FontStyle, IntoFont, register_font};
use resvg::usvg::fontdb::{Database, Source};

/// Families in order of preference. Arial and Helvetica have letters of the same width, so that an SVG in a viewer without
/// the first still fits.
pub const FAMILY: &str = "Liberation Sans, Arial, Helvetica, sans-serif";

/// What Unicode and XML have no characters for, beside control characters.
const NO_CHARACTERS: [char; 2] = ['\u{fffe}', '\u{ffff}'];

static BYTES: &[u8] = include_bytes!("../fonts/LiberationSans-Regular.ttf");

/// The font's line, from the lowest to the highest point, over its em: (1854 + 434) / 2048.
const LINE_PER_EM: f64 = 1.117_187_5;

/// The fonts that converters may use: this one and no other.
pub(crate) fn database() -> Arc<Database> {
    static DATABASE: OnceLock<Arc<Database>> = OnceLock::new();
    let build = || {
        let mut database = Database::new();
        database.load_font_source(Source::Binary(Arc::new(BYTES)));
        Arc::new(database)
    };
    Arc::clone(DATABASE.get_or_init(build))
}

/// Width of a text in the unit of `em`, its font size.
///
/// # Panics
///
/// Never: the font is part of the program.
#[must_use]
pub fn text_width(text: &str, em: f64) -> f64 {
    static REGISTERED: OnceLock<()> = OnceLock::new();
    REGISTERED.get_or_init(|| {
        let registered = register_font(FAMILY, FontStyle::Normal, BYTES);
        assert!(registered.is_ok(), "invariant: the font in the repository can be read");
    });
    // The drawing library answers in whole units and takes the height of the line for the size of the font.
    let line = 10_000.0;
    let font = (FAMILY, line).into_font();
    let (width, _) = font.box_size(text).expect("invariant: the font was registered above");
    f64::from(width) / line * LINE_PER_EM * em
}

/// The text, or as much of its beginning as fits into `width` followed by an ellipsis. Line breaks and control characters,
/// which XML could not carry, become spaces; marks that turn the direction of writing become escapes.
#[must_use]
pub fn fitted(text: &str, em: f64, width: f64) -> String {
    let text: String = text
        .trim()
        .chars()
        .map(|c| if c.is_control() || NO_CHARACTERS.contains(&c) { ' ' } else { c })
        .collect();
    let text = lbaf_text::line(&text).into_owned();
    if text_width(&text, em) <= width {
        return text;
    }
    let mut kept: Vec<char> = text.chars().collect();
    loop {
        kept.pop();
        let shortened = format!("{}\u{2026}", kept.iter().collect::<String>().trim_end());
        if kept.is_empty() || text_width(&shortened, em) <= width {
            return shortened;
        }
    }
}

/// The size of letters at which something fits: as they should be or somewhat smaller, but never too small to be read.
pub(crate) fn readable(em: f64, fits: impl Fn(f64) -> bool) -> f64 {
    let smallest = 0.7 * em;
    [em, 0.9 * em, 0.8 * em].into_iter().find(|&em| fits(em)).unwrap_or(smallest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_the_widths_in_the_font_file() {
        // Advance widths of the hmtx table in units of 1/2048 em: digit 1139, space 569.
        assert!((text_width("0", 2048.0) - 1139.0).abs() < 1.0);
        assert!((text_width("0000 0000", 2048.0) - (8.0 * 1139.0 + 569.0)).abs() < 1.0);
    }

    #[test]
    fn shortens_only_what_does_not_fit() {
        assert_eq!(fitted("load", 1.0, 10.0), "load");
        let long = "0".repeat(100);
        let short = fitted(&long, 1.0, 5.0);
        // An ellipsis is one em wide and a digit 0.556: seven digits make 4.9 em, eight would make 5.4.
        assert_eq!(short, "0000000\u{2026}");
    }

    #[test]
    fn replaces_what_xml_cannot_carry() {
        assert_eq!(fitted(" a\nb\u{0}c\u{ffff}d ", 1.0, 10.0), "a b c d");
    }

    #[test]
    fn knows_exactly_one_font() {
        assert_eq!(database().len(), 1);
    }
}
