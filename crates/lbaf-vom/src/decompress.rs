// SPDX-License-Identifier: MIT OR Apache-2.0
//! Brotli streams, in memory that is reused from stream to stream.

mod memory;

use brotli_decompressor::{
    BrotliDecoderTakeOutput, BrotliDecompressStream, BrotliResult, BrotliState, SliceWrapper,
};

use memory::{LONGEST_KEPT_WINDOW, Workspace};

/// Decompresses one stream after the other.
#[derive(Default)]
pub(crate) struct Decompressor {
    workspace: Workspace,
}

/// Why a stream has no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It ends early or is damaged.
    Damaged,
    /// It holds more than the limit.
    TooLarge,
    /// This many bytes stand behind its end.
    Surplus(usize),
}

impl Decompressor {
    /// Decompresses the whole of `stream` into the beginning of `out`, whose memory may be replaced. Returns how
    /// many bytes there are now, whether or not there should be more.
    ///
    /// The decoder works in a window of some megabytes. A document that fits into it is not copied out: the
    /// window becomes `out`, and what was `out` becomes a window for the next stream.
    pub(crate) fn decompress(
        &self,
        stream: &[u8],
        out: &mut Vec<u8>,
        limit: usize,
    ) -> (usize, Result<(), Fault>) {
        let Workspace { windows, tables, codes } = &self.workspace;
        let mut state = BrotliState::new(windows.clone(), tables.clone(), codes.clone());
        state.set_initial_ring_buffer_size(likely_window(stream, out));
        // Longer ones were documents that did not fit into a window, and the next one may be another.
        if out.len() <= LONGEST_KEPT_WINDOW {
            windows.keep(std::mem::take(out));
        }
        let (mut unread, mut read, mut length) = (stream.len(), 0, 0);
        let mut in_window = true;
        let outcome = loop {
            let result = BrotliDecompressStream(
                &mut unread,
                &mut read,
                stream,
                &mut 0,
                &mut 0,
                &mut [],
                &mut 0,
                &mut state,
            );
            let mut taken = limit + 1;
            let piece = BrotliDecoderTakeOutput(&mut state, &mut taken);
            if !in_window {
                out.extend_from_slice(piece);
            }
            length += taken;
            match result {
                _ if length > limit => break Err(Fault::TooLarge),
                BrotliResult::NeedsMoreOutput if in_window && length >= size(state.ringbuffer_size) => {
                    // The window is full, and what comes next goes to its beginning.
                    out.clear();
                    out.extend_from_slice(&state.ringbuffer.slice()[..length]);
                    in_window = false;
                }
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::ResultSuccess if unread > 0 => break Err(Fault::Surplus(unread)),
                BrotliResult::ResultSuccess => break Ok(()),
                BrotliResult::NeedsMoreInput | BrotliResult::ResultFailure => break Err(Fault::Damaged),
            }
        };
        if in_window {
            // The decoder gives nothing of a damaged stream, but there it is. (What did not fit into the window
            // ends where the window was copied last.)
            length = length.max(size(state.pos));
            *out = std::mem::take(&mut state.ringbuffer).into_memory();
            length = length.min(out.len());
        }
        (length, outcome)
    }
}

/// The decoder counts in 32 bits with a sign, and never below zero.
fn size(count: i32) -> usize {
    usize::try_from(count).unwrap_or(0)
}

/// A window that holds the whole document from the start need not grow.
fn likely_window(stream: &[u8], out: &[u8]) -> u32 {
    /// More than most streams of LB data unpack to. Memory that is not touched costs nothing.
    const LARGE_RATIO: usize = 64;
    u32::try_from(out.len().max(stream.len().saturating_mul(LARGE_RATIO))).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use brotli::enc::{BrotliEncoderInitParams, BrotliEncoderParams};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const LIMIT: usize = 1 << 30;

    /// A stream with flushes after each part, so that it has several pieces, stored ones too.
    fn compressed(parts: &[Vec<u8>], quality: i32, lgwin: i32) -> Vec<u8> {
        let params =
            BrotliEncoderParams { quality, lgwin, large_window: lgwin > 24, ..BrotliEncoderInitParams() };
        let mut writer = brotli::CompressorWriter::with_params(Vec::new(), 4096, &params);
        for part in parts {
            writer.write_all(part).and_then(|()| writer.flush()).expect("a vector takes everything");
        }
        writer.into_inner()
    }

    /// What the library's own reader makes of a stream, and how far it came.
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
        /// One decompressor for several streams, whole, cut or damaged, with windows smaller and larger than they.
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
                let (length, outcome) = decompressor.decompress(&stream, &mut out, LIMIT);
                match outcome {
                    Ok(()) => {
                        prop_assert!(is_whole);
                        prop_assert!(out[..length] == expected);
                    }
                    // The library's reader takes whatever stands behind.
                    Err(Fault::Surplus(_)) => prop_assert!(out[..length] == expected && damage == 1),
                    Err(Fault::Damaged) => prop_assert!(!is_whole && damage < 2),
                    Err(Fault::TooLarge) => prop_assert!(false),
                }
            }
        }
    }

    #[test]
    fn more_than_the_limit_is_refused_in_and_behind_a_window() {
        let decompressor = Decompressor::default();
        let mut out = Vec::new();
        for lgwin in [22, 10] {
            let stream = compressed(&[vec![b' '; 5000]], 5, lgwin);
            assert_eq!(decompressor.decompress(&stream, &mut out, 4999).1, Err(Fault::TooLarge), "{lgwin}");
            assert_eq!(decompressor.decompress(&stream, &mut out, 5000), (5000, Ok(())), "{lgwin}");
        }
    }

    #[test]
    fn a_large_document_leaves_no_window_behind() {
        let decompressor = Decompressor::default();
        let (large, small) = (vec![b'1'; 3 * LONGEST_KEPT_WINDOW], vec![b'2'; 1000]);
        let mut out = Vec::new();
        for document in [&large, &large, &small, &large, &small, &small] {
            let stream = compressed(std::slice::from_ref(document), 1, 22);
            assert_eq!(decompressor.decompress(&stream, &mut out, LIMIT), (document.len(), Ok(())));
            assert!(out[..document.len()] == document[..]);
        }
        assert!(out.len() <= LONGEST_KEPT_WINDOW);
    }

    #[test]
    fn what_a_damaged_stream_holds_is_there_as_far_as_it_was_decoded() {
        let digits = |from: u32| (from..from + 20_000).flat_map(|n| n.to_string().into_bytes()).collect();
        let (first, second): (Vec<u8>, Vec<u8>) = (digits(0), digits(50_000));
        let end = compressed(std::slice::from_ref(&first), 5, 22).len() + 1000;
        let mut stream = compressed(&[first.clone(), second], 5, 22);
        stream[end..].fill(0xff);
        let mut out = Vec::new();
        let (length, outcome) = Decompressor::default().decompress(&stream, &mut out, LIMIT);
        assert_eq!(outcome, Err(Fault::Damaged));
        assert!(length > first.len() && out[..first.len()] == first);
    }
}
