// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs as files, and solutions of solvers.
#![allow(clippy::unwrap_used, reason = "the functions shared by the tests are tests too")]

mod files;
mod small;
mod solutions;
