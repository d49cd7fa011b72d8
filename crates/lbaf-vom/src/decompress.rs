// SPDX-License-Identifier: MIT OR Apache-2.0
//! Brotli streams into memory that is reused from stream to stream.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard};

use brotli_decompressor::{
    Allocator, BrotliDecoderTakeOutput, BrotliDecompressStream, BrotliResult, BrotliState, HuffmanCode,
    SliceWrapper, SliceWrapperMut,
};

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

/// What the decoder works in, kept from stream to stream: to get and zero fresh memory takes longer than to
/// fill it.
pub(crate) struct Workspace {
    /// Windows of decoded bytes that the decoder looks back into.
    ring_buffers: Kept<u8>,
    tables: Kept<u32>,
    codes: Kept<HuffmanCode>,
}

impl Default for Workspace {
    fn default() -> Self {
        Workspace {
            // Smaller pieces of bytes are tables.
            ring_buffers: Kept { most: 1, smallest: 1 << 14, cleared: false, cells: Arc::default() },
            tables: Kept { most: 8, smallest: 0, cleared: true, cells: Arc::default() },
            codes: Kept { most: 8, smallest: 0, cleared: true, cells: Arc::default() },
        }
    }
}

/// Decompresses the whole of `stream` into the beginning of `out`. Returns how many bytes there are now,
/// whether or not there should be more.
///
/// The decoder works in a window of some megabytes. What fits into it is not copied out: the window becomes
/// `out`, and what was `out` becomes a window for the next stream.
pub(crate) fn decompress(
    stream: &[u8],
    out: &mut Vec<u8>,
    limit: usize,
    workspace: &Workspace,
) -> (usize, Result<(), Unfinished>) {
    let Workspace { ring_buffers, tables, codes } = workspace;
    let mut state = BrotliState::new(ring_buffers.clone(), tables.clone(), codes.clone());
    state.set_initial_ring_buffer_size(likely_window(stream, out));
    // Longer ones are no windows but documents that did not fit into one.
    if out.len() <= LONGEST_WINDOW {
        ring_buffers.clone().free_cell(Cell(std::mem::take(out)));
    }
    let (mut unread, mut read) = (stream.len(), 0);
    // How much there is, and how much of it was copied out because the window is full.
    let (mut length, mut copied) = (0, 0);
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
        if copied > 0 {
            out.extend_from_slice(piece);
            copied += taken;
        }
        length += taken;
        match result {
            _ if length > limit => break Err(Unfinished::TooLarge),
            BrotliResult::NeedsMoreOutput => {
                if copied == 0 && length >= usize::try_from(state.ringbuffer_size).unwrap_or(0) {
                    out.clear();
                    out.extend_from_slice(&state.ringbuffer.slice()[..length]);
                    copied = length;
                }
            }
            BrotliResult::ResultSuccess if unread > 0 => break Err(Unfinished::Behind(unread)),
            BrotliResult::ResultSuccess => break Ok(()),
            BrotliResult::NeedsMoreInput | BrotliResult::ResultFailure => break Err(Unfinished::Damaged),
        }
    };
    if copied == 0 {
        let window = std::mem::take(&mut state.ringbuffer).0;
        // A damaged stream keeps to itself what it had decoded.
        length = length.max(usize::try_from(state.pos).unwrap_or(0)).min(window.len());
        ring_buffers.clone().free_cell(Cell(std::mem::replace(out, window)));
    }
    (length, outcome)
}

/// The longest memory that can be a window: those of LB data are mostly of 4 MiB at most, and a bit behind.
const LONGEST_WINDOW: usize = (1 << 22) + (1 << 12);

/// A window that holds the whole document from the start need not grow.
fn likely_window(stream: &[u8], out: &[u8]) -> u32 {
    /// More than most streams of LB data unpack to. Memory that is not touched costs nothing.
    const LARGE_RATIO: usize = 64;
    u32::try_from(out.len().max(stream.len().saturating_mul(LARGE_RATIO))).unwrap_or(u32::MAX)
}

/// Pieces of memory that the decoder borrows and gives back.
struct Kept<T> {
    /// How many pieces are kept: the largest.
    most: usize,
    /// Smaller pieces are not kept.
    smallest: usize,
    /// Whether a piece is lent without what an earlier stream left there. Tables begin zeroed; windows need
    /// not, because the decoder refuses to look back further than it has written.
    cleared: bool,
    cells: Arc<Mutex<Vec<Cell<T>>>>,
}

impl<T> Kept<T> {
    fn lock(&self) -> MutexGuard<'_, Vec<Cell<T>>> {
        self.cells.lock().expect("invariant: nothing panics while the pieces are locked")
    }
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Kept { cells: Arc::clone(&self.cells), ..*self }
    }
}

/// A piece of memory. It may be longer than what was asked for.
#[derive(Default)]
struct Cell<T>(Vec<T>);

impl<T> SliceWrapper<T> for Cell<T> {
    fn slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> SliceWrapperMut<T> for Cell<T> {
    fn slice_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Clone + Default> Allocator<T> for Kept<T> {
    type AllocatedMemory = Cell<T>;

    fn alloc_cell(&mut self, len: usize) -> Cell<T> {
        let fresh = || Cell(vec![T::default(); len]);
        if len < self.smallest {
            return fresh();
        }
        let mut cells = self.lock();
        let fitting = cells.iter().enumerate().filter(|(_, cell)| cell.0.len() >= len);
        let Some((position, _)) = fitting.min_by_key(|(_, cell)| cell.0.len()) else {
            return fresh();
        };
        let mut cell = cells.swap_remove(position);
        if self.cleared {
            cell.0[..len].fill(T::default());
        }
        cell
    }

    fn free_cell(&mut self, cell: Cell<T>) {
        if cell.0.len() < self.smallest {
            return;
        }
        let mut cells = self.lock();
        cells.push(cell);
        cells.sort_by_key(|cell| Reverse(cell.0.len()));
        cells.truncate(self.most);
    }
}
