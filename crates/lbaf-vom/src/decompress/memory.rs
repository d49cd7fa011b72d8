// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory of the brotli decoder, kept from stream to stream: allocating and zeroing memory takes longer than filling
//! it.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard};

use brotli_decompressor::{Allocator, HuffmanCode, SliceWrapper, SliceWrapperMut};

/// Size in bytes below which memory counts as granted without a request to the system.
const SMALL_BYTES: usize = 1 << 20;

/// Memory of a decoder.
pub(super) struct Workspace {
    /// Windows: the latest decoded bytes, which the stream can repeat.
    pub(super) windows: Kept<u8>,
    pub(super) tables: Kept<u32>,
    pub(super) codes: Kept<HuffmanCode>,
}

/// Size in bytes of the longest window that is kept. LB data are written with windows of at most 4 MiB; the decoder
/// adds some bytes.
pub(super) const LONGEST_KEPT_WINDOW: usize = (1 << 22) + (1 << 12);

/// Size in bytes of the longest byte table that a decoder allocates: a context map of 256 block types.
const LONGEST_BYTE_TABLE: usize = 1 << 14;

impl Default for Workspace {
    fn default() -> Self {
        let windows =
            Limits { most: 1, lengths: (LONGEST_BYTE_TABLE + 1, LONGEST_KEPT_WINDOW), cleared: false };
        let tables = Limits { most: 8, lengths: (0, 1 << 16), cleared: true };
        Workspace { windows: Kept::new(windows), tables: Kept::new(tables), codes: Kept::new(tables) }
    }
}

/// Limits on one kind of memory that a pool keeps.
#[derive(Clone, Copy)]
struct Limits {
    /// Number of pieces to keep; the longest are kept.
    most: usize,
    /// Shortest and longest length of a piece to keep.
    lengths: (usize, usize),
    /// True if a piece is cleared before it is lent. Tables must be zeroed like fresh memory. Windows need not be,
    /// because the decoder rejects references to bytes that it has not written.
    cleared: bool,
}

/// Pool from which decoders borrow memory.
pub(super) struct Kept<T> {
    limits: Limits,
    longest_lent: usize,
    pieces: Arc<Mutex<Vec<Vec<T>>>>,
}

impl<T> Kept<T> {
    fn new(limits: Limits) -> Self {
        Kept { limits, longest_lent: usize::MAX, pieces: Arc::default() }
    }

    /// Returns a handle to the same pool that allocates at most `longest_lent` elements for a request.
    pub(super) fn up_to(&self, longest_lent: usize) -> Self {
        Kept { longest_lent, ..self.clone() }
    }

    /// Adds memory of any origin to the pool if its length is within the limits.
    pub(super) fn keep(&self, memory: Vec<T>) {
        let (shortest, longest) = self.limits.lengths;
        if (shortest..=longest).contains(&memory.len()) {
            let mut pieces = self.lock();
            pieces.push(memory);
            pieces.sort_by_key(|piece| Reverse(piece.len()));
            pieces.truncate(self.limits.most);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<T>>> {
        self.pieces.lock().expect("invariant: nothing panics while the pieces are locked")
    }
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Kept { pieces: Arc::clone(&self.pieces), ..*self }
    }
}

/// Lent memory, exposed with the requested length even if it is longer.
#[derive(Default)]
pub(super) struct Lent<T> {
    memory: Vec<T>,
    length: usize,
}

impl<T> Lent<T> {
    /// Returns all of the memory.
    pub(super) fn into_memory(self) -> Vec<T> {
        self.memory
    }
}

impl<T> SliceWrapper<T> for Lent<T> {
    fn slice(&self) -> &[T] {
        &self.memory[..self.length]
    }
}

impl<T> SliceWrapperMut<T> for Lent<T> {
    fn slice_mut(&mut self) -> &mut [T] {
        &mut self.memory[..self.length]
    }
}

impl<T: Clone + Default> Allocator<T> for Kept<T> {
    type AllocatedMemory = Lent<T>;

    /// Lends memory of the requested length: for a length within the limits, the shortest kept piece that suffices, or
    /// else new memory. If new memory would exceed the limit or the system refuses it, returns empty memory, an error
    /// for the decoder.
    fn alloc_cell(&mut self, length: usize) -> Lent<T> {
        let (shortest, longest) = self.limits.lengths;
        let mut pieces = self.lock();
        let fitting = pieces.iter().enumerate().filter(|(_, piece)| piece.len() >= length);
        let position = fitting.min_by_key(|(_, piece)| piece.len()).map(|(position, _)| position);
        match position.filter(|_| (shortest..=longest).contains(&length)) {
            Some(position) => {
                let mut memory = pieces.swap_remove(position);
                if self.limits.cleared {
                    memory[..length].fill(T::default());
                }
                Lent { memory, length }
            }
            None if length > self.longest_lent || !is_granted(size_of::<T>() * length) => Lent::default(),
            // The system zeroes this memory on first access.
            None => Lent { memory: vec![T::default(); length], length },
        }
    }

    fn free_cell(&mut self, lent: Lent<T>) {
        self.keep(lent.into_memory());
    }
}

/// True if the system would grant this much memory now. Below 1 MiB, true without a request to the system.
pub fn is_granted(n_bytes: usize) -> bool {
    // `black_box` keeps the compiler from eliding the unused allocation.
    n_bytes < SMALL_BYTES || std::hint::black_box(Vec::<u8>::new()).try_reserve_exact(n_bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2^60 B exceed the address space of a process, and 2^64 - 1 B the maximum size of an allocation in Rust.
    #[test]
    fn impossible_amounts_of_memory_are_refused() {
        assert!(is_granted(1) && is_granted(2 * SMALL_BYTES));
        assert!(!is_granted(1 << 60) && !is_granted(usize::MAX));
    }

    #[test]
    fn byte_tables_never_take_a_window_and_long_documents_are_not_kept() {
        let Workspace { mut windows, .. } = Workspace::default();
        windows.keep(vec![7; 100_000]);
        assert_eq!(windows.alloc_cell(LONGEST_BYTE_TABLE).slice(), vec![0; LONGEST_BYTE_TABLE]);
        assert_eq!(windows.alloc_cell(LONGEST_BYTE_TABLE + 1).slice(), vec![7; LONGEST_BYTE_TABLE + 1]);
        windows.keep(vec![7; LONGEST_KEPT_WINDOW + 1]);
        assert!(windows.lock().is_empty());
    }

    #[test]
    fn the_longest_pieces_are_kept_and_the_shortest_that_fits_is_lent_cleared() {
        let Workspace { mut tables, .. } = Workspace::default();
        (1..=10).for_each(|length| tables.keep(vec![1; length]));
        assert_eq!(tables.lock().iter().map(Vec::len).collect::<Vec<_>>(), [10, 9, 8, 7, 6, 5, 4, 3]);
        let lent = tables.alloc_cell(2);
        assert_eq!((lent.slice(), lent.memory.len()), (&[0, 0][..], 3));
        assert_eq!(tables.alloc_cell(11).slice(), [0; 11]);
    }
}
