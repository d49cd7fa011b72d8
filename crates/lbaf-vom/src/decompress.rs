// SPDX-License-Identifier: MIT OR Apache-2.0
//! Brotli decompression in memory that is reused from stream to stream.

mod memory;

use std::collections::TryReserveError;

use brotli_decompressor::BrotliDecoderErrorCode::{
    BROTLI_DECODER_ERROR_ALLOC_RING_BUFFER_1, BROTLI_DECODER_ERROR_ALLOC_RING_BUFFER_2,
};
use brotli_decompressor::{
    BrotliDecoderTakeOutput, BrotliDecompressStream, BrotliResult, BrotliState, HuffmanCode, SliceWrapper,
};

pub use memory::is_granted;
use memory::{Kept, LONGEST_KEPT_WINDOW, Workspace};

/// Decompressor for a sequence of streams.
#[derive(Default)]
pub(crate) struct Decompressor {
    workspace: Workspace,
}

/// Reason why a stream could not be decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The stream ends early or is damaged.
    Damaged,
    /// The document exceeds the limit, or the stream requires a non-standard window beyond the limit.
    TooLarge,
    /// The system refuses memory for the document or for the window.
    NoMemory,
    /// Bytes follow the end of the stream. The content is their number.
    Surplus(usize),
}

impl Decompressor {
    /// Decompresses `stream` into the beginning of `out`, whose memory may be replaced. Returns the number of
    /// decompressed bytes, also for an incomplete stream. Stops with [`Fault::TooLarge`] if the document is longer
    /// than `limit`.
    ///
    /// The decoder works in a window of at most some megabytes. A document that fits into the window is not copied: the
    /// window becomes `out`, and the former `out` is kept as a future window if it has the length of one. A longer
    /// document is copied into `out`, for which `room` bytes are reserved in advance.
    pub(crate) fn decompress(
        &self,
        stream: &[u8],
        out: &mut Vec<u8>,
        limit: usize,
        room: usize,
    ) -> (usize, Result<(), Fault>) {
        let mut state = self.state(limit);
        state.set_initial_ring_buffer_size(likely_window(stream, out, limit));
        // Memory that is not longer than a window becomes a future window. Longer memory held a large document, so it
        // stays in `out` for this document, which may be large too.
        if out.len() <= LONGEST_KEPT_WINDOW {
            self.workspace.windows.keep(std::mem::take(out));
        }
        let (mut unread, mut read, mut length) = (stream.len(), 0, 0);
        let mut in_window = true;
        let outcome = loop {
            let result = step(stream, &mut unread, &mut read, &mut state);
            let mut taken = limit + 1;
            let piece = BrotliDecoderTakeOutput(&mut state, &mut taken);
            length += taken;
            if length > limit {
                break Err(Fault::TooLarge);
            }
            if !in_window && append(out, piece, 0).is_err() {
                break Err(Fault::NoMemory);
            }
            let is_full = length >= size(state.ringbuffer_size);
            match end(&result, unread, &state) {
                Some(outcome) => break outcome,
                // The next bytes will overwrite the window, so its content is copied to `out`.
                None if in_window && is_full => {
                    in_window = false;
                    out.clear();
                    if append(out, &state.ringbuffer.slice()[..length], room).is_err() {
                        break Err(Fault::NoMemory);
                    }
                }
                None => {}
            }
        };
        if in_window {
            // The decoder does not return the last bytes before damage, but the window contains them. (For a document
            // larger than the window, `out` ends with the last returned piece.)
            length = length.max(size(state.pos));
            *out = std::mem::take(&mut state.ringbuffer).into_memory();
        }
        (length.min(out.len()), outcome)
    }

    /// Decompresses a stream with the memory of one window. Passes each piece to `see`, whose error stops the
    /// decompression.
    pub(crate) fn pieces<E: From<Fault>>(
        &self,
        stream: &[u8],
        mut see: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut pieces = self.begin(stream);
        while let Some(outcome) = pieces.next(&mut see) {
            outcome?;
        }
        Ok(())
    }

    /// Begins to decompress a stream piece by piece with the memory of one window.
    pub(crate) fn begin<'s>(&self, stream: &'s [u8]) -> Pieces<'s> {
        Pieces {
            stream,
            unread: stream.len(),
            read: 0,
            state: Box::new(self.state(LARGEST_WINDOW)),
            is_over: false,
        }
    }

    /// Creates a decoder that refuses windows longer than a document of `limit` bytes requires.
    fn state(&self, limit: usize) -> State {
        let Workspace { windows, tables, codes } = &self.workspace;
        BrotliState::new(windows.up_to(most_for_window(limit)), tables.clone(), codes.clone())
    }
}

type State = BrotliState<Kept<u8>, Kept<u32>, Kept<HuffmanCode>>;

