// SPDX-License-Identifier: MIT OR Apache-2.0
//! Building blocks that strategies of several families share.

pub(crate) mod exchange_search;
pub(crate) mod list_scheduling;
pub(crate) mod migration_reduction;
pub(crate) mod pool;
pub(crate) mod rank_order;
pub(crate) mod relabelling;
pub(crate) mod seconds;
pub(crate) mod works;
