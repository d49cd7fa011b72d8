// SPDX-License-Identifier: MIT OR Apache-2.0
//! The only font of all charts, compiled into the program.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use plotters::style::{FontStyle, IntoFont, register_font};
use resvg::usvg::fontdb::{Database, Source};

/// Font families in order of preference. Arial and Helvetica have the same letter widths, so an SVG fits even without
/// the first family.
pub const FAMILY: &str = "Liberation Sans, Arial, Helvetica, sans-serif";

/// Characters invalid in XML, in addition to control characters.
const NO_CHARACTERS: [char; 2] = ['\u{fffe}', '\u{ffff}'];

static BYTES: &[u8] = include_bytes!("../fonts/LiberationSans-Regular.ttf");

/// Line height of the font, from the lowest to the highest point, relative to its em: (1854 + 434) / 2048.
const LINE_PER_EM: f64 = 1.117_187_5;

/// Returns the font database for converters, which contains only this font.
pub(crate) fn database() -> Arc<Database> {
    static DATABASE: OnceLock<Arc<Database>> = OnceLock::new();
    let build = || {
        let mut database = Database::new();
        database.load_font_source(Source::Binary(Arc::new(BYTES)));
        Arc::new(database)
    };
    Arc::clone(DATABASE.get_or_init(build))
}

/// Returns the width of a text in the unit of its font size `em`.
///
/// # Panics
///
/// Never: the font is compiled in.
#[must_use]
pub fn text_width(text: &str, em: f64) -> f64 {
    static REGISTERED: OnceLock<()> = OnceLock::new();
    REGISTERED.get_or_init(|| {
        let registered = register_font(FAMILY, FontStyle::Normal, BYTES);
        assert!(registered.is_ok(), "invariant: the font in the repository can be read");
    });
    // The library returns integers, so the text is measured at a large size, which the library takes as the height of a
    // line, not as an em.
    let line = 10_000.0;
    let font = (FAMILY, line).into_font();
    let (width, _) = font.box_size(text).expect("invariant: the font was registered above");
    f64::from(width) / line * LINE_PER_EM * em
}

/// Returns the text without white space at its ends if it fits into `width`; otherwise its longest prefix that fits
/// with an ellipsis, or an ellipsis alone if none fits. Control characters, including line breaks, and characters
/// invalid in XML become spaces. Other hidden characters, such as marks of the writing direction, become escapes.
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

/// Returns the names, shortened as by [`fitted`]. Different names that would become equal are shortened before the part
/// in which they differ, if there is space for this part.
pub(crate) fn fitted_names(names: &[&str], em: f64, width: f64) -> Vec<String> {
    let short: Vec<String> = names.iter().map(|name| fitted(name, em, width)).collect();
    let apart = |at: usize| {
        let same = |other: &usize| short[*other] == short[at] && names[*other] != names[at];
        let common = (0..names.len()).filter(same).map(|other| common_start(names[at], names[other])).min();
        let (start, end) = names[at].split_at(common?);
        let end = fitted(end, em, f64::INFINITY);
        let rest = width - text_width(&end, em);
        (rest >= text_width("\u{2026}", em)).then(|| fitted(start, em, rest) + &end)
    };
    let longer: Vec<String> =
        (0..names.len()).map(|at| apart(at).unwrap_or_else(|| short[at].clone())).collect();
    let n_different = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len();
    // Names that were different may have become equal.
    if n_different(&longer) > n_different(&short) { longer } else { short }
}

/// Returns the number of bytes of the words with which both names begin, including the space after each word.
fn common_start(one: &str, other: &str) -> usize {
    let words = one.split_inclusive(' ').zip(other.split_inclusive(' '));
    words.take_while(|(word, other)| word == other).map(|(word, _)| word.len()).sum()
}

/// Returns the largest of 1, 0.9 and 0.8 times `em` at which `fits` is true, otherwise 0.7 times `em`, the smallest
/// readable size.
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
    fn shortened_names_stay_different_if_possible() {
        let names = ["every phase, GreedyRefine, last", "every phase, GreedyRefine, median", "LPT"];
        let width = text_width("every phase, GreedyRe", 1.0);
        let short = fitted_names(&names, 1.0, width);
        assert!(short[0].starts_with("every phase, Gr") && short[0].ends_with("\u{2026}last"), "{short:?}");
        assert!(short[1].starts_with("every phase,") && short[1].ends_with("\u{2026}median"), "{short:?}");
        assert_eq!(short[2], "LPT");
        assert!(short.iter().all(|name| text_width(name, 1.0) <= width), "{short:?}");
        // Control characters become spaces, also in the part that stays.
        let short = fitted_names(&["a long long name, o\u{0}e", "a long long name, t\no"], 1.0, 7.0);
        assert!(short[0].ends_with("\u{2026}o e") && short[1].ends_with("\u{2026}t o"), "{short:?}");
        // The part in which these names differ is too long.
        let names = ["a long name, one of two", "a long name, two of two"];
        assert_eq!(fitted_names(&names, 1.0, 3.0), names.map(|name| fitted(name, 1.0, 3.0)));
    }

    #[test]
    fn shortens_only_texts_that_do_not_fit() {
        assert_eq!(fitted("load", 1.0, 10.0), "load");
        let long = "0".repeat(100);
        let short = fitted(&long, 1.0, 5.0);
        // An ellipsis is 1 em wide and a digit 0.556 em: 4.89 em with seven digits, 5.45 em with eight.
        assert_eq!(short, "0000000\u{2026}");
    }

    #[test]
    fn replaces_characters_that_xml_cannot_contain() {
        assert_eq!(fitted(" a\nb\u{0}c\u{ffff}d ", 1.0, 10.0), "a b c d");
    }

    #[test]
    fn has_exactly_one_font() {
        assert_eq!(database().len(), 1);
    }
}
