// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that the system refuses is an error before it is needed, where the amount is known and large.

const SMALL_BYTES: usize = 1 << 20;

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
}
