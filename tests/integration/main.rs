// SPDX-License-Identifier: MIT OR Apache-2.0
//! The binary, end to end.
