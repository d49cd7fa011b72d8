// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reassigned VOM files from input records and assignments.
#![forbid(unsafe_code)]
