// SPDX-License-Identifier: MIT OR Apache-2.0
//! Documents that are compressed or written while they are printed.

use std::io::{self, Write};

use crate::Compressor;

/// Size of pieces in bytes.
const PIECE_BYTES: usize = Compressor::<Vec<u8>>::PIECE_BYTES;
/// Room in bytes for the line that completes a piece.
const LINE_BYTES: usize = 4096;

/// Output of a document that is compressed or written piece by piece.
///
/// Text is appended to [`Output::text`], followed by a call of [`Output::pass`] after each record.
///
/// ```
/// use lbaf_vom::Output;
///
/// let mut output = Output::new(Vec::new(), None);
/// output.text().extend_from_slice(b"{\"phases\":[\n");
/// output.pass();
/// output.text().extend_from_slice(b"]}\n");
/// assert_eq!(output.finish()?, b"{\"phases\":[\n]}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Output<W: Write> {
    text: Vec<u8>,
    form: Form<W>,
    /// First error of the sink, returned at the end, so that printing needs no error handling.
    outcome: io::Result<()>,
}

enum Form<W: Write> {
    Plain(W),
    Brotli(Compressor<W>),
}

impl<W: Write> Output<W> {
    /// Starts a document; `quality` is that of brotli ([`Compressor::new`]), or `None` for plain text.
    pub fn new(sink: W, quality: Option<u32>) -> Self {
        let form = match quality {
            Some(quality) => Form::Brotli(Compressor::new(sink, quality)),
            None => Form::Plain(sink),
        };
        Output { text: Vec::with_capacity(PIECE_BYTES + LINE_BYTES), form, outcome: Ok(()) }
    }

    /// Returns the text that the sink has not received yet, to append to it.
    pub fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Passes the text to the sink if it is long enough to be a piece.
    pub fn pass(&mut self) {
        if self.text.len() > PIECE_BYTES {
            if self.outcome.is_ok() {
                self.outcome = match &mut self.form {
                    Form::Plain(sink) => sink.write_all(&self.text),
                    Form::Brotli(compressor) => compressor.piece(&self.text),
                };
            }
            self.text.clear();
        }
    }

    /// Passes the remaining text to the sink, and returns the sink.
    ///
    /// # Errors
    /// If the sink failed.
    pub fn finish(self) -> io::Result<W> {
        self.outcome?;
        match self.form {
            Form::Plain(mut sink) => sink.write_all(&self.text).map(|()| sink),
            Form::Brotli(compressor) => compressor.finish(&self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(lines: usize, quality: Option<u32>) -> Vec<u8> {
        let mut output = Output::new(Vec::new(), quality);
        for line in 0..lines {
            writeln!(output.text(), "{line:0999}").unwrap();
            output.pass();
            assert!(output.text().len() <= PIECE_BYTES);
        }
        output.finish().unwrap()
    }

    #[test]
    fn printing_in_pieces_yields_the_bytes_of_the_whole_document() {
        for n_lines in [0, 3, 3000] {
            let whole: Vec<u8> =
                (0..n_lines).flat_map(|line| format!("{line:0999}\n").into_bytes()).collect();
            assert!(printed(n_lines, None) == whole, "{n_lines}");
            assert!(printed(n_lines, Some(5)) == crate::compress(&whole, 5), "{n_lines}");
        }
    }

    #[test]
    fn errors_of_a_piece_are_returned_at_the_end() {
        let mut output = Output::new(&mut [][..], None);
        output.text().resize(PIECE_BYTES + 1, b' ');
        output.pass();
        assert!(output.text().is_empty() && output.finish().is_err());
    }
}
