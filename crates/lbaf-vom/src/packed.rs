// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bit-packed object ids of vt.
//!
//! The two lowest bits encode the kind of object: 0 an object group, 1 a bare handler, 2 a non-migratable collection
//! element, 3 a migratable collection element. The home rank and the sequence number follow; in the id of an object
//! group, two bits of flags precede the home rank. Ids are 64-bit integers, never converted to floating point.

const HOME_MASK: u64 = 0xffff;

/// Returns the home rank packed into an id, or `None` for id 0 (the initial task), which has no home.
///
/// ```
/// assert_eq!(lbaf_vom::home_of_packed_id(3_407_875), Some(0));
/// assert_eq!(lbaf_vom::home_of_packed_id(5), Some(1)); // bare handler of rank 1
/// assert_eq!(lbaf_vom::home_of_packed_id(0), None);
/// ```
pub fn home_of_packed_id(id: u64) -> Option<u32> {
    match id & 3 {
        _ if id == 0 => None,
        0 => Some(((id >> 4) & HOME_MASK) as u32),
        _ => Some(((id >> 2) & HOME_MASK) as u32),
    }
}

/// Returns the sequence number of a packed id, which must not be that of an object group.
///
/// ```
/// assert_eq!(lbaf_vom::sequence_of_packed_id(3_407_875), 13);
/// ```
pub fn sequence_of_packed_id(id: u64) -> u64 {
    id >> 18
}

/// Returns the id of collection element `sequence` whose home is `home` (16 bits).
///
/// ```
/// assert_eq!(lbaf_vom::packed_id(13, 0, true), 3_407_875);
/// ```
pub fn packed_id(sequence: u64, home: u16, migratable: bool) -> u64 {
    (sequence << 18) | (u64::from(home) << 2) | if migratable { 3 } else { 2 }
}
