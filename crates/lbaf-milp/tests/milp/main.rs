// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs as files, and solutions of solvers.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

mod files;
mod small;
mod solutions;
