// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rebalancing strategies: one trait, one file per strategy, one registry.
#![forbid(unsafe_code)]
