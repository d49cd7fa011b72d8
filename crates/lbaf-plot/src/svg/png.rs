// SPDX-License-Identifier: MIT OR Apache-2.0
//! PNG of a drawn chart: pixels on white, with the resolution in the file.

use png::{BitDepth, ColorType, Encoder, PixelDimensions, Unit};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::Tree;

use crate::{PlotError, Size};

/// Renders the picture at a resolution in dots per inch.
pub(crate) fn bytes(tree: &Tree, size: Size, dpi: u32) -> Result<Vec<u8>, PlotError> {
    if !(36..=1200).contains(&dpi) {
        return Err(PlotError::Resolution { dpi });
    }
    let (columns, rows) = (pixels(size.width_mm, dpi), pixels(size.height_mm, dpi));
    let mut pixmap = Pixmap::new(columns, rows).ok_or_else(|| failed("the picture is too large"))?;
    pixmap.fill(Color::WHITE);
    let scale =
        Transform::from_scale(columns as f32 / tree.size().width(), rows as f32 / tree.size().height());
    resvg::render(tree, scale, &mut pixmap.as_mut());

    // On white, all pixels are opaque and need no alpha byte.
    let (rgba, _) = pixmap.data().as_chunks::<4>();
    let rgb: Vec<[u8; 3]> = rgba.iter().map(|&[red, green, blue, _]| [red, green, blue]).collect();
    encoded(rgb.as_flattened(), columns, rows, dpi).map_err(|error| failed(&error.to_string()))
}

fn encoded(rgb: &[u8], columns: u32, rows: u32, dpi: u32) -> Result<Vec<u8>, png::EncodingError> {
    let per_metre = pixels(1000.0, dpi);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, columns, rows);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_pixel_dims(Some(PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(rgb)?;
    writer.finish()?;
    Ok(bytes)
}

/// Converts millimetres to pixels, rounded.
#[allow(clippy::cast_sign_loss, reason = "lengths are positive")]
fn pixels(mm: f64, dpi: u32) -> u32 {
    (mm * f64::from(dpi) / 25.4).round() as u32
}

fn failed(reason: &str) -> PlotError {
    PlotError::Convert { format: "png", reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_pixels_from_inches() {
        assert_eq!(pixels(254.0, 300), 3000);
        // 88 mm are 3.4646 inches.
        assert_eq!(pixels(88.0, 300), 1039);
    }
}
