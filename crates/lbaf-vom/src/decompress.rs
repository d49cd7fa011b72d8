// SPDX-License-Identifier: MIT OR Apache-2.0
//! Brotli streams into memory that is reused from stream to stream.

use std::sync::{Arc, Mutex};

use brotli::enc::StandardAlloc;
use brotli::{Allocator, BrotliDecompressStream, BrotliResult, BrotliState, SliceWrapper, SliceWrapperMut};

/// Why a stream has no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// It ends early or is damaged.
    Damaged,
    /// It holds more than the limit.
    TooLarge,
    /// This many bytes stand behind its end.
    Behind(usize),
}

/// Decompresses the whole of `stream` into the beginning of `out`, which grows as it must and never shrinks.
/// Returns how many bytes there are now, whether or not there should be more.
pub(crate) fn decompress(
    stream: &[u8],
    out: &mut Vec<u8>,
    limit: usize,
    ring_buffers: &RingBuffers,
) -> (usize, Result<(), Unfinished>) {
    let tables = StandardAlloc::default;
    let mut state = BrotliState::new(ring_buffers.clone(), tables(), tables());
    let (mut unread, mut read, mut written, mut total) = (stream.len(), 0, 0, 0);
    loop {
        let mut room = out.len() - written;
        let result = BrotliDecompressStream(
            &mut unread,
            &mut read,
            stream,
            &mut room,
            &mut written,
            out,
            &mut total,
            &mut state,
        );
        let outcome = match result {
            _ if written > limit => Err(Unfinished::TooLarge),
            // Where there was no room, a decoder that wants input may still hold output.
            BrotliResult::NeedsMoreOutput | BrotliResult::NeedsMoreInput if room == 0 => {
                grow(out, written);
                continue;
            }
            BrotliResult::ResultSuccess if unread > 0 => Err(Unfinished::Behind(unread)),
            BrotliResult::ResultSuccess => Ok(()),
            BrotliResult::NeedsMoreOutput | BrotliResult::NeedsMoreInput | BrotliResult::ResultFailure => {
                Err(Unfinished::Damaged)
            }
        };
        return (written, outcome);
    }
}

/// Doubles `out`. New memory comes zeroed from the system, which costs nothing until it is touched.
fn grow(out: &mut Vec<u8>, written: usize) {
    let mut larger = vec![0; (2 * out.len()).max(1 << 16)];
    larger[..written].copy_from_slice(&out[..written]);
    *out = larger;
}

/// Windows of decoded bytes that the decoder looks back into, kept from stream to stream: to get and zero
/// a fresh one takes longer than to fill it. What an earlier stream left there is never read, because the
/// decoder refuses to look back further than it has written.
#[derive(Clone, Default)]
pub(crate) struct RingBuffers(Arc<Mutex<Vec<Cell>>>);

/// A piece of memory lent to the decoder.
#[derive(Default)]
pub(crate) struct Cell(Vec<u8>);

impl SliceWrapper<u8> for Cell {
    fn slice(&self) -> &[u8] {
        &self.0
    }
}

impl SliceWrapperMut<u8> for Cell {
    fn slice_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Allocator<u8> for RingBuffers {
    type AllocatedMemory = Cell;

    fn alloc_cell(&mut self, len: usize) -> Cell {
        let mut kept = self.0.lock().expect("invariant: nothing panics while the buffers are locked");
        let fitting = kept.iter().enumerate().filter(|(_, cell)| cell.0.len() >= len);
        match fitting.min_by_key(|(_, cell)| cell.0.len()).map(|(position, _)| position) {
            Some(position) if len >= SMALLEST_KEPT => kept.swap_remove(position),
            _ => Cell(vec![0; len]),
        }
    }

    fn free_cell(&mut self, cell: Cell) {
        // While the window grows there are two of them.
        const MOST_KEPT: usize = 2;
        if cell.0.len() < SMALLEST_KEPT {
            return;
        }
        let mut kept = self.0.lock().expect("invariant: nothing panics while the buffers are locked");
        kept.push(cell);
        kept.sort_by_key(|cell| std::cmp::Reverse(cell.0.len()));
        kept.truncate(MOST_KEPT);
    }
}

/// Smaller pieces are tables, which begin zeroed.
const SMALLEST_KEPT: usize = 1 << 14;
