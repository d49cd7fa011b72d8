// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communication volume: bytes and messages, and their sums.

use std::ops::AddAssign;

/// Communication over an edge in a phase. The layout is that of C, so that other languages can share arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Volume {
    /// Bytes sent.
    pub bytes: f64,
    /// Messages sent.
    pub messages: u64,
}

/// Adds with saturation of the number of messages at the largest 64-bit number.
impl AddAssign for Volume {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.messages = self.messages.saturating_add(other.messages);
    }
}
