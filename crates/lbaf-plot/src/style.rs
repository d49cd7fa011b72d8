// SPDX-License-Identifier: MIT OR Apache-2.0
//! How large a chart is and which file it becomes.

use std::str::FromStr;

use crate::{PlotError, Size};

/// File format of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Vector graphics for the web. Text stays text and names the font, which the viewer may replace.
    Svg,
    /// Vector graphics for papers. The letters that are used are embedded.
    Pdf,
    /// Pixels, at the resolution of the [`Style`].
    Png,
}

/// Width of a chart in print. The text has the same size in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// One column of a two-column page: 88 mm wide, 60 mm high.
    OneColumn,
    /// The whole page: 180 mm wide, 70 mm high.
    TwoColumn,
}

/// How a chart is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// Width in print.
    pub width: Width,
    /// Dots per inch of a PNG, 36 to 1200. The other formats do not depend on it.
    pub png_dpi: u32,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Svg, Self::Pdf, Self::Png];

    /// Extension of a file of this format, without the dot.
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
    /// The size of a chart of this width.
    #[must_use]
    pub const fn size(self) -> Size {
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

impl Default for Style {
    fn default() -> Self {
        Self { width: Width::OneColumn, png_dpi: 300 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_the_extension_of_every_format() {
        for format in [Format::Svg, Format::Pdf, Format::Png] {
            assert_eq!(format.extension().parse::<Format>().unwrap(), format);
        }
        assert_eq!("one_column".parse::<Width>().unwrap(), Width::OneColumn);
        assert_eq!("two_column".parse::<Width>().unwrap(), Width::TwoColumn);
    }

    #[test]
    fn says_which_words_it_knows() {
        let error = "jpeg".parse::<Format>().unwrap_err();
        assert_eq!(error.to_string(), "unknown plot format `jpeg`: use `svg`, `pdf` or `png`");
        let error = "wide".parse::<Width>().unwrap_err();
        assert_eq!(error.to_string(), "unknown plot width `wide`: use `one_column` or `two_column`");
    }
}
