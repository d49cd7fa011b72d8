// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compression of documents with brotli, whole or piece by piece.

use std::io::{self, Write};

use brotli::CompressorWriter;
use brotli::enc::BrotliEncoderParams;

const BEST_QUALITY: u32 = 11;
/// Size of the buffer between the encoder and its output.
const BUFFER_BYTES: usize = 64 * 1024;
/// Base-two logarithm of the window of long documents: 4 MiB, the default of brotli.
const LONG_WINDOW_LOG2: u32 = 22;
/// Base-two logarithm of the smallest window: for smaller windows, the encoder searches with a much slower hash table
/// from quality 5 on.
const MIN_WINDOW_LOG2: u32 = 17;
/// Bytes of its window that brotli does not use.
const WINDOW_GAP: usize = 16;
/// Announced length of long documents, whose length is unknown while they are printed. Above 4 MiB, the encoder
/// compares longer strings: similar phases then take a tenth less space.
const LONG_BYTES: usize = 8 << 20;

/// Brotli stream of a document that is compressed while it is printed.
///
/// A document of at most [`Compressor::PIECE_BYTES`] should be a single piece: it gets a window of its size, because
/// the encoder zeroes buffers of twice the window. For longer documents, all pieces except the last should have about
/// this size too, because qualities 0 and 1 compress each piece separately. At higher qualities, the compressed bytes
/// of long documents do not depend on the pieces.
///
/// ```
/// let mut compressor = lbaf_vom::Compressor::new(Vec::new(), 5);
/// compressor.piece(br#"{"phases":["#)?;
/// let compressed = compressor.finish(b"]}")?;
///
/// let mut document = lbaf_vom::DocumentBuffer::default();
/// document.decode(&compressed)?;
/// assert_eq!(document.text(), br#"{"phases":[]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Compressor<W: Write> {
    sink: W,
    quality: u32,
    /// `None` until the first piece. The encoder writes into memory, because it ignores some errors of its output.
    encoder: Option<Box<CompressorWriter<Vec<u8>>>>,
}

impl<W: Write> Compressor<W> {
    /// Recommended size of a piece in bytes: large enough to contain most repetitions.
    pub const PIECE_BYTES: usize = 1 << 20;

    /// Starts a stream. `quality` ranges from 0 (fastest) to 11 (smallest, about 1 MB/s); larger values mean 11.
    pub fn new(sink: W, quality: u32) -> Self {
        Compressor { sink, quality: quality.min(BEST_QUALITY), encoder: None }
    }

    /// Compresses a piece that is not the last.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        let encoder = self.encoder.get_or_insert_with(|| encoder(self.quality, LONG_WINDOW_LOG2, LONG_BYTES));
        encoder.write_all(bytes)?;
        let compressed = encoder.get_mut();
        self.sink.write_all(compressed)?;
        compressed.clear();
        Ok(())
    }

    /// Compresses the last piece, which may be empty, and returns the sink.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn finish(mut self, last: &[u8]) -> io::Result<W> {
        let mut encoder = self.encoder.unwrap_or_else(|| {
            if last.len() > Self::PIECE_BYTES {
                encoder(self.quality, LONG_WINDOW_LOG2, LONG_BYTES)
            } else {
                encoder(self.quality, window_log2(last.len()), last.len())
            }
        });
        encoder.write_all(last)?;
        self.sink.write_all(&encoder.into_inner())?;
        Ok(self.sink)
    }
}

/// Compresses a whole document, with the qualities of [`Compressor::new`].
#[expect(clippy::missing_panics_doc, reason = "writing to memory does not fail")]
pub fn compress(document: &[u8], quality: u32) -> Vec<u8> {
    let compressed = Compressor::new(Vec::new(), quality).finish(document);
    compressed.expect("invariant: writing to memory does not fail")
}

/// Returns the base-two logarithm of the smallest window that holds a document, within the limits of windows.
fn window_log2(n_bytes: usize) -> u32 {
    (n_bytes + WINDOW_GAP).next_power_of_two().ilog2().clamp(MIN_WINDOW_LOG2, LONG_WINDOW_LOG2)
}

fn encoder(quality: u32, window_log2: u32, n_bytes: usize) -> Box<CompressorWriter<Vec<u8>>> {
    let parameters = BrotliEncoderParams {
        quality: quality.cast_signed(),
        lgwin: window_log2.cast_signed(),
        size_hint: n_bytes,
        ..BrotliEncoderParams::default()
    };
    Box::new(CompressorWriter::with_params(Vec::new(), BUFFER_BYTES, &parameters))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Returns a document of about `n_bytes` in which all lines differ.
    fn document(n_bytes: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut text = Vec::new();
        while text.len() < n_bytes {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            writeln!(text, "{{\"entity\":{{\"id\":{},\"home\":{}}}}},", state, state >> 28).unwrap();
        }
        text
    }

    fn decompressed(bytes: &[u8]) -> Vec<u8> {
        let mut back = Vec::new();
        brotli::Decompressor::new(bytes, 4096).read_to_end(&mut back).unwrap();
        back
    }

    #[test]
    fn documents_of_any_length_decompress_to_themselves_at_every_quality() {
        let all: &[u32] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99];
        for (n_bytes, qualities) in
            [(0, all), (1, all), (1 << 16, all), ((1 << 20) - 16, &[0, 5]), (1_200_000, &[1, 4])]
        {
            let document = document(n_bytes);
            for &quality in qualities {
                let compressed = compress(&document, quality);
                assert_eq!(decompressed(&compressed), document, "{n_bytes} bytes, quality {quality}");
                assert!(n_bytes < 100 || compressed.len() * 3 < document.len(), "quality {quality}");
            }
        }
        assert_eq!(compress(b"{}", 99), compress(b"{}", 11));
    }

    #[test]
    fn bytes_of_long_documents_do_not_depend_on_pieces() {
        let document = document(1_200_000);
        for quality in [2, 5] {
            for first in [1, 65_536, 1_123_456] {
                let (first, rest) = document.split_at(first);
                let mut compressor = Compressor::new(Vec::new(), quality);
                compressor.piece(first).unwrap();
                let compressed = compressor.finish(rest).unwrap();
                assert!(compressed == compress(&document, quality), "quality {quality}, {}", first.len());
            }
        }
    }

    /// Full disk.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn errors_of_the_sink_are_returned() {
        let failed = Compressor::new(Full, 5).finish(b"{}").err().unwrap();
        assert_eq!(failed.kind(), io::ErrorKind::StorageFull);
        let mut compressor = Compressor::new(Full, 5);
        assert!((0..20).any(|_| compressor.piece(&document(1 << 20)).is_err()));
    }

    #[test]
    fn windows_hold_their_documents() {
        assert_eq!([0, 131_056, 131_057].map(window_log2), [17, 17, 18]);
        assert_eq!([1 << 20, (1 << 21) - 16, 1 << 30].map(window_log2), [21, 21, 22]);
    }
}