/// Stream that is decompressed piece by piece.
pub(crate) struct Pieces<'s> {
    stream: &'s [u8],
    unread: usize,
    read: usize,
    state: Box<State>,
    /// True after the last piece or a fault.
    is_over: bool,
}

impl Pieces<'_> {
    /// Passes the next piece to `see`. Returns its result or the fault of the stream; `None` after the last piece or a
    /// fault.
    pub(crate) fn next<E: From<Fault>>(
        &mut self,
        see: impl FnOnce(&[u8]) -> Result<(), E>,
    ) -> Option<Result<(), E>> {
        if self.is_over {
            return None;
        }
        let result = step(self.stream, &mut self.unread, &mut self.read, &mut self.state);
        if let Err(error) = see(BrotliDecoderTakeOutput(&mut self.state, &mut { usize::MAX })) {
            return Some(Err(error));
        }
        let outcome = end(&result, self.unread, &self.state);
        self.is_over = outcome.is_some();
        Some(outcome.unwrap_or(Ok(())).map_err(E::from))
    }
}

/// Largest window of the brotli standard, in bytes.
pub(crate) const LARGEST_WINDOW: usize = 1 << 24;

/// Returns the maximum window size for documents of up to `limit` bytes: the next power of two, plus bytes that the
/// decoder adds.
fn most_for_window(limit: usize) -> usize {
    limit.next_power_of_two() + (1 << 12)
}

/// Decodes until the window is full or the stream ends.
fn step(stream: &[u8], unread: &mut usize, read: &mut usize, state: &mut State) -> BrotliResult {
    BrotliDecompressStream(unread, read, stream, &mut 0, &mut 0, &mut [], &mut 0, state)
}

/// Returns the outcome if this step ended the stream or failed.
fn end(result: &BrotliResult, unread: usize, state: &State) -> Option<Result<(), Fault>> {
    Some(match result {
        BrotliResult::NeedsMoreOutput => return None,
        BrotliResult::ResultSuccess if unread > 0 => Err(Fault::Surplus(unread)),
        BrotliResult::ResultSuccess => Ok(()),
        BrotliResult::ResultFailure if is_without_window(state) => {
            Err(if state.large_window { Fault::TooLarge } else { Fault::NoMemory })
        }
        BrotliResult::NeedsMoreInput | BrotliResult::ResultFailure => Err(Fault::Damaged),
    })
}

/// True if the decoder failed to allocate its window: the window is non-standard and too large, or memory is short.
fn is_without_window(state: &State) -> bool {
    matches!(
        state.error_code,
        BROTLI_DECODER_ERROR_ALLOC_RING_BUFFER_1 | BROTLI_DECODER_ERROR_ALLOC_RING_BUFFER_2
    )
}

/// Appends a piece. Reserves `room` bytes in total, or more if the pieces need more.
fn append(out: &mut Vec<u8>, piece: &[u8], room: usize) -> Result<(), TryReserveError> {
    match room.checked_sub(out.len()) {
        Some(more) if more >= piece.len() => out.try_reserve_exact(more)?,
        _ => out.try_reserve(piece.len())?,
    }
    out.extend_from_slice(piece);
    Ok(())
}

/// Converts a count of the decoder, a non-negative signed 32-bit number.
fn size(count: i32) -> usize {
    usize::try_from(count).unwrap_or(0)
}

