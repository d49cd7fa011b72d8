// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drawn pictures.

mod pdf;
mod png;

use resvg::usvg::{Options, Tree};

use crate::{Format, PlotError, Size, font};

/// Drawn picture, the source of all file formats.
#[derive(Debug, Clone, PartialEq)]
pub struct Svg {
    text: String,
    title: String,
    size: Size,
}

impl Svg {
    /// Creates a picture from the contents of the root element: valid SVG in hundredths of a millimetre from the upper
    /// left corner, with texts in the font [`crate::FONT_FAMILY`].
    #[must_use]
    pub fn new(title: &str, size: Size, body: &str) -> Self {
        let Size { width_mm, height_mm } = size;
        let (x, y) = (width_mm * 100.0, height_mm * 100.0);
        let escaped = lbaf_text::line(title).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        // Round joins prevent spikes at sharp turns of a line, which would extend beyond the extreme values.
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width_mm}mm\" height=\"{height_mm}mm\" \
             viewBox=\"0 0 {x} {y}\" stroke-linejoin=\"round\">\n<title>{escaped}</title>\n{body}</svg>\n"
        );
        Self { text, title: title.to_owned(), size }
    }

    /// Returns the SVG document, in UTF-8.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the picture as a file of a format. Only a PNG depends on the resolution, in dots per inch.
    ///
    /// # Errors
    ///
    /// [`PlotError::Resolution`] if the resolution of a PNG is out of range, [`PlotError::Convert`] if a
    /// converter fails.
    pub fn to_bytes(&self, format: Format, dpi: u32) -> Result<Vec<u8>, PlotError> {
        match format {
            Format::Svg => Ok(self.text.clone().into_bytes()),
            Format::Pdf => pdf::bytes(&self.tree("pdf")?, &self.title, self.size),
            Format::Png => png::bytes(&self.tree("png")?, self.size, dpi),
        }
    }

    fn tree(&self, format: &'static str) -> Result<Tree, PlotError> {
        let options = Options { fontdb: font::database(), ..Options::default() };
        Tree::from_str(&self.text, &options)
            .map_err(|error| PlotError::Convert { format, reason: error.to_string() })
    }
}
