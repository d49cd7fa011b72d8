// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a stem to a data set: find the files of all ranks, read them in parallel, check them against each other.
#![forbid(unsafe_code)]
