// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `lbaf` command.
#![forbid(unsafe_code)]
fn main() {}
