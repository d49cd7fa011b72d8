// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wire format of one VOM file.
#![forbid(unsafe_code)]