/// Returns an initial window size at which most windows hold the whole document and need not grow.
fn likely_window(stream: &[u8], out: &[u8], limit: usize) -> u32 {
    /// Compression ratio that few streams of LB data reach. The unused part of a window occupies no physical memory.
    const LARGE_RATIO: usize = 64;
    let likely = out.len().max(stream.len().saturating_mul(LARGE_RATIO));
    u32::try_from(likely.min(limit)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use brotli::enc::{BrotliEncoderInitParams, BrotliEncoderParams};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const LIMIT: usize = 1 << 30;

    /// Compresses parts with a flush after each, so that the stream has several pieces, some uncompressed.
    fn compressed(parts: &[Vec<u8>], quality: i32, lgwin: i32) -> Vec<u8> {
        let params =
            BrotliEncoderParams { quality, lgwin, large_window: lgwin > 24, ..BrotliEncoderInitParams() };
        let mut writer = brotli::CompressorWriter::with_params(Vec::new(), 4096, &params);
        for part in parts {
            writer
                .write_all(part)
                .and_then(|()| writer.flush())
                .expect("invariant: writing to a vector does not fail");
        }
        writer.into_inner()
    }

    /// Returns the output of the library's reader, and true if it read the whole stream.
    fn by_the_library(stream: &[u8]) -> (Vec<u8>, bool) {
        let mut whole = Vec::new();
        let is_whole = brotli::Decompressor::new(stream, 4096).read_to_end(&mut whole).is_ok();
        (whole, is_whole)
    }

    fn part() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            vec(any::<u8>(), 0..3000),
            (0_u32..9000).prop_map(|n| (0..n).flat_map(|n| n.to_string().into_bytes()).collect()),
            (any::<u8>(), 0_usize..70_000).prop_map(|(byte, n)| vec![byte; n]),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]
        /// Streams are whole, cut or damaged, and windows smaller or larger than the document. All use one
        /// decompressor.
        #[test]
        fn streams_are_read_as_the_library_reads_them(
            streams in vec((vec(part(), 0..4), 0..10, 10..26, any::<prop::sample::Index>(), 0..4), 1..5),
        ) {
            let decompressor = Decompressor::default();
            let mut out = Vec::new();
            for (parts, quality, lgwin, place, damage) in streams {
                let mut stream = compressed(&parts, quality, lgwin);
                let place = place.index(stream.len());
                match damage {
                    0 => stream.truncate(place),
                    1 => stream[place] ^= 1 << (place % 8),
                    _ => {}
                }
                let (expected, is_whole) = by_the_library(&stream);
                let (length, outcome) = decompressor.decompress(&stream, &mut out, LIMIT, 0);
                match outcome {
                    Ok(()) => {
                        prop_assert!(is_whole);
                        prop_assert!(out[..length] == expected);
                    }
                    // The library's reader ignores trailing data.
                    Err(Fault::Surplus(_)) => prop_assert!(out[..length] == expected && damage == 1),
                    Err(Fault::Damaged) => prop_assert!(!is_whole && damage < 2),
                    Err(Fault::TooLarge | Fault::NoMemory) => prop_assert!(false),
                }
            }
        }
    }

    #[test]
    fn documents_above_the_limit_are_refused_for_all_window_sizes() {
        let decompressor = Decompressor::default();
        let mut out = Vec::new();
        for lgwin in [22, 10] {
            let stream = compressed(&[vec![b' '; 5000]], 5, lgwin);
            assert_eq!(
                decompressor.decompress(&stream, &mut out, 4999, 0).1,
                Err(Fault::TooLarge),
                "{lgwin}"
            );
            assert_eq!(decompressor.decompress(&stream, &mut out, 5000, 0), (5000, Ok(())), "{lgwin}");
        }
    }

    #[test]
    fn pieces_concatenate_to_the_document_for_standard_windows_only() {
        let decompressor = Decompressor::default();
        let parts =
            [(0..99_999).flat_map(|n: u32| n.to_string().into_bytes()).collect(), vec![b' '; 20 << 20]];
        for (lgwin, expected) in [(10, Ok(())), (22, Ok(())), (24, Ok(())), (26, Err(Fault::TooLarge))] {
            let (stream, mut together) = (compressed(&parts, 5, lgwin), Vec::new());
            let outcome = decompressor.pieces(&stream, |piece| {
                together.extend_from_slice(piece);
                Ok::<(), Fault>(())
            });
            assert_eq!(outcome, expected, "{lgwin}");
            assert!(outcome.is_err() || together == parts.concat(), "{lgwin}");
            let cut = decompressor.pieces(&stream[..stream.len() - 1], |_| Ok::<(), Fault>(()));
            assert_eq!(cut, expected.and(Err(Fault::Damaged)), "{lgwin}");
            // A limit equal to the length of the document admits all of it, also with a non-standard window.
            let (mut out, length) = (Vec::new(), together.len().max(parts.concat().len()));
            assert_eq!(decompressor.decompress(&stream, &mut out, length, length + 64).1, Ok(()), "{lgwin}");
            assert!(out[..length] == parts.concat(), "{lgwin}");
        }
    }

    #[test]
    fn a_large_document_is_not_kept_as_a_window() {
        let decompressor = Decompressor::default();
        let (large, small) = (vec![b'1'; 3 * LONGEST_KEPT_WINDOW], vec![b'2'; 1000]);
        let mut out = Vec::new();
        for document in [&large, &large, &small, &large, &small, &small] {
            let stream = compressed(std::slice::from_ref(document), 1, 22);
            assert_eq!(decompressor.decompress(&stream, &mut out, LIMIT, 0), (document.len(), Ok(())));
            assert!(out[..document.len()] == document[..]);
        }
        assert!(out.len() <= LONGEST_KEPT_WINDOW);
    }

    #[test]
    fn a_damaged_stream_yields_the_bytes_decoded_before_the_damage() {
        let digits = |from: u32| (from..from + 20_000).flat_map(|n| n.to_string().into_bytes()).collect();
        let (first, second): (Vec<u8>, Vec<u8>) = (digits(0), digits(50_000));
        let end = compressed(std::slice::from_ref(&first), 5, 22).len() + 1000;
        let mut stream = compressed(&[first.clone(), second], 5, 22);
        stream[end..].fill(0xff);
        let mut out = Vec::new();
        let (length, outcome) = Decompressor::default().decompress(&stream, &mut out, LIMIT, 0);
        assert_eq!(outcome, Err(Fault::Damaged));
        assert!(length > first.len() && out[..first.len()] == first);
    }
}
