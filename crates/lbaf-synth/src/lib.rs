// SPDX-License-Identifier: MIT OR Apache-2.0
//! Made data sets: sampled objects, loads and communication, seeded.
#![forbid(unsafe_code)]
