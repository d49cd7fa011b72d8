// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that the brotli decoder borrows, kept from stream to stream: to get and zero fresh memory takes
//! longer than to fill it.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard};

use brotli_decompressor::{Allocator, HuffmanCode, SliceWrapper, SliceWrapperMut};

/// Memory below this is not asked for before it is needed.
const SMALL_BYTES: usize = 1 << 20;

/// What a decoder works in.
pub(super) struct Workspace {
    /// Windows of decoded bytes that the decoder looks back into.
    pub(super) windows: Kept<u8>,
    pub(super) tables: Kept<u32>,
    pub(super) codes: Kept<HuffmanCode>,
}

/// The longest memory that is kept as a window. LB data are written with windows of 4 MiB at most; the decoder
/// asks for some bytes more.
pub(super) const LONGEST_KEPT_WINDOW: usize = (1 << 22) + (1 << 12);

/// Bytes in the longest table that a decoder asks for as bytes: a context map of 256 block types.
const LONGEST_BYTE_TABLE: usize = 1 << 14;

impl Default for Workspace {
    fn default() -> Self {
        let windows =
            Limits { most: 1, lengths: (LONGEST_BYTE_TABLE + 1, LONGEST_KEPT_WINDOW), cleared: false };
        let tables = Limits { most: 8, lengths: (0, 1 << 16), cleared: true };
        Workspace { windows: Kept::new(windows), tables: Kept::new(tables), codes: Kept::new(tables) }
    }
}

/// What is kept of one kind of memory.
#[derive(Clone, Copy)]
struct Limits {
    /// How many pieces: the longest.
    most: usize,
    /// The shortest and the longest that are kept.
    lengths: (usize, usize),
    /// Whether a piece is lent without what an earlier stream left there. Tables begin zeroed, as they do in
    /// fresh memory; windows need not, because the decoder refuses to look back further than it has written.
    cleared: bool,
}

/// Pieces of memory that a decoder borrows and gives back.
pub(super) struct Kept<T> {
    limits: Limits,
    longest_lent: usize,
    pieces: Arc<Mutex<Vec<Vec<T>>>>,
}

impl<T> Kept<T> {
    fn new(limits: Limits) -> Self {
        Kept { limits, longest_lent: usize::MAX, pieces: Arc::default() }
    }

    /// The same pieces, and none longer than this.
    pub(super) fn up_to(&self, longest_lent: usize) -> Self {
        Kept { longest_lent, ..self.clone() }
    }

    /// Takes memory back, or takes other memory.
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

/// Memory as it is lent: as long as was asked for, whatever there is behind.
#[derive(Default)]
pub(super) struct Lent<T> {
    memory: Vec<T>,
    length: usize,
}

impl<T> Lent<T> {
    /// All of the memory.
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

    /// Nothing, which the decoder takes for an error, where there is no memory or should be none.
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
            // Zeroed by the system when it is touched, if ever.
            None => Lent { memory: vec![T::default(); length], length },
        }
    }

    fn free_cell(&mut self, lent: Lent<T>) {
        self.keep(lent.into_memory());
    }
}

/// True if the system would give this much memory now. Less than a mebibyte is not asked for.
pub fn is_granted(n_bytes: usize) -> bool {
    // The box keeps the compiler from leaving out memory that goes unused.
    n_bytes < SMALL_BYTES || std::hint::black_box(Vec::<u8>::new()).try_reserve_exact(n_bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than addresses of a process reach, and more than an address can be.
    #[test]
    fn memory_that_no_system_has_is_refused() {
        assert!(is_granted(1) && is_granted(2 * SMALL_BYTES));
        assert!(!is_granted(1 << 60) && !is_granted(usize::MAX));
    }

    #[test]
    fn tables_never_take_a_window_and_documents_never_become_one() {
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
