// SPDX-License-Identifier: MIT OR Apache-2.0
//! PDF of a drawn chart: one page of its size, with text as text and the font embedded.

use krilla::configure::{ConfigurationBuilder, PdfVersion};
use krilla::geom;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use krilla_svg::{SurfaceExt, SvgSettings};
use resvg::usvg::Tree;

use crate::{PlotError, Size};

/// Returns the document. Equal charts give equal files: there is no date, and the identifier is a hash of the contents.
pub(crate) fn bytes(tree: &Tree, title: &str, size: Size) -> Result<Vec<u8>, PlotError> {
    let size = geom::Size::from_wh(points(size.width_mm), points(size.height_mm))
        .ok_or_else(|| failed("the picture has no size"))?;

    // Newest version that pdflatex includes without a warning.
    let configuration = ConfigurationBuilder::new()
        .with_version(PdfVersion::Pdf15)
        .finish()
        .map_err(|error| failed(&format!("{error:?}")))?;
    let mut document =
        Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    document.set_metadata(Metadata::new().title(title.to_owned()).creator("lbaf".to_owned()));
    let mut page = document.start_page_with(PageSettings::new(size));
    let mut surface = page.surface();
    let drawn = surface.draw_svg(tree, size, SvgSettings::default());
    surface.finish();
    page.finish();
    drawn.ok_or_else(|| failed("the picture could not be drawn"))?;
    document.finish().map_err(|error| failed(&format!("{error:?}")))
}

/// Converts millimetres to points of 1/72 inch.
fn points(mm: f64) -> f32 {
    mm as f32 * 72.0 / 25.4
}

fn failed(reason: &str) -> PlotError {
    PlotError::Convert { format: "pdf", reason: reason.to_owned() }
}
