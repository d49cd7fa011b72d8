// SPDX-License-Identifier: MIT OR Apache-2.0
//! A drawn chart.

use resvg::usvg::{Options, Tree};

use crate::{Format, PlotError, Style, Width, font, pdf, png};

/// A drawn chart, from which every file format is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Svg {
    text: String,
    title: String,
    width: Width,
}

impl Svg {
    /// Wraps what stands inside the root element, drawn in hundredths of a millimetre.
    pub(crate) fn new(title: &str, width: Width, body: &str) -> Self {
        let (width_mm, height_mm) = width.size_mm();
        let (x, y) = (width_mm * 100, height_mm * 100);
        let escaped = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        // Round joints: else a line with sharp turns sprouts spikes above its extremes.
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width_mm}mm\" height=\"{height_mm}mm\" \
             viewBox=\"0 0 {x} {y}\" stroke-linejoin=\"round\">\n<title>{escaped}</title>\n{body}</svg>\n"
        );
        Self { text, title: title.to_owned(), width }
    }

    /// The SVG document, in UTF-8.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The chart as a file of the given format. Of the style, only the resolution matters here.
    ///
    /// # Errors
    ///
    /// [`PlotError::Resolution`] when a PNG is asked for at an impossible resolution, [`PlotError::Convert`] when a
    /// converter fails.
    pub fn to_bytes(&self, format: Format, style: &Style) -> Result<Vec<u8>, PlotError> {
        match format {
            Format::Svg => Ok(self.text.clone().into_bytes()),
            Format::Pdf => pdf::bytes(&self.tree("pdf")?, &self.title, self.width),
            Format::Png => png::bytes(&self.tree("png")?, self.width, style.png_dpi),
        }
    }

    fn tree(&self, format: &'static str) -> Result<Tree, PlotError> {
        let options = Options { fontdb: font::database(), ..Options::default() };
        Tree::from_str(&self.text, &options)
            .map_err(|error| PlotError::Convert { format, reason: error.to_string() })
    }
}
