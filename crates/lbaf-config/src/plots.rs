// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection and style of charts.

use lbaf_plot::{Format, Palette, Style, TableWidth, Width};

use super::Selection;
use super::error::{Keyed, Listed};
use super::raw;
use crate::chart::chart_named;
use serde::{Deserialize, Serialize};

/// Selection and style of charts.
#[derive(Clone, Debug)]
pub struct Plots {
    /// File formats.
    pub formats: Vec<Format>,
    /// Names of charts; `None` for the default selection.
    pub charts: Option<Vec<String>>,
    /// Phases to draw in charts of a single phase; `None` for the default selection of a few phases.
    pub phases: Option<Selection>,
    /// True if charts are also written for LaTeX.
    pub pgfplots: bool,
    /// Sizes, colours and resolution.
    pub style: Style,
    /// Width of a run's tables for papers; `None` for the narrowest width that suits each table.
    pub table_width: Option<TableWidth>,
}

/// Font sizes in points that are readable and leave space for the data.
pub const FONT_PT: std::ops::RangeInclusive<f64> = 5.0..=16.0;
/// Heights of charts in millimetres that fit on a page.
const HEIGHT_MM: std::ops::RangeInclusive<f64> = 30.0..=250.0;

impl Plots {
    /// Returns the settings for the summary.
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
            table_width: self.table_width.map(|width| width.name().to_owned()),
        }
    }
}

/// Returns the names of charts in their canonical spelling.
pub(super) fn charts(raw: &raw::PlotSettings) -> Listed<Option<Vec<String>>> {
    let name = |(position, name): (usize, &String)| chart_named(name).map_err(|message| (position, message));
    raw.charts.as_ref().map(|names| names.0.iter().enumerate().map(name).collect()).transpose()
}

/// Returns the reason why charts cannot have this height, because legends and labels must leave space for the data.
/// `None` for a suitable height.
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

pub(super) fn plots(
    raw: &raw::PlotSettings,
    charts: Option<Vec<String>>,
    table_width: Option<TableWidth>,
) -> Keyed<Plots> {
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
    Ok(Plots { formats, charts, phases: raw.phases.clone(), pgfplots: raw.pgfplots, style, table_width })
}

/// Settings of charts, for the summary.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlotSettings {
    /// File formats, by suffix.
    pub formats: Vec<String>,
    /// Names of charts; `None` for the default selection.
    pub charts: Option<Vec<String>>,
    /// Phases to draw in charts of a single phase; `None` for the default selection of a few phases.
    #[serde(default)]
    pub phases: Option<String>,
    /// Width by name: `one_column` or `two_column`.
    pub width: String,
    /// Resolution of PNG in dots per inch.
    pub dpi: u32,
    /// True if charts are also written for LaTeX.
    #[serde(default)]
    pub pgfplots: bool,
    /// Palette by name.
    #[serde(default = "default_palette")]
    pub palette: String,
    /// Font size of axis labels, in points.
    #[serde(default = "default_font_size")]
    pub font_size: f64,
    /// Height in millimetres; `None` for the default of the width.
    #[serde(default)]
    pub height: Option<f64>,
    /// True if charts have titles.
    #[serde(default)]
    pub titles: bool,
    /// Width of tables by name: `column` or `page`; `None` for the narrowest width that suits each table.
    #[serde(default)]
    pub table_width: Option<String>,
}

fn default_palette() -> String {
    "colour".to_owned()
}

fn default_font_size() -> f64 {
    8.0
}
