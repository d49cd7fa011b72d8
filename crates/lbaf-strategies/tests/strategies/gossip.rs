// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guarantees of the gossip family.

mod clustering;
mod inform_and_transfer;
mod migration_reduction;
pub(crate) mod sand2019;
pub(crate) mod tempered;
