// SPDX-License-Identifier: MIT OR Apache-2.0
//! Animated PNG of several frames, which every browser plays.

use std::io::Write;

use lbaf_plot::{Format, Svg};
use png::{BitDepth, ColorType, Decoder, Encoder, Writer};

use crate::PictureError;

/// Seconds for which a frame is shown, and for which the last frame is shown.
const SHOWN: u16 = 1;
const LAST_SHOWN: u16 = 3;

/// Endless animation, written frame by frame.
pub struct Animation<W: Write> {
    file: Option<W>,
    writer: Option<Writer<W>>,
    n_frames: u32,
    written: u32,
    size: (u32, u32),
}

impl<W: Write> Animation<W> {
    /// Dots per inch of frames: each side has 1000 pixels, so that many frames fit into the memory of a browser.
    pub const DPI: u32 = 150;

    /// Creates an animation of `n_frames` frames; `n_frames` must be at least 1.
    pub fn new(file: W, n_frames: u32) -> Self {
        Animation { file: Some(file), writer: None, n_frames, written: 0, size: (0, 0) }
    }

    /// Adds the next frame, converted by [`pixels`].
    ///
    /// # Errors
    /// If there are more frames than announced, frames differ in size, or writing fails.
    pub fn add(&mut self, pixels: &Pixels) -> Result<(), PictureError> {
        let size = (pixels.width, pixels.height);
        if let Some(file) = self.file.take() {
            let mut encoder = Encoder::new(file, size.0, size.1);
            encoder.set_color(ColorType::Rgb);
            encoder.set_depth(BitDepth::Eight);
            encoder.set_animated(self.n_frames, 0).map_err(failed)?;
            encoder.set_frame_delay(SHOWN, 1).map_err(failed)?;
            self.writer = Some(encoder.write_header().map_err(failed)?);
            self.size = size;
        }
        let writer = self.writer.as_mut().filter(|_| self.size == size && self.written < self.n_frames);
        let writer = writer.ok_or_else(|| {
            let Animation { n_frames, written, size: (width, height), .. } = self;
            PictureError::Animation(format!(
                "frame {} ({} x {} pixels) does not fit an animation of {n_frames} frames of {width} x {height} pixels",
                *written + 1,
                size.0,
                size.1
            ))
        })?;
        if self.written + 1 == self.n_frames && self.n_frames > 1 {
            writer.set_frame_delay(LAST_SHOWN, 1).map_err(failed)?;
        }
        writer.write_image_data(&pixels.rgb).map_err(failed)?;
        self.written += 1;
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If frames are missing, or writing fails.
    pub fn finish(self) -> Result<(), PictureError> {
        match self.writer {
            Some(writer) if self.written == self.n_frames => writer.finish().map_err(failed),
            _ => {
                let message = format!("only {} of {} frames were added", self.written, self.n_frames);
                Err(PictureError::Animation(message))
            }
        }
    }
}

/// Pixels of a picture: red, green and blue, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

/// Renders a picture as a frame of an animation.
///
/// # Errors
/// If the picture cannot be rendered as pixels.
pub fn pixels(svg: &Svg) -> Result<Pixels, PictureError> {
    let png = svg.to_bytes(Format::Png, Animation::<Vec<u8>>::DPI)?;
    let mut reader = Decoder::new(std::io::Cursor::new(png)).read_info().map_err(failed)?;
    let size = reader.output_buffer_size().ok_or_else(|| failed("the picture is too large"))?;
    let mut rgb = vec![0; size];
    let info = reader.next_frame(&mut rgb).map_err(failed)?;
    rgb.truncate(info.buffer_size());
    Ok(Pixels { width: info.width, height: info.height, rgb })
}

#[expect(clippy::needless_pass_by_value, reason = "map_err passes the error by value")]
fn failed(error: impl ToString) -> PictureError {
    PictureError::Animation(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(red: u8) -> Pixels {
        Pixels { width: 4, height: 2, rgb: [red, 0, 0].repeat(8) }
    }

    #[test]
    fn holds_every_frame() {
        let mut bytes = Vec::new();
        let mut animation = Animation::new(&mut bytes, 3);
        for red in [10, 20, 30] {
            animation.add(&frame(red)).unwrap();
        }
        animation.finish().unwrap();
        let mut reader = Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().map(|control| control.num_frames), Some(3));
        let mut rgb = vec![0; 24];
        for red in [10, 20, 30] {
            reader.next_frame(&mut rgb).unwrap();
            assert_eq!(rgb[0], red);
        }
        assert!(reader.next_frame(&mut rgb).is_err());
    }

    #[test]
    fn missing_and_extra_frames_are_errors() {
        let mut animation = Animation::new(Vec::new(), 1);
        animation.add(&frame(1)).unwrap();
        assert!(animation.add(&frame(2)).unwrap_err().to_string().contains("an animation of 1 frames"));
        assert!(Animation::new(Vec::new(), 1).finish().is_err());
    }
}
