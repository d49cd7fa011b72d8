// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which charts to draw, and how.

use lbaf_plot::{Format, Palette, Style, Width};

use super::Selection;
use super::error::{Keyed, Listed};
use super::raw;
use crate::chart::chart_named;
use serde::{Deserialize, Serialize};

/// Which charts to draw, and how.
#[derive(Clone, Debug)]
pub struct Plots {
    /// File formats.
    pub formats: Vec<Format>,
    /// Names of charts, `None` for the usual ones.
    pub charts: Option<Vec<String>>,
    /// Phases that get charts of their own, `None` for few of them.
    pub phases: Option<Selection>,
    /// Whether charts are written for LaTeX too.
    pub pgfplots: bool,
    /// Sizes, colours and resolution.
    pub style: Style,
}

/// Sizes of letters in points that can be read and leave room for the data.
pub const FONT_PT: std::ops::RangeInclusive<f64> = 5.0..=16.0;
/// Heights in millimetres that a page has.
const HEIGHT_MM: std::ops::RangeInclusive<f64> = 30.0..=250.0;

impl Plots {
    /// The settings for the summary.
    pub fn settings(&self) -> PlotSettings {
        let Style { width, height_mm, font_pt, palette, has_titles, png_dpi } = &self.style;
        PlotSettings {
            formats: self.formats.iter().map(|format| format.extension().to_owned()).collect(),
            charts: self.charts.clone(),
            phases: self.phases.as_ref().map(ToString::to_string),
            width: width.name().to_owned(),
            dpi: *png_dpi,
            pgfplots: self.pgfplots,
            palette: palette.name().to_owned(),
            font_size: *font_pt,
            height: *height_mm,
            titles: *has_titles,
        }
    }
}

/// Names of charts as they are written here.
pub(super) fn charts(raw: &raw::PlotSettings) -> Listed<Option<Vec<String>>> {
    let name = |(position, name): (usize, &String)| chart_named(name).map_err(|message| (position, message));
    raw.charts.as_ref().map(|names| names.0.iter().enumerate().map(name).collect()).transpose()
}

/// What to draw, or the key of what is wrong and why.
/// Why charts with such letters cannot be so high, if they cannot: legends and labels must leave room for them.
pub fn unfit_height(height: f64, font_pt: f64) -> Option<String> {
    const MM_PER_POINT: f64 = 3.0;
    let least = MM_PER_POINT * font_pt;
    if !HEIGHT_MM.contains(&height) {
        Some(format!("charts are 30 to 250 mm high, not {height}"))
    } else if height < least {
        Some(format!(
            "with a font size of {font_pt} points the height must be at least {least} mm, not {height}"
        ))
    } else {
        None
    }
}

pub(super) fn plots(raw: &raw::PlotSettings, charts: Option<Vec<String>>) -> Keyed<Plots> {
    let default = Style::default();
    let png_dpi = raw.dpi.unwrap_or(default.png_dpi);
    if !(36..=1200).contains(&png_dpi) {
        return Err((
            "dpi".to_owned(),
            format!("the resolution must be 36 to 1200 dots per inch, not {png_dpi}"),
        ));
    }
    let font_pt = raw.style.font_size.unwrap_or(default.font_pt);
    if !FONT_PT.contains(&font_pt) {
        return Err((
            "style.font_size".to_owned(),
            format!("the font size must be 5 to 16 points, not {font_pt}"),
        ));
    }
    if let Some(message) = raw.style.height.and_then(|height| unfit_height(height, font_pt)) {
        return Err(("style.height".to_owned(), message));
    }
    let format = |format: &raw::Format| match format {
        raw::Format::Svg => Format::Svg,
        raw::Format::Pdf => Format::Pdf,
        raw::Format::Png => Format::Png,
    };
    let mut formats: Vec<Format> = match &raw.formats {
        Some(formats) => formats.iter().map(format).collect(),
        None => Format::ALL.to_vec(),
    };
    formats.dedup();
    let style = Style {
        width: match raw.width {
            raw::Width::OneColumn => Width::OneColumn,
            raw::Width::TwoColumn => Width::TwoColumn,
        },
        height_mm: raw.style.height,
        font_pt,
        palette: match raw.style.palette {
            None | Some(raw::Palette::Colour) => Palette::Colour,
            Some(raw::Palette::Grey) => Palette::Grey,
        },
        has_titles: raw.style.titles,
        png_dpi,
    };
    Ok(Plots { formats, charts, phases: raw.phases.clone(), pgfplots: raw.pgfplots, style })
}

/// How charts are drawn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlotSettings {
    /// File formats, by suffix.
    pub formats: Vec<String>,
    /// Names of charts; nothing for the usual ones.
    pub charts: Option<Vec<String>>,
    /// Phases that have charts of their own; nothing for few of them.
    #[serde(default)]
    pub phases: Option<String>,
    /// Width by name: `one-column` or `two-column`.
    pub width: String,
    /// Resolution of PNG in dots per inch.
    pub dpi: u32,
    /// Charts for LaTeX too.
    #[serde(default)]
    pub pgfplots: bool,
    /// Palette by name.
    #[serde(default = "usual_palette")]
    pub palette: String,
    /// Of the labels of axes, in points.
    #[serde(default = "usual_font_size")]
    pub font_size: f64,
    /// In millimetres; nothing for that of the width.
    #[serde(default)]
    pub height: Option<f64>,
    /// Titles above charts.
    #[serde(default)]
    pub titles: bool,
}

fn usual_palette() -> String {
    "colour".to_owned()
}

fn usual_font_size() -> f64 {
    8.0
}
