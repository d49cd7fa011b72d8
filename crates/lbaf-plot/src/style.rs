// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size, colours and file format of charts.

use std::str::FromStr;

use crate::PlotError;

/// File format of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Vector graphics for the web. Text remains text in a named font, which the viewer may replace.
    Svg,
    /// Vector graphics for papers, with the font embedded.
    Pdf,
    /// Pixels, at the resolution of the [`Style`].
    Png,
}

/// Size of a picture on paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    /// Width in millimetres.
    pub width_mm: f64,
    /// Height in millimetres.
    pub height_mm: f64,
}

/// Width of a chart in print; font sizes do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// One column of a two-column page: 88 mm wide, by default 60 mm high.
    OneColumn,
    /// Whole page: 180 mm wide, by default 70 mm high.
    TwoColumn,
}

/// Colours of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Palette {
    /// Colours; those of `before`, `after` and the first six runs are distinguishable with every common colour
    /// blindness.
    Colour,
    /// Greys with the brightness of these colours.
    Grey,
}

/// Style of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    /// Width in print.
    pub width: Width,
    /// Height in print, 30 to 250 mm; `None` for a height that depends on width, font size and kind of chart.
    pub height_mm: Option<f64>,
    /// Font size of axis labels in points, 5 to 16. Other texts are scaled accordingly.
    pub font_pt: f64,
    /// Colours.
    pub palette: Palette,
    /// True if titles are drawn. In a paper the caption replaces them.
    pub has_titles: bool,
    /// Dots per inch of a PNG, 36 to 1200. The other formats do not depend on it.
    pub png_dpi: u32,
}

/// Font size in points above which charts get higher, unless a height is given.
const LARGE_PT: f64 = 10.0;

impl Style {
    /// Returns the size of a chart that is neither square nor has named rows.
    #[must_use]
    pub fn size(&self) -> Size {
        let usual = self.width.size();
        // With large letters, the legend would otherwise leave no space for the plot.
        let usual_mm = usual.height_mm * (self.font_pt / LARGE_PT).max(1.0);
        Size { height_mm: self.height_mm.unwrap_or(usual_mm), ..usual }
    }
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Svg, Self::Pdf, Self::Png];

    /// Returns the extension of a file of this format, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Png => "png",
        }
    }
}

impl FromStr for Format {
    type Err = PlotError;

    fn from_str(word: &str) -> Result<Self, PlotError> {
        match word {
            "svg" => Ok(Self::Svg),
            "pdf" => Ok(Self::Pdf),
            "png" => Ok(Self::Png),
            _ => Err(PlotError::UnknownWord {
                kind: "plot format",
                given: word.to_owned(),
                expected: "`svg`, `pdf` or `png`",
            }),
        }
    }
}

impl Width {
    /// Returns the word in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OneColumn => "one_column",
            Self::TwoColumn => "two_column",
        }
    }

    /// Returns the default size of a chart of this width.
    const fn size(self) -> Size {
        match self {
            Self::OneColumn => Size { width_mm: 88.0, height_mm: 60.0 },
            Self::TwoColumn => Size { width_mm: 180.0, height_mm: 70.0 },
        }
    }
}

impl FromStr for Width {
    type Err = PlotError;

    fn from_str(word: &str) -> Result<Self, PlotError> {
        match word {
            "one_column" => Ok(Self::OneColumn),
            "two_column" => Ok(Self::TwoColumn),
            _ => Err(PlotError::UnknownWord {
                kind: "plot width",
                given: word.to_owned(),
                expected: "`one_column` or `two_column`",
            }),
        }
    }
}

impl Palette {
    /// Returns the word in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Colour => "colour",
            Self::Grey => "grey",
        }
    }
}

impl FromStr for Palette {
    type Err = PlotError;

    fn from_str(word: &str) -> Result<Self, PlotError> {
        match word {
            "colour" | "color" => Ok(Self::Colour),
            "grey" | "gray" => Ok(Self::Grey),
            _ => Err(PlotError::UnknownWord {
                kind: "palette",
                given: word.to_owned(),
                expected: "`colour` or `grey`",
            }),
        }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self {
            width: Width::OneColumn,
            height_mm: None,
            font_pt: 8.0,
            palette: Palette::Colour,
            has_titles: false,
            png_dpi: 300,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_word_of_every_format_and_width() {
        for format in [Format::Svg, Format::Pdf, Format::Png] {
            assert_eq!(format.extension().parse::<Format>().unwrap(), format);
        }
        assert_eq!("one_column".parse::<Width>().unwrap(), Width::OneColumn);
        assert_eq!("two_column".parse::<Width>().unwrap(), Width::TwoColumn);
    }

    #[test]
    fn errors_list_the_valid_words() {
        let error = "jpeg".parse::<Format>().unwrap_err();
        assert_eq!(error.to_string(), "unknown plot format `jpeg`: use `svg`, `pdf` or `png`");
        let error = "wide".parse::<Width>().unwrap_err();
        assert_eq!(error.to_string(), "unknown plot width `wide`: use `one_column` or `two_column`");
    }
}
